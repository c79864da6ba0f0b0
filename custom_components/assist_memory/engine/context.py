"""Layer 3: the brief that the model gets. It states facts, in at most 220 characters (A8)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from functools import cache
import re
from typing import NamedTuple

from . import times
from .kept import PendingItem, Status, Topic, TrackedEntity
from .language import LanguagePack
from .models import EntityKind, Reading
from .settings import Settings
from .state import MemoryState, weight
from .tracking import NEGATIVE, POSITIVE

MAX_TOPICS = 3
MAX_PENDING = 2
DUE_NOW = timedelta(hours=2)
"""After so long, what was said and not answered is not due now any more."""
MAX_ENTITIES = 4
MAX_CLIP = 48
"""Characters of a reminder's or a statement's words."""

_AT_ENTITIES = 5
"""Rank of the first entity: behind topics and the first reminder, before the second one."""
_IF_THERE_IS_ROOM = 30

_TRIGGERED = frozenset({Status.ANNOUNCING, Status.ANNOUNCED})
_WAITING = frozenset({Status.PENDING, Status.SNOOZED})
_FORBIDDEN = re.compile(r"[<>|{}\[\]`#*\\\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""Marks of roles and formats, control characters, ends of lines and paragraphs."""

_SHARED = ("action", "attributes", "changes", "personal", "verbs")
"""Keys of context.yaml that other rules read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefWords:
    """The forms of the brief's parts, with `{…}` for what goes in."""

    lead: str
    topics: str
    entity: str
    triggered: str
    pending: str
    pending_untimed: str
    person: str
    conflicts: str
    between: str
    parts: str
    end: str
    negative: str
    positive: str
    attitude: str
    attitude_only: str
    stated: str


class _Piece(NamedTuple):
    """A part of the brief: where it stands, and how early it is dropped."""

    place: int
    rank: int
    texts: tuple[str, ...]
    """The longest form first."""


@cache
def context_words(pack: LanguagePack) -> BriefWords:
    """Return the brief's words from the pack's context.yaml. Raises LanguagePackError."""
    names = [field.name for field in fields(BriefWords)]
    file = pack.file("context").only(*names, *_SHARED)
    return BriefWords(**{name: file.text(name) for name in names})


def render(
    state: MemoryState,
    reading: Reading | None,
    pack: LanguagePack,
    now: datetime,
    settings: Settings,
) -> str:
    """Return the brief for the next answer; empty if there is nothing to tell. `reading` is the latest sentence."""
    words = context_words(pack)
    pieces = [
        *_due_now(state.pending_items, now, words),
        *_topics(state, words),
        *_entities(state, reading, settings, words),
        *_pending(state.pending_items, pack, now, words),
        *_conflicts(state, words),
        *_person(state, words),
    ]
    return _fitted(pieces, settings.max_brief, words)


def _fitted(pieces: Sequence[_Piece], most: int, words: BriefWords) -> str:
    """Return what fits, the more important pieces first, each at its place."""
    lead, between, end = words.lead, words.parts, words.end
    kept: list[tuple[_Piece, str]] = []
    room = most - len(lead) - len(end)
    for piece in sorted(pieces, key=lambda one: one.rank):
        text = next((one for one in piece.texts if len(one) <= room), None)
        if text is not None:
            kept.append((piece, text))
            room -= len(text) + len(between)
    kept.sort(key=lambda one: (one[0].place, one[0].rank))
    return lead + between.join(text for _, text in kept) + end if kept else ""


def _due_now(
    items: Sequence[PendingItem], now: datetime, words: BriefWords
) -> Iterator[_Piece]:
    for index, item in enumerate(_just_said(items, now)[:MAX_PENDING]):
        text = words.triggered.format(text=_clean(item.text))
        yield _Piece(place=0, rank=index, texts=(text,))


def _just_said(items: Sequence[PendingItem], now: datetime) -> list[PendingItem]:
    """Return what is due now, the newest first; what was said long ago is not the matter any more (A8)."""
    said = [
        item
        for item in items
        if item.status in _TRIGGERED
        and times.since(_said_at(item, now), now) <= DUE_NOW
    ]
    return sorted(said, key=lambda one: _said_at(one, now).timestamp(), reverse=True)


def _said_at(item: PendingItem, now: datetime) -> datetime:
    return item.announced_at or item.last_due or item.due or now


def _topics(state: MemoryState, words: BriefWords) -> Iterator[_Piece]:
    if not state.topic_chain:
        return
    newest = sorted(state.topic_chain, key=_newest)[-MAX_TOPICS:]
    names = [_clean(topic.text) for topic in state.topic_chain if topic in newest]
    text = words.topics.format(topics=words.between.join(names))
    yield _Piece(place=1, rank=3, texts=(text,))


def _newest(topic: Topic) -> tuple[int, int]:
    return topic.last_round, topic.rounds


def _pending(
    items: Sequence[PendingItem], pack: LanguagePack, now: datetime, words: BriefWords
) -> Iterator[_Piece]:
    """Yield what is still to come, in time order; what has expired is not told."""
    triggered = len(_just_said(items, now))
    waiting = [
        item
        for item in items
        if item.status in _WAITING
        and (item.due is None or not times.is_after(now, item.due))
    ]
    waiting.sort(key=lambda item: (item.due is None, (item.due or now).timestamp()))
    for index, item in enumerate(waiting[: max(0, MAX_PENDING - triggered)]):
        text = _clean(item.text)
        if item.due is None:
            told = words.pending_untimed.format(text=text)
        else:
            time = times.spoken_time(item.due, now, pack, date_only=item.date_only)
            told = words.pending.format(text=text, time=time)
        yield _Piece(place=5, rank=4 + 3 * index, texts=(told,))


def _entities(
    state: MemoryState, reading: Reading | None, settings: Settings, words: BriefWords
) -> Iterator[_Piece]:
    """Yield what helps this sentence most: what it speaks of, then what is felt strongly, then what is present."""
    asked = reading is not None and reading.question
    told = 0
    quoted: set[str] = set()
    for entity in _ranked(state, settings):
        details = _details(entity, words)
        rank = _AT_ENTITIES + 3 * told
        if not details:
            said = _last_stated(entity.name, state)
            if not said or said in quoted:
                continue
            quoted.add(said)
            details = [words.stated.format(text=_clean(said))]
            if not (asked and entity.last_round == state.round):
                rank += _IF_THERE_IS_ROOM
        texts = tuple(
            words.entity.format(
                name=_clean(entity.name), details=words.between.join(details[:count])
            )
            for count in range(len(details), 0, -1)
        )
        yield _Piece(place=2 + (told > 0), rank=rank, texts=texts)
        told += 1
        if told == MAX_ENTITIES:
            break


def _ranked(state: MemoryState, settings: Settings) -> list[TrackedEntity]:
    topics = {topic.text for topic in state.topic_chain}
    # What a medicine is blamed for stands with the medicine.
    shown = [
        entity
        for entity in state.entity_map.values()
        if entity.name != state.own_name and entity.name not in state.links
    ]
    return sorted(
        shown,
        key=lambda one: (
            -(one.last_round == state.round),
            -(abs(_feeling(one)) > POSITIVE),
            -(one.name in topics),
            -weight(one, state.round, settings.decay_rate),
        ),
    )


def _details(entity: TrackedEntity, words: BriefWords) -> list[str]:
    """Return what is known of an entity: attitude with its reason first, then its constraints."""
    details = []
    feeling = _feeling(entity)
    if abs(feeling) >= POSITIVE and entity.kind is not EntityKind.SYMPTOM:
        word = words.negative if feeling < 0 else words.positive
        reason = next(
            (one.reason for one in reversed(entity.snapshots) if one.reason), ""
        )
        form = words.attitude if reason else words.attitude_only
        details.append(form.format(attitude=word, reason=_clean(reason)))
    return details + [_clean(one) for one in entity.attributes[-2:]]


def _feeling(entity: TrackedEntity) -> float:
    """Return the latest attitude that is none of indifference: a neutral mention takes nothing back."""
    felt = [
        one.attitude
        for one in entity.snapshots
        if not NEGATIVE < one.attitude < POSITIVE
    ]
    return felt[-1] if felt else 0.0


def _last_stated(name: str, state: MemoryState) -> str:
    """Return what was last stated of an entity before this sentence."""
    return next(
        (
            one.preview
            for one in reversed(state.snapshots)
            if one.stated and one.round != state.round and name in one.entities
        ),
        "",
    )


def _conflicts(state: MemoryState, words: BriefWords) -> Iterator[_Piece]:
    if state.snapshots and state.snapshots[-1].conflicts:
        what = _clean(state.snapshots[-1].conflicts[0])
        yield _Piece(place=4, rank=6, texts=(words.conflicts.format(what=what),))


def _person(state: MemoryState, words: BriefWords) -> Iterator[_Piece]:
    if state.own_name:
        text = words.person.format(name=_clean(state.own_name))
        yield _Piece(place=6, rank=20, texts=(text,))


def _clean(text: str) -> str:
    """Return words of a person as harmless data: one line, no marks of roles or formats, clipped."""
    plain = " ".join(_FORBIDDEN.sub(" ", text).split())
    return plain if len(plain) <= MAX_CLIP else plain[: MAX_CLIP - 1].rstrip() + "…"
