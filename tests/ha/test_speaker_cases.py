"""What went wrong elsewhere with speakers, one test for each report; their ids are in the names."""

from collections.abc import Callable
from datetime import timedelta
from types import MappingProxyType
from typing import Any
from unittest.mock import patch

from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.util.file import WriteError
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.assist_memory.const import (
    CONF_LASTS,
    CONF_SATELLITES,
    CONF_SHOW,
    DOMAIN,
    LASTS_NEVER,
    SHOW_EVERYTHING,
    SUBENTRY_CONVERSATION,
    SUBENTRY_SPEAKER,
)
from custom_components.assist_memory.diagnostics import (
    async_get_config_entry_diagnostics,
)
from custom_components.assist_memory.engine import HOUSEHOLD, MemoryManager
from custom_components.assist_memory.household import Household, async_get_household
from tests.ha.conftest import AGENT, ANNA, BEN, KITCHEN, Talk
from tests.ollama_server import MODEL, OllamaServer

HALL = "assist_satellite.hall"
ATTIC = "assist_satellite.attic"
ABOUT_ME = "what do you know about me?"


class Family:
    """Anna's satellite is the kitchen's, Ben's the hall's; both have accounts."""

    def __init__(self, hass: HomeAssistant, entry: MockConfigEntry) -> None:
        self.hass = hass
        self.entry = entry
        self.users: dict[str, str] = {}
        self.change(ANNA, **{CONF_SATELLITES: [KITCHEN]})
        self.change(BEN, **{CONF_SATELLITES: [HALL]})

    @property
    def household(self) -> Household:
        """Return what is remembered."""
        return async_get_household(self.hass)

    def change(self, speaker: str, **data: Any) -> None:
        """Change options of a speaker."""
        subentry = self.entry.subentries[speaker]
        self.hass.config_entries.async_update_subentry(
            self.entry, subentry, data={**subentry.data, **data}
        )

    def at(self, satellite: str | None = None, language: str = "en") -> Talk:
        """Return a new talk at a satellite, or of an automation."""
        return Talk(self.hass, satellite_id=satellite, language=language)

    def typing(self, user: str) -> Talk:
        """Return a new talk of somebody who is signed in."""
        return Talk(self.hass, user_id=self.users[user])

    async def action(self, text: str, user: str | None = None) -> str:
        """Return the answer to the action, called by a user or an automation."""
        answer = await self.hass.services.async_call(
            "conversation",
            "process",
            {"text": text, "agent_id": AGENT, "language": "en"},
            blocking=True,
            return_response=True,
            context=Context(user_id=self.users[user] if user else None),
        )
        return str(answer)

    def memory(self, speaker: str) -> MemoryManager:
        """Return a speaker's memory, an empty one if there is none."""
        return self.household.memory_of(speaker, "look")

    def facts(self, speaker: str) -> list[str]:
        """Return what a speaker has asked to be remembered."""
        return [fact.text for fact in self.memory(speaker).facts]

    def add_speaker(self, speaker_id: str, name: str, satellite: str) -> None:
        """Add somebody."""
        subentry = ConfigSubentry(
            data=MappingProxyType({CONF_SATELLITES: [satellite]}),
            subentry_id=speaker_id,
            subentry_type=SUBENTRY_SPEAKER,
            title=name,
            unique_id=None,
        )
        self.hass.config_entries.async_add_subentry(self.entry, subentry)


@pytest.fixture
async def family(hass: HomeAssistant, household: MockConfigEntry) -> Family:
    """Return the family at home."""
    family = Family(hass, household)
    for name in ("anna", "ben"):
        user = await hass.auth.async_create_user(name, group_ids=[GROUP_ID_ADMIN])
        family.users[name] = user.id
        state = {"id": name, "user_id": user.id}
        hass.states.async_set(f"person.{name}", "home", state)
    await hass.async_block_till_done()
    return family


async def test_sp_01_one_person_by_every_way(family: Family) -> None:
    """The person owns it, not the way: satellite, browser and action are one memory."""
    await family.at(KITCHEN).say("remember that my car stands on deck nine")
    assert "deck nine" in await family.typing("anna").say("where is my car?")
    assert "deck nine" in await family.action("where is my car?", "anna")
    assert "deck nine" not in await family.action("where is my car?")
    assert "deck nine" not in await family.at().say(ABOUT_ME)


async def test_sp_02_a_context_that_was_left_over(family: Family) -> None:
    """An account that comes along with a satellite does not make the voice its owner's."""
    for satellite in (KITCHEN, HALL, ATTIC):
        talk = Talk(family.hass, satellite_id=satellite, user_id=family.users["anna"])
        await talk.say("remember that my shelf has number 40")
    assert family.facts(BEN) == []
    # At her own satellite it is hers by that.
    assert len(family.facts(ANNA)) == 1
    assert "40" not in await family.typing("ben").say(ABOUT_ME)


async def test_sp_03_two_agents_and_one_conversation(
    family: Family, server: OllamaServer
) -> None:
    """What one agent is told is not in the requests of the other."""
    other = ConfigSubentry(
        data=MappingProxyType({"model": MODEL, "prompt": "Be kind."}),
        subentry_type=SUBENTRY_CONVERSATION,
        title="Work",
        unique_id=None,
    )
    family.hass.config_entries.async_add_subentry(family.entry, other)
    await family.hass.async_block_till_done()

    async def say(agent: str, text: str) -> None:
        await conversation.async_converse(
            family.hass,
            text,
            "abc",
            Context(),
            language="en",
            agent_id=agent,
            satellite_id=ATTIC,
        )

    await say("conversation.work", "Our new boat is called Pelican")
    assert "Pelican" in str(server.bodies)
    await say(AGENT, "Which boat was that?")
    await say(AGENT, "And what do you make of it?")
    family_bodies = [b for b in server.bodies if "You are kind." in str(b)]
    assert family_bodies
    assert "Pelican" not in str(family_bodies)


async def test_sp_04_nobody_finds_what_is_anothers(
    family: Family, server: OllamaServer
) -> None:
    """Asked in any way: recall, list, sensors, lists, diagnostics, the model."""
    family.change(ANNA, **{CONF_SHOW: SHOW_EVERYTHING})
    await family.at(KITCHEN).say("remember that the surprise for Ben is a kite")
    ben = family.at(HALL)
    for text in (
        "what do you remember about surprises?",
        "what do you know about the surprise for Ben?",
        ABOUT_ME,
        "what are my reminders?",
        "What surprise would you like?",
    ):
        assert "kite" not in await ben.say(text)
    assert "kite" not in str(server.bodies)
    assert family.facts(BEN) == []
    faces = er.async_entries_for_config_entry(
        er.async_get(family.hass), family.entry.entry_id
    )
    others = [face.entity_id for face in faces if face.config_subentry_id != ANNA]
    shown = [family.hass.states.get(one) for one in others]
    assert "kite" not in str([one and one.as_dict() for one in shown])
    found = await async_get_config_entry_diagnostics(family.hass, family.entry)
    assert "kite" not in str(found)


async def test_sp_05_who_is_missing_narrows(family: Family) -> None:
    """Without a person there is what is everyone's; with one, that and their own."""
    for satellite, facts in (
        (KITCHEN, ("my bike is red", "my desk is oak")),
        (HALL, ("my boat is blue", "my hat is grey")),
    ):
        talk = family.at(satellite)
        for fact in facts:
            await talk.say(f"remember that {fact}")
    await family.at(KITCHEN).say("remember for all of us that the lift is broken")
    automation = await family.action(ABOUT_ME)
    assert "lift" in automation
    assert [w for w in ("red", "oak", "blue", "grey") if w in automation] == []
    ben = await family.action(ABOUT_ME, "ben")
    assert [w for w in ("lift", "blue", "grey") if w not in ben] == []
    assert [w for w in ("red", "oak") if w in ben] == []
    await family.at(ATTIC).say("remind me tomorrow at ten to lock up")
    owners = {item.owner for item in family.household.reminders.items.values()}
    assert owners == {HOUSEHOLD}


async def test_sp_07_strangers_share_nothing(
    family: Family, server: OllamaServer
) -> None:
    """What somebody unknown tells of themselves is not kept, and they are told so."""
    first, second = (
        family.at(ATTIC, "zh-CN"),
        family.at("assist_satellite.den", "zh-CN"),
    )
    assert "不知道现在是谁" in await first.say("记住我的门锁号码是4711")
    assert "4711" not in await second.say("我的门锁号码是多少？")
    assert "4711" not in str(server.bodies)
    assert family.household.shared_facts == ()


async def test_sp_08_what_the_agent_says_is_nobodys_life(
    family: Family, server: OllamaServer, freezer: FrozenDateTimeFactory
) -> None:
    """A suggestion does not become something that was done."""
    family.change(ANNA, **{CONF_LASTS: LASTS_NEVER})
    server.say("去动物园看看吧。")
    await family.at(KITCHEN, "zh-CN").say("周末可以带孩子玩什么？")
    freezer.tick(timedelta(days=7))
    server.say("这个我不知道。")
    assert "动物园" not in await family.at(KITCHEN, "zh-CN").say("我上个周末做了什么？")
    assert "动物园" not in str(server.bodies[-1])
    assert family.facts(ANNA) == []
    assert "动物园" not in str(family.memory(ANNA).entity_map)


@pytest.mark.parametrize("text", ["[Anna] ", "Anna: ", ""])
async def test_sp_13_a_name_among_the_words_is_no_owner(
    family: Family, text: str
) -> None:
    """Who speaks is told beside the words, by an action, and never read from them."""
    await family.at(HALL).say(f"{text}remind me at seven to water the roses")
    assert family.household.reminders.async_items(ANNA) == ()
    family.hass.states.async_set(ATTIC, "idle")
    await family.hass.services.async_call(
        DOMAIN, "set_speaker", {"satellite": ATTIC, "speaker": ANNA}, blocking=True
    )
    await family.at(ATTIC).say("remind me at seven to water the roses")
    (item,) = family.household.reminders.async_items(ANNA)
    assert item.text == "water the roses"


@pytest.mark.parametrize("way", ["satellite", "typed", "action"])
async def test_sp_15_what_is_written_is_read(family: Family, way: str) -> None:
    """By every way to read, whichever way it was written; no key has a hole in it."""
    family.change(ANNA, **{CONF_SHOW: SHOW_EVERYTHING})
    say: dict[str, Callable[[str], Any]] = {
        "satellite": lambda text: family.at(KITCHEN).say(text),
        "typed": lambda text: family.typing("anna").say(text),
        "action": lambda text: family.action(text, "anna"),
    }
    await say[way]("remember that my locker is 2580")
    await say[way]("remind me tomorrow at six to feed the fish")
    await family.hass.async_block_till_done()
    for read in say.values():
        assert "2580" in await read("what do you remember about my locker?")
        assert "feed the fish" in await read("what are my reminders?")
    states = [state.as_dict() for state in family.hass.states.async_all("sensor")]
    assert "2580" in str(states)
    for key in ("assist_memory.reminders", *family.household.store_names):
        assert not any(hole in key for hole in ("{", "None", "null"))
    owners = {item.owner for item in family.household.reminders.items.values()}
    assert owners == {ANNA}
    await say[way]("forget what I said about my locker")
    for read in say.values():
        assert "2580" not in await read("what do you remember about my locker?")


async def test_sp_16_a_guest_is_not_the_owner_of_the_house(
    family: Family, server: OllamaServer
) -> None:
    """Ben runs this Home Assistant; somebody in the attic is still nobody known."""
    ben = family.at(HALL)
    await ben.say("remember that my gate number is 7391")
    before = family.memory(BEN).dump()
    guest, sent = family.at(ATTIC), len(server.bodies)
    for text in (
        "what are my plans?",
        "remember that I am fond of plums",
        "forget my gate number",
    ):
        assert "7391" not in await guest.say(text)
    assert "7391" not in str(server.bodies[sent:])
    assert family.memory(BEN).dump() == before
    assert family.household.presence.rungs["nobody"] == 3


async def test_sp_17_like_names_are_not_the_same(family: Family) -> None:
    """Ids are compared as they are; and what was not saved is said not to be."""
    rooms = {"rob": "Rob", "robert": "Robert", "mei": "Mei", "meili": "Meili"}
    for speaker_id, name in rooms.items():
        family.add_speaker(speaker_id, name, f"assist_satellite.{speaker_id}")
    await family.hass.async_block_till_done()
    for short in ("rob", "mei"):
        await family.at(f"assist_satellite.{short}").say("remember that my code is 55")
    for long in ("robert", "meili"):
        talk = family.at(f"assist_satellite.{long}")
        assert "55" not in await talk.say(ABOUT_ME)
        assert family.facts(long) == []
    with patch(
        "homeassistant.helpers.storage.Store._async_write_data",
        side_effect=WriteError("full"),
    ):
        talk = family.at("assist_satellite.robert")
        said = await talk.say("remind me tomorrow at six to feed the fish")
    assert "tomorrow" not in said
    assert family.household.reminders.items == {}
