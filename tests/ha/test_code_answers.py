"""What code answers itself: in any language, at once, with Ollama switched off; and forgets."""

from collections.abc import AsyncGenerator
from unittest.mock import patch

from homeassistant.components.conversation import ChatLog
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util.file import WriteError
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from custom_components.assist_memory.const import CONF_EVERYONE_IS, CONF_SATELLITES
from custom_components.assist_memory.engine import HOUSEHOLD, PendingItem
from custom_components.assist_memory.household import async_get_household
from tests.ha.conftest import ANNA, BEN, KITCHEN, Talk
from tests.ha.test_conversation import run_pipeline
from tests.ollama_server import OllamaServer

BEDROOM = "assist_satellite.bedroom"


@pytest.fixture
def anna(hass: HomeAssistant, household: MockConfigEntry) -> Talk:
    """Return Anna's talk at her bedside, in English."""
    give_satellite(hass, household, ANNA, BEDROOM)
    return Talk(hass, satellite_id=BEDROOM)


@pytest.fixture
def ben(hass: HomeAssistant, household: MockConfigEntry) -> Talk:
    """Return Ben's talk in the kitchen, in English."""
    give_satellite(hass, household, BEN, KITCHEN)
    return Talk(hass, satellite_id=KITCHEN)


@pytest.fixture
async def off(server: OllamaServer) -> AsyncGenerator[OllamaServer]:
    """Return the server, switched off; it must not even be asked."""
    await server.stop()
    yield server
    assert server.requests == []


def give_satellite(
    hass: HomeAssistant, entry: MockConfigEntry, speaker: str, satellite: str
) -> None:
    """Make somebody the default speaker of a satellite."""
    subentry = entry.subentries[speaker]
    hass.config_entries.async_update_subentry(
        entry, subentry, data={**subentry.data, CONF_SATELLITES: [satellite]}
    )


def reminders(hass: HomeAssistant, owner: str) -> list[PendingItem]:
    """Return an owner's open reminders."""
    items = async_get_household(hass).reminders.async_items(owner)
    return [item for item in items if item.status.value == "pending"]


async def test_reminders_without_a_model(
    hass: HomeAssistant, anna: Talk, off: OllamaServer
) -> None:
    """Set, listed, cancelled: each answer is code's, none is an error."""
    said = await anna.say("Remind me tomorrow at 10 am to measure my blood pressure")
    assert not anna.failed
    assert "tomorrow at 10 in the morning" in said
    (item,) = reminders(hass, ANNA)
    assert item.text == "measure my blood pressure"
    assert item.satellite == BEDROOM
    assert "measure your blood pressure" in await anna.say("What are my reminders?")
    await anna.say("Cancel the reminder to measure my blood pressure")
    assert reminders(hass, ANNA) == []


async def test_reminders_in_chinese_without_a_model(
    hass: HomeAssistant, anna: Talk, off: OllamaServer
) -> None:
    """The same in the person's language, however it is tagged."""
    anna.language = "zh-CN"
    assert "明天上午十点" in await anna.say("明天上午十点提醒我量血压")
    (item,) = reminders(hass, ANNA)
    assert (item.text, item.language[:2]) == ("量血压", "zh")
    assert "量血压" in await anna.say("我有哪些提醒？")
    await anna.say("取消量血压的提醒")
    assert reminders(hass, ANNA) == []


async def test_facts_without_a_model(
    hass: HomeAssistant, anna: Talk, off: OllamaServer
) -> None:
    """Remembered, recalled, forgotten."""
    assert "blue drawer" in await anna.say(
        "Remember that my keys are in the blue drawer"
    )
    assert "blue drawer" in await anna.say("What did I say about my keys?")
    await anna.say("Forget about my keys")
    assert "blue drawer" not in await anna.say("What did I say about my keys?")


async def test_a_question_keeps_the_microphone_open(
    hass: HomeAssistant, anna: Talk, off: OllamaServer
) -> None:
    """And its answer needs no new command."""
    await anna.say("Remind me to call the bank")
    assert anna.result is not None
    assert anna.result.continue_conversation
    assert reminders(hass, ANNA) == []
    await anna.say("Tomorrow at three")
    assert not anna.result.continue_conversation
    (item,) = reminders(hass, ANNA)
    assert item.text == "call the bank"


async def test_a_pipeline_streams_what_code_says(
    hass: HomeAssistant,
    household: MockConfigEntry,
    off: OllamaServer,
    hass_ws_client: WebSocketGenerator,
) -> None:
    """Voices that speak while text comes in hear it like any answer."""
    assert await async_setup_component(hass, "assist_pipeline", {})
    client = await hass_ws_client(hass)
    events = await run_pipeline(client, "Remind me in ten minutes to turn the soup off")
    streamed = "".join(
        event["data"]["chat_log_delta"].get("content", "")
        for event in events
        if event["type"] == "intent-progress"
    )
    end = next(event["data"] for event in events if event["type"] == "intent-end")
    assert end["intent_output"]["response"]["speech"]["plain"]["speech"] == streamed
    assert len(reminders(hass, HOUSEHOLD)) == 1


async def test_what_can_not_be_stored_is_not_promised(
    hass: HomeAssistant, anna: Talk, off: OllamaServer
) -> None:
    """The disk is full: nothing is set, and that is what is said."""
    with patch(
        "homeassistant.helpers.storage.Store._async_write_data",
        side_effect=WriteError("full"),
    ):
        said = await anna.say("Remind me tomorrow at 10 am to call Pat")
    assert "tomorrow" not in said
    assert reminders(hass, ANNA) == []


async def test_a_code_answer_is_part_of_the_talk(
    anna: Talk, server: OllamaServer
) -> None:
    """The model later knows what was asked for and answered."""
    said = await anna.say("Remind me tomorrow at 10 am to measure my blood pressure")
    server.say("A little salt is fine.")
    await anna.say("May I eat salt at all?")
    _system, asked, told, words = server.talks[0]
    assert asked["content"].startswith("Remind me tomorrow")
    assert told["content"] == said
    assert words["content"].endswith("May I eat salt at all?")


async def test_the_brief_stands_beside_the_words(
    anna: Talk, server: OllamaServer
) -> None:
    """Short, only when it has changed, never in the system message."""
    await anna.say("My son Peter works in Bremen")
    await anna.say("Peter has a dog called Rex")
    first, second = (talk[-1]["content"] for talk in server.talks)
    brief = second.partition("]")[0]
    assert "Peter" in brief
    assert all(len(content.partition("]\n")[0]) <= 222 for content in (first, second))
    assert all("Peter" not in talk[0]["content"] for talk in server.talks)


async def test_speakers_are_kept_apart(
    hass: HomeAssistant, anna: Talk, ben: Talk, server: OllamaServer
) -> None:
    """What one has said is in nothing that is sent or said for the other."""
    await anna.say("My secret word is Zanzibar")
    await anna.say("Remind me tomorrow at 9 am to feed the axolotl")
    assert "axolotl" not in await ben.say("What are my reminders?")
    server.bodies.clear()
    await ben.say("What do you know of me?")
    assert "zanzibar" not in str(server.bodies).lower()
    ben.conversation_id = anna.conversation_id
    await ben.say("And what was said before?")
    assert "zanzibar" not in str(server.bodies).lower()
    assert "axolotl" not in str(server.bodies)


async def test_forgetting_reaches_everything_that_is_sent(
    hass: HomeAssistant, anna: Talk, server: OllamaServer
) -> None:
    """Transcript, brief, and Home Assistant's own log of the talk."""
    await anna.say("My secret word is Zanzibar")
    await anna.say("Forget everything")
    await anna.say("Yes")
    server.bodies.clear()
    await anna.say("What is my secret word?")
    assert "zanzibar" not in str(server.bodies).lower()
    log: ChatLog = hass.data[DATA_CHAT_LOGS][str(anna.conversation_id)]
    assert "Zanzibar" not in str(log.content)


async def test_forgetting_the_last_sentence(anna: Talk, server: OllamaServer) -> None:
    """A slip of the tongue leaves nothing behind either."""
    await anna.say("I like chess")
    await anna.say("My pin is 7391")
    await anna.say("Forget what I just said")
    server.bodies.clear()
    await anna.say("What do I like?")
    assert "7391" not in str(server.bodies)


async def test_a_new_speaker_in_mid_talk_forgets_nothing(
    hass: HomeAssistant, anna: Talk, household: MockConfigEntry, off: OllamaServer
) -> None:
    """Also a changed option, and a reload of the entry."""
    await anna.say("Remember that my keys are in the blue drawer")
    hass.config_entries.async_update_entry(household, options={CONF_EVERYONE_IS: BEN})
    await add_speaker(hass, household)
    assert "blue drawer" in await anna.say("What did I say about my keys?")
    assert await hass.config_entries.async_reload(household.entry_id)
    await hass.async_block_till_done()
    assert "blue drawer" in await anna.say("What did I say about my keys?")


async def add_speaker(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """Add Cleo."""
    flows = hass.config_entries.subentries
    result = await flows.async_init(
        (entry.entry_id, "speaker"), context={"source": "user"}
    )
    form = {"name": "Cleo", "show": "reminders", "lasts": "night"}
    await flows.async_configure(result["flow_id"], form)
    await hass.async_block_till_done()


async def test_logs_have_no_words(
    anna: Talk, server: OllamaServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever goes well or wrong, and however much is logged."""
    await anna.say("My secret word is Zanzibar")
    server.say("Zanzibar indeed", cut=True)
    await anna.say("What was Zanzibar again?")
    ours = [
        record.getMessage()
        for record in caplog.records
        if record.name.startswith("custom_components.assist_memory")
    ]
    assert ours
    assert "zanzibar" not in str(ours).lower()


async def test_a_lie_about_a_reminder_is_put_right(
    hass: HomeAssistant, anna: Talk, server: OllamaServer
) -> None:
    """The model says it has; there is none; the person is told."""
    server.say("Of course! ", "I've set a reminder for the bins.")
    said = await anna.say("I must not miss the bins this week")
    assert "I've set a reminder" not in said
    assert said.startswith("Of course! ")
    assert reminders(hass, ANNA) == []


@pytest.mark.parametrize("text", ["", "   ", "?!", "x" * 20_000, "\x00\u202e\ud83d"])
async def test_odd_sentences_are_answered(
    anna: Talk, server: OllamaServer, text: str
) -> None:
    """Nothing, noise, too much, half a character."""
    server.default.chunks = ["Pardon?"]
    assert await anna.say(text) == "Pardon?"


async def test_the_morning_is_when_the_option_says(
    hass: HomeAssistant, household: MockConfigEntry, anna: Talk, off: OllamaServer
) -> None:
    """A day without a time means that day's morning, by the household's option."""
    hass.config_entries.async_update_entry(household, options={"morning": "07:30:00"})
    await anna.say("Remind me tomorrow to water the plants")
    (item,) = reminders(hass, ANNA)
    assert item.due is not None
    assert (item.due.hour, item.due.minute) == (7, 30)
