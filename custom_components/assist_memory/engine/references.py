"""Which entity a pronoun or a description stands for: class first, then topic, recency, attitude (A5)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .distill import find_deeds
from .entities import known_group
from .kept import TrackedEntity
from .language import LanguagePack
from .models import EntityKind, Mention, Reference
from .pointers import (
    EntityClass,
    Pointer,
    ReferenceWords,
    find_pointers,
    reference_words,
)
from .text import fold_in

if TYPE_CHECKING:
    from .state import MemoryState

_NEARNESS = 0.95
"""What a round leaves of the preference for what was named last."""
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
_FIRM = frozenset(
    {
        EntityKind.PERSON,
        EntityKind.PET,
        EntityKind.PLACE,
        EntityKind.ORGANISATION,
        EntityKind.AREA,
    }
)
_GUARDED = frozenset({EntityKind.PERSON, EntityKind.PET, EntityKind.MEDICINE})
"""Kinds of which it is worse to mean the wrong one than none."""
_GENDERS = frozenset({"male", "female"})


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


class _Score(NamedTuple):
    """How well a candidate fits."""

    value: float
    kind: EntityKind
    age: int


class _Sentence(NamedTuple):
    """What the rest of a sentence tells about whom it means."""

    attitude: float
    verbs: frozenset[str]
    hinted: list[EntityClass]
    """Classes that a word of the sentence goes with."""
    topics: frozenset[str]


def resolve(
    text: str,
    mentions: Sequence[Mention],
    state: MemoryState,
    pack: LanguagePack,
    *,
    attitude: float,
) -> tuple[Reference, ...]:
    """Return the pronouns and descriptions of a sentence that stand for exactly one entity each.

    `attitude`: how the sentence feels, -1 to 1: it rather means what was felt alike before.
    """
    words = reference_words(pack)
    folded = fold_in(text, pack)
    pointers = find_pointers(folded, words)
    if not pointers:
        return ()
    tracked = _tracked(state)
    sentence = _Sentence(
        attitude=attitude,
        verbs=frozenset(deed.verb for deed in find_deeds(folded, pack)),
        hinted=[
            words.classes[name]
            for name, pattern in words.hints.items()
            if pattern.search(folded)
        ],
        topics=frozenset(topic.text for topic in state.topic_chain),
    )
    found = []
    for pointer in pointers:
        candidates = [*_in_sentence(pointer, mentions), *tracked]
        scored = _scored(pointer, candidates, sentence, pack)
        if name := _clear_winner(scored, 0.0 if _is_firm(pointer) else _FAINT):
            mention = pointer.span.of(text)
            found.append(Reference(mention=mention, entity=name, span=pointer.span))
    return tuple(found)


def _tracked(state: MemoryState) -> list[_Candidate]:
    return [
        _Candidate(
            *(
                entity.name,
                entity.kind,
                state.round + 1 - entity.last_round,
                _feeling(entity),
            ),
            deeds=" ".join(one.action for one in entity.snapshots),
            attributes=entity.attributes,
            times=len(entity.snapshots),
        )
        for entity in (*state.entity_map.values(), *state.faded)
        if entity.name != state.own_name
    ]


def _feeling(entity: TrackedEntity) -> float:
    return entity.snapshots[-1].attitude if entity.snapshots else 0.0


def _in_sentence(pointer: Pointer, mentions: Sequence[Mention]) -> Iterator[_Candidate]:
    for mention in mentions:
        if mention.span.end <= pointer.span.start:
            yield _Candidate(mention.name, mention.kind, 0, attributes=(mention.role,))


def _scored(
    pointer: Pointer,
    candidates: Sequence[_Candidate],
    sentence: _Sentence,
    pack: LanguagePack,
) -> dict[str, _Score]:
    """Return the fitting candidates with their scores; of one name the nearest counts."""
    words = reference_words(pack)
    scored: dict[str, _Score] = {}
    for candidate in candidates:
        fit = _fit(pointer, candidate, words, pack)
        if fit is None or candidate.name in scored:
            continue
        score = (
            fit + _NEARNESS**candidate.age + _context_score(candidate, sentence, pack)
        )
        score -= _COMMON_MALUS * (known_group(candidate.name, pack) in words.common)
        scored[candidate.name] = _Score(score, candidate.kind, candidate.age)
    return scored


def _context_score(
    candidate: _Candidate, sentence: _Sentence, pack: LanguagePack
) -> float:
    """Return how well a candidate goes with the rest of the sentence and of the talk."""
    score = _OFTEN_BONUS * (candidate.times - 1)
    score += _TOPIC_BONUS * (candidate.name in sentence.topics)
    score += _ATTITUDE_BONUS * (sentence.attitude * candidate.attitude > 0)
    score += _DEED_BONUS * any(verb in candidate.deeds for verb in sentence.verbs)
    score += _HINT_BONUS * any(
        _belongs(candidate, hinted, pack) for hinted in sentence.hinted
    )
    return score


def _fit(
    pointer: Pointer, candidate: _Candidate, words: ReferenceWords, pack: LanguagePack
) -> float | None:
    """Return how well a candidate's class agrees with a pointer, None if it does not."""
    if pointer.by_name:
        name = fold_in(candidate.name, pack)
        return 0.0 if name.endswith(pointer.noun) and name != pointer.noun else None
    if _belongs(candidate, pointer.fits, pack):
        told = pointer.noun and fold_in(candidate.name, pack).endswith(pointer.noun)
        fit = _NOUN_BONUS * bool(told) + _salience(candidate.kind)
    elif _may_be_named(candidate) and not _NAMED.isdisjoint(pointer.fits.kinds):
        fit = -0.1
    else:
        return None
    return fit if _agrees(candidate, pointer.fits.gender, words, pack) else None


def _may_be_named(candidate: _Candidate) -> bool:
    """Tell whether a thing could be somebody whose name no list has."""
    return candidate.kind is EntityKind.THING and candidate.name[:1].isupper()


def _agrees(
    candidate: _Candidate, gender: str, words: ReferenceWords, pack: LanguagePack
) -> bool:
    """Tell whether nothing that a candidate is called speaks against a gender."""
    if gender not in _GENDERS:
        return True
    called = (fold_in(candidate.name, pack), *candidate.attributes)
    shown = {known for one in called if (known := _gender(one, words))}
    return not shown or gender in shown


def _gender(name: str, words: ReferenceWords) -> str:
    """Return the gender that a folded name shows, else an empty text."""
    if (
        name in words.male
        or name.startswith(words.male_marks)
        or name.endswith(words.male_marks)
    ):
        return "male"
    if (
        name in words.female
        or name.startswith(words.female_marks)
        or name.endswith(words.female_marks)
    ):
        return "female"
    return ""


def _belongs(candidate: _Candidate, wanted: EntityClass, pack: LanguagePack) -> bool:
    if candidate.kind in wanted.kinds:
        return (
            not wanted.without
            or known_group(candidate.name, pack) not in wanted.without
        )
    return bool(wanted.groups) and known_group(candidate.name, pack) in wanted.groups


_SALIENT = (
    *(
        EntityKind.MEDICINE,
        EntityKind.PET,
        EntityKind.DEVICE,
        EntityKind.WORK,
        EntityKind.EVENT,
    ),
    *(EntityKind.FOOD, EntityKind.FORMULA, EntityKind.THING, EntityKind.CONDITION),
    *(EntityKind.ORGANISATION, EntityKind.PLACE, EntityKind.SYMPTOM, EntityKind.AREA),
)


def _salience(kind: EntityKind) -> float:
    """Return a small bonus: of two things named together the more tangible one is meant."""
    return 0.01 * (len(_SALIENT) - _SALIENT.index(kind)) if kind in _SALIENT else 0.0


def _is_firm(pointer: Pointer) -> bool:
    """Tell whether a pointer names its class well enough to reach far back."""
    return bool(pointer.noun) or not pointer.fits.kinds - _FIRM


def _clear_winner(scored: Mapping[str, _Score], least: float) -> str | None:
    """Return the best candidate; None where two named together fit alike, or all are too faint."""
    ranked = sorted(scored.items(), key=lambda item: -item[1].value)
    if not ranked or ranked[0][1].value < least:
        return None
    if len(ranked) > 1:
        best, second = ranked[0][1], ranked[1][1]
        together = best.kind is second.kind and best.age == second.age
        margin = _TOPIC_BONUS if best.kind in _GUARDED else 0.0
        if together and best.value - second.value <= margin + 1e-9:
            return None
    return ranked[0][0]
