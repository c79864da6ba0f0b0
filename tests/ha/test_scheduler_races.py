"""The clock and a person at the same reminder, and a delivery that breaks."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest

from custom_components.assist_memory.engine import (
    PendingItem,
    ReminderDone,
    ReminderMoved,
    ReminderSet,
    ReminderSnoozed,
    Status,
    pending,
)
from custom_components.assist_memory.household import Household
from custom_components.assist_memory.scheduler import MAX_ATTEMPTS, SWEEP
from custom_components.assist_memory.storage import ReminderStorage
from tests.ha.home_builders import (
    ANNA,
    BEDROOM,
    household_entry,
    notes,
    pass_time,
    reminder,
    set_up_satellites,
    settle,
    start,
    watch_events,
)


@pytest.fixture(autouse=True)
async def monday_morning(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """Make it Monday, 8:00, in Berlin."""
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(datetime(2026, 11, 2, 8, tzinfo=dt_util.get_default_time_zone()))


@pytest.fixture
async def said(hass: HomeAssistant, tmp_path: Path) -> list[str]:
    """Return what Anna's satellite has said."""
    return (await set_up_satellites(hass, tmp_path))[BEDROOM].said


@pytest.fixture
async def household(hass: HomeAssistant, said: list[str]) -> Household:
    """Return Anna's and Ben's household."""
    return await start(hass, household_entry())


@asynccontextmanager
async def slow_disk() -> AsyncGenerator[asyncio.Event]:
    """Let writing wait until the event is set."""
    write, go_on = ReminderStorage.async_write, asyncio.Event()

    async def wait_and_write(self: ReminderStorage, data: dict[str, Any]) -> None:
        await go_on.wait()
        await write(self, data)

    with patch.object(ReminderStorage, "async_write", wait_and_write):
        yield go_on


async def at_once(household: Household, change: ReminderMoved) -> None:
    """Let the clock look at the reminder while a change of it is being written."""
    async with slow_disk() as go_on:
        confirmed = asyncio.create_task(
            household.reminders.async_apply_external(change)
        )
        await asyncio.sleep(0)
        household.scheduler.async_look()
        for _ in range(20):
            await asyncio.sleep(0)
        go_on.set()
        await confirmed


async def kept(household: Household, item: PendingItem) -> PendingItem:
    """Keep a reminder and return it."""
    await household.async_commit((ReminderSet(item=item),), item.owner)
    return household.reminders.items[item.id]


async def test_a_move_that_is_being_written_when_it_falls_due_holds(
    hass: HomeAssistant,
    household: Household,
    said: list[str],
    freezer: FrozenDateTimeFactory,
) -> None:
    """Confirmed for the afternoon: not said now, and said then."""
    before = await kept(household, reminder())
    assert before.due is not None
    freezer.move_to(before.due + timedelta(seconds=1))
    moved = replace(before, due=before.due + timedelta(hours=5))
    await at_once(household, ReminderMoved(item=moved, before=before))
    await settle(hass)
    assert household.reminders.items[before.id].due == moved.due
    assert said == []
    await pass_time(hass, freezer, timedelta(hours=5))
    assert len(said) == 1


async def test_a_snooze_during_the_announcement_holds(
    hass: HomeAssistant, tmp_path: Path, freezer: FrozenDateTimeFactory
) -> None:
    """While it is said somebody snoozes it: the end of the saying does not undo that."""
    satellite = (await set_up_satellites(hass, tmp_path))[BEDROOM]
    household = await start(hass, household_entry())
    item = await kept(household, reminder())
    assert item.due is not None
    until = item.due + timedelta(minutes=10)
    tasks = []

    def snooze() -> None:
        before = household.reminders.items[item.id]
        change = ReminderSnoozed(item=pending.snooze(before, until), before=before)
        tasks.append(
            hass.async_create_task(household.reminders.async_apply_external(change))
        )
        satellite.before_speaking = lambda: None

    satellite.before_speaking = snooze
    await pass_time(hass, freezer, timedelta(hours=1))
    after = household.reminders.items[item.id]
    assert (len(tasks), after.status, after.due) == (1, Status.SNOOZED, until)


async def test_other_words_during_the_announcement_do_not_repeat_it(
    hass: HomeAssistant, household: Household, said: list[str]
) -> None:
    """Words entered on an older look at the reminder leave its standing alone."""
    before = await kept(household, reminder())
    now = dt_util.now()
    announced = pending.announced(pending.start_announcing(before, now), now)
    change = ReminderMoved(item=announced, before=before)
    await household.reminders.async_apply_external(change)
    reworded = replace(before, text="call the other bank")
    change = ReminderMoved(item=reworded, before=before)
    (committed,) = await household.async_commit((change,), ANNA)
    after = household.reminders.items[before.id]
    assert after == replace(announced, text="call the other bank")
    assert committed == ReminderMoved(item=after, before=before)
    await settle(hass)
    assert said == []


async def test_done_while_another_has_reworded_it_keeps_the_new_words(
    household: Household,
) -> None:
    """Two faces of one reminder at the same time: both changes count."""
    before = await kept(household, reminder())
    reworded = replace(before, text="call the other bank")
    await household.reminders.async_apply_external(
        ReminderMoved(item=reworded, before=before)
    )
    done = pending.done(before, dt_util.now())
    await household.reminders.async_apply_external(
        ReminderDone(item=done, before=before)
    )
    after = household.reminders.items[before.id]
    assert (after.text, after.status) == ("call the other bank", Status.DONE)


async def test_a_delivery_that_breaks_is_tried_by_the_sweep_and_then_shown(
    hass: HomeAssistant, household: Household, freezer: FrozenDateTimeFactory
) -> None:
    """No hot loop: one try for each sweep, a note after the last one."""
    item = await kept(household, reminder())
    with patch.object(household.delivery, "async_say", side_effect=RuntimeError) as say:
        await pass_time(hass, freezer, timedelta(hours=1))
        assert say.call_count == 1
        for tries in (2, 2, 2):
            await pass_time(hass, freezer, SWEEP)
            assert say.call_count == tries == MAX_ATTEMPTS
    assert household.reminders.items[item.id].status is Status.ANNOUNCED
    assert len(notes(hass)) == 1


@pytest.mark.parametrize("rule", [None, "FREQ=DAILY"])
async def test_what_cannot_even_be_shown_is_missed_once(
    hass: HomeAssistant,
    household: Household,
    freezer: FrozenDateTimeFactory,
    rule: str | None,
) -> None:
    """The list shows it; a series goes on with its next occurrence."""
    item = reminder(rule=rule)
    item = await kept(household, replace(item, anchor=item.due if rule else None))
    events = watch_events(hass)
    with (
        patch.object(household.delivery, "async_say", side_effect=OSError),
        patch.object(household.delivery, "async_leave_note", side_effect=KeyError),
    ):
        await pass_time(hass, freezer, timedelta(hours=1))
        for _ in range(6):
            await pass_time(hass, freezer, SWEEP)
    after = household.reminders.items[item.id]
    assert item.due is not None
    assert after.status is Status.MISSED
    assert after.due == item.due + timedelta(days=1 if rule else 0)
    assert [name for name, _ in events if name] == ["due", "missed"]
