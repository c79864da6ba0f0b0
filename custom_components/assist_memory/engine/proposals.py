"""From a reading to what it asks for: proposed changes, a question back, or something to tell. Nothing is done yet.

A turn ends in one of three ways: something is changed, something is asked, or the sentence is refused or told. What
only looks like a command ("cancel the milk" with no such reminder) is left to the model.
"""

from .changes import QuestionKind
from .changing import applied, cancel, done, move, said_last, skip, snooze
from .command_words import command_words
from .commands import without_obligation
from .facts import said_back
from .models import Command, CommandKind, Reading, TimeReading
from .outcome import Outcome, View, asked
from .pending import bounded
from .picking import selected
from .questions import answered, is_mostly_time
from .remembering import (
    correct,
    forget_about,
    forget_all,
    forget_last,
    recall_asked,
    recall_unasked,
    remember,
)
from .rights import Proposal, introduce, within_rights
from .setting import set_reminder, timed_or_asked
from .text import fold_in

MAX_ITEMS = 300
"""Open reminders of one owner; more are refused."""


def propose(reading: Reading, view: View) -> Outcome | None:
    """Return what a sentence comes to; None: it is ordinary talk, and the model answers."""
    if view.question is not None and (outcome := answered(reading, view)):
        return outcome
    for command in reading.commands:
        proposal = _PROPOSALS[command.kind]
        if outcome := within_rights(proposal, command, reading, view):
            return outcome
    if (
        not reading.text
        or reading.hypothetical
        or any(command.sure for command in reading.commands)
    ):
        return None
    if reading.question:
        return recall_unasked(reading, view)
    return refine(reading, view) or correct(reading, view)


def remind(command: Command, reading: Reading, view: View) -> Outcome | None:
    """Propose a reminder, or ask for what is missing of it."""
    text = _text_of(command, view)
    if len(view.items) >= MAX_ITEMS:
        return Outcome(code="too_many", count=MAX_ITEMS)
    if not text and reading.time.due is not None and said_last(view):
        # "In ten minutes, please", just after something was said.
        return snooze(command, reading, view)
    if not text:
        question = asked(
            view, reading, QuestionKind.WHICH, command.kind, time=reading.time
        )
        return Outcome(code="ask_what", question=question)
    if command.untimed:
        return set_reminder(text, TimeReading(), reading, view)
    return timed_or_asked(text, reading.time, reading, view)


def _text_of(command: Command, view: View) -> str:
    """Return the reminder's text; "remind me of it" is about what was said before."""
    if command.object or not view.statement:
        return bounded(command.object)
    return bounded(without_obligation(view.statement, view.pack))


def list_items(command: Command, reading: Reading, view: View) -> Outcome | None:
    """Tell what is open: everything, what falls into a time, or what is about something."""
    items = selected(command, reading.time, view)
    if not items and not command.sure:
        return None
    if not items:
        text = said_back(command.object, view.pack)
        return Outcome(
            code=_none_code(command, reading), text=text, count=len(view.items)
        )
    ordered = sorted(
        items, key=lambda item: (item.due is None, item.due or item.created)
    )
    if command_words(view.pack).next_words.search(
        fold_in(command.span.of(reading.text), view.pack)
    ):
        ordered = ordered[:1]
    return Outcome(code="list", items=tuple(ordered), count=len(ordered))


def _none_code(command: Command, reading: Reading) -> str:
    if command.object:
        return "no_such"
    return "list_none_then" if reading.time.spans else "list_none"


def never_mind(_command: Command, _reading: Reading, view: View) -> Outcome | None:
    """Drop an open question."""
    return Outcome(code="dropped", dropped=True) if view.question else None


def back(_command: Command, _reading: Reading, view: View) -> Outcome | None:
    """Return to the topic before the present one."""
    chain = sorted(view.state.topic_chain, key=lambda topic: topic.last_round)
    if len(chain) < 2:
        return Outcome(code="back_none")
    return Outcome(code="back", text=chain[-2].text)


def refine(reading: Reading, view: View) -> Outcome | None:
    """Propose the time of day for a reminder that was just set for a day ("at ten")."""
    item = view.item(view.focus)
    if (
        item is None
        or not item.date_only
        or reading.time.due is None
        or not is_mostly_time(reading)
    ):
        return None
    return applied(CommandKind.MOVE, item, reading, view)


def _nothing(_command: Command, _reading: Reading, _view: View) -> Outcome | None:
    return None


_PROPOSALS: dict[CommandKind, Proposal] = {
    CommandKind.REMIND: remind,
    CommandKind.LIST: list_items,
    CommandKind.CANCEL: cancel,
    CommandKind.MOVE: move,
    CommandKind.SNOOZE: snooze,
    CommandKind.DONE: done,
    CommandKind.SKIP: skip,
    CommandKind.REMEMBER: remember,
    CommandKind.RECALL: recall_asked,
    CommandKind.FORGET_LAST: forget_last,
    CommandKind.FORGET_ABOUT: forget_about,
    CommandKind.FORGET_ALL: forget_all,
    CommandKind.INTRODUCE: introduce,
    CommandKind.BACK: back,
    CommandKind.NEVER_MIND: never_mind,
    CommandKind.YES: _nothing,
    CommandKind.NO: _nothing,
}
