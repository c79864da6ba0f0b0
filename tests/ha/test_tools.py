"""Tools: called, bounded, and never the end of a turn."""

from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
import pytest
import voluptuous as vol

from custom_components.assist_memory.chat import MAX_ROUNDS
from custom_components.assist_memory.engine import guard, load_language
from custom_components.assist_memory.ollama import ToolCall
from custom_components.assist_memory.tools import MAX_SAME_CALLS, called
from tests.ha.conftest import Talk
from tests.ollama_server import MODEL, TOOLLESS, OllamaServer

CALL = {"name": "bell", "arguments": {"times": 2}}


class Bell(llm.Tool):
    """A bell that counts, or does something worse."""

    name = "bell"
    description = "Ring the bell"
    integration = "test"
    parameters = vol.Schema({vol.Required("times"): int, vol.Optional("note"): str})

    def __init__(self) -> None:
        self.rung: list[dict[str, Any]] = []
        self.fault: Exception | None = None

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: Any
    ) -> llm.ToolResult:
        """Ring."""
        if self.fault:
            raise self.fault
        self.rung.append(self.parameters(tool_input.tool_args))
        return llm.ToolResult(data={"rung": len(self.rung)})


class Bells(llm.API):
    """An API with one bell."""

    bell: Bell

    @override
    async def async_get_api_instance(self, llm_context: Any) -> llm.APIInstance:
        """Return the bell."""
        return llm.APIInstance(self, "You may ring the bell.", llm_context, [self.bell])


@pytest.fixture
def bell(hass: HomeAssistant) -> Bell:
    """Return a bell that the model may ring."""
    api = Bells(hass=hass, id="bells", name="Bells")
    api.bell = Bell()
    llm.async_register_api(hass, api)
    return api.bell


@pytest.fixture
def agent_data() -> dict[str, Any]:
    """Return an agent that may use the bell, and an API that has gone."""
    return {"model": MODEL, "llm_hass_api": ["bells", "gone"], "prompt": "Be kind."}


@pytest.fixture
async def at_the_bell(bell: Bell, talk: Talk) -> Talk:
    """Return a talk with a bell at hand."""
    return talk


async def test_a_tool_is_called(
    bell: Bell, at_the_bell: Talk, server: OllamaServer
) -> None:
    """Its result goes back to the model, which then may say that it is done."""
    server.say(tool_calls=[CALL])
    server.say("I've started the bell. It rings.")
    said = await at_the_bell.say("Make some noise")
    assert said == "I've started the bell. It rings."
    assert bell.rung == [{"times": 2}]
    first, second = server.bodies
    assert first["tools"] == second["tools"]
    assert first["tools"][0]["function"]["name"] == "bell"
    assert "You may ring the bell." in first["messages"][0]["content"]
    assert second["messages"][: len(first["messages"])] == first["messages"]
    asked, result = second["messages"][-2:]
    assert asked["tool_calls"] == [{"function": CALL}]
    assert result["role"] == "tool"
    assert result["tool_name"] == "bell"
    assert '"rung":1' in result["content"]
    server.say("Gladly.")
    await at_the_bell.say("Thanks for that")
    assert server.talks[2][: len(second["messages"])] == second["messages"]


@pytest.mark.parametrize(
    "written",
    [
        '{"name": "bell", "parameters": {"times": 2}}',
        '```json\n{"name": "bell", "arguments": {"times": 2}}\n```',
        '<tool_call>{"name": "bell", "arguments": {"times": 2}}</tool_call>',
        '[TOOL_CALLS][{"name": "bell", "arguments": {"times": 2}}]',
        '{"function": {"name": "bell", "arguments": {"times": 2}}}',
    ],
)
async def test_a_call_that_is_written_out_is_called(
    bell: Bell, at_the_bell: Talk, server: OllamaServer, written: str
) -> None:
    """Small models do that; nobody hears it."""
    server.say(*written, split=3)
    server.say("There.")
    assert await at_the_bell.say("Make some noise") == "There."
    assert bell.rung == [{"times": 2}]


@pytest.mark.parametrize("text", ['{"a": 1}', "{not json", "[1, 2]", "```\ncode\n```"])
async def test_what_only_looks_like_a_call_is_said(
    bell: Bell, at_the_bell: Talk, server: OllamaServer, text: str
) -> None:
    """It is the model's answer, be it ever so odd."""
    server.say(text)
    said = await at_the_bell.say("Make some noise")
    assert said.strip("`\n[]") == text.strip("`\n[]")
    assert bell.rung == []


async def test_slips_in_arguments_are_mended(
    bell: Bell, at_the_bell: Talk, server: OllamaServer
) -> None:
    """Empty ones are left out."""
    arguments = {"times": 1, "note": "", "rest": None}
    server.say(tool_calls=[{"name": "bell", "arguments": arguments}])
    await at_the_bell.say("Make some noise")
    assert bell.rung == [{"times": 1}]


@pytest.mark.parametrize(
    ("value", "mended"),
    [('{"a": 1}', {"a": 1}), ("[1]", [1]), ("{no}", "{no}"), ("x", "x")],
)
def test_json_in_a_text_is_read(value: str, mended: Any) -> None:
    """Small models put a list into quotation marks."""
    call = called(ToolCall(name="x", arguments={"value": value}))
    assert call.tool_args == {"value": mended}


@pytest.mark.parametrize(
    "fault",
    [HomeAssistantError("broken"), KeyError("x"), TypeError("y"), vol.Invalid("z")],
)
async def test_a_tool_that_fails_is_not_the_end(
    bell: Bell, at_the_bell: Talk, server: OllamaServer, fault: Exception
) -> None:
    """The model is told, and may not say that it is done."""
    bell.fault = fault
    server.say(tool_calls=[CALL])
    server.say("I've turned on the bell. Sorry?")
    said = await at_the_bell.say("Make some noise")
    assert "I've turned on the bell" not in said
    assert said.endswith("Sorry?")
    assert '"error":true' in server.talks[1][-1]["content"]


async def test_an_invented_tool_is_refused(
    bell: Bell, at_the_bell: Talk, server: OllamaServer
) -> None:
    """The model hears that there is none."""
    server.say(tool_calls=[{"name": "rocket", "arguments": {}}])
    server.say("No rockets here.")
    assert await at_the_bell.say("Make some noise") == "No rockets here."
    assert '"error":true' in server.talks[1][-1]["content"]


async def test_running_in_circles_ends(
    bell: Bell, at_the_bell: Talk, server: OllamaServer
) -> None:
    """The same call counts twice at most, and the turn has an end with a sentence."""
    for _ in range(MAX_ROUNDS + 3):
        server.say(tool_calls=[CALL])
    assert await at_the_bell.say("Make some noise") == guard.notice(
        "done", load_language("en")
    )
    assert len(bell.rung) == MAX_SAME_CALLS
    assert len(server.bodies) == MAX_ROUNDS + 1
    server.script.clear()
    server.say(tool_calls=[CALL])
    server.say("Again.")
    assert await at_the_bell.say("Make more noise") == "Again."
    assert len(bell.rung) == MAX_SAME_CALLS + 1


async def test_a_claim_beside_its_call_waits(
    bell: Bell, at_the_bell: Talk, server: OllamaServer
) -> None:
    """First the bell, then the word."""
    server.say("I've started the bell. ", tool_calls=[CALL])
    server.say("It is ringing.")
    assert await at_the_bell.say("Make some noise") == "It is ringing."


class TestWithoutTools:
    """A model that refuses tools."""

    @pytest.fixture
    def agent_data(self) -> dict[str, Any]:
        """Return such an agent."""
        return {"model": TOOLLESS, "llm_hass_api": ["bells"]}

    async def test_it_is_asked_without(
        self, bell: Bell, at_the_bell: Talk, server: OllamaServer
    ) -> None:
        """Once more in the same turn, and at once from then on."""
        server.say("Hello.")
        server.say("Hello again.")
        assert await at_the_bell.say("Good morning to you") == "Hello."
        assert await at_the_bell.say("And once more") == "Hello again."
        assert all("tools" not in body for body in server.bodies)
        assert server.requests.count("/api/chat") == 3


class TestForAdministrators:
    """An API that not everybody may use."""

    async def test_others_talk_without_it(
        self, hass: HomeAssistant, bell: Bell, at_the_bell: Talk, server: OllamaServer
    ) -> None:
        """Home Assistant 2026.11 refuses it to them; 2026.10 knows no such API."""
        api = llm._async_get_apis(hass)["bells"]
        if not hasattr(api, "requires_admin"):
            pytest.skip("Home Assistant 2026.10")
        api.requires_admin = True
        server.say("Hello.")
        assert await at_the_bell.say("Good morning to you") == "Hello."
        assert "tools" not in server.bodies[0]
