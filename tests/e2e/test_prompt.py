"""What the model is sent: its cache must never be thrown away."""

from collections.abc import Mapping
import itertools
import json
from typing import Any

from tests.e2e.conftest import StartTalk
from tests.ollama_server import OllamaServer

FREE = (
    "Good morning, how are you?",
    "I have hypertension, you know.",
    "I take amlodipine every morning.",
    "It makes my feet swell.",
    "My son works in Hangzhou.",
    "He visits me every summer.",
    "We like to cook together.",
    "His favourite dish is fish soup.",
    "The soup needs a lot of ginger.",
    "What else could I cook for him?",
)


async def test_each_request_starts_with_the_one_before(
    talk: StartTalk, ollama: OllamaServer
) -> None:
    """Ten turns: same system message, same tools, and only appended messages (X5)."""
    turns = talk()
    for sentence in FREE:
        await turns.say(sentence)
    assert len(ollama.bodies) == len(FREE)
    _expect_one_prefix(ollama.bodies)


async def test_turns_that_code_answers_keep_the_beginning(
    talk: StartTalk, ollama: OllamaServer
) -> None:
    """Reminders and local commands in between do not change what was sent."""
    turns = talk()
    await turns.say("I am thinking of baking a cake.")
    await turns.say("Remind me tomorrow at 9 am to buy flour.")
    await turns.say("Which cake would you like?")
    await turns.say("Turn on the kitchen light.")
    await turns.say("It will be a plum cake, I think.")
    assert len(ollama.bodies) == 3
    _expect_one_prefix(ollama.bodies)


async def test_brief_goes_along_and_stays_short(
    talk: StartTalk, ollama: OllamaServer
) -> None:
    """What memory holds goes with the person's words, in at most 220 characters."""
    turns = talk()
    await turns.say("I have hypertension and take amlodipine.")
    await turns.say("What do you think about that?")
    last = ollama.bodies[-1]["messages"][-1]
    assert last["role"] == "user"
    assert "What do you think about that?" in last["content"]
    assert "amlodipine" in last["content"]
    brief = last["content"].replace("What do you think about that?", "").strip()
    assert len(brief) <= 220 + len("[Memory: ]\n\n")


def _expect_one_prefix(bodies: list[dict[str, Any]]) -> None:
    """Expect the same system message, tools and options, and that nothing sent is changed."""
    for before, after in itertools.pairwise(bodies):
        assert _dump(after["messages"][0]) == _dump(before["messages"][0])
        assert after["messages"][0]["role"] == "system"
        assert before["tools"]
        assert _dump(after["tools"]) == _dump(before["tools"])
        assert after["options"] == before["options"]
        sent = [_dump(message) for message in before["messages"]]
        assert [_dump(message) for message in after["messages"]][: len(sent)] == sent


def _dump(part: Mapping[str, Any] | list[Any]) -> str:
    """Return a part of a request as it was sent: the order of keys counts."""
    return json.dumps(part, ensure_ascii=False)
