"""Events of reminders for automations: which one and when, never its words."""

from datetime import datetime, timedelta

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import (
    async_capture_events,
    async_fire_time_changed,
)

from custom_components.assist_memory.const import REMINDER_EVENTS
from custom_components.assist_memory.engine import (
    Change,
    PendingItem,
    ReminderCancelled,
    ReminderDone,
    ReminderSet,
    ReminderSnoozed,
    pending,
)
from custom_components.assist_memory.household import Household
from tests.ha.home_builders import (
    ANNA,
    BEN,
    entity_of,
    household_entry,
    reminder,
    settle,
    start,
)


@pytest.fixture
async def household(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> Household:
    """Return a household of Anna and Ben, on a Monday at eight."""
    freezer.move_to(datetime(2026, 11, 2, 8, tzinfo=dt_util.UTC))
    return await start(hass, household_entry())


def last_event(hass: HomeAssistant, owner: str = ANNA) -> dict[str, str | None] | None:
    """Return type, reminder and due time of an owner's last event."""
    state = hass.states.get(entity_of(hass, "event", f"{owner}_reminder"))
    assert state is not None
    assert state.attributes["event_types"] == list(REMINDER_EVENTS)
    if state.attributes["event_type"] is None:
        return None
    keys = ("event_type", "reminder_id", "due")
    return {key: state.attributes[key] for key in keys}


def _changes(item: PendingItem) -> dict[str, Change]:
    now = dt_util.now()
    later = pending.snooze(item, now + timedelta(hours=3))
    done = pending.done(item, now)
    return {
        "created": ReminderSet(item=item),
        "cancelled": ReminderCancelled(item=pending.cancel(item)),
        "snoozed": ReminderSnoozed(item=later, before=item),
        "done": ReminderDone(item=done, before=item),
    }


@pytest.mark.parametrize("event", ["created", "cancelled", "snoozed", "done"])
async def test_each_change_is_an_event_of_its_owner_alone(
    hass: HomeAssistant, household: Household, event: str
) -> None:
    """Anna's entity has it, with ids only; Ben's has nothing."""
    item = reminder("xylophone")
    changes = _changes(item)
    await household.async_commit((changes["created"],), ANNA)
    if event != "created":
        await household.async_commit((changes[event],), ANNA)
    seen = last_event(hass)
    assert seen is not None
    assert (seen["event_type"], seen["reminder_id"]) == (event, item.id)
    assert last_event(hass, BEN) is None
    assert "xylophone" not in str(hass.states.async_all())


async def test_due_and_announced_follow_each_other_and_name_the_occurrence(
    hass: HomeAssistant, household: Household, freezer: FrozenDateTimeFactory
) -> None:
    """Of a series that has moved on, the event tells the time that was meant."""
    nine = dt_util.now() + timedelta(hours=1)
    item = reminder("pill", due=nine, anchor=nine, rule="FREQ=DAILY")
    await household.async_commit((ReminderSet(item=item),), ANNA)
    changes = async_capture_events(hass, "state_changed")
    freezer.tick(timedelta(hours=1))
    async_fire_time_changed(hass, dt_util.utcnow())
    await settle(hass)
    seen = [
        change.data["new_state"].attributes
        for change in changes
        if change.data["entity_id"] == entity_of(hass, "event", f"{ANNA}_reminder")
    ]
    assert [(s["event_type"], s["due"]) for s in seen] == [
        ("due", nine.isoformat()),
        ("announced", nine.isoformat()),
    ]


async def test_the_last_event_survives_a_reload(
    hass: HomeAssistant, household: Household
) -> None:
    """And memory or options changing is no event."""
    item = reminder()
    await household.async_commit((ReminderSet(item=item),), ANNA)
    before = last_event(hass)
    household.async_memory_changed(ANNA)
    await hass.config_entries.async_reload("entry0")
    await settle(hass)
    assert last_event(hass) == before
