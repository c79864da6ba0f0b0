"""Reminders in a running home: said once, in the right room, whatever happens."""

import asyncio
from datetime import datetime
import time
from typing import Any

from tests.e2e.conftest import StartTalk
from tests.e2e.harness.house import BEDROOM, KITCHEN, House
from tests.e2e.harness.install import Installed, change_speaker
from tests.e2e.harness.memory_view import todo_items, view
from tests.e2e.harness.saved import until_saved
from tests.e2e.harness.waiting import wait_until

QUICK_SECONDS = 8
PATIENCE_SECONDS = 15
SWEEP_SECONDS = 35
"""Longer than a round of the scheduler."""
SETTLE_SECONDS = 10
"""Longer than the look at what came due, after a start."""


async def test_said_where_it_was_set(house: House, installed: Installed) -> None:
    """A reminder is said on the satellite that heard it, and nowhere else (X2)."""
    await change_speaker(house.anna, installed, house.anna.name, satellites=[KITCHEN])
    before = await _announced(house, BEDROOM)
    await house.hear(KITCHEN, _quick("feed the goldfish"))
    (heard,) = await _hear(house, KITCHEN, "goldfish", QUICK_SECONDS)
    assert not heard["interrupted"]
    assert "late" not in heard["text"]
    assert await _announced(house, BEDROOM) == before


async def test_busy_satellite_is_waited_for(house: House, installed: Installed) -> None:
    """A busy satellite is not interrupted; the reminder follows when it is idle."""
    await change_speaker(house.anna, installed, house.anna.name, satellites=[KITCHEN])
    asked = time.monotonic()
    await house.hear(KITCHEN, _quick("close the window"))
    await _until_idle(house, KITCHEN)
    await house.set_busy(KITCHEN, busy=True)
    await asyncio.sleep(asked + QUICK_SECONDS + 4 - time.monotonic())
    assert not _about(await _announced(house, KITCHEN), "window")
    await house.set_busy(KITCHEN, busy=False)
    (heard,) = await _hear(house, KITCHEN, "window", 0)
    assert not heard["interrupted"]


async def test_chinese_one_is_said_in_chinese(
    house: House, installed: Installed
) -> None:
    """A reminder is spoken in the language in which it was set (X7)."""
    await change_speaker(
        house.anna, installed, house.li_ming.name, satellites=[BEDROOM]
    )
    await house.anna.call(
        "select.select_option",
        {"entity_id": "select.bedroom_satellite_assistant", "option": "Chinese"},
    )
    await house.hear(BEDROOM, "八秒后提醒我浇花。")
    (heard,) = await _hear(house, BEDROOM, "浇花", QUICK_SECONDS)
    assert not heard["interrupted"]


async def test_confirmed_reminder_survives_a_power_cut(
    house: House, installed: Installed, talk: StartTalk
) -> None:
    """What was confirmed was on the disk before (X2)."""
    await until_saved(house, installed)
    # Nothing but our own saving lies between the answer and the power cut.
    answer = await talk().say(
        "Remind me tomorrow at 10 am to measure my blood pressure."
    )
    await asyncio.to_thread(house.process.kill)
    assert answer
    await house.restart()
    (item,) = await _items(house, installed)
    assert datetime.fromisoformat(item["due"]).hour == 10
    assert item["status"] == "needs_action"
    assert "blood pressure" in item["summary"]


async def test_due_while_down_is_said_once(
    house: House, installed: Installed, talk: StartTalk
) -> None:
    """A reminder that came due during a downtime is said after it, once."""
    await change_speaker(house.anna, installed, house.anna.name, satellites=[KITCHEN])
    await until_saved(house, installed)
    await talk().say(_quick("take the bread out"))
    await asyncio.to_thread(house.process.kill)
    await asyncio.sleep(QUICK_SECONDS + 1)
    await house.restart()
    await _hear(house, KITCHEN, "bread", 0)
    await asyncio.sleep(SWEEP_SECONDS)
    assert len(_about(await _announced(house, KITCHEN), "bread")) == 1
    # Restarted once more, it has been said.
    await asyncio.to_thread(house.process.kill)
    await house.restart()
    await asyncio.sleep(SETTLE_SECONDS)
    assert await _announced(house, KITCHEN) == []


def _quick(what: str) -> str:
    return f"Remind me in {QUICK_SECONDS} seconds to {what}."


async def _items(house: House, installed: Installed) -> list[dict[str, Any]]:
    """Return Anna's to-do list."""
    seen = await view(house.anna, installed.subentries[house.anna.name])
    return await todo_items(house.anna, seen.entities["reminders"])


async def _announced(house: House, satellite: str) -> list[dict[str, Any]]:
    """Return what a satellite announced since the start of Home Assistant."""
    return [one for one in await house.said(satellite) if one["kind"] == "announcement"]


def _about(said: list[dict[str, Any]], words: str) -> list[dict[str, Any]]:
    return [one for one in said if words in one["text"]]


async def _hear(
    house: House, satellite: str, words: str, seconds: float
) -> list[dict[str, Any]]:
    """Wait for an announcement until some time after it is due."""

    async def look() -> list[dict[str, Any]]:
        return _about(await _announced(house, satellite), words)

    return await wait_until(
        look, f"“{words}” is announced", seconds=seconds + PATIENCE_SECONDS
    )


async def _until_idle(house: House, satellite: str) -> None:
    """Wait until a satellite has said its answer."""

    async def look() -> bool:
        state = await house.anna.get(f"/api/states/{satellite}")
        return bool(state["state"] == "idle")

    await wait_until(look, "the satellite is idle", seconds=PATIENCE_SECONDS)
