"""What changes and the clock make of reminders: values in, values out, nothing stored here.

All of it runs while the store holds its lock, on what the reminders are at that moment:
whoever made up a change looked at them earlier, and meanwhile they may have gone on.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from .engine import (
    HOUSEHOLD,
    Change,
    ForgetScope,
    Forgotten,
    PendingItem,
    ReminderCancelled,
    ReminderChange,
    ReminderDone,
    ReminderMoved,
    ReminderSet,
    ReminderSnoozed,
)

_TIME_AND_STATUS = (
    "due",
    "rule",
    "anchor",
    "condition",
    "date_only",
    "status",
    "announced_at",
    "last_due",
)

type Items = dict[str, PendingItem]
type ReminderEvent = tuple[str, PendingItem]
"""The name of what happened, empty for what automations need not hear of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """How far the firing of one occurrence has come; kept on the disk."""

    due: datetime
    """Which occurrence: with the reminder's id it is one of a kind."""
    attempts: int = 0
    """How often it was begun to be said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of a reminder by the clock, made of what the reminder is at that moment."""

    id: str
    into: Callable[[PendingItem], PendingItem | None]
    """What it becomes; None if it is not what the step was meant for any more."""
    event: str = ""
    attempts: int | None = None
    """How often its occurrence was begun to be said, where this counts it."""


def carry_out(
    items: Items, change: Change, owner: str, events: list[ReminderEvent]
) -> Change | None:
    """Carry a change out on `items`; None if what it is about is not there."""
    match change:
        case ReminderSet(item=item):
            items[item.id] = item
            events.append(("created", item))
        case Forgotten():
            return _forget(items, change, owner, events)
        case (
            ReminderMoved(item=item)
            | ReminderCancelled(item=item)
            | ReminderDone(item=item)
            | ReminderSnoozed(item=item)
        ):
            current = items.get(item.id)
            if current is None or not _may_change(current, owner):
                return None
            if isinstance(change, ReminderCancelled):
                del items[item.id]
            else:
                item = _merged(current, change)
                items[item.id] = item
                change = replace(change, item=item)
            events.append((_event_of(change), item))
    return change


def take_step(
    items: Items, occurrences: dict[str, Occurrence], step: Step
) -> PendingItem | None:
    """Let a step be taken in `items`; None if it is not wanted any more."""
    current = items.get(step.id)
    if current is None or (item := step.into(current)) is None:
        return None
    items[step.id] = item
    if step.attempts is not None and item.due:
        occurrences[step.id] = Occurrence(due=item.due, attempts=step.attempts)
    return item


def _merged(
    current: PendingItem, change: ReminderMoved | ReminderDone | ReminderSnoozed
) -> PendingItem:
    """Return the item with what the change is about; the rest stays as it is by now.

    Between the moment a change was made up and this one, the clock may have gone on
    with the reminder, or somebody else may have changed it. Time and status belong
    together: a new time is not half announced.
    """
    item, before = change.item, change.before
    if _standing(item) != _standing(before):
        current = replace(current, **_standing(item))
    if item.text != before.text:
        current = replace(current, text=item.text)
    return current


def _standing(item: PendingItem) -> dict[str, Any]:
    return {name: getattr(item, name) for name in _TIME_AND_STATUS}


def _event_of(change: ReminderChange) -> str:
    """Return the event's name; a change of time or words has none."""
    match change:
        case ReminderCancelled():
            return "cancelled"
        case ReminderDone():
            return "done"
        case ReminderSnoozed():
            return "snoozed"
    return ""


def _may_change(item: PendingItem, owner: str) -> bool:
    # What belongs to the household may be changed by everyone in it.
    return item.owner in (owner, HOUSEHOLD)


def _forget(
    items: Items, forgotten: Forgotten, owner: str, events: list[ReminderEvent]
) -> Forgotten:
    # The household's reminders are not a guest's to forget: there, ids are named.
    everything = forgotten.scope is ForgetScope.ALL and owner != HOUSEHOLD
    gone = [
        item
        for item in items.values()
        if item.owner == owner and (everything or item.id in forgotten.ids)
    ]
    for item in gone:
        del items[item.id]
        events.append(("cancelled", item))
    return replace(forgotten, counts={**forgotten.counts, "reminders": len(gone)})
