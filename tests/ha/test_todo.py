"""Reminders in the to-do list: the same value as the one that is spoken."""

from datetime import date, datetime, timedelta
from typing import Any
from unittest.mock import patch

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import (
    async_expose_entity,
    async_should_expose,
)
from homeassistant.components.todo.const import DOMAIN as TODO, TodoServices
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er, intent
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from homeassistant.util.file import WriteError
import pytest

from custom_components.assist_memory.const import CONF_SHOW, SHOW_NOTHING
from custom_components.assist_memory.engine import (
    HOUSEHOLD,
    PendingItem,
    ReminderSet,
    Status,
    pending,
)
from custom_components.assist_memory.household import Household
from tests.ha.home_builders import (
    ANNA,
    entity_of,
    household_entry,
    household_reminder,
    reminder,
    settle,
    speaker,
    start,
)


@pytest.fixture(autouse=True)
async def monday_morning(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """Make it Monday, 8:00, in Berlin."""
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(datetime(2026, 11, 2, 8, tzinfo=dt_util.get_default_time_zone()))


@pytest.fixture
async def household(hass: HomeAssistant) -> Household:
    """Return a household of Anna and Ben."""
    return await start(hass, household_entry())


async def call(hass: HomeAssistant, service: str, **data: Any) -> Any:
    """Call an action on Anna's list."""
    return await hass.services.async_call(
        TODO,
        service,
        data,
        target={"entity_id": entity_of(hass, TODO, f"{ANNA}_reminders")},
        blocking=True,
        return_response=service == TodoServices.GET_ITEMS,
    )


async def faces(hass: HomeAssistant) -> list[dict[str, str]]:
    """Return what Anna's list shows."""
    answer = await call(hass, TodoServices.GET_ITEMS)
    (shown,) = answer.values()
    items: list[dict[str, str]] = shown["items"]
    return items


async def keep(household: Household, *items: PendingItem) -> None:
    """Store reminders of Anna's."""
    await household.async_commit([ReminderSet(item=item) for item in items], ANNA)


def local(*parts: int) -> datetime:
    """Return a local time."""
    return datetime(*parts, tzinfo=dt_util.get_default_time_zone())  # type: ignore[arg-type,misc]


async def test_it_shows_what_is_stored_in_order(
    hass: HomeAssistant, household: Household
) -> None:
    """By due time; those without one last; a day without a time as a day."""
    dated = reminder("dated", due=local(2026, 11, 4, 9), date_only=True)
    timed = reminder("timed", due=local(2026, 11, 3, 10))
    undated = reminder("undated", due=None)
    await keep(household, undated, dated, timed)
    assert [(face["summary"], face.get("due")) for face in await faces(hass)] == [
        ("timed", "2026-11-03T10:00:00+01:00"),
        ("dated", "2026-11-04"),
        ("undated", None),
    ]
    assert hass.states.get(entity_of(hass, TODO, f"{ANNA}_reminders")).state == "3"  # type: ignore[union-attr]


async def test_each_owner_has_a_list_of_its_own(
    hass: HomeAssistant, household: Household
) -> None:
    """The household's reminder is in the household's list alone."""
    await household.async_commit((ReminderSet(item=household_reminder()),), HOUSEHOLD)
    assert await faces(hass) == []
    state = hass.states.get(entity_of(hass, TODO, "entry0_household_reminders"))
    assert state is not None
    assert state.state == "1"


@pytest.mark.parametrize(
    ("due", "expected", "date_only"),
    [
        pytest.param({}, None, False, id="no time"),
        pytest.param(
            {"due_datetime": "2026-11-03 10:30:00"},
            (2026, 11, 3, 10, 30),
            False,
            id="time",
        ),
        pytest.param(
            {"due_date": "2026-11-03"}, (2026, 11, 3, 9), True, id="the day's morning"
        ),
    ],
)
async def test_created_here_it_is_a_reminder(
    hass: HomeAssistant,
    household: Household,
    due: dict[str, str],
    expected: tuple[int, ...] | None,
    date_only: bool,
) -> None:
    """It is stored like a spoken one, in the home's language and time zone."""
    await call(hass, TodoServices.ADD_ITEM, item="call  the\nbank", **due)
    (item,) = household.reminders.async_items(ANNA)
    assert item.text == "call the bank"
    assert item.due == (local(*expected) if expected else None)
    assert item.date_only is date_only
    assert item.status is Status.PENDING
    assert item.language == hass.config.language


async def test_created_for_a_time_that_is_over_it_is_not_said(
    hass: HomeAssistant, household: Household
) -> None:
    """Who enters it has seen it."""
    await call(
        hass, TodoServices.ADD_ITEM, item="x", due_datetime="2026-11-02 07:00:00"
    )
    await settle(hass)
    (item,) = household.reminders.async_items(ANNA)
    assert item.status is Status.ANNOUNCED
    assert [face["status"] for face in await faces(hass)] == ["needs_action"]


async def test_a_change_here_is_a_change_in_place(
    hass: HomeAssistant, household: Household
) -> None:
    """New words and a new time for the same reminder."""
    item = reminder()
    await keep(household, item)
    await call(
        hass,
        TodoServices.UPDATE_ITEM,
        item=item.id,
        rename="call the dentist",
        due_datetime="2026-11-05 11:00:00",
    )
    (after,) = household.reminders.async_items(ANNA)
    assert (after.id, after.text) == (item.id, "call the dentist")
    assert after.due == local(2026, 11, 5, 11)
    assert after.created == item.created


async def test_a_due_time_can_be_taken_away(
    hass: HomeAssistant, household: Household
) -> None:
    """It stays on the list and is not said."""
    item = reminder()
    await keep(household, item)
    await call(hass, TodoServices.UPDATE_ITEM, item=item.id, due_datetime=None)
    (after,) = household.reminders.async_items(ANNA)
    assert after.due is None


async def test_completed_here_it_keeps_its_due_time(
    hass: HomeAssistant, household: Household
) -> None:
    """Ticked off, it is done, and does not fire."""
    item = reminder()
    await keep(household, item)
    await call(hass, TodoServices.UPDATE_ITEM, item=item.id, status="completed")
    (after,) = household.reminders.async_items(ANNA)
    assert (after.status, after.due) == (Status.DONE, item.due)
    assert [face["status"] for face in await faces(hass)] == ["completed"]


async def test_completed_by_voice_it_keeps_its_due_time(
    hass: HomeAssistant, household: Household
) -> None:
    """Assist's own intent sends neither due time nor description."""
    item = reminder()
    await keep(household, item)
    assert await async_setup_component(hass, "intent", {})
    await hass.async_block_till_done()
    entity_id = entity_of(hass, TODO, f"{ANNA}_reminders")
    async_expose_entity(hass, "conversation", entity_id, should_expose=True)
    state = hass.states.get(entity_id)
    assert state is not None
    await intent.async_handle(
        hass,
        "test",
        "HassListCompleteItem",
        {"item": {"value": item.text}, "name": {"value": state.name}},
        assistant="conversation",
    )
    (after,) = household.reminders.async_items(ANNA)
    assert (after.status, after.due, after.text) == (Status.DONE, item.due, item.text)


async def test_a_series_goes_on_when_one_is_completed(
    hass: HomeAssistant, household: Household
) -> None:
    """Taken early today: tomorrow's is next, and it is open."""
    nine = local(2026, 11, 2, 9)
    item = reminder("take the pill", due=nine, anchor=nine, rule="FREQ=DAILY")
    await keep(household, item)
    await call(hass, TodoServices.UPDATE_ITEM, item=item.id, status="completed")
    (after,) = household.reminders.async_items(ANNA)
    assert after.due == nine + timedelta(days=1)
    assert [face["status"] for face in await faces(hass)] == ["needs_action"]


async def test_it_can_be_reopened(hass: HomeAssistant, household: Household) -> None:
    """Ticked by mistake: it is pending again and will be said."""
    item = reminder()
    await keep(household, item)
    await call(hass, TodoServices.UPDATE_ITEM, item=item.id, status="completed")
    await call(hass, TodoServices.UPDATE_ITEM, item=item.id, status="needs_action")
    (after,) = household.reminders.async_items(ANNA)
    assert (after.status, after.due) == (Status.PENDING, item.due)


async def test_deleted_here_it_is_cancelled(
    hass: HomeAssistant, household: Household
) -> None:
    """Several at once."""
    first, second, third = reminder("first"), reminder("second"), reminder("third")
    await keep(household, first, second, third)
    await call(hass, TodoServices.REMOVE_ITEM, item=[first.id, "second"])
    assert household.reminders.async_items(ANNA) == (third,)


async def test_what_cannot_be_written_is_refused_here_too(
    hass: HomeAssistant, household: Household
) -> None:
    """The person sees an error, and the list shows what is true."""
    with (
        patch(
            "homeassistant.helpers.storage.Store._async_write_data",
            side_effect=WriteError("disk full"),
        ),
        pytest.raises(HomeAssistantError),
    ):
        await call(hass, TodoServices.ADD_ITEM, item="call the bank")
    assert await faces(hass) == []


async def test_missed_ones_wait_to_be_seen(
    hass: HomeAssistant, household: Household
) -> None:
    """What was never said stays on the list."""
    item = reminder(due=local(2026, 11, 1, 9))
    await keep(household, pending.missed(item, dt_util.now()))
    assert [face["status"] for face in await faces(hass)] == ["needs_action"]


async def test_it_is_hidden_from_agents_once(
    hass: HomeAssistant, household: Household
) -> None:
    """Hidden at its creation; the owner's later choice outlives reloads."""
    entity_id = entity_of(hass, TODO, f"{ANNA}_reminders")
    assert not async_should_expose(hass, "conversation", entity_id)
    async_expose_entity(hass, "conversation", entity_id, should_expose=True)
    await hass.config_entries.async_reload("entry0")
    await settle(hass)
    assert async_should_expose(hass, "conversation", entity_id)


async def test_with_show_nothing_there_is_a_time_and_no_words(
    hass: HomeAssistant, entity_registry: er.EntityRegistry
) -> None:
    """And a change of the time leaves the hidden words alone."""
    anna = speaker(ANNA, "Anna", **{CONF_SHOW: SHOW_NOTHING})
    household = await start(hass, household_entry(anna))
    item = reminder("buy a present")
    undated = reminder("secret", due=None)
    await keep(household, item, undated)
    assert [face["summary"] for face in await faces(hass)] == [
        "Reminder at 09:00",
        "Reminder",
    ]
    await call(
        hass,
        TodoServices.UPDATE_ITEM,
        item=item.id,
        due_date=date(2026, 11, 7).isoformat(),
    )
    after = household.reminders.items[item.id]
    assert (after.text, after.due) == (item.text, local(2026, 11, 7, 9))
