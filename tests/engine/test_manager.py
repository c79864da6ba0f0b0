"""The working memory as a library: three lines of use, proposals and commits, forgetting, saving (A9, A11)."""

from dataclasses import replace
from datetime import datetime, timedelta
import itertools
import json
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given, strategies as st
import pytest

from assist_memory import (
    Change,
    FactStated,
    ForgetScope,
    Forgotten,
    MemoryManager,
    QuestionKind,
    ReminderSet,
    SettingsError,
    StateFormatError,
    Utterance,
    answer,
)

NOW = datetime(2026, 6, 9, 10, 0, tzinfo=ZoneInfo("Europe/London"))


def memory_of(owner: str | None = "anna") -> MemoryManager:
    """Return a memory with ids in order."""
    numbers = itertools.count()
    return MemoryManager(owner=owner, new_id=lambda: f"i{next(numbers)}")


def say(
    memory: MemoryManager, text: str, now: datetime = NOW, language: str = "en"
) -> tuple[Change, ...]:
    """Take one sentence in."""
    reading = memory.filter_input(Utterance(text=text, language=language, now=now))
    return memory.update_state(reading)


def test_three_lines_beside_any_chat() -> None:
    """A9: filter_input, update_state, generate_context_prompt."""
    memory = MemoryManager(max_topics=5, decay_rate=0.95)
    memory.update_state(
        memory.filter_input(
            Utterance(text="I take amlodipine once a day", language="en", now=NOW)
        )
    )
    assert "amlodipine" in memory.generate_context_prompt()
    assert MemoryManager().generate_context_prompt() == ""


@pytest.mark.parametrize(
    "settings", [{"max_topics": 0}, {"decay_rate": 0.0}, {"decay_rate": 1.5}]
)
def test_settings_are_checked(settings: dict[str, Any]) -> None:
    """A20."""
    with pytest.raises(SettingsError):
        MemoryManager(**settings)


def test_what_is_proposed_is_not_done_yet() -> None:
    """A host stores it first; only then the memory has it."""
    memory = memory_of()
    reading = memory.filter_input(
        Utterance(text="remind me at six to feed the fish", language="en", now=NOW)
    )
    (change,) = memory.propose(reading)
    assert isinstance(change, ReminderSet)
    assert not memory.pending_items
    assert memory.apply([change]) == (change,)
    assert memory.pending_items == (change.item,)


def test_what_could_not_be_stored_is_not_claimed() -> None:
    """Changed, asked or failed: nothing else (FAULTS 1)."""
    memory = memory_of()
    reading = memory.filter_input(
        Utterance(text="remind me at six to feed the fish", language="en", now=NOW)
    )
    memory.propose(reading)
    said = [answer(reading, (), memory), answer(reading, (), memory, failed=True)]
    for one in said:
        assert one is not None
        assert "could not store" in one.text
        assert "six" not in one.text


def test_the_hosts_store_is_the_truth() -> None:
    """What it holds replaces what the memory held."""
    memory = memory_of()
    say(memory, "remind me at six to feed the fish")
    memory.replace_pending([])
    assert memory.pending_items == ()


def test_rounds_and_weights() -> None:
    """A7: per round, since the last mention of each."""
    memory = memory_of()
    say(memory, "I take amlodipine")
    say(memory, "the weather is nice")
    assert memory.rounds == 2
    assert memory.weights["amlodipine"] == pytest.approx(0.95)
    assert memory.entity_map["amlodipine"].last_round == 1
    assert memory.last_conflicts == ()
    assert memory.now == NOW
    assert memory.language == "en"


def test_a_reply_is_noted_and_never_read() -> None:
    """A2: text and time only."""
    memory = memory_of()
    say(memory, "suggest a trip for the weekend")
    before = memory.entity_map
    memory.note_reply("Go to the botanical garden in Leeds.", NOW)
    assert memory.entity_map == before
    assert memory.state.last_reply is not None


def test_dumped_and_loaded_it_is_the_same() -> None:
    """A11: readable JSON, and back."""
    memory = memory_of()
    for text in (
        "I take amlodipine",
        "remind me at six to take my pills",
        "remember that my code is 6120",
    ):
        say(memory, text)
    say(memory, "I took my pills", NOW + timedelta(hours=1))
    data = json.loads(json.dumps(memory.dump()))
    other = memory_of()
    other.load(data)
    assert other.dump() == memory.dump()
    assert other.facts == memory.facts


@pytest.mark.parametrize(
    "data", [{}, {"format": 99}, {"format": 1, "state": {}}, {"format": 1, "done": [3]}]
)
def test_damaged_data_is_refused(data: dict[str, object]) -> None:
    """And nothing is changed."""
    memory = memory_of()
    say(memory, "remember that my code is 6120")
    with pytest.raises(StateFormatError):
        memory.load(data)
    assert len(memory.facts) == 1


@pytest.mark.parametrize(
    "forgetting",
    [
        ["forget my locker code"],
        ["forget everything", "yes"],
        ["forget what you know about my locker code"],
    ],
)
def test_what_is_forgotten_is_nowhere(forgetting: list[str]) -> None:
    """Not in the dump, not in the brief, not in an answer (FAULTS 11)."""
    memory = memory_of()
    say(memory, "remember that my locker code is QX6120")
    say(memory, "what is my locker code?")
    say(memory, "the weather is nice")
    for text in forgetting:
        say(memory, text)
    say(memory, "what is my locker code?")
    assert "6120" not in json.dumps(memory.dump())
    assert "6120" not in memory.generate_context_prompt()
    assert memory.facts == ()


def test_forgetting_returns_counts() -> None:
    """The counts that are spoken."""
    memory = memory_of()
    say(memory, "remember that my code is 6120")
    say(memory, "remind me at six to feed the fish")
    counts = memory.forget(Forgotten(scope=ForgetScope.ALL))
    assert (counts["facts"], counts["reminders"]) == (1, 1)
    assert memory.forget(Forgotten(scope=ForgetScope.ALL))["facts"] == 0


def test_a_guest_forgets_only_its_own_talk() -> None:
    """The household's reminders stay."""
    guest = memory_of(None)
    say(guest, "remind me at six to feed the fish")
    say(guest, "forget everything")
    (change,) = say(guest, "yes")
    assert isinstance(change, Forgotten)
    assert change.scope is ForgetScope.ABOUT
    assert [item.text for item in guest.pending_items] == ["feed the fish"]
    guest.forget(Forgotten(scope=ForgetScope.ALL))
    assert len(guest.pending_items) == 1


def test_an_open_question_is_an_object() -> None:
    """With owner, expiry and what waits for it."""
    memory = memory_of()
    say(memory, "remind me to feed the fish")
    question = memory.open_question
    assert question is not None
    assert (question.kind, question.owner) == (QuestionKind.TIME, "anna")
    assert question.expires > NOW
    assert memory.waiting is not None
    assert memory.waiting.text == "feed the fish"
    (change,) = say(memory, "at six")
    assert isinstance(change, ReminderSet)
    assert memory.waiting is None


def test_too_many_reminders_are_refused() -> None:
    """Every list has a bound."""
    memory = memory_of()
    say(memory, "remind me at six to feed the fish")
    (item,) = memory.pending_items
    memory.replace_pending([replace(item, id=str(n), text=f"x{n}") for n in range(300)])
    reading = memory.filter_input(
        Utterance(text="remind me at five to go", language="en", now=NOW)
    )
    assert memory.update_state(reading) == ()
    said = answer(reading, (), memory)
    assert said is not None
    assert "300" in said.text


def test_memory_is_bounded() -> None:
    """Hundreds of turns keep what the settings allow."""
    memory = memory_of()
    for number in range(300):
        say(
            memory,
            f"my friend Nora{number} bought a kayak number {number} in Leeds",
            NOW + timedelta(minutes=number),
        )
    assert len(memory.topic_chain) <= 5
    assert len(memory.entity_map) <= memory.settings.max_entities
    assert len(memory.state.turns) <= 20


WORDS = [
    *(
        "remind me",
        "to feed the fish",
        "at six",
        "tomorrow",
        "cancel it",
        "yes",
        "no",
        "never mind",
        "all of them",
    ),
    *(
        "what's on my list?",
        "remember that my code is 6120",
        "what is my code?",
        "forget my code",
        "forget everything",
    ),
    *(
        "in ten minutes",
        "move it to seven",
        "I took it",
        "snooze",
        "skip it",
        "the first one",
        "no, evening",
        "",
    ),
    *(
        "cancel all my reminders",
        "except the",
        "forget what I just said",
        "back to the previous topic",
    ),
]


@given(
    said=st.lists(
        st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join), max_size=8
    )
)
def test_whatever_is_said_the_answer_tells_what_changed(said: list[str]) -> None:
    """Claim of success and change of the store go together, in any order of sentences (FAULTS 1, 8, 9)."""
    memory = memory_of()
    now = NOW
    for text in said:
        now += timedelta(seconds=30)
        before = (memory.pending_items, memory.facts)
        reading = memory.filter_input(Utterance(text=text, language="en", now=now))
        committed = memory.update_state(reading)
        spoken = answer(reading, committed, memory)
        changed = before != (memory.pending_items, memory.facts)
        assert not changed or committed
        if committed:
            assert spoken is not None
            assert spoken.question is None
        if spoken is not None:
            assert spoken.text
            assert "{" not in spoken.text
        if reading.question or reading.hypothetical:
            assert not [
                change for change in committed if isinstance(change, FactStated)
            ]


@given(
    text=st.text(max_size=120), language=st.sampled_from(["en", "zh", "zh-TW", "xx"])
)
def test_no_text_is_too_strange(text: str, language: str) -> None:
    """Never raises; the brief keeps its bound."""
    memory = memory_of()
    reading = memory.filter_input(Utterance(text=text, language=language, now=NOW))
    committed = memory.update_state(reading)
    answer(reading, committed, memory)
    assert len(memory.generate_context_prompt()) <= 220
    json.dumps(memory.dump())


def test_forgetting_everything_begins_anew() -> None:
    """No round is left that tells how long one has talked."""
    memory = memory_of()
    say(memory, "I take amlodipine once a day")
    say(memory, "forget everything")
    say(memory, "yes")
    assert memory.rounds == 0
    assert memory.entity_map == {}
    assert memory.topic_chain == ()
