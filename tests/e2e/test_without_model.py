"""Ollama is away when Home Assistant starts: what code does by itself goes on."""

import asyncio
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from tests.e2e.conftest import StartTalk
from tests.e2e.harness.house import KITCHEN, House
from tests.e2e.harness.install import Installed, change_speaker
from tests.e2e.harness.memory_view import todo_items, view
from tests.e2e.harness.saved import until_saved
from tests.e2e.harness.waiting import wait_until
from tests.ollama_server import OllamaServer

HONEST_LENGTH = 200
"""What is said instead of an answer is short."""


@pytest_asyncio.fixture(scope="module", loop_scope="session", autouse=True)
async def without_model(
    house: House, installed: Installed, ollama: OllamaServer
) -> AsyncIterator[None]:
    """Start Home Assistant while the server is down; bring the server back afterwards."""
    await change_speaker(house.anna, installed, house.anna.name, satellites=[KITCHEN])
    await until_saved(house, installed)
    port = urlsplit(ollama.url).port or 0
    await asyncio.to_thread(house.process.kill)
    await ollama.stop()
    await house.restart()
    yield
    await ollama.start(port)


async def test_remind_list_and_cancel(
    house: House, installed: Installed, talk: StartTalk
) -> None:
    """Reminders are set, listed and cancelled by code (X1)."""
    turns = talk()
    assert "dentist" in await turns.say(
        "Remind me tomorrow at 3 pm to call the dentist."
    )
    assert "dentist" in await turns.say("What are my reminders?")
    assert len(await _open(house, installed)) == 1
    assert "dentist" in await turns.say("Cancel the reminder about the dentist.")
    assert await _open(house, installed) == []


async def test_remember_recall_and_forget(talk: StartTalk) -> None:
    """Facts are kept, recalled and forgotten by code (X1)."""
    turns = talk()
    await turns.say("Remember that my parking space is number 47.")
    assert "47" in await turns.say("What did I say about my parking space?")
    await turns.say("Forget about my parking space.")
    assert "47" not in await turns.say("What did I say about my parking space?")


async def test_chinese_too(talk: StartTalk, house: House) -> None:
    """The same in Chinese."""
    turns = talk(house.li_ming, language="zh-CN")
    assert "牙医" in await turns.say("明天下午三点提醒我给牙医打电话。")
    assert "牙医" in await turns.say("我有什么提醒？")
    assert "牙医" in await turns.say("取消牙医的提醒。")


async def test_due_reminder_is_said(house: House) -> None:
    """Firing needs no model."""
    await house.hear(KITCHEN, "Remind me in 5 seconds to water the ferns.")

    async def look() -> bool:
        return any(
            one["kind"] == "announcement" and "ferns" in one["text"]
            for one in await house.said(KITCHEN)
        )

    assert await wait_until(look, "the reminder is said", seconds=25)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Why is the sky blue?"), ("zh-CN", "天空为什么是蓝色的？")],
)
async def test_other_talk_gets_an_honest_sentence(
    talk: StartTalk, language: str, sentence: str
) -> None:
    """Free talk is answered in one sentence, in the person's language (X4)."""
    turns = talk(language=language)
    answer = await turns.say(sentence)
    assert 0 < len(answer) <= HONEST_LENGTH
    assert sum(answer.count(mark) for mark in ".!?。！？") == 1
    assert answer.isascii() is (language == "en")
    assert turns.last["response"]["response_type"] in ("action_done", "error")


async def test_local_commands_go_on(house: House, talk: StartTalk) -> None:
    """Home Assistant's own commands need no model."""
    answer = await talk().say("Turn on the bedroom light.")
    state = await house.anna.get("/api/states/light.bedroom_light")
    assert state["state"] == "on", answer


async def _open(house: House, installed: Installed) -> list[str]:
    """Return the words of Anna's open reminders."""
    seen = await view(house.anna, installed.subentries[house.anna.name])
    return [
        item["summary"]
        for item in await todo_items(house.anna, seen.entities["reminders"])
        if item["status"] == "needs_action"
    ]
