"""The answer to a question that code has asked: "at six", "the pasta one", "yes", "never mind" (DESIGN section 5)."""

from collections.abc import Callable

from . import pending
from .changes import OpenQuestion, QuestionKind, ReminderCancelled
from .changing import applied, confirm_all
from .command_words import command_words
from .facts import indexed, keywords
from .kept import PendingItem
from .models import CommandKind, Reading, Span, TimeKind, TimeReading
from .outcome import Outcome, View
from .picking import at_time, by_place, by_words
from .remembering import confirm_rest, forgotten_about, forgotten_all
from .rights import introduced
from .setting import set_reminder, timed_or_asked
from .text import fold_in, has_han, tokens
from .times import cut, is_after, merge_answer

_MOST_WORDS = 4
"""A sentence with more words beside the time is not an answer to "when?"."""
_MOST_HAN = 5
_DROPPING = frozenset({CommandKind.NEVER_MIND, CommandKind.NO})


def is_valid(question: OpenQuestion, reading: Reading, owner: str) -> bool:
    """Tell whether a question is still open for who speaks now, where and when."""
    utterance = reading.utterance
    elsewhere = question.satellite is not None and utterance.satellite not in {
        None,
        question.satellite,
    }
    return (
        question.owner == owner
        and not elsewhere
        and not is_after(utterance.now, question.expires)
    )


def answered(reading: Reading, view: View) -> Outcome | None:
    """Return what comes of an answer; None: the sentence is none, and the question stays open."""
    question = view.question
    if question is None:
        return None
    if settled := _settled(question, reading, view):
        return settled
    if question.kind is QuestionKind.CONFIRM:
        return None
    return _HANDLERS[_form(question)](question, reading, view)


def _settled(question: OpenQuestion, reading: Reading, view: View) -> Outcome | None:
    """Return what comes of a yes, a no or a "never mind"."""
    kinds = {command.kind for command in reading.commands}
    repeats = _repeats(reading, question)
    confirms = question.kind is QuestionKind.CONFIRM
    if confirms and (CommandKind.YES in kinds or repeats):
        return _confirmed(question, view)
    if kinds & _DROPPING or repeats:
        return Outcome(code="kept" if confirms else "dropped", dropped=True)
    return None


def _form(question: OpenQuestion) -> str:
    """Return what kind of answer is waited for."""
    if question.kind is not QuestionKind.WHICH:
        return "time"
    if question.command is CommandKind.REMIND:
        return "time" if question.text else "text"
    return "item" if question.candidates else "rest"


def _repeats(reading: Reading, question: OpenQuestion) -> bool:
    """Tell whether a bare "cancel" speaks of the request that is still open, or says yes to a cancelling."""
    pointing = any(
        command.kind is CommandKind.CANCEL and not command.sure and not command.object
        for command in reading.commands
    )
    confirming = (
        question.kind is QuestionKind.CONFIRM
        and question.command is not CommandKind.CANCEL
    )
    return (
        pointing
        and not confirming
        and question.command in {CommandKind.REMIND, CommandKind.CANCEL}
    )


def _confirmed(question: OpenQuestion, view: View) -> Outcome:
    if question.command is CommandKind.INTRODUCE:
        return introduced(question)
    if question.command is CommandKind.FORGET_ALL:
        return forgotten_all(question.text, view)
    if question.command is CommandKind.FORGET_ABOUT:
        return forgotten_about(question.text, view)
    items = tuple(item for item in view.items if item.id in question.candidates)
    changes = tuple(ReminderCancelled(item=pending.cancel(item)) for item in items)
    code = "cancelled_all" if len(items) > 1 else "cancelled"
    return Outcome(
        code=code if items else "list_none",
        changes=changes,
        items=items,
        count=len(items),
        dropped=True,
    )


def _kept(question: OpenQuestion, reading: Reading, view: View) -> Outcome | None:
    """Go on with "all except": the answer names what is to stay."""
    if reading.commands:
        return None
    if question.command is CommandKind.FORGET_ALL:
        return confirm_rest(reading.text, reading, view)
    kept = by_words(view.items, reading.text, view.pack)
    left = tuple(item for item in view.items if item not in kept)
    return confirm_all(left, reading, view) if kept else None


def _named(question: OpenQuestion, reading: Reading, view: View) -> Outcome | None:
    """Go on with a reminder that had no text: the answer is the text."""
    if (
        any(command.sure for command in reading.commands)
        or reading.question
        or not reading.text
    ):
        return None
    lead = command_words(view.pack).after.match(fold_in(reading.text, view.pack))
    start = lead.end() if lead else 0
    spans = [
        Span(max(s.start - start, 0), s.end - start)
        for s in reading.time.spans
        if s.end > start
    ]
    text = pending.bounded(cut(reading.text[start:], spans))
    time = reading.time if reading.time.spans else question.time or TimeReading()
    return timed_or_asked(text, time, reading, view) if text else None


def _which(question: OpenQuestion, reading: Reading, view: View) -> Outcome | None:
    items = tuple(item for item in view.items if item.id in question.candidates)
    if any(
        command.sure and command.kind not in {question.command, CommandKind.DONE}
        for command in reading.commands
    ):
        return None
    folded = fold_in(reading.text, view.pack)
    if question.command is CommandKind.CANCEL and command_words(
        view.pack
    ).all_words.search(folded):
        changes = tuple(ReminderCancelled(item=pending.cancel(item)) for item in items)
        return Outcome(
            code="cancelled_all",
            changes=changes,
            items=items,
            count=len(items),
            dropped=True,
        )
    item = _chosen(items, reading, view)
    return (
        applied(question.command, item, reading, view, question.time) if item else None
    )


def _chosen(
    items: tuple[PendingItem, ...], reading: Reading, view: View
) -> PendingItem | None:
    """Return the one reminder that an answer names by its words, its time or its place."""
    told_apart = _telling(items, reading.text, view)
    if len(told_apart) == 1:
        return told_apart[0]
    if place := by_place(items, reading.text, view.pack):
        return place
    timely = at_time(items, reading.time, view.now) if reading.time.spans else ()
    return timely[0] if len(timely) == 1 else None


def _telling(
    items: tuple[PendingItem, ...], words: str, view: View
) -> tuple[PendingItem, ...]:
    said = keywords(words, view.pack)
    scored = [(len(said & indexed(item.text, view.pack)), item) for item in items]
    best = max((score for score, _ in scored), default=0)
    return tuple(item for score, item in scored if best and score == best)


def _timed(question: OpenQuestion, reading: Reading, view: View) -> Outcome | None:
    """Go on with a reminder whose time was asked for."""
    if any(command.sure and command.kind in _OWN for command in reading.commands):
        return None
    untimed = (
        command_words(view.pack).untimed.search(fold_in(reading.text, view.pack))
        is not None
    )
    if not untimed and not is_mostly_time(reading):
        return None
    time = reading.time
    if question.time is not None and question.time.spans:
        time = merge_answer(question.time, time, view.now)
    if question.command is not CommandKind.REMIND:
        item = view.item(question.candidates[0]) if question.candidates else None
        return applied(question.command, item, reading, view, time) if item else None
    if untimed:
        return set_reminder(
            question.text, TimeReading(), reading, view, id_=question.candidates[0]
        )
    if time.due is None or time.unclear is not None or time.kind is TimeKind.DURATION:
        return timed_or_asked(question.text, time, reading, view)
    return set_reminder(question.text, time, reading, view, id_=question.candidates[0])


_OWN = frozenset(
    {
        *(
            CommandKind.REMIND,
            CommandKind.REMEMBER,
            CommandKind.LIST,
            CommandKind.RECALL,
            CommandKind.CANCEL,
        ),
        *(
            CommandKind.FORGET_ALL,
            CommandKind.FORGET_ABOUT,
            CommandKind.FORGET_LAST,
            CommandKind.SKIP,
        ),
    }
)
"""Commands that stand for themselves and answer no question about a time."""


def is_mostly_time(reading: Reading) -> bool:
    """Tell whether a sentence is a time and hardly anything else."""
    if not reading.time.spans:
        return False
    rest = cut(reading.text, reading.time.spans)
    return len(tokens(rest)) <= (_MOST_HAN if has_han(rest) else _MOST_WORDS)


_HANDLERS: dict[str, Callable[[OpenQuestion, Reading, View], Outcome | None]] = {
    "time": _timed,
    "text": _named,
    "item": _which,
    "rest": _kept,
}
