"""What points at something in a sentence: pronouns, and descriptions like "that pill" (A5)."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import regex

from .language import LanguagePack
from .lexicon import Lexicon, compile_lexicon
from .models import EntityKind, Span
from .text import any_of, find_tokens, fold_in


class EntityClass(NamedTuple):
    """What a pronoun or class word can stand for."""

    kinds: frozenset[EntityKind]
    groups: frozenset[str]
    without: frozenset[str] = frozenset()
    """Groups that are not meant although their kind is (written with a minus)."""
    gender: str = ""


_ANYTHING = EntityClass(frozenset(EntityKind), frozenset())


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class ReferenceWords:
    """The pack's references.yaml."""

    pronouns: Lexicon[str]
    """Pronoun → its class."""
    described: tuple[tuple[regex.Pattern[str], str], ...]
    """Descriptions ("that pill") and their class; the group `noun` holds the class word."""
    named: tuple[regex.Pattern[str], ...]
    """Descriptions whose group `noun` must be part of the entity's name ("that lamp")."""
    classes: dict[str, EntityClass]
    hints: dict[str, regex.Pattern[str]]
    """Class → words that go with it."""
    common: frozenset[str]
    """Groups of common nouns: a name counts before one of these."""
    empty: tuple[regex.Pattern[str], ...]
    """Pronouns that stand for nothing ("it is raining")."""
    male: frozenset[str]
    female: frozenset[str]
    male_marks: tuple[str, ...]
    """How names of men begin or end ("mr", 先生)."""
    female_marks: tuple[str, ...]


@cache
def reference_words(pack: LanguagePack) -> ReferenceWords:
    """Return the pack's words of reference. Raises LanguagePackError."""
    file = pack.file("references").only(
        *("classes", "pronouns", "described", "named", "hints", "common", "empty"),
        *("male", "female", "male_marks", "female_marks"),
    )

    return ReferenceWords(
        pronouns=compile_lexicon(
            (fold_in(word, pack), name)
            for name, words in file.section("pronouns").texts_map().items()
            for word in words
        ),
        described=tuple(
            (pattern, name)
            for name, texts in file.section("described").texts_map().items()
            for pattern in _compiled(texts)
        ),
        named=_compiled(file.texts("named")),
        classes={
            name: _class_of(members)
            for name, members in file.section("classes").texts_map().items()
        },
        hints={
            name: any_of(texts)
            for name, texts in file.section("hints").texts_map().items()
        },
        common=frozenset(file.texts("common")),
        empty=_compiled(file.texts("empty")),
        male=frozenset(fold_in(word, pack) for word in file.texts("male")),
        female=frozenset(fold_in(word, pack) for word in file.texts("female")),
        male_marks=file.texts("male_marks"),
        female_marks=file.texts("female_marks"),
    )


def _empty(folded: str, words: ReferenceWords) -> list[Span]:
    return [
        Span(*match.span())
        for pattern in words.empty
        for match in pattern.finditer(folded)
    ]


def _compiled(texts: Iterable[str]) -> tuple[regex.Pattern[str], ...]:
    return tuple(regex.compile(text, regex.VERSION1) for text in texts)


def _class_of(members: tuple[str, ...]) -> EntityClass:
    """Return a class from its kinds, groups and, with a minus, what is not meant."""
    kinds = frozenset(kind.value for kind in EntityKind)
    return EntityClass(
        kinds=frozenset(EntityKind(member) for member in members if member in kinds),
        groups=frozenset(member for member in members if member not in kinds),
        without=frozenset(member[1:] for member in members if member.startswith("-")),
    )


class Pointer(NamedTuple):
    """A pronoun or description in a sentence."""

    span: Span
    fits: EntityClass
    noun: str
    """The class word or part of the name, empty for pronouns."""
    by_name: bool
    """Only an entity whose name ends with the noun fits."""


def find_pointers(folded: str, words: ReferenceWords) -> list[Pointer]:
    """Return what points at something, descriptions before pronouns, in the order of the text."""
    found: list[Pointer] = []

    def add(
        span: Span, fits: EntityClass, noun: str = "", *, by_name: bool = False
    ) -> None:
        if not any(span.overlaps(other.span) for other in found):
            found.append(Pointer(span, fits, noun, by_name))

    for pattern, name in words.described:
        for match in pattern.finditer(folded):
            add(
                Span(*match.span()),
                words.classes[name],
                match.groupdict().get("noun") or "",
            )
    for pattern in words.named:
        for match in pattern.finditer(folded):
            add(Span(*match.span()), _ANYTHING, match["noun"], by_name=True)
    tokens = find_tokens(folded)
    pronouns = list(words.pronouns.find(tokens))
    empty = _empty(folded, words) if pronouns else []
    for hit in pronouns:
        span = Span(tokens[hit.first].start, tokens[hit.last - 1].end)
        if hit.value in words.classes and not any(
            span.overlaps(other) for other in empty
        ):
            add(span, words.classes[hit.value]._replace(gender=hit.value))
    return sorted(found, key=lambda pointer: pointer.span)
