"""Two persons, two satellites and one account: a minute of talk, and nothing is mixed up (U3, X3)."""

from tests.e2e.conftest import StartTalk
from tests.e2e.harness.house import BEDROOM, KITCHEN, House
from tests.e2e.harness.install import Installed, change_speaker
from tests.e2e.harness.waiting import wait_until
from tests.ollama_server import OllamaServer


async def test_two_persons_two_satellites_one_account(
    house: House, installed: Installed, talk: StartTalk, ollama: OllamaServer
) -> None:
    """Anna speaks in the kitchen and types, Li Ming speaks in the bedroom."""
    await change_speaker(house.anna, installed, house.anna.name, satellites=[KITCHEN])
    await change_speaker(
        house.anna, installed, house.li_ming.name, satellites=[BEDROOM]
    )
    await house.anna.call(
        "select.select_option",
        {"entity_id": "select.bedroom_satellite_assistant", "option": "Chinese"},
    )
    ollama.bodies.clear()
    await _tell(house, KITCHEN, "Remember that my umbrella is behind the piano.")
    await _tell(house, BEDROOM, "记住我的雨伞在阳台上。")
    await _tell(house, KITCHEN, "My parrot Coco has learned to whistle.")
    await _tell(house, BEDROOM, "我的乌龟阿绿昨天不吃东西。")
    await _tell(house, BEDROOM, "提醒我明天上午十点喂乌龟。")
    typed = talk()
    assert "piano" in await typed.say("Where is my umbrella?")
    assert "阳台" not in await typed.say("What do you know about me?")
    assert "乌龟" not in await typed.say("What are my reminders?")
    await typed.say("And how is my parrot?")
    await _tell(house, BEDROOM, "我的雨伞在哪里？")
    await _tell(house, BEDROOM, "它今天好点了吗？")
    answers = [str(one) for one in await house.said(BEDROOM)]
    assert any("阳台" in answer for answer in answers)
    assert [answer for answer in answers if "piano" in answer] == []
    bodies = [str(body["messages"]) for body in ollama.bodies]
    assert [body for body in bodies if "Coco" in body and "阿绿" in body] == []
    assert any("Coco" in body for body in bodies)
    assert any("阿绿" in body for body in bodies)


async def test_an_account_is_told_who_it_is_not(
    house: House, installed: Installed
) -> None:
    """A request that names somebody else's satellite does not get that person's memory."""
    await change_speaker(house.anna, installed, house.anna.name, satellites=[KITCHEN])
    await _tell(house, KITCHEN, "Remember that my umbrella is behind the piano.")
    body = {
        "text": "Where is my umbrella?",
        "agent_id": installed.agent,
        "language": "en",
        "satellite_id": KITCHEN,
    }
    said = await house.li_ming.post("/api/conversation/process", body)
    assert "piano" not in str(said)
    assert "piano" in str(await house.anna.post("/api/conversation/process", body))


async def _tell(house: House, satellite: str, text: str) -> None:
    """Say something at a satellite and wait for its answer."""
    before = await house.said(satellite)

    async def has_answered() -> bool:
        return await house.said(satellite) != before

    await house.hear(satellite, text)
    await wait_until(has_answered, "the satellite answers", seconds=15)
