"""Layer 2: what a working memory holds after each sentence. A frozen value; everything in it is bounded (A3 to A7)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from . import codec, topics
from .entities import stated_name
from .errors import StateFormatError
from .kept import Fact, PendingItem, Topic, TrackedEntity
from .language import LanguagePack
from .models import EntityKind, Reading, Reference
from .settings import Settings
from .snapshots import SemanticSnapshot, conflicts, prune, take_snapshot
from .text import fold
from .tracking import Tracked, track

FORMAT = 1
MAX_TURNS = 20
MAX_REPLY = 400
FADED_PER_KIND = 8
"""How many entities of a kind leave a trace when a cleanup removes them, so that a description still finds them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRef:
    """One sentence of the person, for "forget what I just said"."""

    id: str
    round: int
    time: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The last thing that was answered: noted, never read for facts (A2)."""

    text: str
    time: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryState:
    """One person's working memory."""

    round: int = 0
    topic_chain: tuple[Topic, ...] = ()
    entity_map: Mapping[str, TrackedEntity] = field(default_factory=dict)
    """By name, in the order of their first mention."""
    faded: tuple[TrackedEntity, ...] = ()
    """What cleanups removed, each with its last snapshot; oldest first."""
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Symptom → medicines that were blamed for it (A14)."""
    own_name: str | None = None
    pending_items: tuple[PendingItem, ...] = ()
    facts: tuple[Fact, ...] = ()
    snapshots: tuple[SemanticSnapshot, ...] = ()
    turns: tuple[TurnRef, ...] = ()
    last_reply: Reply | None = None


def advance(  # noqa: PLR0917 - the way of a sentence, in order
    state: MemoryState,
    reading: Reading,
    references: Sequence[Reference],
    settings: Settings,
    turn_id: str,
    pack: LanguagePack,
) -> MemoryState:
    """Return the state after a sentence. Pending items and facts change only by committed changes."""
    round_ = state.round + 1
    own_name = _own_name(state, reading, pack)
    found = conflicts(reading, references, state.entity_map, state.snapshots, pack)
    tracked = track(
        Tracked(entity_map=state.entity_map, faded=state.faded, links=state.links),
        *(reading, references, pack),
        round_=round_,
        turn_id=turn_id,
        own_name=own_name,
    )
    chain = topics.advance(
        *(state.topic_chain, reading, references, pack),
        round_=round_,
        max_topics=settings.max_topics,
        own_name=own_name,
        source_ref=turn_id,
    )
    taken = take_snapshot(reading, references, round_, found, turn_id)
    turn = TurnRef(id=turn_id, round=round_, time=reading.utterance.now)
    after = replace(
        state,
        round=round_,
        topic_chain=chain,
        entity_map=tracked.entity_map,
        faded=tracked.faded,
        links=tracked.links,
        own_name=own_name,
        snapshots=_pruned((*state.snapshots, taken), settings),
        turns=(*state.turns[1 - MAX_TURNS :], turn),
    )
    return cleanup(after, settings) if _is_cleanup_due(after, settings) else after


def _pruned(
    snapshots: tuple[SemanticSnapshot, ...], settings: Settings
) -> tuple[SemanticSnapshot, ...]:
    return prune(snapshots, settings.max_snapshots, settings.kept_snapshots)


def _is_cleanup_due(state: MemoryState, settings: Settings) -> bool:
    return (
        state.round % settings.cleanup_every == 0
        or len(state.entity_map) > settings.max_entities
    )


def _own_name(state: MemoryState, reading: Reading, pack: LanguagePack) -> str | None:
    if reading.question or reading.hypothetical:
        return state.own_name
    return reading.stated_name or stated_name(reading.text, pack) or state.own_name


def weight(entity: TrackedEntity, round_: int, rate: float) -> float:
    """Return how present an entity is, 1 when it was just named (A7)."""
    return float(rate ** max(0, round_ - entity.last_round))


def cleanup(state: MemoryState, settings: Settings) -> MemoryState:
    """Return the state without what has become faint and no pending item needs; the faintest go above the limit."""
    needed = [fold(item.text) for item in state.pending_items]

    def is_needed(entity: TrackedEntity) -> bool:
        return entity.name == state.own_name or any(
            fold(entity.name) in text for text in needed
        )

    entities = list(state.entity_map.values())
    gone = [
        entity
        for entity in entities
        if weight(entity, state.round, settings.decay_rate) < settings.faint
        and not is_needed(entity)
    ]
    excess = len(entities) - len(gone) - settings.max_entities
    if excess > 0:
        left = sorted(
            (e for e in entities if e not in gone),
            key=lambda e: (is_needed(e), e.last_round),
        )
        gone += left[:excess]
    names = {entity.name for entity in gone}
    kept = {
        name: entity for name, entity in state.entity_map.items() if name not in names
    }
    return replace(state, entity_map=kept, faded=_traces(state.faded, gone))


def _traces(
    faded: Sequence[TrackedEntity], gone: Iterable[TrackedEntity]
) -> tuple[TrackedEntity, ...]:
    traces = [
        *faded,
        *(replace(entity, snapshots=entity.snapshots[-1:]) for entity in gone),
    ]
    traces.sort(key=lambda entity: entity.last_round)
    kinds: dict[EntityKind, int] = {}
    kept = []
    for entity in reversed(traces):
        kinds[entity.kind] = kinds.get(entity.kind, 0) + 1
        if kinds[entity.kind] <= FADED_PER_KIND:
            kept.append(entity)
    return tuple(reversed(kept))


def note_reply(state: MemoryState, text: str, now: datetime) -> MemoryState:
    """Return the state with an answer noted, text and time only (A2)."""
    return replace(state, last_reply=Reply(text=text[:MAX_REPLY], time=now))


def forget(
    state: MemoryState, ids: Iterable[str], entities: Iterable[str]
) -> MemoryState:
    """Return the state without these turns, facts and reminders (by id) and without these entities (by name).

    What a forgotten turn told goes with it; what only speaks of a forgotten entity goes too.
    """
    gone = frozenset(ids)
    names = frozenset(entities)
    kept = {
        entity.name: entity
        for entity in _entities_left(state.entity_map.values(), gone, names, names)
    }
    lost = names | (state.entity_map.keys() - kept.keys())
    return replace(
        state,
        topic_chain=tuple(_topics_left(state.topic_chain, gone, lost, names)),
        entity_map=kept,
        faded=tuple(_entities_left(state.faded, gone, lost, names)),
        links=_links_left(state.links, lost),
        own_name=None if state.own_name in lost else state.own_name,
        pending_items=tuple(
            item for item in state.pending_items if item.id not in gone
        ),
        facts=tuple(
            f for f in state.facts if f.id not in gone and f.source_ref not in gone
        ),
        snapshots=tuple(
            one
            for one in state.snapshots
            if one.source_ref not in gone
            and names.isdisjoint(one.entities)
            and not _speaks_of(one.preview, names)
        ),
        turns=tuple(turn for turn in state.turns if turn.id not in gone),
        last_reply=None,
    )


def _entities_left(
    entities: Iterable[TrackedEntity],
    ids: frozenset[str],
    lost: frozenset[str],
    names: frozenset[str],
) -> Iterable[TrackedEntity]:
    for entity in entities:
        if entity.name not in lost and (left := _without(entity, ids, names)):
            yield left


def _without(
    entity: TrackedEntity, ids: frozenset[str], names: frozenset[str]
) -> TrackedEntity | None:
    """Return an entity without the snapshots that are to be forgotten, None if none is left."""
    dropped = [
        one
        for one in entity.snapshots
        if one.source_ref in ids or _speaks_of(one.context, names)
    ]
    if not dropped:
        return entity
    left = tuple(one for one in entity.snapshots if one not in dropped)
    if not left:
        return None
    lost = {attribute for one in dropped for attribute in one.attributes}
    attributes = tuple(one for one in entity.attributes if one not in lost)
    return replace(entity, snapshots=left, attributes=attributes)


def _topics_left(
    chain: Iterable[Topic],
    ids: frozenset[str],
    lost: frozenset[str],
    names: frozenset[str],
) -> Iterable[Topic]:
    for topic in chain:
        opened_there = topic.source_ref in ids and topic.rounds == 1
        if (
            topic.text not in lost
            and not opened_there
            and not _speaks_of(topic.text, names)
        ):
            keywords = frozenset(
                word
                for word in topic.keywords
                if word not in lost and not _speaks_of(word, names)
            )
            yield replace(topic, keywords=keywords)


def _links_left(
    links: Mapping[str, tuple[str, ...]], lost: frozenset[str]
) -> dict[str, tuple[str, ...]]:
    left = {
        symptom: tuple(name for name in medicines if name not in lost)
        for symptom, medicines in links.items()
        if symptom not in lost
    }
    return {symptom: medicines for symptom, medicines in left.items() if medicines}


def _speaks_of(text: str, names: Iterable[str]) -> bool:
    folded = fold(text)
    return any(fold(name) in folded for name in names)


def to_dict(state: MemoryState) -> dict[str, Any]:
    """Return the state as readable JSON data (A11)."""
    return {"format": FORMAT, **codec.to_plain(state)}


def from_dict(data: Mapping[str, Any]) -> MemoryState:
    """Return the state that `to_dict` gave. Raises StateFormatError."""
    if data.get("format") != FORMAT:
        raise StateFormatError("unknown format of a memory state")
    return codec.from_plain(MemoryState, data)
