"""Talks that are interrupted, too long for the model, or about choices that have gone."""

import asyncio
from typing import Any

from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.assist_memory.const import CONF_EVERYONE_IS, CONF_SPEAKER
from custom_components.assist_memory.ollama import ChatRequest
from custom_components.assist_memory.transcript import Thread, tokens_of
from tests.ha.conftest import AGENT_ID, BEN, Talk
from tests.ollama_server import OllamaServer


async def interrupted(talk: Talk, server: OllamaServer, text: str, seen: int) -> None:
    """Say something and speak over the answer."""
    turn = asyncio.create_task(talk.say(text))
    async with asyncio.timeout(5):
        while len(server.bodies) < seen:  # noqa: ASYNC110 - another task's doing
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    turn.cancel()
    await asyncio.gather(turn, return_exceptions=True)
    assert turn.cancelled()


async def test_an_interrupted_turn_leaves_a_whole_talk(
    talk: Talk, server: OllamaServer
) -> None:
    """Roles alternate; an answer nobody heard takes its question with it."""
    await talk.say("Tell me a joke please")
    server.say("Never", " said.", wait=9)
    await interrupted(talk, server, "Tell me a long story please", 2)
    await talk.say("Tell me something else please")
    roles = [message["role"] for message in server.talks[-1][1:]]
    assert roles == ["user", "assistant", "user"]


def test_what_was_heard_of_an_answer_is_kept() -> None:
    """After its question, as far as it was said."""
    thread = Thread(system="s")
    thread.ask("a story", "")
    thread.break_off(0, "Once upon")
    assert [m["content"] for m in thread.messages] == ["a story", "Once upon"]
    thread.ask("another", "")
    thread.break_off(2, "")
    assert len(thread.messages) == 2


async def test_a_satellites_question_is_rendered(
    talk: Talk, server: OllamaServer
) -> None:
    """It comes in mid-talk, and stays for the rest of it."""
    await talk.say("Tell me a joke please")
    await talk.say("Tell me more please", extra_system_prompt="Ask about lamps.")
    await talk.say("Tell me a riddle please")
    systems = ["Ask about lamps." in sent[0]["content"] for sent in server.talks]
    assert systems == [False, True, True]


async def test_a_removed_speaker_is_nobodys_choice(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """Neither "everyone is" nor an agent's."""
    entries = hass.config_entries
    agent = household.subentries[AGENT_ID]
    data = {**agent.data, CONF_SPEAKER: BEN}
    entries.async_update_subentry(household, agent, data=data)
    entries.async_update_entry(household, options={CONF_EVERYONE_IS: BEN})
    await hass.async_block_till_done()
    assert household.options == {CONF_EVERYONE_IS: BEN}
    entries.async_remove_subentry(household, BEN)
    await hass.async_block_till_done()
    assert CONF_EVERYONE_IS not in household.options
    assert CONF_SPEAKER not in household.subentries[AGENT_ID].data


def test_what_comes_is_made_room_for() -> None:
    """The talk is cut before it, not by the server."""
    thread = Thread(system="s")
    for _ in range(7):
        thread.hear("word " * 20, "yes " * 20)
    thread.cut(1024, coming=0)
    assert len(thread.messages) == 14
    thread.cut(1024, coming=400)
    assert thread.left(1024) >= 400


def test_results_are_cut_to_what_is_left() -> None:
    """Whatever their number."""
    thread = Thread(system="s")
    thread.ask("which lamps", "")
    result: dict[str, Any] = {"role": "tool", "tool_name": "t", "content": "x" * 4000}
    thread.add_within([result, result], 1024)
    assert -2 * tokens_of("x" * 200) < thread.left(1024) < tokens_of("x" * 200)
    assert len(thread.messages[-1]["content"]) < 200


def test_an_answer_has_a_quarter_at_most() -> None:
    """Of a small context."""
    request = ChatRequest(model="m", messages=(), num_ctx=1024, keep_alive=1)
    assert request.body()["options"] == {"num_ctx": 1024, "num_predict": 256}
