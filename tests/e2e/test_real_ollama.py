"""A real Ollama with a small model: what it says varies, what memory holds does not.

Runs where scripts/ollama is up; AM_REAL_OLLAMA=1 makes a missing server a failure.
"""

import os

import pytest
import pytest_asyncio

from tests.e2e.harness.house import House
from tests.e2e.harness.install import Installed, add_agent
from tests.e2e.harness.memory_view import todo_items, view
from tests.e2e.harness.model_server import Server, own_address, probe, run_script
from tests.e2e.harness.talk import Talk

STATUS_SECONDS = 30
TURNS = (
    "My name is Anna and I have hypertension.",
    "I take amlodipine once a day.",
    "This medicine makes my feet swell.",
    "Remind me tomorrow at 10 am to measure my blood pressure.",
    "What could I do about my feet?",
)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def real_ollama() -> Server:
    """Return a server that is there already; nothing is built for a test."""
    url = await run_script("status", seconds=STATUS_SECONDS) or own_address()
    if (server := await probe(url)) is not None and server.models:
        return server
    if os.environ.get("AM_REAL_OLLAMA"):
        pytest.fail("AM_REAL_OLLAMA is set, and no Ollama answers")
    pytest.skip("no Ollama is running: scripts/ollama up")


@pytest.mark.parametrize(
    ("model", "apis"), [("gemma3:270m", []), ("gemma3-tools:270m", ["assist"])]
)
async def test_talk_with_a_real_model(
    house: House,
    installed: Installed,
    real_ollama: Server,
    model: str,
    apis: list[str],
) -> None:
    """Every turn is answered, and memory holds what it holds with any model."""
    if model not in real_ollama.models:
        pytest.skip(f"{model} is not there")
    agent = await add_agent(
        house.anna,
        installed.entry,
        f"Real {model}",
        url=real_ollama.url,
        model=model,
        llm_hass_api=apis,
    )
    talk = Talk(house.anna, agent)
    for sentence in TURNS:
        answer = await talk.say(sentence)
        assert answer
        # A model this small may lose itself in tool calls; then code says so in a sentence.
        kind = talk.last["response"]["response_type"]
        assert kind == "action_done" or (apis and kind == "error"), answer
    seen = await view(house.anna, installed.subentries[house.anna.name])
    assert seen.attribute("remembered", "things")["amlodipine"] < -0.3
    (item,) = await todo_items(house.anna, seen.entities["reminders"])
    assert "blood pressure" in item["summary"]


async def test_real_answer_streams(
    house: House, installed: Installed, real_ollama: Server
) -> None:
    """A pipeline gets a real model's answer before the turn is over."""
    agent = await add_agent(
        house.anna,
        installed.entry,
        "Real stream",
        url=real_ollama.url,
        model=real_ollama.models[0],
    )
    async with house.anna.socket() as socket:
        pipeline = await socket.command(
            "assist_pipeline/pipeline/get", pipeline_id=house.pipelines["English"]
        )
        own = {key: value for key, value in pipeline.items() if key != "id"}
        made = await socket.command(
            "assist_pipeline/pipeline/create",
            **{**own, "name": "Real", "conversation_engine": agent},
        )
        run = await socket.run_pipeline(
            "Tell me something nice about tea.", pipeline=made["id"]
        )
    assert run.error == ""
    assert "".join(run.pieces).strip()
    assert run.seconds_of_stream > 0
