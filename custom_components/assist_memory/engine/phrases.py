"""Phrases as a pack writes them, made into patterns: "(can|could) you [please] remind me".

`[…]` may be left out, `(a|b)` is a choice, `<name>` stands for a rule of the same file, `{name}` takes any words of
one clause and `~` takes time words, which callers blank out with BLANK beforehand. Spaces match spaces and commas, or
nothing. Patterns are compiled when they are first needed: which ones can fit is known by the first word alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
import re

from .errors import LanguagePackError
from .models import Span
from .text import has_han

BLANK = "\x1f"
"""Stands in for each character of a time expression; no normalised text has it."""
ANY = ""
"""The first word of a phrase that may begin with anything."""

_PIECE = re.compile(r"<(\w+)>|\{(\w+)\}|([\[\]()|~])|( +)|([\w'-]+)|(.)")
_KEY = re.compile(r"[^\W\u3400-\u9fff]+|.")
_GAP = "[ ,，、]*+"
_TIME = f"(?:{BLANK}[{BLANK} ,，、]*+)"
_DEPTH = 5


@dataclass(frozen=True, slots=True)
class _Node:
    """A part of a phrase: its pattern, the keys it can begin with, and whether it may be empty."""

    pattern: str
    first: frozenset[str]
    empty: bool = False
    after_any: frozenset[str] = frozenset()
    """What must come some time after words of any kind."""


class Rules:
    """The rules that phrases of one file may use, each parsed once; a rule has no slots."""

    def __init__(self, texts: Mapping[str, tuple[str, ...]]) -> None:
        self._texts = texts
        self._nodes: dict[str, _Node] = {}

    def node(self, name: str, depth: int = 0) -> _Node:
        """Return a rule. Raises LanguagePackError if there is none or it never ends."""
        if name not in self._texts or depth > _DEPTH:
            raise LanguagePackError(f"no rule {name!r}, or it is within itself")
        if name not in self._nodes:
            parsers = [
                _Parser(phrase, self, count(), depth + 1)
                for phrase in self._texts[name]
            ]
            self._nodes[name] = _either([parser.parsed() for parser in parsers])
        return self._nodes[name]


_NO_RULES = Rules({})


@dataclass(frozen=True, eq=False, kw_only=True)
class Phrase:
    """One phrase, compiled when it is first tried."""

    node: _Node
    before: str = ""
    after: str = ""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return the compiled pattern; the group `phrase` holds the words of the phrase."""
        return re.compile(f"{self.before}(?P<phrase>{self.node.pattern}){self.after}")

    def can_fit(self, text: str) -> bool:
        """Tell whether a phrase that begins with anything has the words that it needs."""
        needed = self.node.after_any
        return not needed or any(word in text for word in needed)


class PhraseIndex[Kind]:
    """Phrases of several kinds, found by the first word of a text; earlier ones win."""

    def __init__(self, phrases: Iterable[tuple[Kind, Phrase]]) -> None:
        """Take the phrases in their order."""
        ordered = list(phrases)
        keys = {key for _, phrase in ordered for key in phrase.node.first}
        self._phrases = [phrase for _, phrase in ordered]
        self._anywhere = [one for one in ordered if ANY in one[1].node.first]
        self._by_key = {
            key: [
                one for one in ordered if not one[1].node.first.isdisjoint({key, ANY})
            ]
            for key in keys
        }

    def prepare(self) -> None:
        """Compile all phrases now, so that no sentence has to wait for it."""
        for phrase in self._phrases:
            _ = phrase.pattern

    def starting_at(self, text: str, start: int) -> Iterator[tuple[Kind, Phrase]]:
        """Yield the phrases that a text may begin with at a place, in their order."""
        for kind, phrase in self._by_key.get(key_at(text, start), self._anywhere):
            if ANY not in phrase.node.first or phrase.can_fit(text):
                yield kind, phrase


def key_at(text: str, start: int) -> str:
    """Return what phrases are found by: the Latin word or the one other character at a place."""
    match = _KEY.match(text, start)
    return match[0] if match else "\n"


def parse_phrase(
    text: str, rules: Rules = _NO_RULES, *, before: str = "", after: str = ""
) -> Phrase:
    """Return a phrase of a pack. Raises LanguagePackError."""
    return Phrase(
        node=_Parser(text, rules, count(), 0).parsed(), before=before, after=after
    )


def compile_phrases(
    phrases: Iterable[str],
    rules: Rules = _NO_RULES,
    *,
    before: str = "",
    after: str = "",
) -> re.Pattern[str]:
    """Return one pattern for all phrases, the first that fits winning. Raises LanguagePackError."""
    numbers = count()
    choices = [
        _Parser(phrase, rules, numbers, 0).parsed().pattern for phrase in phrases
    ]
    # A pattern of no phrase fits nowhere.
    return re.compile(f"{before}(?P<phrase>{'|'.join(choices) or '(?!)'}){after}")


def captured(match: re.Match[str], name: str) -> Span | None:
    """Return where `{name}` matched, or None."""
    for group, value in match.groupdict().items():
        if value is not None and group.partition("__")[0] == name:
            return Span(match.start(group), match.end(group))
    return None


def blanked(text: str, spans: Iterable[Span]) -> str:
    """Return the text with the spans blanked out, of the same length."""
    for span in spans:
        text = text[: span.start] + BLANK * (span.end - span.start) + text[span.end :]
    return text


class _Parser:
    """Turns one phrase into a node by recursive descent."""

    def __init__(
        self, text: str, rules: Rules, numbers: Iterator[int], depth: int
    ) -> None:
        self._text = text
        self._rules = rules
        self._numbers = numbers
        self._depth = depth
        self._pieces: list[tuple[str, ...]] = _PIECE.findall(text)
        self._at = 0

    def parsed(self) -> _Node:
        node = self._choice()
        if self._at != len(self._pieces):
            raise LanguagePackError(
                f"phrase {self._text!r}: unexpected {self._pieces[self._at]}"
            )
        return node

    def _choice(self) -> _Node:
        choices = [self._sequence()]
        while self._mark() == "|":
            self._at += 1
            choices.append(self._sequence())
        return _either(choices)

    def _sequence(self) -> _Node:
        parts = []
        while self._at < len(self._pieces) and self._mark() not in {"|", ")", "]"}:
            parts.append(self._part())
        return _joined(parts)

    def _part(self) -> _Node:
        rule, slot, mark, space, word, other = self._pieces[self._at]
        self._at += 1
        if rule:
            return self._rules.node(rule, self._depth)
        if slot:
            group = f"(?P<{slot}__{next(self._numbers)}>[^,;!?，。；！？]{{1,240}}?)"
            return _Node(group, frozenset({ANY}))
        if mark == "~":
            return _Node(_TIME, frozenset({BLANK}))
        if mark:
            return self._bracketed("]" if mark == "[" else ")")
        if space:
            return _Node(_GAP, frozenset(), empty=True)
        return _word(word or other)

    def _bracketed(self, closing: str) -> _Node:
        inner = self._choice()
        if self._mark() != closing:
            raise LanguagePackError(f"phrase {self._text!r}: no {closing!r}")
        self._at += 1
        if closing == ")":
            return inner
        return _Node(f"(?:{inner.pattern})?", inner.first, empty=True)

    def _mark(self) -> str:
        return self._pieces[self._at][2] if self._at < len(self._pieces) else ""


def _either(nodes: Sequence[_Node]) -> _Node:
    if len(nodes) == 1:
        return nodes[0]
    return _Node(
        f"(?:{'|'.join(node.pattern for node in nodes)})",
        frozenset().union(*(node.first for node in nodes)),
        empty=any(node.empty for node in nodes),
    )


def _joined(nodes: Sequence[_Node]) -> _Node:
    first: frozenset[str] = frozenset()
    after_any: frozenset[str] = frozenset()
    empty = True
    for node in nodes:
        if empty:
            first |= node.first
            empty = node.empty
        elif (
            ANY in first and not after_any and not node.empty and ANY not in node.first
        ):
            after_any = node.first
    return _Node("".join(node.pattern for node in nodes), first, empty, after_any)


def _word(word: str) -> _Node:
    literal = re.escape(word).replace("'", "'?")
    if has_han(word) or not word[0].isalnum():
        return _Node(literal, frozenset({word[0]}))
    pattern = rf"\b{literal}\b(?!')"
    return _Node(pattern, frozenset({key_at(word, 0), word.replace("'", "")}))
