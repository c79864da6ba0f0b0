"""The store of reminders: on the disk before anything is confirmed or said.

Every change, by voice, to-do list or scheduler, goes through here. A change is written
first; only then do memory, entities and automations hear of it.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
import logging
from typing import Any

from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.dispatcher import async_dispatcher_send
from homeassistant.util import dt as dt_util

from .const import DOMAIN, SIGNAL_REMINDER_EVENT, SIGNAL_REMINDERS
from .engine import (
    Change,
    Forgotten,
    PendingItem,
    ReminderChange,
    StateFormatError,
    pending,
    since,
)
from .reminder_changes import (
    Items,
    Occurrence,
    ReminderEvent,
    Step,
    carry_out,
    take_step,
)
from .storage import ReminderStorage, StorageError

_LOGGER = logging.getLogger(__name__)

ISSUE_UNREADABLE = "reminders_unreadable"
ISSUE_UNWRITABLE = "reminders_unwritable"

MAX_ITEMS = 20_000
"""A bound against runaway callers; no household comes near it."""
KEEP_CLOSED = timedelta(days=30)
"""How long a done or missed reminder can still be seen."""


class CommitError(HomeAssistantError):
    """A change could not be stored; nothing was changed."""

    def __init__(self, key: str) -> None:
        """Take the key of the translated sentence."""
        super().__init__(translation_domain=DOMAIN, translation_key=key)


class ReminderStore:
    """All reminders, by id."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start empty and closed: nothing can be changed before it is loaded."""
        self._hass = hass
        self._storage = ReminderStorage(hass)
        self._lock = asyncio.Lock()
        self._items: Items = {}
        self._occurrences: dict[str, Occurrence] = {}
        self._entries: dict[str, tuple[PendingItem, dict[str, Any]]] = {}
        self._swept: date | None = None
        self._loaded = False

    @property
    def loaded(self) -> bool:
        """Tell whether the file could be read; if not, it is never written."""
        return self._loaded

    @property
    def path(self) -> str:
        """Return where the file lies."""
        path: str = self._storage.path
        return path

    @property
    def items(self) -> Mapping[str, PendingItem]:
        """Return all reminders, open or closed, by id."""
        return self._items

    @callback
    def async_items(self, owner: str) -> tuple[PendingItem, ...]:
        """Return an owner's reminders, open or closed."""
        return tuple(item for item in self._items.values() if item.owner == owner)

    @callback
    def async_occurrence(self, item: PendingItem) -> Occurrence | None:
        """Return how far the current occurrence of a reminder has come."""
        occurrence = self._occurrences.get(item.id)
        return (
            occurrence
            if occurrence and pending.same_moment(occurrence.due, item.due)
            else None
        )

    async def async_load(self) -> None:
        """Read the file once. A file that can't be read is left as it is, and reported.

        A damaged file is set aside by Home Assistant under another name, with a repair
        issue of its own; what follows then is an empty list.
        """
        async with self._lock:
            if self._loaded:
                return
            self._storage = ReminderStorage(self._hass)
            try:
                self._read(await self._storage.async_load())
            except (
                HomeAssistantError,
                NotImplementedError,
                StateFormatError,
                OSError,
            ) as err:
                _LOGGER.warning("Reminders can't be read: %s", type(err).__name__)
                self._report(ISSUE_UNREADABLE)
                return
            self._loaded = True
            ir.async_delete_issue(self._hass, DOMAIN, ISSUE_UNREADABLE)

    async def async_commit(
        self, changes: Sequence[Change], owner: str
    ) -> tuple[Change, ...]:
        """Store the changes in one write and return those that came true.

        Changes of reminders that are gone or are somebody else's are left out; other
        kinds of change pass. Raises CommitError, and then nothing has changed.
        """
        async with self._lock:
            items = dict(self._items)
            events: list[ReminderEvent] = []
            carried_out = [
                carry_out(items, change, owner, events) for change in changes
            ]
            committed = tuple(c for c in carried_out if c is not None)
            if events:
                await self._async_store(items)
        self._tell(events)
        return committed

    async def async_apply_external(self, change: ReminderChange) -> None:
        """Store a change that does not come from talk. Raises CommitError."""
        await self.async_commit((change,), change.item.owner)

    async def async_hand_over(self, owner: str, to: str) -> None:
        """Give an owner's reminders to another one. Raises CommitError."""
        async with self._lock:
            moved = {
                item.id: replace(item, owner=to) for item in self.async_items(owner)
            }
            if moved:
                await self._async_store({**self._items, **moved})
        for changed in (owner, to):
            async_dispatcher_send(self._hass, SIGNAL_REMINDERS, changed)

    async def async_forget(self, owner: str, forgotten: Forgotten) -> Mapping[str, int]:
        """Delete what is covered and return how many. Raises CommitError."""
        (committed,) = await self.async_commit((forgotten,), owner)
        return committed.counts if isinstance(committed, Forgotten) else {}

    async def async_progress(self, steps: Iterable[Step]) -> set[str]:
        """Keep how far reminders have come; return the ids of those that took the step.

        A reminder has to go on when the disk is full, so this happens in any case. The
        steps are taken once earlier changes are in: they never undo what was confirmed.
        """
        async with self._lock:
            items = dict(self._items)
            occurrences = dict(self._occurrences)
            events = [
                (step.event, item)
                for step in steps
                if (item := take_step(items, occurrences, step))
            ]
            if events:
                self._occurrences = occurrences
                await self._async_store_or_keep(items)
        self._tell(events)
        return {item.id for _, item in events}

    async def _async_store_or_keep(self, items: Items) -> None:
        try:
            await self._async_store(items)
        except CommitError:
            self._take(items)

    async def async_remove(self) -> None:
        """Delete the file and everything in it."""
        async with self._lock:
            self._take({})
            self._loaded = False
            await self._storage.async_remove()

    def _read(self, data: dict[str, Any] | None) -> None:
        data = data or {}
        try:
            items = [pending.from_dict(entry) for entry in data.get("items", ())]
            occurrences = {
                item_id: Occurrence(
                    due=datetime.fromisoformat(entry["due"]),
                    attempts=int(entry["attempts"]),
                )
                for item_id, entry in data.get("occurrences", {}).items()
            }
        except (AttributeError, KeyError, TypeError, ValueError) as err:
            raise StateFormatError("reminders are in an unknown format") from err
        self._items = {item.id: item for item in items}
        self._occurrences = occurrences

    async def _async_store(self, items: Items) -> None:
        """Write, then take over. Raises CommitError and takes over nothing."""
        if not self._loaded:
            raise CommitError("store_unreadable")
        if len(items) > MAX_ITEMS:
            raise CommitError("store_full")
        items = self._without_stale(items, dt_util.now())
        try:
            await self._storage.async_write(self._as_dict(items))
        except StorageError as err:
            self._report(ISSUE_UNWRITABLE)
            raise CommitError("store_unwritable") from err
        ir.async_delete_issue(self._hass, DOMAIN, ISSUE_UNWRITABLE)
        self._take(items)

    def _take(self, items: Items) -> None:
        for gone in self._items.keys() - items.keys():
            self._entries.pop(gone, None)
        self._items = items
        self._occurrences = {
            item_id: occurrence
            for item_id, occurrence in self._occurrences.items()
            if item_id in items
            and pending.same_moment(items[item_id].due, occurrence.due)
        }

    def _as_dict(self, items: Items) -> dict[str, Any]:
        return {
            "items": [self._entry(item) for item in items.values()],
            "occurrences": {
                item_id: {
                    "due": occurrence.due.isoformat(),
                    "attempts": occurrence.attempts,
                }
                for item_id, occurrence in self._occurrences.items()
                if item_id in items
            },
        }

    def _entry(self, item: PendingItem) -> dict[str, Any]:
        """Return what is written of an item; made once, since most stay as they are."""
        made = self._entries.get(item.id)
        if made is None or made[0] is not item:
            made = self._entries[item.id] = (item, pending.to_dict(item))
        return made[1]

    def _without_stale(self, items: Items, now: datetime) -> Items:
        """Let go of what is over for long, once a day."""
        if self._swept == now.date():
            return items
        self._swept = now.date()
        return {
            item.id: item
            for item in items.values()
            if pending.is_open(item, now)
            or since(item.due or item.created, now) < KEEP_CLOSED
        }

    def _tell(self, events: Sequence[ReminderEvent]) -> None:
        for name, item in events:
            if name:
                async_dispatcher_send(self._hass, SIGNAL_REMINDER_EVENT, name, item)
        for owner in {item.owner for _, item in events}:
            async_dispatcher_send(self._hass, SIGNAL_REMINDERS, owner)

    def _report(self, issue: str) -> None:
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            issue,
            is_fixable=False,
            severity=ir.IssueSeverity.CRITICAL,
            translation_key=issue,
            translation_placeholders={"path": self.path},
        )
