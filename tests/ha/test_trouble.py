"""What can go wrong with a model: every end has a sentence, and the next turn goes on."""

from typing import Any
from unittest.mock import patch

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import issue_registry as ir
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
)

from custom_components.assist_memory.const import DOMAIN
from tests.ha.agent import agent_of, notice, sentence
from tests.ha.conftest import AGENT_ID, Talk
from tests.ollama_server import MODEL, Answer, OllamaServer


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Answer(status=500, error="boom"), "bad_answer"),
        (Answer(status=401), "refused"),
        (Answer(status=404, error="model 'small' not found"), "model_missing"),
        (Answer(chunks=[], cut=True), "cut_off"),
        (Answer(chunks=[]), "empty"),
        (Answer(chunks=["<think>only thoughts"]), "empty"),
        (Answer(chunks=[], error="out of memory"), "bad_answer"),
    ],
)
async def test_a_failure_has_a_sentence(
    hass: HomeAssistant,
    household: MockConfigEntry,
    server: OllamaServer,
    answer: Answer,
    code: str,
    language: str,
) -> None:
    """In the person's language; the next turn goes on as if nothing had been."""
    talk = Talk(hass, language=language)
    server.script.append(answer)
    assert await talk.say("abc") == sentence(code, language)
    assert talk.failed
    server.say("Fine.")
    assert await talk.say("def") == "Fine."
    assert len(server.talks[-1]) == 2


async def test_an_answer_that_breaks_off_says_so(
    talk: Talk, server: OllamaServer
) -> None:
    """What was said stays said."""
    server.say("First. ", "Then we", cut=True)
    said = await talk.say("How do I bake bread?")
    assert said == f"First. Then we {sentence('cut_off')}"


async def test_a_server_that_is_away(talk: Talk, server: OllamaServer) -> None:
    """No exception, and nothing is logged of what was said."""
    await server.stop()
    assert (await talk.say("Tell me a story")).startswith(sentence("unreachable"))
    assert talk.failed


async def test_a_slow_server(
    talk: Talk, server: OllamaServer, household: MockConfigEntry
) -> None:
    """Waiting has an end."""
    household.runtime_data.client._first = 0.1
    server.say("late", wait=0.5)
    assert await talk.say("Tell me a story") == sentence("timeout")


async def test_a_missing_model_can_be_mended(
    hass: HomeAssistant, talk: Talk, server: OllamaServer
) -> None:
    """It is shown among the repairs until the model answers."""
    issues = ir.async_get(hass)
    server.models = []
    assert await talk.say("Tell me a story") == sentence("model_missing")
    issue = issues.async_get_issue(DOMAIN, f"model_missing_{AGENT_ID}")
    assert issue is not None
    assert issue.translation_placeholders == {"agent": "Olly", "model": MODEL}
    server.models = [MODEL]
    await talk.say("Tell me a story")
    assert not issues.async_get_issue(DOMAIN, f"model_missing_{AGENT_ID}")


async def test_a_removed_agent_needs_no_mending(
    hass: HomeAssistant, talk: Talk, server: OllamaServer, household: MockConfigEntry
) -> None:
    """Its repairs go with it."""
    server.key = "secret"
    assert await talk.say("Tell me a story") == sentence("refused")
    issues = ir.async_get(hass)
    assert issues.async_get_issue(DOMAIN, f"server_auth_{AGENT_ID}")
    hass.config_entries.async_remove_subentry(household, AGENT_ID)
    await hass.async_block_till_done()
    assert not issues.async_get_issue(DOMAIN, f"server_auth_{AGENT_ID}")


async def test_it_is_logged_once(
    talk: Talk, server: OllamaServer, caplog: pytest.LogCaptureFixture
) -> None:
    """When the model is lost, and when it is back."""
    server.key = "secret"
    for _ in range(3):
        await talk.say("Tell me a story")
    server.key = None
    for _ in range(3):
        await talk.say("Tell me a story")
    assert caplog.text.count("The model of Olly does not answer: refused") == 1
    assert caplog.text.count("The model of Olly answers again") == 1


class TestWithoutModel:
    """An agent for which no model was chosen yet."""

    @pytest.fixture
    def agent_data(self) -> dict[str, Any]:
        """Return options without a model."""
        return {}

    async def test_it_says_so(self, talk: Talk, server: OllamaServer) -> None:
        """And asks no server."""
        assert await talk.say("Tell me a story") == sentence("no_model")
        await agent_of(talk.hass).async_prepare("en")
        assert server.requests == []


class TestFaultyPrompt:
    """An owner's template that can't be rendered."""

    @pytest.fixture
    def agent_data(self) -> dict[str, Any]:
        """Return options with a faulty prompt."""
        return {"model": MODEL, "prompt": "{{ nothing.at.all }}"}

    async def test_it_says_so(self, talk: Talk) -> None:
        """A sentence, no exception."""
        assert await talk.say("Tell me a story") == sentence("other")


@pytest.mark.parametrize("start", ["", "{", "I've set a reminder. "])
async def test_an_endless_answer_is_stopped(
    talk: Talk, server: OllamaServer, start: str
) -> None:
    """A model that does not stop is stopped, also while its words are held back."""
    server.say(start, *(f"This is sentence {number}. " for number in range(1000)))
    assert 100 < len(await talk.say("Talk")) < 10_000


async def test_an_answer_in_a_loop_is_stopped(talk: Talk, server: OllamaServer) -> None:
    """Small models say the same again and again."""
    server.say(*(["I am a voice assistant. "] * 1000))
    assert 300 < len(await talk.say("Talk")) < 600


async def test_an_answer_that_became_too_long_says_so(
    talk: Talk, server: OllamaServer
) -> None:
    """The server stops it at the length that it was told."""
    server.say("And then she", length=True)
    assert await talk.say("Talk") == f"And then she {sentence('cut_off')}"


async def test_endless_thinking_is_stopped(talk: Talk, server: OllamaServer) -> None:
    """Nobody waits for ever."""
    server.say("too late", thinking="hm " * 20_000)
    assert await talk.say("Think") == sentence("empty")


async def test_a_model_that_refuses_the_thinking_flag(
    talk: Talk, server: OllamaServer
) -> None:
    """It is asked once more without, in the same turn; another refusal is an error."""
    refusal = Answer(status=400, error="x does not support thinking")
    server.script.append(refusal)
    server.say("Hello.")
    assert await talk.say("Good morning to you") == "Hello."
    assert ["think" in body for body in server.bodies] == [True, False]
    server.script.extend([refusal, refusal])
    assert await talk.say("And once more") == sentence("other")


async def test_what_nobody_thought_of_has_a_sentence(
    talk: Talk, server: OllamaServer, caplog: pytest.LogCaptureFixture
) -> None:
    """An error of Home Assistant's own is not read out, and its words are not logged."""
    with patch(
        "custom_components.assist_memory.conversation.async_identify",
        side_effect=HomeAssistantError("secret words"),
    ):
        assert await talk.say("Hello to you") == notice("failed")
    assert "A turn failed: HomeAssistantError" in caplog.text
    assert await talk.say("Hello again") == "Hello there."
