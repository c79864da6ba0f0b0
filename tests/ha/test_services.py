"""Telling who is speaking, making two speakers one, and the switch for guests."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry
import voluptuous as vol

from custom_components.assist_memory.const import (
    CONF_EVERYONE_IS,
    CONF_GUEST_MODE,
    CONF_SATELLITES,
    CONF_SPEAKER,
    DOMAIN,
)
from custom_components.assist_memory.diagnostics import (
    async_get_config_entry_diagnostics,
)
from custom_components.assist_memory.engine import ReminderSet
from custom_components.assist_memory.household import async_get_household
from tests.ha.conftest import AGENT_ID, ANNA, BEN, KITCHEN, Talk
from tests.ha.home_builders import reminder


async def call(
    hass: HomeAssistant, action: str, user: str | None = None, **data: Any
) -> None:
    """Call one of our actions and wait for it."""
    context = Context(user_id=user)
    await hass.services.async_call(DOMAIN, action, data, blocking=True, context=context)
    await hass.async_block_till_done()


def satellite(hass: HomeAssistant) -> None:
    """Let there be a satellite in the kitchen."""
    hass.states.async_set(KITCHEN, "idle")


def at_kitchen(hass: HomeAssistant) -> Talk:
    """Return somebody at the kitchen's satellite."""
    return Talk(hass, satellite_id=KITCHEN)


def devices_of(
    hass: HomeAssistant, entry: MockConfigEntry, speaker: str
) -> list[dr.DeviceEntry]:
    """Return the devices of a speaker."""
    devices = dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)
    return [one for one in devices if (DOMAIN, speaker) in one.identifiers]


async def test_a_recognised_voice_has_its_memory(
    hass: HomeAssistant, household: MockConfigEntry, freezer: FrozenDateTimeFactory
) -> None:
    """It counts at once, in the middle of a talk, and until it expires."""
    satellite(hass)
    talk = at_kitchen(hass)
    assert "don't know who" in await talk.say("remember that my locker is 12")
    await call(hass, "set_speaker", satellite=KITCHEN, speaker=ANNA, expires=30)
    await talk.say("remember that my locker is 12")
    assert "12" in await talk.say("what do you remember about my locker?")
    await call(hass, "set_speaker", satellite=KITCHEN, speaker=BEN, expires=30)
    assert "12" not in await talk.say("what do you remember about my locker?")
    await call(hass, "set_speaker", satellite=KITCHEN, speaker=ANNA, expires=30)
    freezer.tick(timedelta(seconds=31))
    assert "12" not in await talk.say("what do you remember about my locker?")
    found = await async_get_config_entry_diagnostics(hass, household)
    assert found["known_by"] == {"nobody": 2, "signal": 3}


async def test_a_voice_that_is_nobodys_or_doubtful(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """A stranger at Anna's satellite is not Anna; a doubtful voice says nothing."""
    satellite(hass)
    anna = household.subentries[ANNA]
    data = {**anna.data, CONF_SATELLITES: [KITCHEN]}
    hass.config_entries.async_update_subentry(household, anna, data=data)
    talk = at_kitchen(hass)
    await talk.say("remember that my locker is 12")
    await call(hass, "set_speaker", satellite=KITCHEN)
    assert "12" not in await talk.say("what do you remember about my locker?")
    await call(hass, "set_speaker", satellite=KITCHEN, speaker=BEN, confidence=0.5)
    assert "12" in await talk.say("what do you remember about my locker?")


async def test_devices_and_entities_name_a_speaker(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """An automation need not know our ids."""
    satellite(hass)
    (device,) = devices_of(hass, household, BEN)
    (entity, *_) = er.async_entries_for_device(er.async_get(hass), device.id)
    presence = async_get_household(hass).presence
    for named in (BEN, device.id, entity.entity_id):
        await call(hass, "set_speaker", device_id=device.id, speaker=named)
        voice = presence.voice([device.id], dt_util.utcnow())
        assert voice is not None
        assert voice.speaker == BEN
        presence.hear_voice(device.id, None)


@pytest.mark.parametrize(
    ("action", "data", "key"),
    [
        ("set_speaker", {"satellite": KITCHEN, "speaker": "carl"}, "unknown_speaker"),
        ("set_speaker", {"satellite": KITCHEN, "speaker": "ann"}, "unknown_speaker"),
        ("set_speaker", {"satellite": "assist_satellite.attic"}, "unknown_place"),
        ("set_speaker", {"device_id": "nothing"}, "unknown_place"),
        ("merge_speakers", {"speaker": ANNA, "other": ANNA}, "same_speaker"),
        ("merge_speakers", {"speaker": ANNA, "other": AGENT_ID}, "unknown_speaker"),
    ],
)
@pytest.mark.usefixtures("household")
async def test_what_is_not_there_is_refused(
    hass: HomeAssistant, action: str, data: Mapping[str, Any], key: str
) -> None:
    """With a sentence that can be translated."""
    satellite(hass)
    with pytest.raises(ServiceValidationError) as err:
        await call(hass, action, **data)
    assert err.value.translation_key == key


@pytest.mark.usefixtures("household")
async def test_a_place_is_needed(hass: HomeAssistant) -> None:
    """One, not both."""
    satellite(hass)
    for data in ({}, {"satellite": KITCHEN, "device_id": "x"}):
        with pytest.raises(vol.Invalid):
            await call(hass, "set_speaker", speaker=ANNA, **data)


@pytest.mark.usefixtures("household")
async def test_only_admins_and_automations(hass: HomeAssistant) -> None:
    """Nobody makes themselves somebody else."""
    satellite(hass)
    await hass.auth.async_create_user("owner", group_ids=[GROUP_ID_ADMIN])
    admin = await hass.auth.async_create_user("admin", group_ids=[GROUP_ID_ADMIN])
    user = await hass.auth.async_create_user("user", group_ids=[GROUP_ID_USER])
    await call(hass, "set_speaker", user=admin.id, satellite=KITCHEN, speaker=ANNA)
    with pytest.raises(Unauthorized):
        await call(hass, "set_speaker", user=user.id, satellite=KITCHEN, speaker=ANNA)
    with pytest.raises(Unauthorized):
        await call(hass, "merge_speakers", user=user.id, speaker=ANNA, other=BEN)


async def test_nothing_is_set_while_it_is_unloaded(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """The action is there, but says so."""
    await hass.config_entries.async_unload(household.entry_id)
    with pytest.raises(ServiceValidationError, match="not running"):
        await call(hass, "set_speaker", satellite=KITCHEN)


async def test_two_speakers_become_one(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """Reminders, memory, satellites, agents and options of the second are the first's."""
    satellite(hass)
    store = async_get_household(hass)
    item = reminder("feed the geese", owner=BEN)
    await store.async_commit((ReminderSet(item=item),), BEN)
    await call(hass, "set_speaker", satellite=KITCHEN, speaker=BEN)
    await at_kitchen(hass).say("remember that my locker is 12")
    ben, agent = household.subentries[BEN], household.subentries[AGENT_ID]
    update = hass.config_entries.async_update_subentry
    update(household, ben, data={**ben.data, CONF_SATELLITES: [KITCHEN]})
    update(household, agent, data={**agent.data, CONF_SPEAKER: BEN})
    options = {CONF_EVERYONE_IS: BEN}
    hass.config_entries.async_update_entry(household, options=options)
    await call(hass, "merge_speakers", speaker=ANNA, other=BEN)
    assert BEN not in household.subentries
    assert household.subentries[ANNA].data[CONF_SATELLITES] == [KITCHEN]
    assert household.subentries[AGENT_ID].data[CONF_SPEAKER] == ANNA
    assert household.options[CONF_EVERYONE_IS] == ANNA
    assert [one.text for one in store.reminders.async_items(ANNA)] == ["feed the geese"]
    assert not store.reminders.async_items(BEN)
    talk = at_kitchen(hass)
    assert "12" in await talk.say("what do you remember about my locker?")
    assert "feed the geese" in await talk.say("what are my reminders?")
    assert not devices_of(hass, household, BEN)


async def test_guest_mode(hass: HomeAssistant, household: MockConfigEntry) -> None:
    """While there are guests, Anna's satellite is nobody's; it outlives a reload."""
    anna = household.subentries[ANNA]
    data = {**anna.data, CONF_SATELLITES: [KITCHEN]}
    hass.config_entries.async_update_subentry(household, anna, data=data)
    await at_kitchen(hass).say("remember that my locker is 12")
    switch = er.async_get(hass).async_get_entity_id(
        "switch", DOMAIN, f"{household.entry_id}_household_{CONF_GUEST_MODE}"
    )
    assert switch is not None

    async def turn(state: str) -> None:
        await hass.services.async_call(
            "switch", f"turn_{state}", {"entity_id": switch}, blocking=True
        )
        await hass.async_block_till_done()
        found = hass.states.get(switch)
        assert found is not None
        assert found.state == state

    await turn("on")
    await hass.config_entries.async_reload(household.entry_id)
    guest = at_kitchen(hass)
    assert "12" not in await guest.say("what do you remember about my locker?")
    assert "don't know who" in await guest.say("remember for all of us that I was here")
    assert not async_get_household(hass).shared_facts
    await turn("off")
    talk = at_kitchen(hass)
    assert "12" in await talk.say("what do you remember about my locker?")
