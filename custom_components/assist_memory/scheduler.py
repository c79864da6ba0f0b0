"""When a reminder is due: one timer for the next one, a sweep, a look at the start.

The timer alone is not enough: it is late by as much as the wall clock jumps, and a board
without a clock jumps at every start. The sweep finds what the timer missed.

An occurrence goes pending, announcing, announced; each step is on the disk before the
next one is taken. What a stop finds while announcing is said once more, marked as a
repeat; whatever is stopped anywhere else is said exactly once.
"""

import asyncio
from collections.abc import Awaitable, Callable
import contextvars
from dataclasses import dataclass
from datetime import datetime, timedelta
import logging
from typing import Any

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.event import (
    async_track_point_in_time,
    async_track_time_interval,
)
from homeassistant.helpers.start import async_at_started
from homeassistant.util import dt as dt_util

from .const import SIGNAL_REMINDERS
from .delivery import Delivery, Outcome
from .engine import LanguagePack, PendingItem, Status, announcement, pending, since
from .owners import Owner
from .reminder_changes import Step
from .reminders import ReminderStore

SWEEP = timedelta(seconds=30)
LATE_AFTER = timedelta(minutes=2)
"""From here on a reminder is said to be late."""
MAX_ATTEMPTS = 2
"""A reminder that was stopped, or failed, this often while it was said is only shown."""
_FAULTS = (
    ArithmeticError,
    AttributeError,
    HomeAssistantError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What platforms of other makers raise when they are asked to speak."""

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerSettings:
    """What the scheduler asks of the household, each time anew."""

    late: Callable[[], timedelta]
    """How old an occurrence may be to be said at all."""
    owner: Callable[[str], Owner]
    pack: Callable[[str], LanguagePack]
    """The language pack for a language tag."""


class ReminderScheduler:
    """Notices what is due and has it said."""

    def __init__(
        self,
        hass: HomeAssistant,
        store: ReminderStore,
        delivery: Delivery,
        settings: SchedulerSettings,
    ) -> None:
        """Take what it works with; nothing runs before `async_start`."""
        self._hass = hass
        self._store = store
        self._delivery = delivery
        self._settings = settings
        self._timer: CALLBACK_TYPE | None = None
        self._stop: list[CALLBACK_TYPE] = []
        self._looking: asyncio.Task[None] | None = None
        self._look_again = False
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._tries: dict[tuple[str, datetime], int] = {}

    @property
    def under_way(self) -> int:
        """Return how many reminders are being said, or wait for quiet."""
        return len(self._under_way)

    @callback
    def async_start(self) -> None:
        """Run from the moment that Home Assistant has started."""
        self._stop.append(async_at_started(self._hass, self._async_begin))

    async def async_stop(self) -> None:
        """End timers and what is under way; the disk knows how far it has come."""
        while self._stop:
            self._stop.pop()()
        self._async_disarm()
        tasks = [*self._under_way.values()]
        if self._looking:
            tasks.append(self._looking)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._under_way.clear()
        self._looking = None

    @callback
    def async_look(self, *_: Any) -> None:
        """Look for what is due, now or right after the look that is going on."""
        if not self._stop:
            return
        if self._looking:
            self._look_again = True
            return
        self._looking = self._async_run(self._async_look_until_quiet(), "look")

    @callback
    def _async_begin(self, _: HomeAssistant) -> None:
        self._stop += [
            async_track_time_interval(
                self._hass, self.async_look, SWEEP, cancel_on_shutdown=True
            ),
            async_dispatcher_connect(self._hass, SIGNAL_REMINDERS, self.async_look),
        ]
        self.async_look()

    async def _async_look_until_quiet(self) -> None:
        try:
            self._look_again = True
            while self._look_again:
                self._look_again = False
                await self._async_look()
        finally:
            self._looking = None

    async def _async_look(self) -> None:
        now = dt_util.now()
        await self._async_miss_the_old(now)
        late, _ = pending.catch_up(self._waiting(), now, self._settings.late())
        due = [item for item in self._store.items.values() if self._is_stopped(item)]
        due += [item for item in late if not self._is_stopped(item)]
        await self._async_note_due(due)
        for item in due:
            self._under_way[item.id] = self._async_run(
                self._async_fire(item, repeat=self._is_stopped(item)), "reminder"
            )
        self._async_arm(now)

    async def _async_miss_the_old(self, now: datetime) -> None:
        """Pass over what nobody would want to hear any more.

        A series moves to its first occurrence that can still be said, past or coming.
        """
        late = self._settings.late()
        _, old = pending.catch_up(self._waiting(), now, late)
        old_ids = {item.id for item in old}
        for item in self._store.items.values():
            if self._is_stopped(item) and item.due and since(item.due, now) > late:
                old_ids.add(item.id)
        if old_ids:
            await self._async_miss([self._store.items[id_] for id_ in old_ids])

    async def _async_miss(self, items: list[PendingItem]) -> None:
        """Pass over occurrences; a series goes on, with what can be said by now."""
        sayable = dt_util.utcnow() - self._settings.late()

        def step(item: PendingItem) -> Step:
            return Step(
                id=item.id,
                event="missed",
                into=lambda current: (
                    pending.missed(current, max(sayable, current.due or sayable))
                    if _is_same(current, item)
                    else None
                ),
            )

        await self._store.async_progress([step(item) for item in items])

    async def _async_note_due(self, due: list[PendingItem]) -> None:
        """Tell automations once for each occurrence, restarts or not."""

        def step(item: PendingItem) -> Step:
            return Step(
                id=item.id,
                event="due",
                into=lambda current: current if _is_same(current, item) else None,
                attempts=0,
            )

        await self._store.async_progress(
            [step(item) for item in due if not self._store.async_occurrence(item)]
        )

    async def _async_fire(self, item: PendingItem, *, repeat: bool) -> None:
        """Have one occurrence said, whatever it takes."""
        begun = succeeded = False

        async def begin() -> bool:
            nonlocal begun
            if begun:
                return self._being_said(item) is not None
            begun = await self._async_begin_saying(item)
            return begun

        def text() -> str:
            return self._words(self._being_said(item) or item, repeat=repeat)

        try:
            await self._async_deliver(item, begin, text)
            await self._async_end_saying(item)
        except _FAULTS as err:
            # The next sweep tries again: at once it would most likely fail again.
            _LOGGER.warning("A reminder could not be given: %s", type(err).__name__)
        else:
            self._tries.pop(_occurrence_of(item), None)
            succeeded = True
        finally:
            self._under_way.pop(item.id, None)
            if succeeded:
                self.async_look()

    async def _async_deliver(
        self,
        item: PendingItem,
        begin: Callable[[], Awaitable[bool]],
        text: Callable[[], str],
    ) -> None:
        """Say it; show it if that can't be or failed before; pass over it at last."""
        tries = self._count_try(item)
        if tries > MAX_ATTEMPTS + 1:
            await self._async_miss([item])
            return
        owner = self._settings.owner(item.owner)
        outcome = Outcome.FAILED
        if max(self._attempts(item), tries - 1) < MAX_ATTEMPTS:
            outcome = await self._delivery.async_say(
                item, owner, begin=begin, text=text
            )
        if outcome is Outcome.FAILED and await begin():
            await self._delivery.async_leave_note(item, owner)

    def _count_try(self, item: PendingItem) -> int:
        """Count, before anything can go wrong, how often this run has tried it."""
        occurrence = _occurrence_of(item)
        self._tries = {
            known: count
            for known, count in self._tries.items()
            if known[0] in self._store.items
        }
        self._tries[occurrence] = self._tries.get(occurrence, 0) + 1
        return self._tries[occurrence]

    def _words(self, item: PendingItem, *, repeat: bool) -> str:
        now = dt_util.now()
        by = since(item.due, now) if item.due else timedelta(0)
        late = by if by > LATE_AFTER else None
        pack = self._settings.pack(item.language)
        return announcement(item, now, pack, late=late, repeat=repeat)

    async def _async_begin_saying(self, item: PendingItem) -> bool:
        """Keep that it is about to be said; False if it is not wanted any more."""
        step = Step(
            id=item.id,
            into=lambda current: (
                pending.start_announcing(current, dt_util.now())
                if _is_same(current, item)
                else None
            ),
            attempts=self._attempts(item) + 1,
        )
        return item.id in await self._store.async_progress([step])

    async def _async_end_saying(self, item: PendingItem) -> None:
        """Keep that it was said, unless it became something else meanwhile."""
        step = Step(
            id=item.id,
            event="announced",
            into=lambda current: (
                pending.announced(current, dt_util.now())
                if _is_announcing(current)
                and pending.same_moment(current.due, item.due)
                else None
            ),
        )
        await self._store.async_progress([step])

    def _being_said(self, item: PendingItem) -> PendingItem | None:
        """Return the occurrence as it is now, if it is still the one being said."""
        current = self._store.items.get(item.id)
        if (
            current
            and _is_announcing(current)
            and pending.same_moment(current.due, item.due)
        ):
            return current
        return None

    def _waiting(self) -> list[PendingItem]:
        return [
            item
            for item in self._store.items.values()
            if item.id not in self._under_way and not _is_announcing(item)
        ]

    def _is_stopped(self, item: PendingItem) -> bool:
        """Tell whether it was being said when everything stopped."""
        return _is_announcing(item) and item.id not in self._under_way

    def _attempts(self, item: PendingItem) -> int:
        occurrence = self._store.async_occurrence(item)
        return occurrence.attempts if occurrence else 0

    @callback
    def _async_arm(self, now: datetime) -> None:
        self._async_disarm()
        following = pending.next_due(
            [
                item
                for item in self._waiting()
                if item.due and not pending.is_due(item, now)
            ]
        )
        if following and following.due and self._stop:
            self._timer = async_track_point_in_time(
                self._hass, self._async_timer_fired, following.due
            )

    @callback
    def _async_timer_fired(self, _: datetime) -> None:
        self._timer = None
        self.async_look()

    @callback
    def _async_disarm(self) -> None:
        if self._timer:
            self._timer()
            self._timer = None

    def _async_run(self, coroutine: Any, name: str) -> asyncio.Task[None]:
        # A clean context: this may have been set off inside a turn of a conversation,
        # and nothing said here belongs to that conversation.
        task: asyncio.Task[None] = contextvars.Context().run(
            self._hass.async_create_background_task,
            coroutine,
            f"assist_memory {name}",
            eager_start=False,
        )
        return task


def _is_announcing(item: PendingItem) -> bool:
    return item.status is Status.ANNOUNCING


def _is_same(current: PendingItem, item: PendingItem) -> bool:
    """Tell whether a reminder still stands where it stood when it was looked at."""
    return current.status is item.status and pending.same_moment(current.due, item.due)


def _occurrence_of(item: PendingItem) -> tuple[str, datetime]:
    return item.id, dt_util.as_utc(item.due or item.created)
