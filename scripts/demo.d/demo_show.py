"""The acts of the show: the talk, a reminder that fires, a power cut, a look at the log."""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
import time
from typing import Any, Final

from demo_pictures import take_pictures
from demo_screen import Screen
from demo_talks import CHINESE, ENGLISH, Talk, Turn

from tests.e2e.harness.client import Client, speech_of
from tests.e2e.harness.house import BEDROOM, KITCHEN, House
from tests.e2e.harness.install import Installed
from tests.e2e.harness.log_check import faults, kept_speech, places_of
from tests.e2e.harness.memory_view import MemoryView, todo_items, view
from tests.e2e.harness.saved import until_saved
from tests.e2e.harness.waiting import WaitError, wait_until

NEGATIVE: Final = -0.3
ANSWER_SECONDS: Final = 30
DUE_SECONDS: Final = 10
PATIENCE_SECONDS: Final = 20
"""How long after its due time a reminder may be said."""
SWEEP_SECONDS: Final = 35
"""Longer than one round of the scheduler: what is said twice would be heard."""

type Said = list[dict[str, Any]]


class Show:
    """Plays the acts in a house where Assist Memory is installed."""

    def __init__(
        self, screen: Screen, house: House, installed: Installed, *, has_model: bool
    ) -> None:
        self._screen = screen
        self._house = house
        self._installed = installed
        self._has_model = has_model
        self._announced: list[str] = []

    # --- the talk -------------------------------------------------------------------------

    async def talk_by_api(self) -> None:
        """Hold the English talk as Anna through the conversation API."""
        self._screen.act("Anna talks in English, through the conversation API")
        conversation = None
        for turn in ENGLISH.turns:
            began = time.monotonic()
            self._screen.said("Anna", turn.text)
            result = await self._house.anna.converse(
                turn.text,
                agent=self._installed.agent,
                language=ENGLISH.language,
                conversation=conversation,
            )
            conversation = result["conversation_id"]
            self._screen.said(
                "Agent", speech_of(result), f"{time.monotonic() - began:.1f} s"
            )
            await self._check_turn(self._house.anna, turn)

    async def talk_by_pipeline(self) -> None:
        """Hold the Chinese talk as Li Ming through a pipeline, and show that it streams."""
        self._screen.act("Li Ming talks in Chinese, through an Assist pipeline")
        conversation, stream = None, 0.0
        for turn in CHINESE.turns:
            began = time.monotonic()
            self._screen.said("Li Ming", turn.text)
            async with self._house.li_ming.socket() as socket:
                run = await socket.run_pipeline(
                    turn.text,
                    pipeline=self._house.pipelines["Chinese"],
                    conversation=conversation,
                )
            if run.error:
                self._screen.expect("the pipeline answers", holds=False, seen=run.error)
                return
            conversation = run.result["conversation_id"]
            stream = max(stream, run.seconds_of_stream)
            self._screen.said(
                "Agent",
                speech_of(run.result),
                f"{time.monotonic() - began:.1f} s, in {len(run.pieces)} pieces",
            )
            await self._check_turn(self._house.li_ming, turn)
        if self._has_model:
            self._screen.expect(
                "answers come before the turn is over", holds=stream > 0
            )

    async def _check_turn(self, person: Client, turn: Turn) -> None:
        """Show what memory holds after a turn, and compare it with what it has to hold."""
        seen = await self._view(person)
        self._screen.memory(_held(seen))
        chain = " / ".join(seen.attribute("topics", "chain") or ())
        for topic in turn.topics:
            if topic.casefold() not in chain.casefold():
                self._screen.expect(f"“{topic}” is a topic", holds=False, seen=chain)
        if turn.disliked:
            attitude = (seen.attribute("remembered", "things") or {}).get(turn.disliked)
            if attitude is None or attitude >= NEGATIVE:
                self._screen.expect(
                    f"{turn.disliked} is spoken of badly",
                    holds=False,
                    seen=str(attitude),
                )
        if turn.due_hour is not None:
            await self._check_due(person, turn.due_hour)

    async def _check_due(self, person: Client, hour: int, remark: str = "") -> None:
        """Expect exactly one open reminder for tomorrow at an hour; only a failure is shown."""
        due = await self._open_dues(person)
        wanted = [moment for moment in due if _is_tomorrow_at(moment, hour)]
        if len(wanted) != 1 or remark:
            self._screen.expect(
                f"one reminder for tomorrow at {hour}{remark}",
                holds=len(wanted) == 1,
                seen=", ".join(f"{moment:%a %H:%M}" for moment in due),
            )

    async def _open_dues(self, person: Client) -> list[datetime]:
        """Return when a person's open reminders are due."""
        seen = await self._view(person)
        items = await todo_items(self._house.anna, seen.entities["reminders"])
        return [
            datetime.fromisoformat(item["due"])
            for item in items
            if item["status"] == "needs_action" and item.get("due")
        ]

    async def _view(self, person: Client) -> MemoryView:
        """Return what can be seen of a person's memory."""
        return await view(self._house.anna, self._installed.subentries[person.name])

    # --- a reminder fires -------------------------------------------------------------------

    async def reminders_fire(self) -> None:
        """Ask for a reminder in each room; one satellite is busy when it is due."""
        self._screen.act("Two short reminders, said aloud where they were asked for")
        await self._ask("Anna, in the kitchen", KITCHEN, ENGLISH)
        asked = time.monotonic()
        await self._ask("Li Ming, in the bedroom", BEDROOM, CHINESE)
        await self._house.set_busy(KITCHEN, busy=True)
        self._screen.note("Somebody keeps the kitchen satellite busy …")
        await self._hear(BEDROOM, CHINESE, "an idle satellite says it")
        due = asked + DUE_SECONDS
        await asyncio.sleep(max(0.0, due + 3 - time.monotonic()))
        early = _announcements(await self._house.said(KITCHEN), ENGLISH.quick_words)
        self._screen.expect("a busy satellite is not interrupted", holds=not early)
        await self._house.set_busy(KITCHEN, busy=False)
        self._screen.note("… and lets go of it")
        await self._hear(KITCHEN, ENGLISH, "it is said once the satellite is idle")

    async def _ask(self, who: str, satellite: str, talk: Talk) -> None:
        """Let a satellite hear the request for the reminder, and show its answer."""
        before = len(await self._house.said(satellite))
        self._screen.said(who.partition(",")[0], talk.quick_reminder, who)
        await self._house.hear(satellite, talk.quick_reminder)

        async def look() -> Said:
            return (await self._house.said(satellite))[before:]

        try:
            said = await wait_until(look, "an answer", seconds=ANSWER_SECONDS)
        except WaitError as err:
            self._screen.expect("the satellite answers", holds=False, seen=str(err))
            return
        self._screen.said("Satellite", said[0]["text"])

    async def _hear(self, satellite: str, talk: Talk, what: str) -> None:
        """Wait for the announcement."""

        async def look() -> Said:
            said = await self._house.said(satellite)
            return _announcements(said, talk.quick_words)

        try:
            said = await wait_until(look, what, seconds=DUE_SECONDS + PATIENCE_SECONDS)
        except WaitError:
            heard = "; ".join(one["text"] for one in await self._house.said(satellite))
            self._screen.expect(what, holds=False, seen=heard)
            return
        self._announced.append(said[0]["text"])
        self._screen.said("Satellite", said[0]["text"], f"at {said[0]['at'][11:19]}")
        self._screen.expect(what, holds=not said[0]["interrupted"])

    # --- pictures ---------------------------------------------------------------------------

    async def be_photographed(self, folder: Path) -> None:
        """Take pictures of the dashboard, and of a talk that Anna types."""
        self._screen.act("Pictures")
        for picture in await take_pictures(self._house.anna, folder):
            self._screen.progress(f"Saved {picture}")

    # --- a power cut ------------------------------------------------------------------------

    async def power_cut(self) -> None:
        """Kill Home Assistant, start it again, and look for the reminders."""
        self._screen.act("A power cut")
        await until_saved(self._house, self._installed)
        await asyncio.to_thread(self._house.process.kill)
        self._screen.progress("Home Assistant was killed; starting it again")
        await self._house.restart()
        self._screen.progress("It runs again")
        for person in (self._house.anna, self._house.li_ming):
            await self._check_due(person, 10, f" is still there for {person.name}")
        self._screen.note(
            f"Listening for {SWEEP_SECONDS} s: nothing may be said twice …"
        )
        await asyncio.sleep(SWEEP_SECONDS)
        for satellite in (KITCHEN, BEDROOM):
            said = [one["text"] for one in await self._house.said(satellite)]
            self._screen.expect(
                f"{satellite} repeats nothing", holds=not said, seen="; ".join(said)
            )

    # --- the log ----------------------------------------------------------------------------

    async def look_at_log(self) -> None:
        """Look for complaints in the log, and for the household's words where they may not be."""
        self._screen.act("What Home Assistant wrote down")
        log = await asyncio.to_thread(self._house.process.log)
        found = await asyncio.to_thread(faults, log)
        self._screen.expect(
            "no error of ours and no blocking call in the log",
            holds=not found,
            seen="\n".join(found)[:3000],
        )
        places = await asyncio.to_thread(
            places_of, self._house.process.folder, _private_words()
        )
        self._screen.expect(
            "no word of the talks in log, database and other files",
            holds=not places,
            seen=", ".join(places),
        )
        kept = await asyncio.to_thread(
            kept_speech, self._house.process.folder, self._announced
        )
        self._screen.expect(
            "no reminder is kept as audio", holds=not kept, seen=", ".join(kept)
        )


def _held(seen: MemoryView) -> Mapping[str, str]:
    """Return memory in a few words: topics, things with attitudes, reminders."""
    things: Mapping[str, float] = seen.attribute("remembered", "things") or {}
    return {
        "topics": " → ".join(seen.attribute("topics", "chain") or ()) or "–",
        "things": ", ".join(f"{name} {value:+.1f}" for name, value in things.items()),
        "reminders": f"{seen.state('pending')} open, next {seen.state('next_reminder')}",
    }


def _is_tomorrow_at(moment: datetime, hour: int) -> bool:
    """Tell whether a moment is tomorrow at an hour, by the home's clock."""
    tomorrow = datetime.now(moment.tzinfo).date() + timedelta(days=1)
    return moment.date() == tomorrow and (moment.hour, moment.minute) == (hour, 0)


def _announcements(said: Said, words: str) -> Said:
    """Return the announcements that hold some words."""
    return [
        one for one in said if one["kind"] == "announcement" and words in one["text"]
    ]


def _private_words() -> Iterable[str]:
    """Return words of the talks that nothing but the reminders' own file may hold."""
    return (
        "amlodipine",
        "Hangzhou",
        "feet swell",
        "blood pressure",
        "out of the oven",
        "氨氯地平",
        "杭州",
        "脚肿",
        "量血压",
        "关火",
    )
