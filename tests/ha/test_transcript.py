"""What is sent: it only grows, belongs to one speaker, is cut rarely, and forgets."""

from typing import Any

from homeassistant.components.conversation import (
    AssistantContent,
    ChatLog,
    UserContent,
)
from homeassistant.core import HomeAssistant
import pytest

from custom_components.assist_memory.chat_logs import scrub
from custom_components.assist_memory.engine import HOUSEHOLD, ForgetScope, Forgotten
from custom_components.assist_memory.transcript import (
    MAX_CONVERSATIONS,
    MAX_THREADS,
    MAX_WORDS,
    Thread,
    Transcripts,
    async_get_transcripts,
    tokens_of,
)

EVERYTHING = Forgotten(scope=ForgetScope.ALL)


class Log:
    """A chat log that is written by hand."""

    def __init__(self, hass: HomeAssistant, conversation_id: str = "c1") -> None:
        self.log = ChatLog(hass, conversation_id)

    def hear(self, text: str) -> ChatLog:
        """Add a person's words."""
        self.log.content.append(UserContent(content=text))
        return self.log

    def tell(self, text: str | None, agent: str = "other") -> ChatLog:
        """Add an answer."""
        self.log.content.append(AssistantContent(agent_id=agent, content=text))
        return self.log


@pytest.fixture
def log(hass: HomeAssistant) -> Log:
    """Return an empty log."""
    return Log(hass)


@pytest.fixture
def transcripts() -> Transcripts:
    """Return empty transcripts."""
    return Transcripts()


def words(thread: Thread) -> list[str]:
    """Return the messages' texts."""
    return [message["content"] for message in thread.messages]


def say(transcripts: Transcripts, log: Log, text: str, speaker: str | None) -> Thread:
    """Take a turn: somebody says something and is answered."""
    thread = transcripts.async_thread(log.hear(text), speaker, "olly")
    thread.hear(text, f"Re: {text}")
    transcripts.async_heard(log.tell(f"Re: {text}"))
    return thread


def test_the_brief_is_sent_when_it_has_changed() -> None:
    """Next to the person's words, in brackets; never twice the same."""
    thread = Thread(system="s")
    thread.ask("one", "Known: tea.")
    thread.ask("two", "Known: tea.")
    thread.ask("three", "Known: tea, cake.")
    thread.ask("four", "")
    assert words(thread) == [
        "[Known: tea.]\none",
        "two",
        "[Known: tea, cake.]\nthree",
        "four",
    ]
    assert thread.request()[0] == {"role": "system", "content": "s"}


def test_nobody_reads_what_another_was_told(transcripts: Transcripts, log: Log) -> None:
    """In one conversation each speaker has messages of their own."""
    say(transcripts, log, "Anna's secret", "anna")
    ben = say(transcripts, log, "Ben asks", "ben")
    nobody = say(transcripts, log, "Somebody asks", None)
    anna = say(transcripts, log, "Anna again", "anna")
    assert "Anna's secret" not in str(ben.messages) + str(nobody.messages)
    assert words(anna) == [
        "Anna's secret",
        "Re: Anna's secret",
        "Anna again",
        "Re: Anna again",
    ]


def test_a_change_of_speaker_gets_a_whole_brief(
    transcripts: Transcripts, log: Log
) -> None:
    """Who comes back is told again what is known."""
    thread = transcripts.async_thread(log.hear("a"), "anna", "olly")
    thread.ask("a", "Known: tea.")
    transcripts.async_heard(log.tell("b"))
    say(transcripts, log, "c", "ben")
    thread = transcripts.async_thread(log.hear("d"), "anna", "olly")
    assert thread.brief == ""


def test_what_others_answered_belongs_to_who_spoke_last(
    transcripts: Transcripts, log: Log
) -> None:
    """A turn that Home Assistant took alone is not somebody else's."""
    say(transcripts, log, "hello", "anna")
    log.hear("what time is it")
    log.tell(None)
    log.tell("Noon.")
    ben = transcripts.async_thread(log.hear("and now"), "ben", "olly")
    assert words(ben) == []
    transcripts.async_heard(log.tell("Later."))
    anna = transcripts.async_thread(log.hear("me again"), "anna", "olly")
    assert words(anna)[-2:] == ["what time is it", "Noon."]


def test_turns_that_failed_are_not_repeated(transcripts: Transcripts, log: Log) -> None:
    """Home Assistant 2026.11 notes them as answers; a model would learn from that."""
    log.hear("hello")
    log.tell("Error: boom")
    log.hear("hello?")
    log.tell("(no response)")
    thread = transcripts.async_thread(log.hear("anybody?"), None, "olly")
    assert words(thread) == ["hello", "hello?"]


def test_what_a_satellite_said_first_is_there(
    transcripts: Transcripts, log: Log
) -> None:
    """A conversation may begin with an announcement."""
    log.tell("Shall I close the garage?", "assist_satellite.hall")
    thread = transcripts.async_thread(log.hear("yes"), None, "olly")
    assert thread.messages == [
        {"role": "assistant", "content": "Shall I close the garage?"}
    ]


def test_a_log_that_was_shortened_is_no_news(
    transcripts: Transcripts, log: Log
) -> None:
    """What has been dealt with does not come back."""
    say(transcripts, log, "one", "anna")
    del log.log.content[1:]
    log.tell("from elsewhere")
    thread = transcripts.async_thread(log.hear("two"), "anna", "olly")
    assert words(thread) == ["one", "Re: one"]


@pytest.mark.parametrize(("owner", "speaker"), [("anna", "anna"), (HOUSEHOLD, None)])
def test_forgetting_starts_afresh(
    transcripts: Transcripts, log: Log, owner: str, speaker: str | None
) -> None:
    """The owner's words are gone from what is sent, and only the owner's."""
    say(transcripts, log, "my secret", speaker)
    say(transcripts, log, "Ben's plan", "ben")
    assert transcripts.async_forget(owner, EVERYTHING) == {}
    mine = transcripts.async_thread(log.hear("who am I"), speaker, "olly")
    assert mine.messages == []
    assert mine.system is None
    transcripts.async_heard(log.tell("?"))
    ben = transcripts.async_thread(log.hear("and I"), "ben", "olly")
    assert words(ben) == ["Ben's plan", "Re: Ben's plan"]


def test_home_assistants_log_forgets_too(log: Log) -> None:
    """What was said before the turn can't be read there any more."""
    log.hear("my secret")
    log.tell("I see")
    log.hear("forget it")
    scrub(log.log)
    system, words = log.log.content
    assert (system.role, words.role) == ("system", "user")
    assert "my secret" not in str(log.log.content)


def test_it_is_cut_in_one_large_step() -> None:
    """Half of the room is free afterwards, and the cut is before a person's words."""
    thread = Thread(system="s" * 300)
    for number in range(40):
        thread.ask(f"{number} " + "word " * 20, "Known: tea.")
        thread.add([{"role": "assistant", "content": "yes " * 20}])
    before = list(thread.messages)
    thread.cut(100_000)
    assert thread.messages == before
    thread.cut(1024)
    left = sum(tokens_of(str(message)) for message in thread.messages)
    assert 0 < left < 512
    assert thread.messages == before[-len(thread.messages) :]
    assert thread.messages[0]["role"] == "user"
    assert thread.brief == ""
    again = list(thread.messages)
    thread.cut(1024)
    assert thread.messages == again


def test_a_system_message_without_room_leaves_the_words() -> None:
    """An owner's long prompt takes the talk's place, not the answer's."""
    thread = Thread(system="s" * 10_000)
    thread.hear("a", "b")
    thread.cut(1024)
    assert thread.messages == []


def test_a_question_without_answer_is_taken_back() -> None:
    """The model never saw it."""
    thread = Thread(system="s")
    thread.hear("a", "b")
    thread.ask("c", "Known: tea.")
    thread.take_back(2)
    assert words(thread) == ["a", "b"]
    assert thread.brief == ""


def test_everything_has_a_bound(hass: HomeAssistant, transcripts: Transcripts) -> None:
    """Conversations, speakers in one, and the length of a message."""
    for number in range(MAX_CONVERSATIONS + 5):
        transcripts.async_thread(Log(hass, f"c{number}").hear("x"), None, "olly")
    assert len(transcripts) == MAX_CONVERSATIONS
    assert not transcripts.async_has("c0")
    log = Log(hass, "crowd")
    threads = [say(transcripts, log, "x", f"s{n}") for n in range(MAX_THREADS + 2)]
    again = transcripts.async_thread(log.hear("y"), "s0", "olly")
    assert again is not threads[0]
    again.hear("z" * (MAX_WORDS + 50), "")
    assert len(again.messages[-2]["content"]) == MAX_WORDS


def test_a_conversation_ends(transcripts: Transcripts, log: Log) -> None:
    """Nothing of it is left."""
    say(transcripts, log, "x", None)
    transcripts.async_end("c1")
    transcripts.async_end("c1")
    assert len(transcripts) == 0
    transcripts.async_heard(log.log)


@pytest.mark.parametrize(
    ("text", "real"),
    [("The quick brown fox jumps.", 6), ("今天天气很好，我们去公园吧。", 10)],
)
def test_tokens_are_rather_overestimated(text: str, real: int) -> None:
    """A cut too early costs time, a cut too late costs the beginning of the prompt."""
    assert real <= tokens_of(text) <= 3 * real


def test_transcripts_outlive_the_entry(hass: HomeAssistant) -> None:
    """There is one for the household, whatever is reloaded."""
    first: Any = async_get_transcripts(hass)
    assert async_get_transcripts(hass) is first
