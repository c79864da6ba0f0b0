"""Values that memory keeps: entities, topics, facts, reminders. All frozen, every datetime aware."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from .models import EntityKind


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitySnapshot:
    """How an entity was spoken of once (A4)."""

    context: str
    """15 characters on either side of the mention."""
    time: datetime
    attitude: float
    action: str = ""
    """The related action, as verb and object, or empty."""
    source_ref: str = ""
    """The id of the turn it is from."""
    attributes: tuple[str, ...] = ()
    """What this turn said to be true of it; with the turn it is forgotten."""
    reason: str = ""
    """The words that decided the attitude."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedEntity:
    """An entity that memory holds, with its last three snapshots, oldest first (A4)."""

    name: str
    kind: EntityKind
    snapshots: tuple[EntitySnapshot, ...]
    first_round: int
    last_round: int
    """The round of its last mention; its weight is rate ** (round - last_round) (A7)."""
    attributes: tuple[str, ...] = ()
    """What was said to be true of it ("blue", "twice a day"), newest last (A5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A thread of the talk (A3)."""

    text: str
    keywords: frozenset[str]
    last_round: int
    rounds: int = 1
    """In how many rounds it was spoken of: a side topic does not push out a main one."""
    source_ref: str = ""
    """The id of the turn that opened it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something the person asked to be remembered, or stated of themselves."""

    id: str
    text: str
    """As stated, with relative times made absolute."""
    time: datetime
    """When it was stated."""
    keywords: frozenset[str] = frozenset()
    subject: str = ""
    """What it is about, folded ("my parking space"); a later fact of the same subject replaces it."""
    source_ref: str = ""


class Status(StrEnum):
    """Where an occurrence of a reminder stands (DESIGN section 4)."""

    PENDING = "pending"
    ANNOUNCING = "announcing"
    ANNOUNCED = "announced"
    ACKNOWLEDGED = "acknowledged"
    SNOOZED = "snoozed"
    MISSED = "missed"
    CANCELLED = "cancelled"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingItem:
    """Something a person asked to be done or to be reminded of (A6); "reminder" in everything a person sees."""

    id: str
    owner: str
    """A speaker's id, or HOUSEHOLD."""
    text: str
    """Without time and command words; one line, bounded."""
    created: datetime
    due: datetime | None = None
    """The next occurrence, aware; None while it waits for a time or for a condition."""
    rule: str | None = None
    """Bare RRULE value; None for one-shots."""
    anchor: datetime | None = None
    """DTSTART of the rule, aware, in the zone it was said in."""
    condition: str | None = None
    date_only: bool = False
    """The person named a day and no time; `due` is that day's morning moment."""
    status: Status = Status.PENDING
    language: str = "en"
    """The language it was said in and will be spoken in."""
    satellite: str | None = None
    """Where it was set."""
    announced_at: datetime | None = None
    """When the last occurrence was said."""
    last_due: datetime | None = None
    """The due time of the occurrence that `status` speaks of, where `due` has moved on."""
