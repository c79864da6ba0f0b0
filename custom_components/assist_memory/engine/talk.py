"""What a talk has in hand beside the state: the open question, what "it" means, the last statement, what was done."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from .changes import OpenQuestion, QuestionKind
from .facts import scattered
from .kept import Fact, PendingItem
from .language import LanguagePack
from .models import Reading
from .outcome import Outcome
from .pending import is_said
from .questions import is_valid
from .times import is_after, since

MOST_DONE = 50
"""So many deeds are kept to answer "did I take my tablets?"."""
MOST_MADE = 20
FOCUS_LASTS = timedelta(minutes=5)
"""How long "it" means the reminder that was just set or changed."""
SAID_LASTS = timedelta(minutes=30)
"""How long "it" means the reminder that was just announced."""
STATEMENT_LASTS = timedelta(minutes=5)
"""How long "remember that" means the last statement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """The last sentence that stated something and came to nothing else."""

    text: str
    turn: str
    time: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """The reminder that was set or changed last."""

    id: str
    time: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The short-lived side of a working memory; bounded, and never saved but for what was done."""

    question: OpenQuestion | None = None
    focus: Focus | None = None
    statement: Statement | None = None
    done: tuple[Fact, ...] = ()
    made: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Turn → ids of the reminders that it set."""


def begun(talk: Talk, reading: Reading) -> Talk:
    """Return the talk at the start of a turn: a question that has expired is gone."""
    question = talk.question
    if question is None or not is_after(reading.utterance.now, question.expires):
        return talk
    return replace(talk, question=None)


def question_for(talk: Talk, reading: Reading, owner: str) -> OpenQuestion | None:
    """Return the open question if who speaks now, where and when, may answer it."""
    question = talk.question
    return question if question and is_valid(question, reading, owner) else None


def went_on(talk: Talk, outcome: Outcome | None, heard: Reading, turn: str) -> Talk:
    """Return the talk after a sentence: its question, and the statement that "that" may mean."""
    if outcome is None:
        # A yes or no that did not come is over with the next sentence; a missing time may still come.
        over = talk.question is not None and talk.question.kind is QuestionKind.CONFIRM
        talk = replace(talk, question=None) if over else talk
    elif outcome.question is not None or outcome.dropped:
        talk = replace(talk, question=outcome.question)
    states = heard.text and not (
        heard.question or heard.hypothetical or heard.commands or outcome
    )
    if not states:
        return talk
    return replace(
        talk, statement=Statement(text=heard.text, turn=turn, time=heard.utterance.now)
    )


def focused(talk: Talk, items: Sequence[PendingItem], now: datetime) -> str | None:
    """Return the reminder that "it" means: the one said, set or changed last, if that is recent."""
    recent = [
        (item.announced_at, item.id)
        for item in items
        if item.announced_at
        and is_said(item)
        and since(item.announced_at, now) <= SAID_LASTS
    ]
    if talk.focus is not None and since(talk.focus.time, now) <= FOCUS_LASTS:
        recent.append((talk.focus.time, talk.focus.id))
    return max(recent, key=lambda pair: pair[0].timestamp())[1] if recent else None


def statement_at(talk: Talk, now: datetime) -> str:
    """Return the last statement, if it is recent."""
    said = talk.statement
    return said.text if said and since(said.time, now) <= STATEMENT_LASTS else ""


def with_focus(talk: Talk, id_: str, now: datetime) -> Talk:
    """Return the talk with another reminder in hand."""
    return replace(talk, focus=Focus(id=id_, time=now))


def with_made(talk: Talk, turn: str, id_: str) -> Talk:
    """Return the talk with a reminder noted that a turn has set."""
    made = {**talk.made, turn: (*talk.made.get(turn, ()), id_)}
    return replace(talk, made=dict(list(made.items())[-MOST_MADE:]))


def with_done(
    talk: Talk, item: PendingItem, turn: str, now: datetime, pack: LanguagePack
) -> Talk:
    """Return the talk with a deed noted: what a reminder was for."""
    deed = Fact(
        id=f"{item.id}@{turn}",
        text=item.text,
        time=now,
        keywords=scattered(item.text, pack),
        source_ref=turn,
    )
    return replace(talk, done=(*talk.done, deed)[-MOST_DONE:])


def forget(talk: Talk, ids: Iterable[str]) -> Talk:
    """Return the talk without what came of these turns, facts and reminders."""
    gone = frozenset(ids)
    statement = talk.statement
    return Talk(
        statement=None if statement and statement.turn in gone else statement,
        done=tuple(
            deed
            for deed in talk.done
            if deed.source_ref not in gone and deed.id.partition("@")[0] not in gone
        ),
        made={turn: ids for turn, ids in talk.made.items() if turn not in gone},
    )


def waiting(question: OpenQuestion | None, language: str) -> PendingItem | None:
    """Return the reminder that a question about its time holds up, or None; it is in no store."""
    if question is None or not question.text or not question.candidates:
        return None
    return PendingItem(
        id=question.candidates[0],
        owner=question.owner,
        text=question.text,
        created=question.asked,
        language=language,
        satellite=question.satellite,
    )
