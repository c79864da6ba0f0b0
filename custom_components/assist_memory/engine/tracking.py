"""Layer 2: the entity map. What a sentence adds to each entity that it names, means or blames (A4, A5, A14)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from .attitude import blames
from .distill import (
    MAX_ATTRIBUTES,
    Deed,
    action_of,
    attributes_of,
    clause_of,
    context_of,
    find_deeds,
    is_personal,
    unit_of,
)
from .kept import EntitySnapshot, TrackedEntity
from .language import LanguagePack
from .models import EntityKind, Mention, Reading, Reference, Span
from .text import fold_in

KEPT = 3
"""Snapshots of an entity."""
MAX_LINKS = 24
NEGATIVE = -0.3
POSITIVE = 0.3

_AMOUNTS = frozenset({EntityKind.NUMBER, EntityKind.DATE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracked:
    """The parts of a state that follow entities."""

    entity_map: Mapping[str, TrackedEntity]
    faded: tuple[TrackedEntity, ...]
    links: Mapping[str, tuple[str, ...]]


class _Target(NamedTuple):
    """An entity that a sentence speaks of, and where."""

    name: str
    kind: EntityKind
    span: Span
    blamed: bool = False
    """Not named: only known to be blamed for the symptom at this place."""


def track(
    before: Tracked,
    reading: Reading,
    references: Sequence[Reference],
    pack: LanguagePack,
    *,
    round_: int,
    turn_id: str,
    own_name: str | None,
) -> Tracked:
    """Return the entity map after a sentence; an entity that had faded comes back."""
    known = {**{entity.name: entity for entity in before.faded}, **before.entity_map}
    targets = _by_role([*_targets(reading, references, known)], known)
    states_something = not (reading.question or reading.hypothetical)
    ailing = any(one.kind is EntityKind.SYMPTOM for one in reading.mentions)
    complaint = ailing and blames(reading.text, reading.mentions, pack)
    links = dict(before.links)
    if states_something and complaint:
        links = _linked(links, targets)
    targets += _blamed(targets, links, known)
    borne = _borne(targets, reading, own_name, pack) if states_something else {}
    deeds = find_deeds(fold_in(reading.text, pack), pack) if targets else []
    entity_map = dict(before.entity_map)
    for target in targets:
        attitude, reason = _attitude(target, reading, own_name, complaint=complaint)
        snapshot = EntitySnapshot(
            context=context_of(reading.text, target.span),
            time=reading.utterance.now,
            attitude=attitude,
            action=_action(target, reading, deeds, pack),
            source_ref=turn_id,
            attributes=borne.get(target.name, ()),
            reason=reason,
        )
        entity_map[target.name] = _with(
            known.get(target.name), target, snapshot, round_
        )
    faded = tuple(entity for entity in before.faded if entity.name not in entity_map)
    return Tracked(entity_map=entity_map, faded=faded, links=links)


def _targets(
    reading: Reading,
    references: Sequence[Reference],
    known: Mapping[str, TrackedEntity],
) -> Iterator[_Target]:
    """Yield each entity once, at its first place."""
    seen: set[str] = set()
    kinds = {mention.name: mention.kind for mention in reading.mentions}
    spoken: list[Mention | Reference] = [*reading.mentions, *references]
    for one in sorted(spoken, key=lambda each: each.span):
        if isinstance(one, Mention):
            name, kind = one.name, one.kind
            if any(other.span.overlaps(one.span) for other in references):
                continue
        else:
            name = one.entity
            kind = (
                known[name].kind if name in known else kinds.get(name, EntityKind.THING)
            )
        if name not in seen and kind not in _AMOUNTS:
            seen.add(name)
            yield _Target(name, kind, one.span)


def _by_role(
    targets: list[_Target], known: Mapping[str, TrackedEntity]
) -> list[_Target]:
    """Return the targets with a person's name in place of "my sister", where one sister is known by name."""
    if not any(target.kind is EntityKind.PERSON for target in targets):
        return targets
    named: dict[str, list[str]] = {}
    for entity in known.values():
        if entity.kind is EntityKind.PERSON:
            for attribute in entity.attributes:
                named.setdefault(attribute, []).append(entity.name)
    return [
        target._replace(name=named[target.name][0])
        if len(named.get(target.name, ())) == 1
        else target
        for target in targets
    ]


def _linked(
    links: dict[str, tuple[str, ...]], targets: Sequence[_Target]
) -> dict[str, tuple[str, ...]]:
    """Return the links with those that a complaint states."""
    medicines = [
        target.name for target in targets if target.kind is EntityKind.MEDICINE
    ]
    for symptom in targets:
        if symptom.kind is EntityKind.SYMPTOM and medicines:
            before = links.pop(symptom.name, ())
            links[symptom.name] = tuple(dict.fromkeys((*before, *medicines)))[-KEPT:]
    return dict(list(links.items())[-MAX_LINKS:])


def _blamed(
    targets: Sequence[_Target],
    links: Mapping[str, tuple[str, ...]],
    known: Mapping[str, TrackedEntity],
) -> list[_Target]:
    """Return the medicines that are known to cause a symptom of the sentence and are not named in it."""
    named = {target.name for target in targets}
    return [
        _Target(name, EntityKind.MEDICINE, target.span, blamed=True)
        for target in targets
        if target.kind is EntityKind.SYMPTOM
        for name in links.get(target.name, ())
        if name not in named and name in known
    ]


def _borne(
    targets: Sequence[_Target],
    reading: Reading,
    own_name: str | None,
    pack: LanguagePack,
) -> dict[str, tuple[str, ...]]:
    """Return which entity the doses, colours, ages and the like of a sentence belong to."""
    borne: dict[str, tuple[str, ...]] = {
        one.name: (one.role,) for one in reading.mentions if one.role
    }
    attributes = attributes_of(reading.text, reading.mentions, pack)
    if not attributes:
        return borne
    people = [target.name for target in targets if target.kind is EntityKind.PERSON]
    things = [
        target
        for target in targets
        if target.kind not in {EntityKind.PERSON, EntityKind.SYMPTOM}
    ]
    medicines = [target.name for target in things if target.kind is EntityKind.MEDICINE]
    thing = medicines[0] if medicines else things[0].name if len(things) == 1 else None
    person = own_name if own_name in people else people[0] if len(people) == 1 else None
    for attribute in attributes:
        bearer = person if is_personal(attribute, pack) else thing
        if bearer is not None:
            borne[bearer] = (*borne.get(bearer, ()), attribute)
    return borne


def _attitude(
    target: _Target, reading: Reading, own_name: str | None, *, complaint: bool
) -> tuple[float, str]:
    """Return how the sentence feels about one of its entities, and why: a complaint counts towards what is blamed."""
    value, reason = reading.attitude.value, reading.attitude.reason
    if value == 0 or target.name == own_name or reading.hypothetical:
        return 0.0, ""
    symptom = next(
        (one for one in reading.mentions if one.kind is EntityKind.SYMPTOM), None
    )
    if symptom is None:
        return (value, reason) if _same_clause(target, reading) else (0.0, "")
    concerned = target.blamed or target.kind is EntityKind.SYMPTOM
    if concerned or (complaint and target.kind is EntityKind.MEDICINE):
        said = symptom.span.of(reading.text)
        # Other words may stand between ("feet are really swollen"): then the name is clearer.
        return value, said if len(said) <= len(symptom.name) + 1 else symptom.name
    return 0.0, ""


def _action(
    target: _Target,
    reading: Reading,
    deeds: Sequence[Deed],
    pack: LanguagePack,
) -> str:
    """Return what a sentence says is done with an entity; nothing with one that it does not name."""
    if target.blamed:
        return ""
    return action_of(reading.text, deeds, target.span, target.name, pack)


def _same_clause(target: _Target, reading: Reading) -> bool:
    place = reading.text.find(reading.attitude.reason)
    clause = clause_of(reading.text, target.span)
    return clause.start <= place < clause.end


def _with(
    entity: TrackedEntity | None, target: _Target, snapshot: EntitySnapshot, round_: int
) -> TrackedEntity:
    if entity is None:
        return TrackedEntity(
            name=target.name,
            kind=target.kind,
            snapshots=(snapshot,),
            first_round=round_,
            last_round=round_,
            attributes=snapshot.attributes,
        )
    added = snapshot.attributes
    units = {unit_of(one) for one in added} - {""}
    # Another amount of the same unit takes the place of the former one.
    kept = [
        one
        for one in entity.attributes
        if one not in added and unit_of(one) not in units
    ]
    return replace(
        entity,
        snapshots=(*entity.snapshots, snapshot)[-KEPT:],
        last_round=round_,
        attributes=(*kept, *added)[-MAX_ATTRIBUTES:],
    )
