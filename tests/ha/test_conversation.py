"""The agent: code first, local commands, then the model; every end has a sentence."""

import asyncio
from datetime import timedelta
import inspect
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.conversation import AssistantContent, ChatLog, UserContent
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.core import HomeAssistant
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_fire_time_changed,
)
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from custom_components.assist_memory.ollama import MAX_TOKENS
from custom_components.assist_memory.transcript import async_get_transcripts
from tests.ha.agent import agent_of, notice
from tests.ha.conftest import AGENT, AGENT_ID, Talk
from tests.ollama_server import MODEL, OllamaServer


def log_of(talk: Talk) -> ChatLog:
    """Return Home Assistant's own log of a talk."""
    return talk.hass.data[DATA_CHAT_LOGS][str(talk.conversation_id)]


async def test_the_model_answers(talk: Talk, server: OllamaServer) -> None:
    """Its words are what the person hears, and the log has them once."""
    server.say("It is", " warm", " today.")
    assert await talk.say("How is the weather?") == "It is warm today."
    assert not talk.failed
    (body,) = server.bodies
    assert body["model"] == MODEL
    assert body["options"] == {"num_ctx": 2048, "num_predict": MAX_TOKENS}
    assert body["keep_alive"] == -1
    assert body["messages"][0]["content"].startswith("You are kind.")
    assert body["messages"][-1]["content"].endswith("How is the weather?")
    log = log_of(talk)
    assert [c.content for c in log.content if isinstance(c, AssistantContent)] == [
        "It is warm today."
    ]


async def test_a_pipeline_streams_the_answer(
    hass: HomeAssistant,
    household: MockConfigEntry,
    server: OllamaServer,
    hass_ws_client: WebSocketGenerator,
) -> None:
    """Sentence by sentence, as soon as there is one."""
    assert await async_setup_component(hass, "assist_pipeline", {})
    client = await hass_ws_client(hass)
    server.say("Good", " morning. ", "Did you", " sleep well?")
    events = await run_pipeline(client, "Hello there, old friend")
    pieces = [
        event["data"]["chat_log_delta"]["content"]
        for event in events
        if event["type"] == "intent-progress"
        and event["data"]["chat_log_delta"].get("content")
    ]
    assert pieces == ["Good morning. ", "Did you sleep well?"]
    end = next(event["data"] for event in events if event["type"] == "intent-end")
    assert not end["processed_locally"]
    output = end["intent_output"]
    assert output["response"]["speech"]["plain"]["speech"] == "".join(pieces)
    assert output["continue_conversation"]


async def run_pipeline(client: Any, text: str) -> list[dict[str, Any]]:
    """Run a pipeline with our agent from a text, and return its events."""
    keys = ("stt", "tts")
    await client.send_json_auto_id(
        {
            "type": "assist_pipeline/pipeline/create",
            "conversation_engine": AGENT,
            "conversation_language": "en",
            "language": "en",
            "name": "Test",
            **{
                f"{key}_{part}": None for key in keys for part in ("engine", "language")
            },
            "tts_voice": None,
            "wake_word_entity": None,
            "wake_word_id": None,
        }
    )
    pipeline = (await client.receive_json())["result"]["id"]
    await client.send_json_auto_id(
        {
            "type": "assist_pipeline/run",
            "start_stage": "intent",
            "end_stage": "intent",
            "input": {"text": text},
            "pipeline": pipeline,
        }
    )
    assert (await client.receive_json())["success"]
    events: list[dict[str, Any]] = []
    while not events or events[-1]["type"] != "run-end":
        events.append((await client.receive_json())["event"])
    return events


async def test_each_request_begins_with_the_former_one(
    talk: Talk, server: OllamaServer
) -> None:
    """Over ten turns the system message and the tools are the same bytes."""
    for number in range(10):
        server.say(f"Answer {number}.")
        await talk.say(f"Tell me story number {number} of your village.")
    for former, later in zip(server.talks, server.talks[1:], strict=False):
        assert later[: len(former)] == former
        assert len(later) == len(former) + 2
    assert len({str(body.get("tools")) for body in server.bodies}) == 1
    assert len({str(body["options"]) for body in server.bodies}) == 1


async def test_a_lie_is_put_right(talk: Talk, server: OllamaServer) -> None:
    """Nothing was set, so nothing is said to be set."""
    server.say("Sure! ", "I have set your", " reminder for", " ten. ", "Bye.")
    said = await talk.say("The weather is nice")
    assert "I have set your reminder" not in said
    assert said.startswith("Sure! ")
    assert said.endswith(" Bye.")
    server.say("Yes.")
    await talk.say("Is it?")
    assert "I have set your reminder" not in str(server.talks[-1])


async def test_what_home_assistant_answers_is_heard(
    talk: Talk, server: OllamaServer
) -> None:
    """A local command costs no model, and the model knows of it later."""
    time = await talk.say("What time is it?")
    assert server.bodies == []
    server.say("Late.")
    await talk.say("Do you think that is late?")
    _system, asked, told, _words = server.talks[0]
    assert asked == {"role": "user", "content": "What time is it?"}
    assert told == {"role": "assistant", "content": time}


async def test_a_sentence_trigger_answers(talk: Talk, server: OllamaServer) -> None:
    """An automation's own sentence comes before the model."""
    automation = {
        "trigger": {"platform": "conversation", "command": "open sesame"},
        "action": {"set_conversation_response": "The cave is open."},
    }
    assert await async_setup_component(
        talk.hass, "automation", {"automation": automation}
    )
    assert await talk.say("Open Sesame") == "The cave is open."
    assert server.bodies == []


class TestWithoutLocalIntents:
    """An agent that leaves everything to the model."""

    @pytest.fixture
    def agent_data(self) -> dict[str, Any]:
        """Return options without local commands."""
        return {"model": MODEL, "local_intents": False}

    async def test_the_model_answers(self, talk: Talk, server: OllamaServer) -> None:
        """The option is heeded."""
        server.say("Noon.")
        assert await talk.say("What time is it?") == "Noon."


async def test_what_a_pipeline_answered_locally_is_heard(
    hass: HomeAssistant, talk: Talk, server: OllamaServer
) -> None:
    """Our agent had no part in it; its next turn knows."""
    await talk.say("Tell me a story")
    log = log_of(talk)
    log.async_add_user_content(_user("is it raining"))
    log.async_add_assistant_content_without_tools(
        AssistantContent(agent_id="conversation.home_assistant", content="It is.")
    )
    await talk.say("Really?")
    assert [message["content"] for message in server.talks[-1][-3:-1]] == [
        "is it raining",
        "It is.",
    ]


def _user(text: str) -> Any:
    return UserContent(content=text)


async def test_a_busy_conversation_says_so(
    hass: HomeAssistant, talk: Talk, server: OllamaServer
) -> None:
    """A second sentence in the same conversation does not wait, and breaks nothing."""
    await talk.say("Hello to you")
    server.say("At last.", wait=0.3)
    slow = asyncio.create_task(talk.say("Take your time"))
    await asyncio.sleep(0.1)
    other = Talk(hass)
    other.conversation_id = talk.conversation_id
    assert await other.say("And now?") == notice("busy")
    assert await slow == "At last."


async def test_a_cancelled_turn_ends(
    hass: HomeAssistant, talk: Talk, server: OllamaServer
) -> None:
    """Cancelling is not turned into an answer, and the conversation is free again."""
    await talk.say("Hello to you")
    server.say("never", wait=1)
    turn = asyncio.create_task(talk.say("Take your time"))
    await asyncio.sleep(0.1)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    server.say("Here.")
    assert await talk.say("Are you there?") == "Here."


async def test_a_change_of_options_in_mid_talk(
    hass: HomeAssistant,
    talk: Talk,
    server: OllamaServer,
    household: MockConfigEntry,
) -> None:
    """What was said before is still there: after an option, a new speaker, a reload."""
    await talk.say("My horse is called Star")
    hass.config_entries.async_update_entry(household, options={"late_hours": 2})
    await hass.async_block_till_done()
    await talk.say("Second")
    assert await hass.config_entries.async_reload(household.entry_id)
    await hass.async_block_till_done()
    await talk.say("Third")
    first, second, third = server.talks
    assert second[: len(first)] == first
    assert third[: len(second)] == second


async def test_a_session_ends(
    hass: HomeAssistant,
    talk: Talk,
    server: OllamaServer,
    freezer: FrozenDateTimeFactory,
) -> None:
    """With Home Assistant's session the verbatim talk is gone."""
    await talk.say("Good evening to you")
    assert len(async_get_transcripts(hass)) == 1
    freezer.tick(timedelta(minutes=11))
    async_fire_time_changed(hass, dt_util.utcnow())
    await hass.async_block_till_done()
    assert len(async_get_transcripts(hass)) == 0


async def test_the_model_is_loaded_while_the_person_speaks(
    hass: HomeAssistant, talk: Talk, server: OllamaServer
) -> None:
    """With the options of every other request, so that it is loaded once."""
    await agent_of(hass).async_prepare("en")
    await talk.say("Hello to you")
    (load,), (chat,) = server.loads, server.bodies
    assert {key: load[key] for key in ("model", "options", "keep_alive")} == {
        key: chat[key] for key in ("model", "options", "keep_alive")
    }
    await server.stop()
    await agent_of(hass).async_prepare("en")


async def test_what_a_satellite_began_with_is_told(
    hass: HomeAssistant, talk: Talk, server: OllamaServer
) -> None:
    """An automation's own instruction for this conversation."""
    await talk.say("Yes please", extra_system_prompt="You asked about the garage.")
    assert "You asked about the garage." in server.talks[0][0]["content"]


async def test_markdown_and_thoughts_are_not_read_out(
    talk: Talk, server: OllamaServer
) -> None:
    """Wherever the stream is cut."""
    server.say("<th", "ink>hm", "</think>**Yes", "**", thinking="aha", split=5)
    assert await talk.say("Is it?") == "Yes"


async def test_another_persons_conversation(
    hass: HomeAssistant, talk: Talk, server: OllamaServer
) -> None:
    """Home Assistant 2026.11 refuses it, 2026.10 does not know of owners."""
    await talk.say("Hello to you")
    user = await hass.auth.async_create_user("Carl")
    other = Talk(hass, user_id=user.id)
    other.conversation_id = talk.conversation_id
    owned = "context" in inspect.signature(async_get_chat_session).parameters
    server.say("Hello.")
    said = await other.say("May I join you?")
    assert said == (notice("not_allowed") if owned else "Hello.")


async def test_changed_instructions_are_heeded_at_once(
    hass: HomeAssistant,
    talk: Talk,
    server: OllamaServer,
    household: MockConfigEntry,
) -> None:
    """Also in mid-talk, and with the talk so far."""
    await talk.say("My horse is called Star")
    agent = household.subentries[AGENT_ID]
    changed = {**agent.data, "prompt": "You are a pirate."}
    hass.config_entries.async_update_subentry(household, agent, data=changed)
    await hass.async_block_till_done()
    await talk.say("And mine?")
    first, second = server.talks
    assert second[0]["content"].startswith("You are a pirate.")
    assert second[1 : len(first)] == first[1:]
