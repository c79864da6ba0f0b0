"""Memory in numbers: sensors follow, words stay where the speaker wants them."""

from datetime import datetime, timedelta

from freezegun.api import FrozenDateTimeFactory
from homeassistant.const import MATCH_ALL, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.assist_memory.const import (
    CONF_SHOW,
    DOMAIN,
    SHOW_CHOICES,
    SHOW_EVERYTHING,
)
from custom_components.assist_memory.engine import HOUSEHOLD, ReminderSet, pending
from custom_components.assist_memory.household import Household
from custom_components.assist_memory.sensor import MEMORY_SENSORS, MemorySensor
from tests.ha.home_builders import (
    ANNA,
    BEN,
    entity_of,
    hear,
    household_entry,
    household_reminder,
    reminder,
    settle,
    speaker,
    start,
)

SENTENCES = ("I take amlodipine once a day", "this medicine makes my feet swell")


def sensor(hass: HomeAssistant, key: str, owner: str = ANNA) -> State:
    """Return the state of an owner's sensor."""
    state = hass.states.get(entity_of(hass, "sensor", f"{owner}_{key}"))
    assert state is not None
    return state


def next_due(hass: HomeAssistant) -> datetime | None:
    """Return when Anna's next reminder is due."""
    return dt_util.parse_datetime(sensor(hass, "next_reminder").state)


def device_of(hass: HomeAssistant, identifier: str) -> dr.DeviceEntry | None:
    """Return one of our devices."""
    devices = dr.async_entries_for_config_entry(dr.async_get(hass), "entry0")
    return next((d for d in devices if (DOMAIN, identifier) in d.identifiers), None)


async def enable_all(hass: HomeAssistant) -> None:
    """Enable what is disabled, and load the entry again."""
    registry = er.async_get(hass)
    for entity in er.async_entries_for_config_entry(registry, "entry0"):
        registry.async_update_entity(entity.entity_id, disabled_by=None)
    await hass.config_entries.async_reload("entry0")
    await settle(hass)


@pytest.fixture
async def household(hass: HomeAssistant) -> Household:
    """Return a household where Anna shows everything and Ben the default."""
    return await start(
        hass,
        household_entry(
            speaker(ANNA, "Anna", **{CONF_SHOW: SHOW_EVERYTHING}), speaker(BEN, "Ben")
        ),
    )


async def test_they_follow_the_talk(hass: HomeAssistant, household: Household) -> None:
    """Two sentences about a medicine: topics, things, rounds, strength."""
    assert sensor(hass, "topics").state == "0"
    assert sensor(hass, "strength").state == STATE_UNKNOWN
    hear(household, ANNA, *SENTENCES)
    await hass.async_block_till_done()
    memory = household.memory_of(ANNA, "talk")
    assert int(sensor(hass, "topics").state) == len(memory.topic_chain) > 0
    assert int(sensor(hass, "remembered").state) >= len(memory.entity_map) > 0
    assert sensor(hass, "rounds").state == "2"
    assert 0 < float(sensor(hass, "strength").state) <= 100


async def test_they_follow_forgetting(
    hass: HomeAssistant, household: Household
) -> None:
    """The button is pressed: everything is at nought."""
    hear(household, ANNA, *SENTENCES)
    item = reminder()
    await household.async_commit((ReminderSet(item=item),), ANNA)
    await hass.services.async_call(
        "button",
        "press",
        {"entity_id": entity_of(hass, "button", f"{ANNA}_forget_everything")},
        blocking=True,
    )
    states = [sensor(hass, key).state for key in ("topics", "remembered", "pending")]
    assert states == ["0", "0", "0"]
    assert sensor(hass, "next_reminder").state == STATE_UNKNOWN


async def test_reminders_are_counted_and_the_next_one_told(
    hass: HomeAssistant, household: Household, freezer: FrozenDateTimeFactory
) -> None:
    """Two are pending; the earlier one is next; after it was said the later one is."""
    freezer.move_to(datetime(2026, 11, 2, 8, tzinfo=dt_util.UTC))
    soon = reminder("soon", due=dt_util.now() + timedelta(hours=1))
    later = reminder("later", due=dt_util.now() + timedelta(hours=20))
    for item in (later, soon):
        await household.async_commit((ReminderSet(item=item),), ANNA)
    assert sensor(hass, "pending").state == "2"
    assert next_due(hass) == soon.due
    freezer.tick(timedelta(hours=1))
    async_fire_time_changed(hass, dt_util.utcnow())
    await settle(hass)
    assert next_due(hass) == later.due
    freezer.tick(pending.OPEN_AFTER + timedelta(minutes=2))
    async_fire_time_changed(hass, dt_util.utcnow())
    await settle(hass)
    assert sensor(hass, "pending").state == "1"


async def test_the_household_has_reminders_and_no_memory(
    hass: HomeAssistant, household: Household
) -> None:
    """Its device has pending, next, list, event, button and the switch for guests."""
    await household.async_commit((ReminderSet(item=household_reminder()),), HOUSEHOLD)
    assert sensor(hass, "pending", "entry0_household").state == "1"
    device = device_of(hass, "entry0_household")
    assert device is not None
    entities = er.async_entries_for_device(er.async_get(hass), device.id)
    assert sorted(entity.unique_id for entity in entities) == [
        "entry0_household_forget_everything",
        "entry0_household_guest_mode",
        "entry0_household_next_reminder",
        "entry0_household_pending",
        "entry0_household_reminder",
        "entry0_household_reminders",
    ]
    assert device.name == "Household memory"


async def test_words_are_shown_only_with_show_everything(
    hass: HomeAssistant, household: Household
) -> None:
    """Anna shows them, Ben has not chosen: his entities have numbers alone."""
    for owner in (ANNA, BEN):
        hear(household, owner, *SENTENCES)
    await enable_all(hass)
    things = sensor(hass, "remembered").attributes["things"]
    assert things["amlodipine"] < 0
    assert sensor(hass, "topics").attributes["chain"]
    assert sensor(hass, "topic_words").state != STATE_UNKNOWN
    assert float(sensor(hass, "attitude").state) < 0
    shown = [
        str(state.as_dict())
        for state in hass.states.async_all()
        if "ben" in state.entity_id
    ]
    assert shown
    assert not [text for text in shown if "amlodipine" in text]
    assert sensor(hass, "topic_words", BEN).state == STATE_UNKNOWN


@pytest.mark.parametrize("show", SHOW_CHOICES)
async def test_a_changed_choice_is_obeyed_at_once(
    hass: HomeAssistant, household: Household, show: str
) -> None:
    """No reload, no next sentence is needed."""
    hear(household, ANNA, *SENTENCES)
    entry = hass.config_entries.async_get_entry("entry0")
    assert entry is not None
    subentry = entry.subentries[ANNA]
    hass.config_entries.async_update_subentry(entry, subentry, data={CONF_SHOW: show})
    await settle(hass)
    attributes = sensor(hass, "remembered").attributes
    assert ("things" in attributes) is (show == SHOW_EVERYTHING)


async def test_words_are_never_recorded(
    hass: HomeAssistant, household: Household
) -> None:
    """Every sensor with words excludes all attributes from the recorder."""
    hear(household, ANNA, *SENTENCES)
    await hass.async_block_till_done()
    assert any(description.words for description in MEMORY_SENSORS)
    assert MATCH_ALL in MemorySensor._unrecorded_attributes
    state = sensor(hass, "remembered")
    assert state.state_info is not None
    assert MATCH_ALL in state.state_info["unrecorded_attributes"]


async def test_moods_and_words_are_disabled_by_default(
    hass: HomeAssistant, household: Household
) -> None:
    """And no curve is kept of a mood."""
    registry = er.async_get(hass)
    for key in ("attitude", "topic_words"):
        entity = registry.async_get(entity_of(hass, "sensor", f"{ANNA}_{key}"))
        assert entity is not None
        assert entity.disabled_by is er.RegistryEntryDisabler.INTEGRATION
        assert not (entity.capabilities or {}).get("state_class")


async def test_a_new_speaker_gets_entities_without_a_reload(
    hass: HomeAssistant, household: Household
) -> None:
    """In mid-talk: nobody's memory is lost, and the new one's device is there."""
    hear(household, ANNA, *SENTENCES)
    entry = hass.config_entries.async_get_entry("entry0")
    assert entry is not None
    runtime = entry.runtime_data
    hass.config_entries.async_add_subentry(entry, speaker("cleo0", "Cleo"))
    await settle(hass)
    assert entry.runtime_data is runtime
    assert household.memory_of(ANNA, "talk").rounds == 2
    assert sensor(hass, "pending", "cleo0").state == "0"
    hear(household, "cleo0", *SENTENCES)
    assert sensor(hass, "rounds", "cleo0").state == "2"
    device = device_of(hass, "cleo0")
    assert device is not None
    assert device.name == "Cleo's memory"


async def test_a_removed_speaker_takes_device_and_entities_along(
    hass: HomeAssistant, household: Household
) -> None:
    """The others' stay; added again, the same speaker has entities again."""
    entry = hass.config_entries.async_get_entry("entry0")
    assert entry is not None
    hass.config_entries.async_remove_subentry(entry, BEN)
    await settle(hass)
    assert device_of(hass, BEN) is None
    assert not [s for s in hass.states.async_all() if "ben" in s.entity_id]
    assert sensor(hass, "topics").state == "0"
    hass.config_entries.async_add_subentry(entry, speaker(BEN, "Ben"))
    await settle(hass)
    assert sensor(hass, "topics", BEN).state == "0"


async def test_a_renamed_speaker_renames_the_device(
    hass: HomeAssistant, household: Household
) -> None:
    """Nothing else changes: same entities, same memory."""
    hear(household, ANNA, *SENTENCES)
    entity_id = entity_of(hass, "sensor", f"{ANNA}_topics")
    entry = hass.config_entries.async_get_entry("entry0")
    assert entry is not None
    hass.config_entries.async_update_subentry(
        entry, entry.subentries[ANNA], title="Anne"
    )
    await settle(hass)
    device = device_of(hass, ANNA)
    assert device is not None
    assert device.name == "Anne's memory"
    assert entity_of(hass, "sensor", f"{ANNA}_topics") == entity_id
    assert sensor(hass, "rounds").state == "2"
