"""Two persons and a canary: what Anna says is nowhere where Ben, a stranger or a file may find it (X3).

Every kind of data, by every way in, against every way to read. Later kinds of data, ways and
places of keeping join the tables below.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
import json
import logging
from pathlib import Path
from typing import Any, override

from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.const import (
    EVENT_CALL_SERVICE,
    EVENT_HOMEASSISTANT_FINAL_WRITE,
    MATCH_ALL,
)
from homeassistant.core import Context, Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er, llm
from homeassistant.helpers.json import ExtendedJSONEncoder
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import WebSocketGenerator
import voluptuous as vol

from custom_components.assist_memory.const import (
    CONF_SATELLITES,
    CONF_SHOW,
    SHOW_NOTHING,
    SHOW_REMINDERS,
)
from custom_components.assist_memory.diagnostics import (
    async_get_config_entry_diagnostics,
)
from custom_components.assist_memory.household import async_get_household
from custom_components.assist_memory.presence import Voice
from custom_components.assist_memory.storage import STORAGE_KEY
from tests.ha.conftest import AGENT, ANNA, BEN, KITCHEN, Talk
from tests.ha.test_conversation import run_pipeline
from tests.ollama_server import MODEL, OllamaServer

CANARY = "Zaphodia"
HALL = "assist_satellite.hall"
SHARED = "assist_satellite.shared"
PEEK = {"name": "peek", "arguments": {}}
OURS = "custom_components.assist_memory"

KINDS: Mapping[str, str] = {
    "fact": f"remember that my locker opens with {CANARY}",
    "reminder": f"remind me tomorrow at six to feed {CANARY}",
    "talk": f"My horse is called {CANARY} and I love riding",
    "reply": "Good morning to you",
    "tool": "Have a look for me",
}
"""What Anna says for each kind of data; of a reply and a tool, others say the token."""
WAYS = ("typed", "satellite", "shared_satellite", "action", "pipeline")
QUESTIONS = (
    "what do you remember about my locker?",
    "what do you know about me?",
    "what are my reminders?",
    "when do I have to feed?",
    "What is my horse called?",
    "what were we talking about?",
    "go back to the previous topic",
    "forget what I said about my locker",
    "And then what happened?",
)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an account, a satellite and a voice."""

    speaker: str
    user_id: str
    satellite: str
    client: Any


@dataclass(slots=True)
class House:
    """Two persons at every way in, and everything that can be overheard."""

    hass: HomeAssistant
    entry: MockConfigEntry
    server: OllamaServer
    anna: Person
    ben: Person
    events: list[Event[Any]] = field(default_factory=list)
    talks: dict[str, Talk] = field(default_factory=dict)

    async def say(self, person: Person, way: str, text: str) -> str:
        """Let somebody say something, and return what all of the answer says."""
        ways: Mapping[str, Callable[[Person, str], Awaitable[str]]] = {
            "typed": self._typed,
            "satellite": self._satellite,
            "shared_satellite": self._shared,
            "action": self._action,
            "pipeline": self._pipeline,
        }
        return await ways[way](person, text)

    async def stranger(self, text: str) -> str:
        """Let somebody unknown say something where nobody is the default."""
        talk = self.talks.setdefault(
            "stranger", Talk(self.hass, satellite_id="assist_satellite.attic")
        )
        return await talk.say(text)

    async def claim(self, text: str) -> str:
        """Let somebody say something who says to be Anna, with nothing to show for it."""
        if "claim" not in self.talks:
            self.talks["claim"] = Talk(self.hass, satellite_id="assist_satellite.den")
            await self.talks["claim"].say("This is Anna")
        return await self.talks["claim"].say(text)

    async def _typed(self, person: Person, text: str) -> str:
        talk = self.talks.setdefault(
            f"typed {person.speaker}", Talk(self.hass, user_id=person.user_id)
        )
        return await talk.say(text)

    async def _satellite(self, person: Person, text: str) -> str:
        talk = self.talks.setdefault(
            f"at {person.satellite}", Talk(self.hass, satellite_id=person.satellite)
        )
        return await talk.say(text)

    async def _shared(self, person: Person, text: str) -> str:
        """Speak in one and the same conversation, known by voice."""
        presence = async_get_household(self.hass).presence
        expires = dt_util.utcnow().replace(year=2100)
        presence.hear_voice(SHARED, Voice(speaker=person.speaker, expires=expires))
        talk = self.talks.setdefault("shared", Talk(self.hass, satellite_id=SHARED))
        return await talk.say(text)

    async def _action(self, person: Person, text: str) -> str:
        answer = await self.hass.services.async_call(
            "conversation",
            "process",
            {"text": text, "agent_id": AGENT, "language": "en"},
            blocking=True,
            return_response=True,
            context=Context(user_id=person.user_id),
        )
        return str(answer)

    async def _pipeline(self, person: Person, text: str) -> str:
        events = await run_pipeline(person.client, text)
        # A run begins with what it was asked.
        return str([event for event in events if event["type"] == "intent-end"])

    def own_faces(self) -> set[str]:
        """Return the entities that show Anna her reminders."""
        entities = er.async_entries_for_config_entry(
            er.async_get(self.hass), self.entry.entry_id
        )
        return {e.entity_id for e in entities if e.config_subentry_id == ANNA}


class Peek(llm.Tool):
    """A tool that sees the canary."""

    name = "peek"
    description = "Have a look"
    integration = "test"
    parameters = vol.Schema({})

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: Any
    ) -> llm.ToolResult:
        """Look."""
        return llm.ToolResult(data={"seen": CANARY})


class Looking(llm.API):
    """An API with that tool."""

    @override
    async def async_get_api_instance(self, llm_context: Any) -> llm.APIInstance:
        """Return the tool."""
        return llm.APIInstance(self, "You may look.", llm_context, [Peek()])


@pytest.fixture
def agent_data(hass: HomeAssistant) -> dict[str, Any]:
    """Return an agent that may look."""
    llm.async_register_api(hass, Looking(hass=hass, id="looking", name="Looking"))
    return {"model": MODEL, "llm_hass_api": ["looking"], "prompt": "Be kind."}


@pytest.fixture
async def house(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    household: MockConfigEntry,
    server: OllamaServer,
    hass_ws_client: WebSocketGenerator,
    caplog: pytest.LogCaptureFixture,
) -> House:
    """Return a house where Anna and Ben are known by every way."""
    caplog.set_level(logging.DEBUG, OURS)
    assert await async_setup_component(hass, "assist_pipeline", {})
    anna = await _person(hass, household, hass_ws_client, ANNA, "anna", KITCHEN)
    ben = await _person(hass, household, hass_ws_client, BEN, "ben", HALL)
    house = House(hass, household, server, anna, ben)

    @callback
    def overhear(event: Event[Any]) -> None:
        house.events.append(event)

    hass.bus.async_listen(MATCH_ALL, overhear)
    return house


async def _person(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    hass_ws_client: WebSocketGenerator,
    speaker: str,
    name: str,
    satellite: str,
) -> Person:
    user = await hass.auth.async_create_user(name, group_ids=[GROUP_ID_ADMIN])
    state = {"id": name, "user_id": user.id}
    hass.states.async_set(f"person.{name}", "home", state)
    subentry = entry.subentries[speaker]
    data = {**subentry.data, CONF_SATELLITES: [satellite]}
    hass.config_entries.async_update_subentry(entry, subentry, data=data)
    refresh = await hass.auth.async_create_refresh_token(user, f"https://{name}.test/")
    client = await hass_ws_client(hass, hass.auth.async_create_access_token(refresh))
    return Person(speaker, user.id, satellite, client)


async def tell(house: House, kind: str, way: str) -> None:
    """Let Anna leave the canary."""
    if kind == "reply":
        house.server.say(f"Good morning, and greetings to {CANARY}.")
    if kind == "tool":
        house.server.say(tool_calls=[PEEK])
        house.server.say("I have had a look.")
    await house.say(house.anna, way, KINDS[kind])
    await house.hass.async_block_till_done()
    house.server.script.clear()


async def ask_everywhere(house: House, kind: str) -> list[str]:
    """Let Ben, a stranger and a pretender ask everything; return what they are told."""
    told = []
    for text in QUESTIONS:
        told += [await house.say(house.ben, way, text) for way in WAYS]
        told.append(await house.stranger(text))
        # Who says to be Anna may hear her reminders (DESIGN section 5).
        if kind != "reminder":
            told.append(await house.claim(text))
    return told


@pytest.mark.parametrize(
    ("kind", "way", "show"),
    [
        *((kind, way, SHOW_REMINDERS) for kind in KINDS for way in WAYS),
        *((kind, "satellite", SHOW_NOTHING) for kind in KINDS),
    ],
)
async def test_what_anna_says_is_nowhere(
    house: House,
    hass_storage: dict[str, Any],
    caplog: pytest.LogCaptureFixture,
    kind: str,
    way: str,
    show: str,
) -> None:
    """Neither told to others nor sent for them, nor shown, logged, diagnosed or written."""
    anna = house.entry.subentries[ANNA]
    house.hass.config_entries.async_update_subentry(
        house.entry, anna, data={**anna.data, CONF_SHOW: show}
    )
    await house.hass.async_block_till_done()
    await tell(house, kind, way)
    assert CANARY in str(house.server.bodies) or kind in {"fact", "reminder", "reply"}
    sent = len(house.server.bodies)
    told = await ask_everywhere(house, kind)
    assert [words for words in told if CANARY in words] == []
    assert CANARY not in str(house.server.bodies[sent:])
    shown = house.own_faces() if kind == "reminder" and show != SHOW_NOTHING else set()
    _assert_not_shown(house, shown)
    await _assert_not_listed(house, shown)
    _assert_not_on_the_bus(house, shown)
    assert not [r for r in caplog.records if _tells(r)]
    found = await async_get_config_entry_diagnostics(house.hass, house.entry)
    assert CANARY not in json.dumps(found, cls=ExtendedJSONEncoder)
    await _assert_not_written(house, hass_storage, kind)


def _assert_not_shown(house: House, shown: set[str]) -> None:
    states = [s for s in house.hass.states.async_all() if s.entity_id not in shown]
    assert [s.entity_id for s in states if CANARY in str(s.as_dict())] == []


async def _assert_not_listed(house: House, shown: set[str]) -> None:
    """Look into all to-do lists, as any account can."""
    lists = [e for e in house.hass.states.async_entity_ids("todo") if e not in shown]
    found = await house.hass.services.async_call(
        "todo",
        "get_items",
        {"entity_id": lists},
        blocking=True,
        return_response=True,
        context=Context(user_id=house.ben.user_id),
    )
    assert len(lists) >= 2
    assert CANARY not in str(found)


def _assert_not_on_the_bus(house: House, shown: set[str]) -> None:
    """Look at all events, but those of Home Assistant that say what was asked for."""
    told = [
        event
        for event in house.events
        if CANARY in str(event.data)
        and event.data.get("entity_id") not in shown
        and (event.event_type, event.data.get("domain"))
        != (EVENT_CALL_SERVICE, "conversation")
    ]
    assert told == []


def _tells(record: logging.LogRecord) -> bool:
    """Tell whether the canary is in the log: ours at any level, others' as they are by default."""
    if (
        record.name.split(".")[0] != "custom_components"
        and record.levelno < logging.INFO
    ):
        return False
    return CANARY in record.getMessage() or CANARY in str(record.exc_info)


async def _assert_not_written(
    house: House, hass_storage: dict[str, Any], kind: str
) -> None:
    """Look into all files, as after a stop; reminders are kept in one of their own."""
    house.hass.bus.async_fire(EVENT_HOMEASSISTANT_FINAL_WRITE)
    await house.hass.async_block_till_done()
    kept = {STORAGE_KEY} if kind == "reminder" else set()
    told = {key for key, data in hass_storage.items() if CANARY in str(data)}
    assert told == kept
    assert _files_that_tell(Path(house.hass.config.config_dir)) == []


def _files_that_tell(folder: Path) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if CANARY.encode() in path.read_bytes()]


async def test_the_canary_sings(house: House) -> None:
    """Anna herself is told: the test above looks for something that is there."""
    for kind in ("fact", "reminder"):
        await tell(house, kind, "satellite")
    for way in WAYS:
        told = [await house.say(house.anna, way, text) for text in QUESTIONS[:3]]
        assert all(CANARY in words for words in told), way


async def test_tools_take_no_owner(house: House) -> None:
    """The model neither sees nor sets who somebody is."""
    await tell(house, "tool", "typed")
    body = json.dumps(house.server.bodies)
    assert [who for who in (ANNA, BEN, house.anna.user_id) if who in body] == []
    tools = [tool for one in house.server.bodies for tool in one.get("tools", ())]
    assert tools
    assert not {"owner", "speaker", "user"} & {
        key
        for tool in tools
        for key in tool["function"]["parameters"].get("properties", {})
    }
