"""Reminders as values: what may happen to one, when it is due next, and how it is saved (A6, X2).

Every function returns new items. An occurrence goes pending → announcing → announced → done, snoozed, missed or
cancelled. A series keeps one item: when an occurrence is said, `due` moves on to the next one and `last_due` keeps
the one that `status` speaks of.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from .errors import StateFormatError
from .kept import PendingItem, Status
from .models import TimeKind, TimeReading
from .text import tokens
from .times import is_after, next_occurrence, since

VERSION = 1
MAX_TEXT = 200
"""Longer reminder texts are cut at a word."""
LATE = timedelta(hours=6)
"""How late an occurrence is still announced after downtime (DESIGN section 5)."""
OPEN_AFTER = timedelta(hours=12)
"""How long an announced reminder can still be answered ("I took it") and is listed."""

_ENDED = frozenset({Status.CANCELLED, Status.DONE, Status.ACKNOWLEDGED, Status.MISSED})
_ENDED_SERIES = frozenset({Status.CANCELLED, Status.DONE})
_SAID = frozenset({Status.ANNOUNCING, Status.ANNOUNCED})


def timed(item: PendingItem, time: TimeReading) -> PendingItem:
    """Return the item with the time that was read; `time.due` must be known."""
    return replace(
        item,
        due=time.due,
        rule=time.rule,
        anchor=time.due if time.rule else None,
        date_only=time.kind is TimeKind.DATE,
        status=Status.PENDING,
        announced_at=None,
        last_due=None,
    )


def bounded(text: str) -> str:
    """Return a reminder's text in one line of at most MAX_TEXT characters, cut at a word where there are words."""
    line = " ".join(text.split())
    if len(line) <= MAX_TEXT:
        return line
    head, space, _ = line[: MAX_TEXT + 1].rpartition(" ")
    return head if space and len(head) > MAX_TEXT // 2 else line[:MAX_TEXT]


def is_open(item: PendingItem, now: datetime) -> bool:
    """Tell whether the item is still to come, or was announced a short time ago and not answered."""
    if _ended(item):
        return False
    if item.status in _SAID and not item.rule and item.announced_at is not None:
        return since(item.announced_at, now) <= OPEN_AFTER
    return True


def is_said(item: PendingItem) -> bool:
    """Tell whether the current occurrence is being said or was said and not answered ("triggered" in the designs)."""
    return item.status in _SAID


def next_due(items: Iterable[PendingItem]) -> PendingItem | None:
    """Return the item that is to be said next, or None."""
    waiting = [item for item in items if item.due is not None and _waits(item)]
    return min(waiting, key=_order, default=None)


def _order(item: PendingItem) -> tuple[float, float]:
    # Moments, not wall times: in autumn an hour of the clock comes twice.
    due = item.due or item.created
    return due.timestamp(), item.created.timestamp()


def is_due(item: PendingItem, now: datetime) -> bool:
    """Tell whether the item's time has come, or is over; never for one without a time."""
    return item.due is not None and not is_after(item.due, now)


def _waits(item: PendingItem) -> bool:
    return not _ended(item) and (
        item.rule is not None or item.status is not Status.ANNOUNCED
    )


def _ended(item: PendingItem) -> bool:
    # A missed or acknowledged occurrence does not end a series.
    return item.status in (_ENDED_SERIES if item.rule else _ENDED)


def start_announcing(item: PendingItem, now: datetime) -> PendingItem:
    """Return the item as it is saved before it is spoken: killed now, it is repeated once."""
    return replace(item, status=Status.ANNOUNCING, announced_at=now, last_due=item.due)


def announced(item: PendingItem, now: datetime) -> PendingItem:
    """Return the item after it was spoken; a series moves on to its next occurrence."""
    said = item.last_due if item.status is Status.ANNOUNCING else item.due
    after = replace(item, status=Status.ANNOUNCED, announced_at=now, last_due=said)
    return _moved_on(after, _later(said, now) if said else now)


def missed(item: PendingItem, now: datetime) -> PendingItem:
    """Return the item whose occurrence is too old to be said; a series goes on."""
    return _moved_on(replace(item, status=Status.MISSED, last_due=item.due), now)


def acknowledge(item: PendingItem, now: datetime) -> PendingItem:
    """Return the item after the person has heard it; a series waits for its next occurrence."""
    status = Status.PENDING if item.rule else Status.ACKNOWLEDGED
    return replace(item, status=status, announced_at=item.announced_at or now)


def done(item: PendingItem, now: datetime) -> PendingItem:
    """Return the item after what it was for has been done; early, a series passes over the coming occurrence."""
    if not item.rule:
        return replace(item, status=Status.DONE, last_due=item.due)
    if is_said(item) and not same_moment(item.last_due, item.due):
        return replace(item, status=Status.PENDING)
    # Done before it was said to the end: its occurrence is the coming one still.
    return skip(item, now)


def skip(item: PendingItem, now: datetime) -> PendingItem:
    """Return the item without its coming occurrence; a one-shot is cancelled by that."""
    if not item.rule or item.due is None:
        return replace(item, status=Status.CANCELLED)
    after = replace(item, status=Status.PENDING, last_due=item.due)
    return _moved_on(after, _later(item.due, now))


def snooze(item: PendingItem, until: datetime) -> PendingItem:
    """Return the item to be said again; `due` of a series is the snoozed time until that has passed."""
    return replace(
        item, status=Status.SNOOZED, due=until, last_due=item.last_due or item.due
    )


def move(item: PendingItem, time: TimeReading) -> PendingItem:
    """Return the item with another time, in place; a series stays one unless the new time is one, too."""
    if time.rule is None and item.rule is not None and time.due is not None:
        return replace(
            item, due=time.due, status=Status.PENDING, announced_at=None, last_due=None
        )
    return timed(item, time)


def cancel(item: PendingItem) -> PendingItem:
    """Return the item called off."""
    return replace(item, status=Status.CANCELLED)


def catch_up(
    items: Iterable[PendingItem], now: datetime, late: timedelta = LATE
) -> tuple[tuple[PendingItem, ...], tuple[PendingItem, ...]]:
    """Return what fell due while nothing ran: items to be announced as late, and items that are missed."""
    overdue = sorted(
        (item for item in items if is_due(item, now) and _waits(item)), key=_order
    )
    to_say = tuple(
        item
        for item in overdue
        if item.due is not None and since(item.due, now) <= late
    )
    return to_say, tuple(missed(item, now) for item in overdue if item not in to_say)


def elapsed(items: Sequence[PendingItem], now: datetime) -> tuple[PendingItem, ...]:
    """Return the items as they stand at `now` where each was announced when it fell due."""
    return tuple(_elapsed(item, now) for item in items)


def _elapsed(item: PendingItem, now: datetime) -> PendingItem:
    if item.due is None or not is_due(item, now) or not _waits(item):
        return item
    said = announced(item, item.due)
    # Where several occurrences of a series have passed, the next one is still ahead.
    return _moved_on(said, now) if said.rule else said


def same(item: PendingItem, other: PendingItem) -> bool:
    """Tell whether two reminders are one: the same words at the same time."""
    return (
        same_moment(item.due, other.due)
        and (item.rule, item.owner) == (other.rule, other.owner)
        and tokens(item.text) == tokens(other.text)
    )


def same_moment(one: datetime | None, other: datetime | None) -> bool:
    """Tell whether two times, or the lack of them, are one; not the clock on the wall counts."""
    if one is None or other is None:
        return one is other
    return not since(one, other)


def _later(one: datetime, other: datetime) -> datetime:
    return one if is_after(one, other) else other


def _moved_on(item: PendingItem, after: datetime) -> PendingItem:
    if not item.rule or item.anchor is None:
        return item
    following = next_occurrence(item.rule, item.anchor, after)
    if following is None:
        # The series has ended: what is left is its last occurrence.
        return replace(item, rule=None, anchor=None)
    return replace(item, due=following)


def to_dict(item: PendingItem) -> dict[str, Any]:
    """Return the item as JSON-safe values, with the version of the format."""
    return {
        "version": VERSION,
        "id": item.id,
        "owner": item.owner,
        "text": item.text,
        "created": item.created.isoformat(),
        "due": _written(item.due),
        "rule": item.rule,
        "anchor": _written(item.anchor),
        "zone": _zone_name(item.anchor or item.due or item.created),
        "condition": item.condition,
        "date_only": item.date_only,
        "status": item.status.value,
        "language": item.language,
        "satellite": item.satellite,
        "announced_at": _written(item.announced_at),
        "last_due": _written(item.last_due),
    }


def from_dict(data: Mapping[str, Any]) -> PendingItem:
    """Return the item that `to_dict` wrote. Raises StateFormatError if it is of another version or damaged."""
    if data.get("version") != VERSION:
        raise StateFormatError(f"reminder of version {data.get('version')!r}")
    try:
        zone = ZoneInfo(data["zone"]) if data["zone"] else None
        return PendingItem(
            id=str(data["id"]),
            owner=str(data["owner"]),
            text=str(data["text"]),
            created=_read_required(data["created"], zone),
            due=_read(data["due"], zone),
            rule=data["rule"],
            anchor=_read(data["anchor"], zone),
            condition=data["condition"],
            date_only=bool(data["date_only"]),
            status=Status(data["status"]),
            language=str(data["language"]),
            satellite=data["satellite"],
            announced_at=_read(data["announced_at"], zone),
            last_due=_read(data["last_due"], zone),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise StateFormatError(f"damaged reminder: {error}") from error


def _written(when: datetime | None) -> str | None:
    return when.isoformat() if when else None


def _zone_name(when: datetime) -> str | None:
    return when.tzinfo.key if isinstance(when.tzinfo, ZoneInfo) else None


def _read(text: str | None, zone: ZoneInfo | None) -> datetime | None:
    return _read_required(text, zone) if text else None


def _read_required(text: str, zone: ZoneInfo | None) -> datetime:
    when = datetime.fromisoformat(text)
    if when.tzinfo is None:
        raise ValueError("a time without offset")
    # The zone, not the offset: a series keeps its wall time when the clocks change.
    return when.astimezone(zone) if zone else when
