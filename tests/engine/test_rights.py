"""What is for everyone, what a person's own word is enough for, and getting to know somebody."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from assist_memory import (
    Change,
    FactReplaced,
    FactStated,
    Forgotten,
    MemoryManager,
    PendingItem,
    QuestionKind,
    ReminderCancelled,
    ReminderSet,
    SpeakerMet,
    Utterance,
    answer,
)

NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)
WORD = "what is personal I keep, tell and change only when I know who is speaking"


class Said:
    """A memory that is talked to."""

    def __init__(self, owner: str | None, claimed: str | None = None) -> None:
        self.memory = MemoryManager(owner=owner, claimed=claimed)
        self.changes: Sequence[Change] = ()

    def __call__(self, text: str, language: str = "en") -> str:
        """Say something and return what code answers, empty if it leaves it to the model."""
        utterance = Utterance(text=text, language=language, now=NOW)
        reading = self.memory.filter_input(utterance)
        self.changes = self.memory.update_state(reading)
        said = answer(reading, self.changes, self.memory)
        return said.text if said else ""


def bens(text: str = "call the vet") -> PendingItem:
    """Return a reminder that Ben has set elsewhere."""
    due = NOW.replace(hour=18)
    return PendingItem(id="r1", owner="ben", text=text, created=NOW, due=due)


@pytest.mark.parametrize(
    ("text", "language", "fact", "said"),
    [
        (
            "remember for all of us that the key is under the pot",
            "en",
            "the key is under the pot",
            "I'll remember for all of you that the key is under the pot",
        ),
        (
            "for everyone, remember that the key is under the pot",
            "en",
            "the key is under the pot",
            "for all of you",
        ),
        (
            "remember for the whole family: the key is under the pot",
            "en",
            "the key is under the pot",
            "for all of you",
        ),
        ("大家都记住，钥匙在花盆下面", "zh", "钥匙在花盆下面", "替大家记住了"),
        ("帮大家记住钥匙在花盆下面", "zh", "钥匙在花盆下面", "替大家记住了"),
    ],
)
@pytest.mark.parametrize("owner", ["anna", None])
def test_a_fact_for_everyone(
    owner: str | None, text: str, language: str, fact: str, said: str
) -> None:
    """Whoever tells it: it is among what is everyone's, and nowhere else."""
    say = Said(owner)
    assert said in say(text, language)
    (change,) = say.changes
    assert isinstance(change, FactStated)
    assert change.shared
    assert [one.text for one in say.memory.shared_facts] == [fact]
    assert not say.memory.facts


def test_a_guests_words_are_for_nobody_else() -> None:
    """Where guests are, somebody unknown leaves nothing behind."""
    say = Said(None)
    say.memory.may_share = False
    assert "keep nothing personal" in say("remember for all of us that Gus is great")
    assert not say.memory.shared_facts


def test_what_is_personal_comes_first() -> None:
    """And what is everyone's is told where nothing personal fits."""
    say = Said("anna")
    say("remember for all of us that the umbrella is in the hall")
    say("remember for all of us that the ladder is in the cellar")
    say("remember that my umbrella is in the office")
    assert "office" in say("where is my umbrella?")
    assert "cellar" in say("where is the ladder?")


def test_somebody_unknown_hears_what_is_everyones() -> None:
    """It is readable for all; changing it needs somebody who is known."""
    anna, guest = Said("anna"), Said(None)
    anna("remember for all of us that the ladder is in the cellar")
    guest.memory.replace_shared(anna.memory.shared_facts)
    assert "cellar" in guest("what do you know about the ladder?")
    guest("forget the ladder")
    assert guest.memory.shared_facts == anna.memory.shared_facts


def test_what_is_everyones_is_corrected_and_forgotten() -> None:
    """A later fact of the same subject replaces it; forgetting reaches it."""
    say = Said("anna")
    say("remember for all of us that the gate code is 1122")
    assert "3344" in say("remember for all of us that the gate code is 3344")
    (change,) = say.changes
    assert isinstance(change, FactReplaced)
    assert change.shared
    assert len(say.memory.shared_facts) == 1
    say("forget what I said about the gate code")
    assert any(isinstance(one, Forgotten) for one in say.changes)
    assert not say.memory.shared_facts


@pytest.mark.parametrize(
    "text",
    [
        "remember that my locker is 12",
        "what do you know about me?",
        "what do you remember about my locker?",
        "forget everything you know about me",
        "forget what I said about the vet",
        "cancel the vet reminder",
        "move the vet reminder to seven",
    ],
)
def test_a_persons_own_word_is_not_enough(text: str) -> None:
    """For what is personal: nothing is told, kept, changed or forgotten."""
    say = Said(None, claimed="ben")
    say.memory.replace_pending([bens()])
    assert WORD in say(text)
    assert not say.changes
    assert say.memory.open_question is None
    assert "locker" not in str(say.memory.dump())


def test_a_persons_own_word_is_enough_for_reminders() -> None:
    """They are added and heard; what was set in this talk may be changed in it."""
    say = Said(None, claimed="ben")
    say.memory.replace_pending([bens()])
    assert "call the vet" in say("what are my reminders?")
    say("remind me tomorrow at six to feed the fish")
    (change,) = say.changes
    assert isinstance(change, ReminderSet)
    assert change.item.owner == "ben"
    say("cancel the fish")
    assert isinstance(say.changes[0], ReminderCancelled)


@pytest.mark.parametrize(
    ("text", "yes", "language", "name"),
    [
        ("I'm Carl, remember me", "yes", "en", "Carl"),
        ("我是小李，记住我", "好的", "zh", "小李"),
    ],
)
def test_somebody_is_met_after_a_yes(
    text: str, yes: str, language: str, name: str
) -> None:
    """The question comes first, and a no is heeded."""
    say = Said(None)
    assert name in say(text, language)
    question = say.memory.open_question
    assert question is not None
    assert question.kind is QuestionKind.CONFIRM
    assert not say.changes
    say(yes, language)
    assert say.changes == (SpeakerMet(name=name),)


def test_nobody_is_met_after_a_no() -> None:
    """Nor by an answer to something else."""
    say = Said(None)
    say("I'm Carl, remember me")
    say("no")
    assert not say.changes
    say("yes")
    assert not say.changes


def test_who_is_known_is_not_met_again() -> None:
    """Neither whoever speaks nor a name that is taken."""
    assert Said("anna")("I'm Anna, remember me") == "I know you already, Anna."
    say = Said(None)
    say.memory.speakers = frozenset({"carl"})
    assert say("I'm Carl, remember me") == "I know you already, Carl."
    say.memory.may_share = False
    assert "guests" in say("I'm Dora, remember me")


def test_the_statement_before_may_be_everyones() -> None:
    """A fact that was for all keeps its owner apart from a like one of one's own."""
    say = Said("anna")
    say("remember that the gate code is 1122")
    say("remember for all of us that the gate code is 3344")
    assert [one.text for one in say.memory.facts] == ["the gate code is 1122"]
    (shared,) = say.memory.shared_facts
    assert replace(shared, id="").text == "the gate code is 3344"
