"""Where a reminder is said: the right room, when it is quiet, else a note on the screen."""

import asyncio
from datetime import timedelta
from pathlib import Path

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components import tts
from homeassistant.components.assist_satellite import AssistSatelliteEntityFeature
from homeassistant.const import EVENT_CALL_SERVICE, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import (
    async_capture_events,
    async_fire_time_changed,
)

from custom_components.assist_memory import delivery, speech
from custom_components.assist_memory.engine import (
    PendingItem,
    ReminderCancelled,
    ReminderDone,
    ReminderSet,
    Status,
    pending,
)
from custom_components.assist_memory.household import Household
from tests.ha.home_builders import (
    ANNA,
    BEDROOM,
    BEN,
    KITCHEN,
    FakeSatellite,
    household_entry,
    household_reminder,
    notes,
    reminder,
    set_up_satellites,
    settle,
    speaker,
    start,
)


@pytest.fixture
async def rooms(hass: HomeAssistant, tmp_path: Path) -> dict[str, FakeSatellite]:
    """Return a kitchen, and a bedroom that is Anna's."""
    return await set_up_satellites(hass, tmp_path)


def files(folder: Path) -> list[Path]:
    """Return what lies in a folder."""
    return list(folder.iterdir())


async def set_due(household: Household, item: PendingItem) -> None:
    """Store a reminder."""
    await household.async_commit((ReminderSet(item=item),), item.owner)


async def pass_time(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, delta: timedelta
) -> None:
    """Let time pass at once; what is said has begun after this, or waits."""
    freezer.tick(delta)
    async_fire_time_changed(hass, dt_util.utcnow())
    for _ in range(100):
        await asyncio.sleep(0)
    await hass.async_block_till_done()


async def come_due(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """Let the hour pass after which reminders are due here."""
    await pass_time(hass, freezer, timedelta(hours=1))


@pytest.mark.parametrize(
    ("item", "spoken"),
    [
        pytest.param({"satellite": KITCHEN}, [KITCHEN], id="where it was set"),
        pytest.param({}, [BEDROOM], id="the owner's, when it was typed"),
        pytest.param(
            {"satellite": "assist_satellite.gone"}, [BEDROOM], id="the owner's, if gone"
        ),
        pytest.param({"owner": BEN}, [], id="never in a room of somebody else"),
        pytest.param(
            {"owner": BEN, "satellite": BEDROOM}, [BEDROOM], id="set there by a guest"
        ),
    ],
)
async def test_the_room(
    hass: HomeAssistant,
    rooms: dict[str, FakeSatellite],
    freezer: FrozenDateTimeFactory,
    item: dict[str, str],
    spoken: list[str],
) -> None:
    """A person's reminder is said where it was set, else where that person is at home."""
    household = await start(hass, household_entry())
    await set_due(household, reminder(**item))
    await come_due(hass, freezer)
    await settle(hass)
    assert [room for room, satellite in rooms.items() if satellite.said] == spoken
    assert bool(notes(hass)) is not bool(spoken)


async def test_the_households_may_be_said_in_any_room(
    hass: HomeAssistant,
    rooms: dict[str, FakeSatellite],
    freezer: FrozenDateTimeFactory,
) -> None:
    """Typed by nobody known: one of the satellites says it, and only one."""
    household = await start(hass, household_entry())
    await set_due(household, household_reminder())
    await come_due(hass, freezer)
    await settle(hass)
    assert sum(len(satellite.said) for satellite in rooms.values()) == 1


async def test_a_busy_satellite_is_waited_for(
    hass: HomeAssistant,
    rooms: dict[str, FakeSatellite],
    freezer: FrozenDateTimeFactory,
) -> None:
    """Somebody is talking there: the reminder waits, and nothing is announced yet."""
    household = await start(hass, household_entry())
    rooms[BEDROOM].set_state("processing")
    item = reminder()
    await set_due(household, item)
    await come_due(hass, freezer)
    assert rooms[BEDROOM].said == []
    assert household.reminders.items[item.id].status is Status.PENDING
    rooms[BEDROOM].set_state("idle")
    await settle(hass)
    assert len(rooms[BEDROOM].said) == 1
    assert household.reminders.items[item.id].status is Status.ANNOUNCED


async def test_what_is_cancelled_while_it_waits_is_not_said(
    hass: HomeAssistant,
    rooms: dict[str, FakeSatellite],
    freezer: FrozenDateTimeFactory,
) -> None:
    """The talk that kept the satellite busy was about this reminder."""
    household = await start(hass, household_entry())
    rooms[BEDROOM].set_state("processing")
    item = reminder()
    await set_due(household, item)
    await come_due(hass, freezer)
    await household.async_commit((ReminderCancelled(item=item),), ANNA)
    rooms[BEDROOM].set_state("idle")
    await settle(hass)
    assert rooms[BEDROOM].said == []
    assert not notes(hass)


@pytest.mark.parametrize(
    ("state", "patience"),
    [
        ("listening", delivery.BUSY_PATIENCE),
        (STATE_UNAVAILABLE, delivery.ABSENT_PATIENCE),
    ],
)
async def test_a_satellite_that_stays_busy_or_dead_is_given_up(
    hass: HomeAssistant,
    rooms: dict[str, FakeSatellite],
    freezer: FrozenDateTimeFactory,
    state: str,
    patience: int,
) -> None:
    """After its deadline the next one says it."""
    household = await start(hass, household_entry())
    _put(hass, KITCHEN, state)
    await set_due(household, reminder(satellite=KITCHEN))
    await come_due(hass, freezer)
    await pass_time(hass, freezer, timedelta(seconds=patience - 1))
    assert rooms[BEDROOM].said == []
    await pass_time(hass, freezer, timedelta(seconds=2))
    await settle(hass)
    assert rooms[KITCHEN].said == []
    assert len(rooms[BEDROOM].said) == 1


async def test_an_error_of_the_satellite_goes_to_the_next_one(
    hass: HomeAssistant,
    rooms: dict[str, FakeSatellite],
    freezer: FrozenDateTimeFactory,
) -> None:
    """Whatever a platform raises, the reminder is said elsewhere."""
    household = await start(hass, household_entry())
    rooms[KITCHEN].failure = ZeroDivisionError()
    await set_due(household, reminder(satellite=KITCHEN))
    await come_due(hass, freezer)
    await settle(hass)
    assert len(rooms[BEDROOM].said) == 1


async def test_a_satellite_that_hangs_is_given_up(
    hass: HomeAssistant,
    rooms: dict[str, FakeSatellite],
    freezer: FrozenDateTimeFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An announcement that never ends does not keep the others waiting."""
    household = await start(hass, household_entry())

    async def hang(_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(rooms[KITCHEN], "async_announce", hang)
    await set_due(household, reminder(satellite=KITCHEN))
    await come_due(hass, freezer)
    await pass_time(hass, freezer, timedelta(seconds=speech.SPEAK_LIMIT + 1))
    await settle(hass)
    assert len(rooms[BEDROOM].said) == 1


async def test_two_at_once_on_one_satellite_come_one_after_the_other(
    hass: HomeAssistant,
    rooms: dict[str, FakeSatellite],
    freezer: FrozenDateTimeFactory,
) -> None:
    """Both are said; neither cuts the other off."""
    household = await start(hass, household_entry())
    await set_due(household, reminder("first"))
    await set_due(household, reminder("second"))
    await come_due(hass, freezer)
    await settle(hass)
    assert len(rooms[BEDROOM].said) == 2
    assert not notes(hass)


async def test_the_note_names_the_person_and_not_the_reminder(
    hass: HomeAssistant,
    rooms: dict[str, FakeSatellite],
    freezer: FrozenDateTimeFactory,
) -> None:
    """Every account of the house can read it."""
    household = await start(hass, household_entry())
    item = reminder("buy a present", owner=BEN)
    await set_due(household, item)
    await come_due(hass, freezer)
    await settle(hass)
    (note,) = notes(hass)
    assert "Ben" in note["message"]
    assert "present" not in str(note)
    assert household.reminders.items[item.id].status is Status.ANNOUNCED


async def test_the_note_goes_when_the_reminder_is_settled(
    hass: HomeAssistant,
    rooms: dict[str, FakeSatellite],
    freezer: FrozenDateTimeFactory,
) -> None:
    """Done: nothing is left to be shown."""
    household = await start(hass, household_entry())
    item = reminder(owner=BEN)
    await set_due(household, item)
    await come_due(hass, freezer)
    await settle(hass)
    said = household.reminders.items[item.id]
    done = pending.done(said, dt_util.now())
    await household.async_commit((ReminderDone(item=done, before=said),), BEN)
    assert not notes(hass)


async def test_no_sound_of_it_is_left_on_the_disk(
    hass: HomeAssistant,
    rooms: dict[str, FakeSatellite],
    freezer: FrozenDateTimeFactory,
    tmp_path: Path,
) -> None:
    """Core's cache of speech stays empty; with core's own announce it would not."""
    household = await start(hass, household_entry())
    await set_due(household, reminder())
    await come_due(hass, freezer)
    await settle(hass)
    assert rooms[BEDROOM].media[0].media_id.startswith("http")
    assert files(tmp_path) == []
    await rooms[BEDROOM].async_internal_announce(message="said by core")
    await settle(hass)
    assert len(files(tmp_path)) == 1


async def test_its_words_are_on_no_bus(
    hass: HomeAssistant,
    rooms: dict[str, FakeSatellite],
    freezer: FrozenDateTimeFactory,
) -> None:
    """No call of an action carries them, and no state."""
    calls = async_capture_events(hass, EVENT_CALL_SERVICE)
    household = await start(hass, household_entry())
    await set_due(household, reminder("xylophone"))
    await come_due(hass, freezer)
    await settle(hass)
    assert "xylophone" in rooms[BEDROOM].said[0]
    assert "xylophone" not in str(calls)
    assert "xylophone" not in str([s.as_dict() for s in hass.states.async_all()])


async def test_a_satellite_that_cannot_announce_is_passed_over(
    hass: HomeAssistant,
    rooms: dict[str, FakeSatellite],
    freezer: FrozenDateTimeFactory,
) -> None:
    """It only listens."""
    rooms[KITCHEN]._attr_supported_features = AssistSatelliteEntityFeature(0)
    rooms[KITCHEN].set_state("idle")
    household = await start(hass, household_entry())
    await set_due(household, reminder(satellite=KITCHEN))
    await come_due(hass, freezer)
    await settle(hass)
    assert len(rooms[BEDROOM].said) == 1


async def test_without_a_voice_a_note_is_left(
    hass: HomeAssistant,
    rooms: dict[str, FakeSatellite],
    freezer: FrozenDateTimeFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No text-to-speech engine can be found."""
    monkeypatch.setattr(tts, "async_resolve_engine", lambda *_: None)
    household = await start(hass, household_entry())
    await set_due(household, reminder())
    await come_due(hass, freezer)
    await settle(hass)
    assert rooms[BEDROOM].said == []
    assert len(notes(hass)) == 1


async def test_a_home_without_satellites_shows_notes(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    """Assist in the browser only."""
    household = await start(hass, household_entry(speaker(ANNA, "Anna")))
    await set_due(household, reminder())
    await set_due(household, household_reminder())
    await come_due(hass, freezer)
    await settle(hass)
    assert len(notes(hass)) == 2


def _put(hass: HomeAssistant, satellite: str, state: str) -> None:
    before = hass.states.get(satellite)
    assert before is not None
    hass.states.async_set(satellite, state, before.attributes)
