"""Talks in which who speaks is stated, met, renamed or removed, and several at once."""

import asyncio

from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.assist_memory.const import (
    CONF_PERSON,
    CONF_SATELLITES,
    DOMAIN,
    SUBENTRY_SPEAKER,
)
from custom_components.assist_memory.engine import HOUSEHOLD
from custom_components.assist_memory.household import async_get_household
from tests.ha.conftest import ANNA, BEN, KITCHEN, Talk
from tests.ollama_server import OllamaServer

HALL = "assist_satellite.hall"


def default_at(
    hass: HomeAssistant, entry: MockConfigEntry, speaker: str, *satellites: str
) -> None:
    """Make somebody the default speaker of satellites."""
    subentry = entry.subentries[speaker]
    data = {**subentry.data, CONF_SATELLITES: list(satellites)}
    hass.config_entries.async_update_subentry(entry, subentry, data=data)


def texts(hass: HomeAssistant, owner: str) -> list[str]:
    """Return the words of an owner's reminders."""
    items = async_get_household(hass).reminders.async_items(owner)
    return [item.text for item in items]


@pytest.mark.parametrize(
    ("name", "remind", "recall", "language"),
    [
        (
            "This is Ben",
            "remind me tomorrow at six to feed the fish",
            "what do you remember about my locker?",
            "en",
        ),
        ("我是Ben", "提醒我明天早上八点喂鱼", "关于我的柜子，你记得什么？", "zh-Hans"),
    ],
)
async def test_a_stated_name_adds_and_hears_reminders(
    hass: HomeAssistant,
    household: MockConfigEntry,
    name: str,
    remind: str,
    recall: str,
    language: str,
) -> None:
    """And nothing personal; in the next talk it is forgotten."""
    default_at(hass, household, BEN, KITCHEN)
    await Talk(hass, satellite_id=KITCHEN).say("remember that my locker is 2580")
    talk = Talk(hass, satellite_id=HALL, language=language)
    await talk.say(name)
    await talk.say(remind)
    assert len(texts(hass, BEN)) == 1
    assert "2580" not in await talk.say(recall)
    later = Talk(hass, satellite_id=HALL, language=language)
    await later.say(remind)
    assert len(texts(hass, HOUSEHOLD)) == 1


async def test_a_stated_name_hears_no_former_turns(
    hass: HomeAssistant, household: MockConfigEntry, server: OllamaServer
) -> None:
    """What the real Ben said in this conversation is not in the model's request."""
    talk = Talk(hass, satellite_id=KITCHEN)
    default_at(hass, household, BEN, KITCHEN)
    await talk.say("My horse is called Quintus")
    default_at(hass, household, BEN)
    await talk.say("This is Ben")
    await talk.say("Good morning to you")
    assert "Quintus" not in str(server.bodies[1:])


async def test_somebody_is_met(hass: HomeAssistant, household: MockConfigEntry) -> None:
    """After a yes there is a new speaker, in place; nobody else forgets anything."""
    default_at(hass, household, ANNA, KITCHEN)
    await Talk(hass, satellite_id=KITCHEN).say("remember that my locker is 12")
    before = household.runtime_data
    talk = Talk(hass, satellite_id=HALL)
    assert "Shall I" in await talk.say("I'm Carl, remember me")
    assert talk.result is not None
    assert talk.result.continue_conversation
    assert "Carl" in await talk.say("yes")
    await hass.async_block_till_done()
    speakers = household.get_subentries_of_type(SUBENTRY_SPEAKER)
    (carl,) = [one for one in speakers if one.title == "Carl"]
    assert household.runtime_data is before
    devices = dr.async_entries_for_config_entry(dr.async_get(hass), household.entry_id)
    assert any((DOMAIN, carl.subentry_id) in one.identifiers for one in devices)
    await talk.say("remind me tomorrow at six to feed the fish")
    assert texts(hass, carl.subentry_id) == ["feed the fish"]
    anna = Talk(hass, satellite_id=KITCHEN)
    assert "12" in await anna.say("what do you remember about my locker?")
    assert "already" in await Talk(hass, satellite_id=HALL).say("I'm Carl, remember me")


@pytest.mark.usefixtures("household")
async def test_nobody_is_met_after_a_no(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """A no is a no."""
    talk = Talk(hass, satellite_id=HALL)
    await talk.say("I'm Carl, remember me")
    await talk.say("no")
    await hass.async_block_till_done()
    assert len(household.get_subentries_of_type(SUBENTRY_SPEAKER)) == 2


async def test_who_is_signed_in_is_met_with_the_person(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """Then the account is enough from the next sentence on."""
    user = await hass.auth.async_create_user("carl")
    state = {"user_id": user.id, "id": "carl"}
    hass.states.async_set("person.carl", "home", state)
    talk = Talk(hass, user_id=user.id)
    await talk.say("I'm Carl, remember me")
    await talk.say("yes")
    await hass.async_block_till_done()
    speakers = household.get_subentries_of_type(SUBENTRY_SPEAKER)
    assert [one.data.get(CONF_PERSON) for one in speakers] == ["anna", "ben", "carl"]
    await talk.say("remember that my locker is 12")
    assert "12" in await talk.say("what do you remember about my locker?")


async def test_a_new_name_loses_nothing(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """The id stays: memory, reminders and the spoken name follow."""
    default_at(hass, household, ANNA, KITCHEN)
    talk = Talk(hass, satellite_id=KITCHEN)
    await talk.say("remember that my locker is 12")
    await talk.say("remind me tomorrow at six to feed the fish")
    anna = household.subentries[ANNA]
    hass.config_entries.async_update_subentry(household, anna, title="Annabel")
    await hass.async_block_till_done()
    assert "12" in await talk.say("what do you remember about my locker?")
    assert texts(hass, ANNA) == ["feed the fish"]
    other = Talk(hass, satellite_id=HALL)
    await other.say("This is Annabel")
    assert "feed the fish" in await other.say("what are my reminders?")


async def test_a_removed_speaker_is_gone_with_all_data(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """And whoever stood there is nobody known."""
    default_at(hass, household, BEN, KITCHEN)
    talk = Talk(hass, satellite_id=KITCHEN)
    await talk.say("remember that my locker is 12")
    await talk.say("remind me tomorrow at six to feed the fish")
    hass.config_entries.async_remove_subentry(household, BEN)
    await hass.async_block_till_done()
    assert not texts(hass, BEN)
    assert async_get_household(hass).memories.peek(BEN) is None
    assert "12" not in await talk.say("what do you remember about my locker?")


async def test_what_is_everyones(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """Told by one, heard by all, also by somebody unknown; forgotten, it is for all."""
    default_at(hass, household, ANNA, KITCHEN)
    anna, guest = Talk(hass, satellite_id=KITCHEN), Talk(hass, satellite_id=HALL)
    await anna.say("remember for all of us that the ladder is in the cellar")
    assert "cellar" in await guest.say("what do you know about the ladder?")
    default_at(hass, household, BEN, HALL)
    ben = Talk(hass, satellite_id=HALL)
    assert "cellar" in await ben.say("what do you know about the ladder?")
    await ben.say("forget what I said about the ladder")
    assert "cellar" not in await anna.say("what do you know about the ladder?")


async def test_several_at_once(
    hass: HomeAssistant, household: MockConfigEntry, server: OllamaServer
) -> None:
    """Two speakers, one of them at two satellites, in the same moment: nothing is mixed up or stuck."""
    bath = "assist_satellite.bath"
    default_at(hass, household, ANNA, KITCHEN, HALL)
    default_at(hass, household, BEN, bath)
    talks = [Talk(hass, satellite_id=where) for where in (KITCHEN, HALL, bath)]
    words = ("Apollo", "Bacchus", "Ceres")
    async with asyncio.timeout(10):
        for _ in range(3):
            await asyncio.gather(
                *(
                    talk.say(f"My horse is called {word}")
                    for talk, word in zip(talks, words, strict=True)
                )
            )
    assert len(server.bodies) == 9
    for body in server.bodies:
        own = [w for w in words if w in body["messages"][-1]["content"].split("\n")[-1]]
        assert ("Ceres" in str(body["messages"])) == (own == ["Ceres"])
    names = async_get_household(hass).memories
    anna, ben = names.peek(ANNA), names.peek(BEN)
    assert anna is not None
    assert ben is not None
    assert "Ceres" not in anna.entity_map
    assert not {"Apollo", "Bacchus"} & set(ben.entity_map)
