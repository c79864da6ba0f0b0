"""The seven-turn talk and what is seen of it, typed and through a pipeline."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

import pytest

from tests.e2e.conftest import StartTalk
from tests.e2e.harness.client import Client
from tests.e2e.harness.house import House
from tests.e2e.harness.install import (
    Installed,
    add_speaker,
    change_options,
    change_speaker,
)
from tests.e2e.harness.memory_view import MemoryView, todo_items, view
from tests.ollama_server import OllamaServer

MODEL_SECONDS = 2.0
"""How long the model thinks about its second sentence."""

type Look = Callable[[], Awaitable[MemoryView]]

ENGLISH = (
    "Hello, I am called Anna, I'm 71 and I have hypertension.",
    "I take amlodipine once daily.",
    "This medicine makes my feet swell.",
    "Remind me tomorrow at 10 am to measure my blood pressure.",
    "By the way, my son works in Hangzhou.",
    "He came to see me last month.",
    "Now my feet swell badly, what shall I do?",
)
CHINESE = (
    "你好，我叫李明，今年七十一岁，有高血压。",
    "我每天吃一次氨氯地平。",
    "这个药让我脚肿。",
    "明天上午十点提醒我量血压。",
    "对了，我儿子在杭州工作。",
    "他上个月来看过我。",
    "现在脚肿得厉害，怎么办？",
)


async def test_english_talk_is_remembered(
    house: House, installed: Installed, talk: StartTalk
) -> None:
    """The seven turns end with the topics, the attitude and the reminder (A12)."""
    turns = talk()
    for sentence in ENGLISH:
        assert await turns.say(sentence)
    await _expect_memory(
        house,
        installed,
        house.anna,
        topics=("hypertension", "amlodipine", "hangzhou"),
        disliked="amlodipine",
    )


async def test_chinese_talk_is_remembered(
    house: House, installed: Installed, talk: StartTalk
) -> None:
    """The same seven turns in Chinese (A12)."""
    turns = talk(house.li_ming, language="zh-CN")
    for sentence in CHINESE:
        assert await turns.say(sentence)
    await _expect_memory(
        house,
        installed,
        house.li_ming,
        topics=("高血压", "氨氯地平", "杭州"),
        disliked="氨氯地平",
    )


@pytest.mark.parametrize(
    ("pipeline", "sentence"),
    [("English", "My knee is better today."), ("Chinese", "我的膝盖今天好多了。")],
)
async def test_pipeline_streams_the_answer(
    house: House,
    installed: Installed,
    ollama: OllamaServer,
    pipeline: str,
    sentence: str,
) -> None:
    """A pipeline gets the first sentence while the model is still at the next one."""
    ollama.say(
        "That is good to hear. ", "Do ", "go ", "for ", "a walk.", pause=MODEL_SECONDS
    )
    async with house.anna.socket() as socket:
        run = await socket.run_pipeline(sentence, pipeline=house.pipelines[pipeline])
    assert run.error == ""
    assert run.data_of("intent-start")["engine"] == installed.agent
    answer = "That is good to hear. Do go for a walk."
    assert "".join(run.pieces) == answer
    assert run.result["response"]["speech"]["plain"]["speech"] == answer
    assert run.pieces[0].strip() == "That is good to hear."
    assert run.seconds_of_stream > MODEL_SECONDS / 2


async def test_persons_do_not_share_what_they_said(
    house: House, installed: Installed, talk: StartTalk, ollama: OllamaServer
) -> None:
    """What one person said is neither sent nor shown for the other."""
    await talk(house.anna).say("My cat Minka has diabetes.")
    ollama.bodies.clear()
    await talk(house.li_ming).say("What do you think of the weather?")
    assert "Minka" not in str(ollama.bodies)
    seen = await view(house.anna, installed.subentries[house.li_ming.name])
    assert "Minka" not in str(seen.states)


async def test_new_speaker_and_changed_options_forget_nothing(
    house: House, installed: Installed, talk: StartTalk, memory: Look
) -> None:
    """The owner changes the set-up in the middle of a talk; memory stays."""
    turns = talk()
    await turns.say("I have hypertension and I take amlodipine.")
    await turns.say("Remind me tomorrow at 11 am to call the doctor.")
    before = await memory()
    await add_speaker(house.anna, installed.entry, "Grandpa")
    await change_options(house.anna, installed, late_hours=5)
    await change_speaker(house.anna, installed, house.anna.name, lasts="never")
    after = await memory()
    assert before.state("rounds") == after.state("rounds")
    for key, attribute in (("topics", "chain"), ("remembered", "things")):
        assert before.attribute(key, attribute)
        assert after.attribute(key, attribute) == before.attribute(key, attribute)
    assert after.state("pending") == "1"
    await turns.say("My daughter lives in Oslo.")
    assert int((await memory()).state("rounds")) == int(before.state("rounds")) + 1


async def _expect_memory(
    house: House,
    installed: Installed,
    person: Client,
    *,
    topics: Sequence[str],
    disliked: str,
) -> None:
    """Expect the topics in order, the attitude, and one reminder for tomorrow at ten."""
    seen = await view(house.anna, installed.subentries[person.name])
    chain = " / ".join(seen.attribute("topics", "chain")).casefold()
    found = [chain.find(topic) for topic in topics]
    assert -1 not in found, chain
    assert found == sorted(found), chain
    assert seen.attribute("remembered", "things")[disliked] < -0.3
    (item,) = await todo_items(house.anna, seen.entities["reminders"])
    due = datetime.fromisoformat(item["due"])
    assert due.date() == datetime.now(due.tzinfo).date() + timedelta(days=1)
    assert (due.hour, due.minute) == (10, 0)
    assert datetime.fromisoformat(seen.state("next_reminder")) == due
