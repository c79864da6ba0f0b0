"""The words of a pack that name things, compiled once: lists, patterns, parts of the body (A2, A18)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import regex

from .errors import LanguagePackError
from .language import LanguagePack, Section
from .lexicon import Lexicon, compile_lexicon
from .models import EntityKind
from .text import fold_in

_CAPITAL = regex.compile(r"(?<!\?P)<name>|\\p\{Lu\}")
"""What makes a pattern need a capital: the macro `name`, or an upper-case letter."""


_FOLDED = ("given_names", "openers", "adjectives", "stops", "dull")
_KEYS = (
    *("endings", "groups", "words", "plain", "parts", "ailments", "symptoms", "macros"),
    *("patterns", "whole_patterns", "own_name", "past_endings", "verb_endings"),
    *("possessives", "related", *_FOLDED),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """What a listed word stands for."""

    name: str
    """The canonical name, as it is shown."""
    kind: EntityKind
    group: str
    """A finer class than the kind ("document", "appliance"), which descriptions may name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A way to say a name: what the group `name` of the expression holds is of this kind."""

    kind: EntityKind
    expression: regex.Pattern[str]
    kept: bool
    """The whole match is the name, not only the group."""
    capital: bool
    """It finds nothing in a text without capitals."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Vocabulary:
    """All that the pack's vocabulary.yaml says, ready to use."""

    words: Lexicon[Word]
    parts: Lexicon[str]
    """Form of a part of the body → its name."""
    ailments: Lexicon[str]
    """Form of an ailment → the name of the symptom with `{part}` in it."""
    symptoms: Mapping[str, str]
    """Name of a part and template of an ailment → canonical symptom, where it has another name."""
    patterns: tuple[Pattern, ...]
    own_name: tuple[regex.Pattern[str], ...]
    """How people say their own name."""
    given_names: frozenset[str]
    openers: frozenset[str]
    """Words that begin a noun phrase."""
    adjectives: frozenset[str]
    """Words that may stand before a noun and are no part of its name."""
    possessives: tuple[str, ...]
    """Endings that are no part of a name ("Anna's")."""
    past_endings: tuple[str, ...]
    """How verbs end that end a noun phrase."""
    verb_endings: tuple[str, ...]
    """How a word may end that is rather a verb than the head of a noun phrase."""
    stops: frozenset[str]
    """Words that no name and no noun phrase contains."""
    dull: frozenset[str]
    """Nouns too general to be held as an entity."""
    empty: frozenset[str]
    """Stops and dull nouns: words without content."""
    related: Mapping[str, frozenset[str]]
    """Name → names that belong to the same thread (blood pressure, hypertension)."""


@cache
def vocabulary(pack: LanguagePack) -> Vocabulary:
    """Return the vocabulary of a pack. Raises LanguagePackError."""
    file = pack.file("vocabulary").only(*_KEYS)
    endings = file.texts("endings")
    macros = file.section("macros").text_map()
    return Vocabulary(
        words=compile_lexicon(_words(file, pack), endings),
        parts=compile_lexicon(_forms(file.section("parts"), pack), endings),
        ailments=compile_lexicon(_forms(file.section("ailments"), pack), endings),
        symptoms=file.section("symptoms").text_map(),
        patterns=(
            *_patterns(file.section("whole_patterns"), macros, kept=True),
            *_patterns(file.section("patterns"), macros, kept=False),
        ),
        own_name=tuple(
            _compiled(text, macros, file) for text in file.texts("own_name")
        ),
        **{key: _folded(file, key, pack) for key in _FOLDED},
        possessives=file.texts("possessives"),
        past_endings=file.texts("past_endings"),
        verb_endings=file.texts("verb_endings"),
        empty=_folded(file, "stops", pack) | _folded(file, "dull", pack),
        related=_related(file.section("related")),
    )


def _words(file: Section, pack: LanguagePack) -> Iterator[tuple[str, Word]]:
    groups = {
        group: _kind(kind, file)
        for group, kind in file.section("groups").text_map().items()
    }
    for group in file.section("words"):
        for form, name in _forms(file.section("words").section(group), pack):
            yield form, Word(name=name, kind=groups[group], group=group)
    for group, names in file.section("plain").texts_map().items():
        for name in names:
            yield fold_in(name, pack), Word(name=name, kind=groups[group], group=group)


def _kind(kind: str, file: Section) -> EntityKind:
    try:
        return EntityKind(kind)
    except ValueError as error:
        raise LanguagePackError(f"{file.place}: no kind {kind!r}") from error


def _forms(section: Section, pack: LanguagePack) -> Iterator[tuple[str, str]]:
    """Yield each folded form with the name that it stands for; a name without `{…}` is a form of itself."""
    for name, forms in section.texts_map().items():
        if "{" not in name:
            yield fold_in(name, pack), name
        for form in forms:
            yield fold_in(form, pack), name


def _patterns(
    section: Section, macros: Mapping[str, str], *, kept: bool
) -> Iterator[Pattern]:
    for kind, texts in section.texts_map().items():
        for text in texts:
            expression = _compiled(text, macros, section)
            yield Pattern(
                kind=_kind(kind, section),
                expression=expression,
                kept=kept,
                capital=_CAPITAL.search(text) is not None,
            )


def _compiled(
    text: str, macros: Mapping[str, str], section: Section
) -> regex.Pattern[str]:
    for name, macro in macros.items():
        # A group that is called like a macro stays a group.
        text = macro.join(regex.split(rf"(?<!\?P)<{name}>", text))
    try:
        return regex.compile(text, regex.VERSION1)
    except regex.error as error:
        raise LanguagePackError(f"{section.place}: {text!r}: {error}") from error


def _folded(file: Section, key: str, pack: LanguagePack) -> frozenset[str]:
    return frozenset(fold_in(word, pack) for word in file.texts(key))


def _related(section: Section) -> dict[str, frozenset[str]]:
    """Return the relation both ways."""
    pairs: dict[str, set[str]] = {}
    for name, others in section.texts_map().items():
        for other in others:
            pairs.setdefault(name, set()).add(other)
            pairs.setdefault(other, set()).add(name)
    return {name: frozenset(others) for name, others in pairs.items()}
