"""Reminders by the clock: said at their time, once, whatever happens in between."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import CoreState, HomeAssistant
from homeassistant.util import dt as dt_util
from homeassistant.util.file import WriteError
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.assist_memory.engine import (
    PendingItem,
    ReminderCancelled,
    ReminderSet,
    ReminderSnoozed,
    Status,
    pending,
)
from tests.ha.home_builders import (
    ANNA,
    BEDROOM,
    household_entry,
    notes,
    on_disk,
    pass_time,
    reminder,
    set_up_satellites,
    settle,
    start,
    stored,
    watch_events,
)

ZONE = "Europe/Berlin"


@pytest.fixture(autouse=True)
async def monday_morning(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """Make it Monday, 8:00, in Berlin."""
    await hass.config.async_set_time_zone(ZONE)
    freezer.move_to(datetime(2026, 11, 2, 8, tzinfo=dt_util.get_default_time_zone()))


@pytest.fixture
async def said(hass: HomeAssistant, tmp_path: Path) -> list[str]:
    """Return what Anna's satellite has said."""
    return (await set_up_satellites(hass, tmp_path))[BEDROOM].said


async def test_it_is_said_at_its_time_and_once(
    hass: HomeAssistant,
    said: list[str],
    hass_storage: dict[str, Any],
    freezer: FrozenDateTimeFactory,
) -> None:
    """Due in an hour: silent before, said then, silent afterwards; each step kept."""
    household = await start(hass, household_entry())
    events = watch_events(hass)
    item = reminder()
    await household.async_commit((ReminderSet(item=item),), ANNA)
    await pass_time(hass, freezer, timedelta(minutes=59))
    assert said == []
    await pass_time(hass, freezer, timedelta(minutes=1))
    assert len(said) == 1
    assert item.text in said[0]
    assert on_disk(hass_storage)[item.id].status is Status.ANNOUNCED
    await pass_time(hass, freezer, timedelta(hours=30))
    assert len(said) == 1
    assert events == [
        ("created", item.id),
        ("due", item.id),
        ("announced", item.id),
    ]


async def test_the_disk_knows_before_the_first_word(
    hass: HomeAssistant,
    tmp_path: Path,
    hass_storage: dict[str, Any],
    freezer: FrozenDateTimeFactory,
) -> None:
    """While the satellite speaks, the file says announcing."""
    satellite = (await set_up_satellites(hass, tmp_path))[BEDROOM]
    item = reminder()
    household = await start(hass, household_entry())
    await household.async_commit((ReminderSet(item=item),), ANNA)
    seen: list[Status] = []
    satellite.before_speaking = lambda: seen.append(
        on_disk(hass_storage)[item.id].status
    )
    await pass_time(hass, freezer, timedelta(hours=1))
    assert seen == [Status.ANNOUNCING]


async def test_a_restart_loses_nothing_and_doubles_nothing(
    hass: HomeAssistant,
    said: list[str],
    hass_storage: dict[str, Any],
    freezer: FrozenDateTimeFactory,
) -> None:
    """What was stored by a former run is there, and is said once at its time."""
    item = reminder()
    hass_storage.update(stored(item))
    household = await start(hass, household_entry())
    assert household.reminders.async_items(ANNA) == (item,)
    await pass_time(hass, freezer, timedelta(hours=1))
    await pass_time(hass, freezer, timedelta(hours=1))
    assert len(said) == 1


@pytest.mark.parametrize(
    ("status", "count", "repeated"),
    [
        pytest.param(Status.PENDING, 1, False, id="killed while pending"),
        pytest.param(Status.SNOOZED, 1, False, id="killed while snoozed"),
        pytest.param(Status.ANNOUNCING, 1, True, id="killed while announcing"),
        pytest.param(Status.ANNOUNCED, 0, False, id="killed after announcing"),
        pytest.param(Status.ACKNOWLEDGED, 0, False, id="killed when acknowledged"),
        pytest.param(Status.DONE, 0, False, id="killed when done"),
        pytest.param(Status.MISSED, 0, False, id="killed when missed"),
    ],
)
async def test_a_kill_in_each_state(
    hass: HomeAssistant,
    said: list[str],
    hass_storage: dict[str, Any],
    status: Status,
    count: int,
    repeated: bool,
) -> None:
    """What was due two minutes ago is said once, or once more if it was being said."""
    due = dt_util.now() - timedelta(minutes=1)
    item = reminder(due=due, status=status, announced_at=due, last_due=due)
    hass_storage.update(stored(item, **{item.id: _occurrence(due, attempts=1)}))
    with patch(
        "custom_components.assist_memory.scheduler.announcement", side_effect=_words
    ):
        await start(hass, household_entry())
    assert said == [_words(item, repeat=repeated)] * count


async def test_killed_again_and_again_it_is_shown_instead(
    hass: HomeAssistant, said: list[str], hass_storage: dict[str, Any]
) -> None:
    """What twice never came to an end is not tried aloud a third time."""
    due = dt_util.now() - timedelta(minutes=1)
    item = reminder(due=due, status=Status.ANNOUNCING, announced_at=due, last_due=due)
    hass_storage.update(stored(item, **{item.id: _occurrence(due, attempts=2)}))
    household = await start(hass, household_entry())
    assert said == []
    assert household.reminders.items[item.id].status is Status.ANNOUNCED
    assert len(notes(hass)) == 1


async def test_automations_hear_of_a_due_reminder_once_in_spite_of_restarts(
    hass: HomeAssistant, said: list[str], hass_storage: dict[str, Any]
) -> None:
    """The event "due" was fired before the kill: it is not fired again."""
    due = dt_util.now() - timedelta(minutes=1)
    item = reminder(due=due)
    hass_storage.update(stored(item, **{item.id: _occurrence(due, attempts=0)}))
    events = watch_events(hass)
    await start(hass, household_entry())
    assert len(said) == 1
    assert [event for event, _ in events if event] == ["announced"]


async def test_after_a_downtime_late_ones_are_said_and_old_ones_are_missed(
    hass: HomeAssistant, said: list[str], hass_storage: dict[str, Any]
) -> None:
    """Six hours are the border."""
    now = dt_util.now()
    late = reminder("late one", due=now - timedelta(hours=5, minutes=59))
    old = reminder("old one", due=now - timedelta(hours=6, minutes=1))
    hass_storage.update(stored(late, old))
    events = watch_events(hass)
    with patch(
        "custom_components.assist_memory.scheduler.announcement", side_effect=_words
    ):
        household = await start(hass, household_entry())
    assert said == [_words(late, late=timedelta(hours=5))]
    assert household.reminders.items[old.id].status is Status.MISSED
    assert ("missed", old.id) in events


async def test_the_late_window_is_an_option(
    hass: HomeAssistant, said: list[str], hass_storage: dict[str, Any]
) -> None:
    """A household that wants only the last hour."""
    item = reminder(due=dt_util.now() - timedelta(hours=2))
    hass_storage.update(stored(item))
    household = await start(hass, household_entry(late_hours=1))
    assert said == []
    assert household.reminders.items[item.id].status is Status.MISSED


async def test_of_a_series_that_slept_the_last_occurrence_is_said_late(
    hass: HomeAssistant, said: list[str], hass_storage: dict[str, Any]
) -> None:
    """Every four hours, ten hours off: the old ones are missed, the newest is said."""
    first = dt_util.now() - timedelta(hours=10)
    item = reminder(
        "take the drops", due=first, anchor=first, rule="FREQ=HOURLY;INTERVAL=4"
    )
    hass_storage.update(stored(item))
    household = await start(hass, household_entry())
    assert len(said) == 1
    after = household.reminders.items[item.id]
    assert after.last_due == first + timedelta(hours=8)
    assert after.due == first + timedelta(hours=12)


async def test_the_sweep_finds_what_a_clock_jump_hid(
    hass: HomeAssistant, said: list[str], freezer: FrozenDateTimeFactory
) -> None:
    """The clock jumps over the due time; no timer fires, the next sweep does."""
    household = await start(hass, household_entry())
    await household.async_commit((ReminderSet(item=reminder()),), ANNA)
    household.scheduler._async_disarm()
    await pass_time(hass, freezer, timedelta(hours=2))
    assert len(said) == 1


async def test_a_clock_set_back_says_nothing_twice(
    hass: HomeAssistant, said: list[str], freezer: FrozenDateTimeFactory
) -> None:
    """After it was said, its time comes again: it stays said."""
    household = await start(hass, household_entry())
    await household.async_commit((ReminderSet(item=reminder()),), ANNA)
    await pass_time(hass, freezer, timedelta(hours=1))
    await pass_time(hass, freezer, timedelta(minutes=-30))
    await pass_time(hass, freezer, timedelta(minutes=30))
    assert len(said) == 1


async def test_a_week_of_a_daily_reminder(
    hass: HomeAssistant, said: list[str], freezer: FrozenDateTimeFactory
) -> None:
    """Every day at nine, seven days, checked every ten minutes: seven times."""
    household = await start(hass, household_entry())
    nine = dt_util.now() + timedelta(hours=1)
    item = reminder("take the pill", due=nine, anchor=nine, rule="FREQ=DAILY")
    await household.async_commit((ReminderSet(item=item),), ANNA)
    for day in range(1, 8):
        for _ in range(24 * 6):
            freezer.tick(timedelta(minutes=10))
            async_fire_time_changed(hass, dt_util.utcnow())
            await hass.async_block_till_done()
        await settle(hass)
        assert len(said) == day
    assert household.reminders.items[item.id].due == nine + timedelta(days=7)


async def test_a_series_keeps_its_wall_time_when_the_clocks_change(
    hass: HomeAssistant, said: list[str], freezer: FrozenDateTimeFactory
) -> None:
    """In the night to 28 March 2027 the clocks go forward; nine stays nine."""
    zone = dt_util.get_default_time_zone()
    freezer.move_to(datetime(2027, 3, 27, 8, tzinfo=zone))
    household = await start(hass, household_entry())
    nine = datetime(2027, 3, 27, 9, tzinfo=zone)
    item = reminder("take the pill", due=nine, anchor=nine, rule="FREQ=DAILY")
    await household.async_commit((ReminderSet(item=item),), ANNA)
    await pass_time(hass, freezer, timedelta(hours=1))
    assert household.reminders.items[item.id].due == datetime(
        2027, 3, 28, 9, tzinfo=zone
    )
    await pass_time(hass, freezer, timedelta(hours=23))
    assert len(said) == 2


async def test_nothing_is_said_before_home_assistant_has_started(
    hass: HomeAssistant, said: list[str], hass_storage: dict[str, Any]
) -> None:
    """Satellites come up during the start; what is due waits for its end."""
    hass_storage.update(stored(reminder(due=dt_util.now())))
    hass.set_state(CoreState.starting)
    await start(hass, household_entry())
    assert said == []
    hass.set_state(CoreState.running)
    hass.bus.async_fire("homeassistant_started")
    await settle(hass)
    assert len(said) == 1


async def test_what_is_cancelled_in_time_is_not_said(
    hass: HomeAssistant, said: list[str], freezer: FrozenDateTimeFactory
) -> None:
    """Cancelled a minute before."""
    household = await start(hass, household_entry())
    item = reminder()
    await household.async_commit((ReminderSet(item=item),), ANNA)
    await pass_time(hass, freezer, timedelta(minutes=59))
    await household.async_commit((ReminderCancelled(item=item),), ANNA)
    await pass_time(hass, freezer, timedelta(hours=2))
    assert said == []


async def test_snoozed_it_is_said_again(
    hass: HomeAssistant, said: list[str], freezer: FrozenDateTimeFactory
) -> None:
    """Ten minutes more."""
    household = await start(hass, household_entry())
    item = reminder()
    await household.async_commit((ReminderSet(item=item),), ANNA)
    await pass_time(hass, freezer, timedelta(hours=1))
    before = household.reminders.items[item.id]
    snoozed = pending.snooze(before, dt_util.now() + timedelta(minutes=10))
    change = ReminderSnoozed(item=snoozed, before=before)
    await household.async_commit((change,), ANNA)
    await pass_time(hass, freezer, timedelta(minutes=9))
    assert len(said) == 1
    await pass_time(hass, freezer, timedelta(minutes=1))
    assert len(said) == 2


async def test_a_full_disk_does_not_silence_a_reminder(
    hass: HomeAssistant, said: list[str], freezer: FrozenDateTimeFactory
) -> None:
    """It is said, and said once, although nothing can be written."""
    household = await start(hass, household_entry())
    await household.async_commit((ReminderSet(item=reminder()),), ANNA)
    with patch(
        "homeassistant.helpers.storage.Store._async_write_data",
        side_effect=WriteError("disk full"),
    ):
        await pass_time(hass, freezer, timedelta(hours=1))
        await pass_time(hass, freezer, timedelta(hours=1))
    assert len(said) == 1


async def test_unload_leaves_no_timer_and_reload_forgets_nothing(
    hass: HomeAssistant, said: list[str], freezer: FrozenDateTimeFactory
) -> None:
    """Unloaded nothing is said; loaded again it is said late, once."""
    entry = household_entry()
    household = await start(hass, entry)
    await household.async_commit((ReminderSet(item=reminder()),), ANNA)
    assert await hass.config_entries.async_unload(entry.entry_id)
    await pass_time(hass, freezer, timedelta(hours=2))
    assert said == []
    assert await hass.config_entries.async_setup(entry.entry_id)
    await settle(hass)
    assert len(said) == 1


def _occurrence(due: datetime, attempts: int) -> dict[str, Any]:
    return {"due": due.isoformat(), "attempts": attempts}


def _words(
    item: PendingItem, *_: Any, late: timedelta | None = None, repeat: bool = False
) -> str:
    return f"{item.text} late={late is not None} repeat={repeat}"
