"""A household's words stay where they belong: in memory, and in the reminders' own file."""

import asyncio

from tests.e2e.conftest import StartTalk
from tests.e2e.harness.house import KITCHEN, House
from tests.e2e.harness.install import Installed, change_speaker
from tests.e2e.harness.log_check import faults, kept_speech, places_of
from tests.e2e.harness.memory_view import view
from tests.e2e.harness.saved import until_saved
from tests.e2e.harness.waiting import wait_until
from tests.ollama_server import OllamaServer

CANARIES = ("zebrafink", "quittenmus", "kalmarstadt", "紫檀木鱼", "赤练蛇皮")
FLUSH_SECONDS = 3
"""The recorder of the home commits every second."""


async def test_no_word_of_a_talk_is_written_down(
    house: House, installed: Installed, talk: StartTalk, ollama: OllamaServer
) -> None:
    """Neither log nor database nor any file but the reminders' own holds what was said (X8)."""
    await change_speaker(
        house.anna, installed, house.anna.name, satellites=[KITCHEN], show="everything"
    )
    turns = talk()
    ollama.say("What ", "a ", "zebrafink.")
    await turns.say("My zebrafink is not well at all.")
    await turns.say("Remember that the key lies under the quittenmus.")
    await turns.say("Remind me tomorrow at 4 pm to go to kalmarstadt.")
    await talk(house.li_ming, language="zh-CN").say("记住我的紫檀木鱼在柜子里。")
    async with house.anna.socket() as socket:
        await socket.run_pipeline(
            "我买了赤练蛇皮。", pipeline=house.pipelines["Chinese"]
        )
    await house.hear(KITCHEN, "Remind me in 5 seconds to taste the quittenmus.")
    await wait_until(
        lambda: _has_announced(house, "quittenmus"), "it is said", seconds=25
    )
    await _use_the_entities(house, installed)
    await asyncio.sleep(FLUSH_SECONDS)
    await until_saved(house, installed)
    folder = house.process.folder
    assert await asyncio.to_thread(places_of, folder, CANARIES) == []
    announced = [
        one["text"]
        for one in await house.said(KITCHEN)
        if one["kind"] == "announcement"
    ]
    assert await asyncio.to_thread(kept_speech, folder, announced) == []


async def test_log_has_no_complaint_about_us(house: House) -> None:
    """Nothing blocks the loop, nothing of ours fails, nothing deprecated is used."""
    assert faults(await asyncio.to_thread(house.process.log)) == []


async def _has_announced(house: House, words: str) -> bool:
    return any(
        one["kind"] == "announcement" and words in one["text"]
        for one in await house.said(KITCHEN)
    )


async def _use_the_entities(house: House, installed: Installed) -> None:
    """Look at memory and forget it: both change states, which the recorder sees."""
    seen = await view(house.anna, installed.subentries[house.anna.name])
    assert "zebrafink" in str(seen.states["remembered"])
    await house.anna.call(
        "button.press", {"entity_id": seen.entities["forget_everything"]}
    )
