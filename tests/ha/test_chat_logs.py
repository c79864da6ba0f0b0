"""Forgetting reaches Home Assistant's own logs, whichever way and wherever it is asked for."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from homeassistant.components.conversation import ChatLog, UserContent
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.core import HomeAssistant
import pytest

from custom_components.assist_memory.chat_logs import (
    MAX_LOGS,
    ChatLogs,
    async_get_chat_logs,
    without,
)
from custom_components.assist_memory.engine import HOUSEHOLD, ForgetScope, Forgotten
from custom_components.assist_memory.household import async_get_household
from custom_components.assist_memory.ollama import ChatRequest, OllamaClient, Piece
from tests.ha.agent import notice
from tests.ha.conftest import Talk
from tests.ollama_server import OllamaServer

PLACE = "Quorlandia"
EVERYTHING = Forgotten(scope=ForgetScope.ALL)


def logged(hass: HomeAssistant) -> str:
    """Return all that is in Home Assistant's logs."""
    return str([log.content for log in hass.data.get(DATA_CHAT_LOGS, {}).values()])


class Slow:
    """A model that speaks when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Put it in the place of the real one."""
        self.asked, self.go_on = asyncio.Event(), asyncio.Event()
        slow = self

        async def chat(
            _client: OllamaClient, _request: ChatRequest
        ) -> AsyncGenerator[Piece]:
            yield Piece(content="Once upon a time. ")
            slow.asked.set()
            await slow.go_on.wait()
            yield Piece(content=f"In {PLACE}.")
            yield Piece(done=True)

        monkeypatch.setattr(OllamaClient, "chat", chat)


@pytest.mark.parametrize("words", [f"Forget about {PLACE}", f"Forget {PLACE} please"])
async def test_a_sentence_that_forgets_is_not_sent(
    talk: Talk, server: OllamaServer, words: str
) -> None:
    """Not even as the first one of a talk, and though nothing was known of it."""
    await talk.say(words)
    await talk.say("Tell me a joke please")
    assert len(server.bodies) == 1
    assert PLACE.lower() not in str(server.bodies).lower()
    assert PLACE.lower() not in logged(talk.hass).lower()


async def test_what_was_known_leaves_its_own_sentence(talk: Talk) -> None:
    """The log keeps that something was forgotten, not what."""
    await talk.say(f"My cousin lives in {PLACE}")
    await talk.say(f"Forget about {PLACE}")
    assert PLACE.lower() not in logged(talk.hass).lower()
    assert "…" in logged(talk.hass)


async def test_the_button_empties_the_log(talk: Talk) -> None:
    """Nobody is in a turn then."""
    await talk.say(f"My cousin lives in {PLACE}")
    assert PLACE in logged(talk.hass)
    await async_get_household(talk.hass).async_forget_everything(HOUSEHOLD)
    assert PLACE not in logged(talk.hass)


async def test_other_talks_are_emptied(talk: Talk) -> None:
    """All of the same owner; the talk in which it was said is over or not."""
    await talk.say(f"My cousin lives in {PLACE}")
    other = Talk(talk.hass)
    await other.say("Forget everything")
    await other.say("Yes")
    assert PLACE not in logged(talk.hass)


async def test_a_turn_under_way_is_forgotten_as_well(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the model says after that is heard once and kept nowhere."""
    slow = Slow(monkeypatch)
    household = async_get_household(talk.hass)
    turn = asyncio.create_task(talk.say(f"Tell me a story of {PLACE}"))
    await slow.asked.wait()
    await household.async_forget_everything(HOUSEHOLD)
    slow.go_on.set()
    assert PLACE in await turn
    assert PLACE not in logged(talk.hass)
    assert all(
        memory.state.last_reply is None or PLACE not in memory.state.last_reply.text
        for memory in household.memories.all()
    )


async def test_a_talk_has_one_turn_at_a_time(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever agent is asked: they share what is known of it."""
    slow = Slow(monkeypatch)
    await talk.say("Remind me tomorrow at nine to water the plants")
    turn = asyncio.create_task(talk.say("Tell me a story please"))
    await slow.asked.wait()
    logs = async_get_chat_logs(talk.hass)
    assert not logs.async_begin(str(talk.conversation_id))
    slow.go_on.set()
    assert await turn != notice("busy")
    assert logs.async_begin(str(talk.conversation_id))


def test_only_the_owners_logs_are_emptied(hass: HomeAssistant) -> None:
    """Another's stay, and so do those of talks that have ended."""
    logs: dict[str, ChatLog] = hass.data.setdefault(DATA_CHAT_LOGS, {})
    known = ChatLogs(hass)
    for speaker in ("anna", "ben", None):
        logs[str(speaker)] = ChatLog(hass, str(speaker))
        logs[str(speaker)].content.append(UserContent(content="words"))
        known.async_speaks(str(speaker), speaker)
    known.async_end("None")
    assert known.async_forget("anna", EVERYTHING) == {}
    assert [len(log.content) for log in logs.values()] == [1, 2, 2]
    for number in range(MAX_LOGS):
        known.async_speaks(f"c{number}", "ben")
    known.async_forget("ben", EVERYTHING)
    assert len(logs["ben"].content) == 2


@pytest.mark.parametrize(
    ("text", "objects", "left"),
    [
        ("I forgot the Tea.", ["tea"], "I forgot the …."),
        ("I forgot it (all).", ["(all)", ""], "I forgot it …."),
        ("Done.", [], "Done."),
    ],
)
def test_names_leave_gaps(text: str, objects: list[Any], left: str) -> None:
    """Whatever their case and signs."""
    assert without(text, objects) == left
