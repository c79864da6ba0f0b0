"""What the tests of the integration share: our own copy of it, and a server for the agent."""

from collections.abc import AsyncGenerator
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationResult
from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

# Before the test package puts its own package of custom components in the way.
import custom_components.assist_memory  # noqa: F401
from custom_components.assist_memory.const import (
    CONF_NUM_CTX,
    CONF_PERSON,
    DOMAIN,
    SUBENTRY_CONVERSATION,
    SUBENTRY_SPEAKER,
)
from tests.ha.flow_steps import Flow
from tests.ollama_server import MODEL, OllamaServer

AGENT = "conversation.olly"
AGENT_ID = "agent0"
ANNA = "anna0"
BEN = "ben00"
KITCHEN = "assist_satellite.kitchen"


@pytest.fixture(autouse=True)
def _own_copy(enable_custom_integrations: None) -> None:
    """Let Home Assistant load the integration from this repository."""


@pytest.fixture
async def server(socket_enabled: None) -> AsyncGenerator[OllamaServer]:
    """Return a server on loopback that answers by script."""
    server = await OllamaServer().start()
    yield server
    await server.stop()


@pytest.fixture
def agent_data() -> dict[str, Any]:
    """Return the options of the agent; a test may change them before it is set up."""
    return {"model": MODEL, "prompt": "You are kind.", CONF_NUM_CTX: 2048}


@pytest.fixture
def entry(server: OllamaServer, agent_data: dict[str, Any]) -> MockConfigEntry:
    """Return a household of Anna and Ben with one agent."""
    speakers = [
        {
            "data": {CONF_PERSON: person},
            "subentry_id": speaker_id,
            "subentry_type": SUBENTRY_SPEAKER,
            "title": name,
            "unique_id": None,
        }
        for speaker_id, name, person in ((ANNA, "Anna", "anna"), (BEN, "Ben", "ben"))
    ]
    agent = {
        "data": agent_data,
        "subentry_id": AGENT_ID,
        "subentry_type": SUBENTRY_CONVERSATION,
        "title": "Olly",
        "unique_id": None,
    }
    return MockConfigEntry(
        domain=DOMAIN,
        title="Assist Memory",
        data={"url": server.url},
        subentries_data=[agent, *speakers],
    )


@pytest.fixture
async def household(hass: HomeAssistant, entry: MockConfigEntry) -> MockConfigEntry:
    """Return the same, set up."""
    assert await async_setup_component(hass, "homeassistant", {})
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return entry


class Talk:
    """A person at the agent: one conversation, until it is left."""

    def __init__(self, hass: HomeAssistant, **where: Any) -> None:
        """Take where the person is: language, satellite_id, user_id."""
        self.hass = hass
        self.language = where.pop("language", "en")
        self.context = Context(user_id=where.pop("user_id", None))
        self.where = where
        self.conversation_id: str | None = None
        self.result: ConversationResult | None = None

    async def say(self, text: str, **more: Any) -> str:
        """Say something and return what is answered."""
        self.result = await conversation.async_converse(
            self.hass,
            text,
            self.conversation_id,
            self.context,
            language=self.language,
            agent_id=AGENT,
            **self.where,
            **more,
        )
        self.conversation_id = self.result.conversation_id
        speech: str = self.result.response.speech["plain"]["speech"]
        return speech

    @property
    def failed(self) -> bool:
        """Tell whether the last answer says that something went wrong."""
        assert self.result is not None
        return self.result.response.error_code is not None


@pytest.fixture
def talk(hass: HomeAssistant, household: MockConfigEntry) -> Talk:
    """Return somebody unknown who talks to the agent in English."""
    return Talk(hass)


@pytest.fixture
async def persons(hass: HomeAssistant) -> None:
    """Let Home Assistant know Anna and Ben."""
    config = [{"id": "anna", "name": "Anna"}, {"id": "ben", "name": "Ben"}]
    assert await async_setup_component(hass, "person", {"person": config})
    await hass.async_block_till_done()


@pytest.fixture
async def pipelines(hass: HomeAssistant) -> None:
    """Let there be voice assistants."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "assist_pipeline", {})


@pytest.fixture
async def flow(hass: HomeAssistant) -> Flow:
    """Return a flow at its first form."""
    assert await async_setup_component(hass, "homeassistant", {})
    flow = Flow(hass)
    await flow.start()
    return flow
