"""Templates of the packs, compiled: "half past {hour} [{half}]" becomes a pattern over one letter per token.

In a template, `{a|b}` is a token that has one of these roles, `[x]` may be missing, `(x|y)` is one of several, other
words stand for themselves, `^` and `$` are the ends of the sentence, `!` forbids that an unknown word follows, `~` that
a number or unit does, and `>` only looks at what comes next.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
import re

from ..errors import LanguagePackError

START, END, OTHER = "^", "$", "."
"""Letters of the ends of a sentence and of words that are no time words."""

_MARK = re.compile(r"\{([a-z_|]+)\}|([\[\]()|^$!~>])|([^\[\](){}|^$!~>]+)")
_FIRST_LETTER = 0xE000


class Letters:
    """Gives every set of roles a letter of its own, so that a sentence becomes a short text."""

    def __init__(self) -> None:
        self._letters: dict[frozenset[str], str] = {frozenset(): OTHER}

    def of(self, roles: frozenset[str]) -> str:
        """Return the letter of a set of roles, a new one if need be."""
        return self._letters.setdefault(roles, chr(_FIRST_LETTER + len(self._letters)))

    def known(self, roles: frozenset[str]) -> str:
        """Return the letter of a set of roles; an unknown set is no time word."""
        return self._letters.get(roles, OTHER)

    def having(self, wanted: Iterable[str]) -> str:
        """Return all letters whose tokens have one of the wanted roles."""
        roles = set(wanted)
        return "".join(letter for have, letter in self._letters.items() if have & roles)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A template as the pack has it."""

    family: str
    text: str
    place: str
    constants: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Template:
    """A template that is compiled when it is first tried."""

    family: str
    expression: str
    slots: tuple[tuple[str, ...], ...]
    """For each group of the pattern the roles it may be filled with."""
    constants: tuple[tuple[str, str], ...]
    first: frozenset[str]
    """The letters it can begin with."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return the compiled pattern over the letters of tokens."""
        return re.compile(self.expression)


@dataclass(frozen=True, slots=True)
class _Piece:
    pattern: str
    first: frozenset[str]
    empty: bool


class _Compiler:
    """Turns the marks of one template into a pattern by recursive descent."""

    def __init__(
        self, source: Source, letters: Letters, literal: Callable[[str], list[str]]
    ) -> None:
        self.slots: list[tuple[str, ...]] = []
        self._source = source
        self._letters = letters
        self._literal = literal
        self._marks: list[tuple[str, str, str]] = _MARK.findall(source.text)
        if (
            "".join(f"{{{a}}}" if a else b or c for a, b, c in self._marks)
            != source.text
        ):
            raise LanguagePackError(f"{source.place}: {source.text!r} is no template")
        self._at = 0

    def template(self) -> Template:
        piece = self._choice()
        if self._at < len(self._marks) or piece.empty:
            raise LanguagePackError(
                f"{self._source.place}: {self._source.text!r} is no template"
            )
        return Template(
            family=self._source.family,
            expression=piece.pattern,
            slots=tuple(self.slots),
            constants=self._source.constants,
            first=piece.first,
        )

    def _choice(self) -> _Piece:
        choices = [self._sequence()]
        while self._peek() == "|":
            self._at += 1
            choices.append(self._sequence())
        return _Piece(
            "|".join(choice.pattern for choice in choices),
            frozenset().union(*(choice.first for choice in choices)),
            any(choice.empty for choice in choices),
        )

    def _sequence(self) -> _Piece:
        pattern, first, empty = "", frozenset[str](), True
        while self._at < len(self._marks) and self._peek() not in {"|", "]", ")"}:
            piece = self._item()
            pattern += piece.pattern
            first = first | piece.first if empty else first
            empty = empty and piece.empty
        return _Piece(pattern, first, empty)

    def _item(self) -> _Piece:
        slot, sign, words = self._marks[self._at]
        self._at += 1
        if words and not words.strip():
            return _Piece("", frozenset(), empty=True)
        if slot:
            self.slots.append(tuple(slot.split("|")))
            piece = self._class(self.slots[-1])
            return _Piece(f"({piece.pattern})", piece.first, empty=False)
        if words:
            pieces = [self._class([role]) for role in self._literal(words)]
            return _Piece(
                "".join(piece.pattern for piece in pieces), pieces[0].first, empty=False
            )
        return (
            self._group(sign)
            if sign in {"[", "("}
            else _Piece(self._look(sign), frozenset(), empty=True)
        )

    def _look(self, sign: str) -> str:
        """Return the pattern of a sign that only looks around."""
        match sign:
            case "^":
                return rf"(?<=\{START})"
            case "$":
                return rf"(?=\{END})"
            case "!":
                return rf"(?!\{OTHER})"
            case "~":
                return f"(?![{self._letters.having(['number', 'unit'])}])"
        return f"(?={self._item().pattern})"

    def _group(self, sign: str) -> _Piece:
        piece = self._choice()
        if self._peek() != {"[": "]", "(": ")"}.get(sign):
            raise LanguagePackError(
                f"{self._source.place}: {self._source.text!r} has an open bracket"
            )
        self._at += 1
        optional = sign == "["
        return _Piece(
            f"(?:{piece.pattern})" + "?" * optional,
            piece.first,
            piece.empty or optional,
        )

    def _class(self, roles: Sequence[str]) -> _Piece:
        letters = self._letters.having(roles)
        # A role that no word has makes a template that never matches, which is no error: packs grow.
        return _Piece(
            f"[{letters}]" if letters else r"(?!)", frozenset(letters), empty=False
        )

    def _peek(self) -> str:
        return self._marks[self._at][1] if self._at < len(self._marks) else ""


def compiled(
    source: Source, letters: Letters, literal: Callable[[str], list[str]]
) -> Template:
    """Return a compiled template. All letters must be known by now. Raises LanguagePackError."""
    return _Compiler(source, letters, literal).template()


def literals_of(text: str) -> Iterator[str]:
    """Yield the words of a template that stand for themselves."""
    return (words for _, _, words in _MARK.findall(text) if words.strip())


@dataclass(frozen=True, eq=False)
class Stage:
    """Templates that are tried together; at each token the longest match wins, then the earlier template."""

    templates: tuple[Template, ...]

    def prepare(self) -> None:
        """Compile all templates now, so that no sentence has to wait for it."""
        for template in self.templates:
            _ = template.pattern

    @cached_property
    def by_letter(self) -> dict[str, tuple[Template, ...]]:
        """The templates that can begin with a letter."""
        letters = {letter for template in self.templates for letter in template.first}
        return {
            letter: tuple(
                template for template in self.templates if letter in template.first
            )
            for letter in letters
        }
