"""Whose memory is whose, how long it lasts, and that forgetting reaches everything."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.assist_memory.const import CONF_LASTS, signal_memory
from custom_components.assist_memory.engine import (
    HOUSEHOLD,
    ForgetScope,
    Forgotten,
    ReminderSet,
)
from custom_components.assist_memory.household import Household
from custom_components.assist_memory.memories import MAX_CONVERSATIONS
from tests.ha.home_builders import (
    ANNA,
    BEN,
    hear,
    household_entry,
    household_reminder,
    reminder,
    settle,
    speaker,
    start,
)

ZONE = ZoneInfo("Europe/Berlin")
TALK = "talk"
SENTENCE = "my daughter Mia plays the cello"


@pytest.fixture(autouse=True)
async def monday_evening(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """Make it Monday, 20:00, in Berlin."""
    await hass.config.async_set_time_zone(str(ZONE))
    freezer.move_to(datetime(2026, 11, 2, 20, tzinfo=ZONE))


@pytest.fixture
async def household(hass: HomeAssistant) -> Household:
    """Return a household of Anna and Ben."""
    return await start(hass, household_entry())


async def test_a_speaker_has_one_memory_in_all_talks(household: Household) -> None:
    """The kitchen and the browser are one Anna; Ben is somebody else."""
    anna = household.memory_of(ANNA, "kitchen")
    assert household.memory_of(ANNA, "browser") is anna
    assert household.memory_of(BEN, "kitchen") is not anna
    assert household.lock(ANNA, "a") is household.lock(ANNA, "b")
    assert household.lock(ANNA, "a") is not household.lock(BEN, "a")


async def test_nobody_known_has_a_memory_per_talk(household: Household) -> None:
    """Two guests never share one, and it ends with the talk."""
    first = household.memory_of(None, "first")
    second = household.memory_of(None, "second")
    assert first is not second
    household.end_conversation("first")
    assert household.memory_of(None, "first") is not first
    assert household.memory_of(None, "second") is second


async def test_guests_memories_are_bounded(household: Household) -> None:
    """The longest unused goes; Anna's does not."""
    anna = household.memory_of(ANNA, TALK)
    first = household.memory_of(None, "0")
    for number in range(1, MAX_CONVERSATIONS + 1):
        household.memory_of(None, str(number))
    assert len(household.memories) == MAX_CONVERSATIONS + 1
    assert household.memory_of(None, "0") is not first
    assert household.memory_of(ANNA, TALK) is anna


@pytest.mark.parametrize(
    ("lasts", "kept_until", "gone_at"),
    [
        pytest.param("hour", timedelta(minutes=59), timedelta(minutes=61), id="hour"),
        pytest.param(
            "night",
            timedelta(hours=7, minutes=59),
            timedelta(hours=8, minutes=1),
            id="night",
        ),
    ],
)
async def test_how_long_a_memory_lasts(
    hass: HomeAssistant,
    freezer: FrozenDateTimeFactory,
    lasts: str,
    kept_until: timedelta,
    gone_at: timedelta,
) -> None:
    """Counted from its last use; the night ends at four in the morning."""
    household = await start(
        hass, household_entry(speaker(ANNA, "Anna", **{CONF_LASTS: lasts}))
    )
    begin = dt_util.utcnow()
    household.memory_of(ANNA, TALK)
    for moment, there in ((kept_until, True), (gone_at, False)):
        freezer.move_to(begin + moment)
        async_fire_time_changed(hass, dt_util.utcnow())
        await settle(hass)
        assert (household.memories.peek(ANNA) is not None) is there


@pytest.mark.parametrize("lasts", ["never", "session"])
async def test_time_alone_does_not_end_these(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, lasts: str
) -> None:
    """A week passes."""
    household = await start(
        hass, household_entry(speaker(ANNA, "Anna", **{CONF_LASTS: lasts}))
    )
    memory = household.memory_of(ANNA, TALK)
    freezer.tick(timedelta(days=7))
    async_fire_time_changed(hass, dt_util.utcnow())
    await settle(hass)
    assert household.memories.peek(ANNA) is memory


async def test_a_session_ends_with_the_last_of_its_talks(hass: HomeAssistant) -> None:
    """Two talks at once: after the second has ended the memory is gone."""
    household = await start(
        hass, household_entry(speaker(ANNA, "Anna", **{CONF_LASTS: "session"}))
    )
    household.memory_of(ANNA, "first")
    household.memory_of(ANNA, "second")
    household.end_conversation("first")
    assert household.memories.peek(ANNA)
    household.end_conversation("second")
    assert household.memories.peek(ANNA) is None


async def test_a_memory_in_a_turn_does_not_end(hass: HomeAssistant) -> None:
    """The model is slow, and four o'clock passes."""
    household = await start(hass, household_entry())
    memory = household.memory_of(ANNA, TALK)
    async with household.lock(ANNA, TALK):
        household.forget_idle(dt_util.now() + timedelta(days=1))
        assert household.memories.peek(ANNA) is memory
    household.forget_idle(dt_util.now() + timedelta(days=1))
    assert household.memories.peek(ANNA) is None


async def test_a_reload_forgets_nothing(
    hass: HomeAssistant, household: Household
) -> None:
    """Memory lives beside the entry, not in it."""
    memory = household.memory_of(ANNA, TALK)
    await hass.config_entries.async_reload("entry0")
    await settle(hass)
    assert household.memory_of(ANNA, TALK) is memory


async def test_options_reach_a_memory_that_is_there(
    hass: HomeAssistant, household: Household
) -> None:
    """Lasts and the morning moment are those of the next turn."""
    memory = household.memory_of(ANNA, TALK)
    assert (memory.lasts, memory.moments.morning.hour) == ("night", 9)
    entry = hass.config_entries.async_get_entry("entry0")
    assert entry is not None
    hass.config_entries.async_update_subentry(
        entry, entry.subentries[ANNA], data={CONF_LASTS: "never"}
    )
    hass.config_entries.async_update_entry(entry, options={"morning": "07:30:00"})
    await settle(hass)
    assert household.memory_of(ANNA, TALK) is memory
    assert (memory.lasts, memory.moments.morning.hour) == ("restart", 7)


async def test_forgetting_walks_every_store_and_counts(household: Household) -> None:
    """Memory, reminders and whatever has registered; another person's stay."""
    asked: list[tuple[str, ForgetScope]] = []

    async def forget(owner: str, forgotten: Forgotten) -> Mapping[str, int]:
        asked.append((owner, forgotten.scope))
        return {"messages": 7}

    unregister = household.register("archive", forget)
    for owner in (ANNA, BEN):
        hear(household, owner, SENTENCE)
        item = reminder(f"call {owner}", owner=owner)
        await household.async_commit((ReminderSet(item=item),), owner)
    counts = await household.async_forget_everything(ANNA)
    assert (counts["reminders"], counts["messages"]) == (1, 7)
    assert counts["entities"] > 0
    assert asked == [(ANNA, ForgetScope.ALL)]
    assert not household.memory_of(ANNA, TALK).entity_map
    assert household.memory_of(BEN, TALK).entity_map
    assert [item.owner for item in household.reminders.items.values()] == [BEN]
    unregister()
    await household.async_forget_everything(ANNA)
    assert len(asked) == 1


async def test_a_guest_cannot_forget_the_households_reminders(
    household: Household,
) -> None:
    """Somebody unknown forgets the talk; the button of the household forgets all."""
    hear(household, None, SENTENCE)
    item = household_reminder()
    await household.async_commit((ReminderSet(item=item),), HOUSEHOLD)
    everything = Forgotten(scope=ForgetScope.ALL)
    await household.async_commit((everything,), HOUSEHOLD)
    assert not household.memory_of(None, TALK).entity_map
    assert list(household.reminders.items) == [item.id]
    await household.async_forget_everything(HOUSEHOLD)
    assert not household.reminders.items


async def test_sensors_hear_of_every_end_of_a_memory(
    hass: HomeAssistant, household: Household
) -> None:
    """By the clock, by a person, by a turn."""
    heard: list[str] = []

    @callback
    def note() -> None:
        heard.append(ANNA)

    async_dispatcher_connect(hass, signal_memory(ANNA), note)
    household.memory_of(ANNA, TALK)
    household.async_memory_changed(ANNA)
    assert len(heard) == 1
    await household.async_forget_everything(ANNA)
    assert len(heard) == 2
    household.forget_idle(dt_util.now() + timedelta(days=1))
    assert len(heard) == 3


async def test_a_speaker_who_is_removed_leaves_nothing(
    hass: HomeAssistant, household: Household
) -> None:
    """Memory and reminders go; the others' stay."""
    for owner in (ANNA, BEN):
        hear(household, owner, SENTENCE)
        item = reminder(f"call {owner}", owner=owner)
        await household.async_commit((ReminderSet(item=item),), owner)
    entry = hass.config_entries.async_get_entry("entry0")
    assert entry is not None
    hass.config_entries.async_remove_subentry(entry, ANNA)
    await settle(hass)
    assert household.memories.peek(ANNA) is None
    assert [item.owner for item in household.reminders.items.values()] == [BEN]
    assert household.memories.peek(BEN)
