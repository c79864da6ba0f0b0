"""Which entity a pronoun or a description stands for: class first, then topic, recency, attitude (A5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import regex

from .attitude import read_attitude
from .distill import verbs_of
from .entities import known_group
from .language import LanguagePack
from .lexicon import Lexicon, compile_lexicon
from .models import EntityKind, Mention, Reference, Span, TrackedEntity
from .text import Token, find_tokens, fold_in

if TYPE_CHECKING:
    from .state import MemoryState

_TOPIC_BONUS = 0.15
_ATTITUDE_BONUS = 0.1
_HINT_BONUS = 0.9
"""A word of the sentence that goes with the class ("take" with a medicine)."""
_DEED_BONUS = 0.3
"""A verb of the sentence was used of the entity before."""
_OFTEN_BONUS = 0.08
"""For each further time that it was spoken of."""
_NOUN_BONUS = 1.0
"""The class word is part of the entity's name ("that scan": MRI scan)."""
_FAINT = 0.3
"""A bare "it" does not reach for what scores less: better no entity than a guess."""
_COMMON_MALUS = 0.4
"""A common noun ("a restaurant") counts less than a name."""
_NAMED = frozenset({EntityKind.PERSON, EntityKind.ORGANISATION})
_FIRM = frozenset({EntityKind.PERSON, EntityKind.PET, EntityKind.PLACE, EntityKind.ORGANISATION, EntityKind.AREA})
_GENDERS = frozenset({"male", "female"})


class _Class(NamedTuple):
    """What a pronoun or class word can stand for."""

    kinds: frozenset[EntityKind]
    groups: frozenset[str]
    without: frozenset[str] = frozenset()
    """Groups that are not meant although their kind is (written with a minus)."""
    gender: str = ""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class _ReferenceWords:
    """The pack's references.yaml."""

    pronouns: Lexicon[str]
    """Pronoun → its class."""
    described: tuple[tuple[regex.Pattern[str], str], ...]
    """Descriptions ("that pill") and their class; the group `noun` holds the class word."""
    named: tuple[regex.Pattern[str], ...]
    """Descriptions whose group `noun` must be part of the entity's name ("that lamp")."""
    classes: dict[str, _Class]
    hints: dict[str, tuple[regex.Pattern[str], ...]]
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
def reference_words(pack: LanguagePack) -> _ReferenceWords:
    """Return the pack's words of reference. Raises LanguagePackError."""
    file = pack.file("references").only(
        *("classes", "pronouns", "described", "named", "hints", "common", "empty"),
        *("male", "female", "male_marks", "female_marks"),
    )

    def compiled(texts: Sequence[str]) -> tuple[regex.Pattern[str], ...]:
        return tuple(regex.compile(text, regex.VERSION1) for text in texts)

    kinds = frozenset(kind.value for kind in EntityKind)
    classes = {
        name: _Class(
            kinds=frozenset(EntityKind(member) for member in members if member in kinds),
            groups=frozenset(member for member in members if member not in kinds),
            without=frozenset(member[1:] for member in members if member.startswith("-")),
        )
        for name, members in file.section("classes").texts_map().items()
    }
    return _ReferenceWords(
        pronouns=compile_lexicon(
            (fold_in(word, pack), name)
            for name, words in file.section("pronouns").texts_map().items()
            for word in words
        ),
        described=tuple(
            (pattern, name)
            for name, texts in file.section("described").texts_map().items()
            for pattern in compiled(texts)
        ),
        named=compiled(file.texts("named")),
        classes=classes,
        hints={name: compiled(texts) for name, texts in file.section("hints").texts_map().items()},
        common=frozenset(file.texts("common")),
        empty=compiled(file.texts("empty")),
        male=frozenset(fold_in(word, pack) for word in file.texts("male")),
        female=frozenset(fold_in(word, pack) for word in file.texts("female")),
        male_marks=file.texts("male_marks"),
        female_marks=file.texts("female_marks"),
    )


class _Pointer(NamedTuple):
    """A pronoun or description in a sentence."""

    span: Span
    fits: _Class
    noun: str
    """The class word or part of the name, empty for pronouns."""
    by_name: bool
    """Only an entity whose name ends with the noun fits."""


class _Candidate(NamedTuple):
    """An entity that a pointer may stand for."""

    name: str
    kind: EntityKind
    age: int
    """Rounds since it was last spoken of; 0 in the same sentence."""
    attitude: float = 0.0
    deeds: str = ""
    """Its actions, and what it was called beside its name."""
    attributes: tuple[str, ...] = ()
    times: int = 1


def resolve(
    text: str, mentions: Sequence[Mention], state: MemoryState, pack: LanguagePack
) -> tuple[Reference, ...]:
    """Return the pronouns and descriptions of a sentence that stand for exactly one entity each."""
    words = reference_words(pack)
    folded = fold_in(text, pack)
    pointers = _pointers(folded, words)
    if not pointers:
        return ()
    attitude = read_attitude(text, mentions, pack).value
    tracked = _tracked(state)
    found = []
    for pointer in pointers:
        candidates = [*_in_sentence(pointer, mentions), *tracked]
        scored = _scored(pointer, candidates, folded, attitude, state, pack)
        if name := _clear_winner(scored, 0.0 if _is_firm(pointer) else _FAINT):
            found.append(Reference(mention=pointer.span.of(text), entity=name, span=pointer.span))
    return tuple(found)


def _pointers(folded: str, words: _ReferenceWords) -> list[_Pointer]:
    """Return what points at something, descriptions before pronouns, in the order of the text."""
    found: list[_Pointer] = []

    def add(span: Span, fits: _Class, noun: str = "", *, by_name: bool = False) -> None:
        if not any(span.overlaps(other.span) for other in found):
            found.append(_Pointer(span, fits, noun, by_name))

    for pattern, name in words.described:
        for match in pattern.finditer(folded):
            add(Span(*match.span()), words.classes[name], match.groupdict().get("noun") or "")
    anything = _Class(frozenset(EntityKind), frozenset())
    for pattern in words.named:
        for match in pattern.finditer(folded):
            add(Span(*match.span()), anything, match["noun"], by_name=True)
    empty = [Span(*match.span()) for pattern in words.empty for match in pattern.finditer(folded)]
    tokens = find_tokens(folded)
    for hit in words.pronouns.find(tokens):
        span = Span(tokens[hit.first].start, tokens[hit.last - 1].end)
        if hit.value in words.classes and not any(span.overlaps(other) for other in empty):
            add(span, words.classes[hit.value]._replace(gender=hit.value))
    return sorted(found, key=lambda pointer: pointer.span)


def _tracked(state: MemoryState) -> list[_Candidate]:
    return [
        _Candidate(
            *(entity.name, entity.kind, state.round + 1 - entity.last_round, _feeling(entity)),
            deeds=" ".join(one.action for one in entity.snapshots),
            attributes=entity.attributes,
            times=len(entity.snapshots),
        )
        for entity in (*state.entity_map.values(), *state.faded)
        if entity.name != state.own_name
    ]


def _feeling(entity: TrackedEntity) -> float:
    return entity.snapshots[-1].attitude if entity.snapshots else 0.0


def _in_sentence(pointer: _Pointer, mentions: Sequence[Mention]) -> Iterator[_Candidate]:
    for mention in mentions:
        if mention.span.end <= pointer.span.start:
            yield _Candidate(mention.name, mention.kind, 0, attributes=(mention.role,))


def _scored(
    pointer: _Pointer,
    candidates: Sequence[_Candidate],
    folded: str,
    attitude: float,
    state: MemoryState,
    pack: LanguagePack,
) -> dict[str, tuple[float, EntityKind]]:
    """Return the fitting candidates with their scores."""
    words = reference_words(pack)
    topics = {topic.text for topic in state.topic_chain}
    verbs = verbs_of(folded, pack)
    scored: dict[str, tuple[float, EntityKind]] = {}
    for candidate in candidates:
        fit = _fit(pointer, candidate, words, pack)
        if fit is None or candidate.name in scored:
            continue
        score = fit + 0.95**candidate.age
        score += _TOPIC_BONUS * (candidate.name in topics)
        score += _ATTITUDE_BONUS * (attitude * candidate.attitude > 0)
        score += _HINT_BONUS * _hinted(candidate, folded, words, pack)
        score += _DEED_BONUS * any(verb in candidate.deeds for verb in verbs)
        score += _OFTEN_BONUS * (candidate.times - 1)
        score -= _COMMON_MALUS * (known_group(candidate.name, pack) in words.common)
        scored[candidate.name] = (round(score, 6), candidate.kind)
    return scored


def _fit(
    pointer: _Pointer, candidate: _Candidate, words: _ReferenceWords, pack: LanguagePack
) -> float | None:
    """Return how well a candidate's class agrees with a pointer, None if it does not."""
    name = fold_in(candidate.name, pack)
    if pointer.by_name:
        return 0.0 if name.endswith(pointer.noun) and name != pointer.noun else None
    if pointer.fits.gender in _GENDERS:
        called = (name, *candidate.attributes)
        genders = {gender for one in called if (gender := _gender(one, words))}
        if genders and pointer.fits.gender not in genders:
            return None
    if _belongs(candidate, pointer.fits, pack):
        told = bool(pointer.noun) and name.endswith(pointer.noun)
        return _NOUN_BONUS * told + _salience(candidate.kind)
    named = candidate.kind is EntityKind.THING and candidate.name[:1].isupper()
    if named and not _NAMED.isdisjoint(pointer.fits.kinds):
        return -0.1
    return None


def _gender(name: str, words: _ReferenceWords) -> str:
    """Return the gender that a folded name shows, else an empty text."""
    if name in words.male or name.startswith(words.male_marks) or name.endswith(words.male_marks):
        return "male"
    if name in words.female or name.startswith(words.female_marks) or name.endswith(words.female_marks):
        return "female"
    return ""


def _belongs(candidate: _Candidate, wanted: _Class, pack: LanguagePack) -> bool:
    if candidate.kind in wanted.kinds:
        return not wanted.without or known_group(candidate.name, pack) not in wanted.without
    return bool(wanted.groups) and known_group(candidate.name, pack) in wanted.groups


_SALIENT = (
    *(EntityKind.MEDICINE, EntityKind.PET, EntityKind.DEVICE, EntityKind.WORK, EntityKind.EVENT),
    *(EntityKind.FOOD, EntityKind.FORMULA, EntityKind.THING, EntityKind.CONDITION),
    *(EntityKind.ORGANISATION, EntityKind.PLACE, EntityKind.SYMPTOM, EntityKind.AREA),
)


def _salience(kind: EntityKind) -> float:
    """Return a small bonus: of two things named together the more tangible one is meant."""
    return 0.01 * (len(_SALIENT) - _SALIENT.index(kind)) if kind in _SALIENT else 0.0


def _hinted(
    candidate: _Candidate, folded: str, words: _ReferenceWords, pack: LanguagePack
) -> bool:
    """Tell whether a word of the sentence goes with the candidate's class."""
    return any(
        _belongs(candidate, words.classes[name], pack)
        and any(pattern.search(folded) for pattern in patterns)
        for name, patterns in words.hints.items()
    )


def _is_firm(pointer: _Pointer) -> bool:
    """Tell whether a pointer names its class well enough to reach far back."""
    return bool(pointer.noun) or not pointer.fits.kinds - _FIRM


def _clear_winner(scored: dict[str, tuple[float, EntityKind]], least: float) -> str | None:
    """Return the best candidate; None where two of one kind are equally good, or all are too faint."""
    ranked = sorted(scored.items(), key=lambda item: -item[1][0])
    if not ranked or ranked[0][1][0] < least:
        return None
    if len(ranked) > 1 and ranked[0][1] == ranked[1][1]:
        return None
    return ranked[0][0]
