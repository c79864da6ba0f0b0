"""Reminders that are there already: called off, moved, snoozed, done, passed over. Always in place, by id."""

from dataclasses import replace
from datetime import datetime, timedelta

from . import pending
from .changes import (
    OpenQuestion,
    QuestionKind,
    ReminderCancelled,
    ReminderChange,
    ReminderDone,
    ReminderMoved,
    ReminderSnoozed,
)
from .command_words import command_words
from .fact_words import fact_words
from .facts import said_back
from .kept import PendingItem
from .models import Command, CommandKind, Reading, TimeKind, TimeReading, Unclear
from .moving import in_series, names_day, new_time, new_words
from .outcome import Outcome, View, asked
from .picking import by_words, covered, is_pronoun, picked, selected
from .text import fold_in, tokens
from .times import elapsed, is_after, read_time, since

SNOOZE = timedelta(minutes=10)
"""How long a snooze lasts when no time is said."""
_SOON = timedelta(hours=24)
"""What is due later than this is not what somebody has just done."""


def cancel(command: Command, reading: Reading, view: View) -> Outcome | None:
    """Propose to call off one reminder; ask which of several; all of them need a yes to their number."""
    if command.everything:
        return _cancel_all(command, reading, view)
    items = picked(command, reading, _raw(command, reading), view)
    return chosen(command, items, reading, view)


def _cancel_all(command: Command, reading: Reading, view: View) -> Outcome | None:
    items = selected(command, reading.time, view)
    if not items:
        return Outcome(code="list_none")
    kept = by_words(items, command.keep, view.pack) if command.keep else ()
    if command.keep is not None and not kept:
        # "All except", and then nothing that fits: nothing may go.
        question = asked(view, reading, QuestionKind.WHICH, CommandKind.CANCEL)
        return Outcome(code="ask_except", question=question, items=items)
    return confirm_all(tuple(item for item in items if item not in kept), reading, view)


def confirm_all(
    items: tuple[PendingItem, ...], reading: Reading, view: View
) -> Outcome:
    """Ask for a yes that names the number before several reminders go."""
    if not items:
        return Outcome(code="list_none")
    ids = tuple(item.id for item in items)
    question = asked(
        view, reading, QuestionKind.CONFIRM, CommandKind.CANCEL, candidates=ids
    )
    return Outcome(
        code="confirm_cancel", question=question, items=items, count=len(items)
    )


def chosen(
    command: Command,
    items: tuple[PendingItem, ...],
    reading: Reading,
    view: View,
    time: TimeReading | None = None,
) -> Outcome | None:
    """Go on with the one reminder that fits; with none say so, with several ask which."""
    if not items:
        if not command.sure:
            return None
        text = said_back(command.object, view.pack)
        return Outcome(
            code="no_such" if text else "list_none" if not view.items else "none_then",
            text=text,
        )
    if len(items) == 1:
        return applied(command.kind, items[0], reading, view, time)
    question = asked(
        view,
        reading,
        QuestionKind.WHICH,
        command.kind,
        text=command.object,
        candidates=tuple(item.id for item in items),
        time=time,
    )
    return Outcome(code="ask_which", question=question, items=items)


def applied(
    kind: CommandKind,
    item: PendingItem,
    reading: Reading,
    view: View,
    time: TimeReading | None = None,
) -> Outcome:
    """Propose the change of one reminder."""
    if kind is CommandKind.MOVE:
        return _moved(item, time or reading.time, reading, view)
    change = _change(kind, item, view.now, time)
    code = {
        ReminderCancelled: "cancelled",
        ReminderDone: "done_next" if item.rule else "done",
        ReminderMoved: "skipped",
        ReminderSnoozed: "snoozed",
    }[type(change)]
    return Outcome(code=code, changes=(change,), items=(change.item,), dropped=True)


def _change(
    kind: CommandKind, item: PendingItem, now: datetime, time: TimeReading | None
) -> ReminderChange:
    if kind is CommandKind.DONE:
        return ReminderDone(item=pending.done(item, now), before=item)
    if kind is CommandKind.SNOOZE:
        until = time.due if time and time.due else elapsed(now, SNOOZE.total_seconds())
        return ReminderSnoozed(item=pending.snooze(item, until), before=item)
    if kind is CommandKind.SKIP and item.rule:
        return ReminderMoved(item=pending.skip(item, now), before=item)
    return ReminderCancelled(item=pending.cancel(item))


def skip(command: Command, reading: Reading, view: View) -> Outcome | None:
    """Propose to pass over the coming occurrence of a series; a one-shot is called off."""
    raw = _raw(command, reading) or _time_words(reading)
    items = picked(command, reading, raw, view)
    if (
        len(items) == 1
        and items[0].rule
        and _is_later(items[0], read_time(raw, view.now, view.pack))
    ):
        return Outcome(code="only_next", items=items)
    return chosen(command, items, reading, view)


def _is_later(item: PendingItem, time: TimeReading) -> bool:
    """Tell whether a day is meant on which another than the coming occurrence falls."""
    if time.due is None or item.due is None:
        return False
    return item.due.astimezone(time.due.tzinfo).date() < time.due.date()


def snooze(command: Command, reading: Reading, view: View) -> Outcome | None:
    """Propose to say again what was just said."""
    said = _said(view)
    if not said:
        return (
            Outcome(code="nothing_said")
            if reading.time.spans or command.object
            else None
        )
    time = reading.time
    if time.kind is TimeKind.DURATION and time.duration:
        time = replace(time, due=view.now + time.duration)
    if time.spans and time.due is None:
        return Outcome(
            code="ask_time",
            question=_ask_again(said[-1], reading, view),
            text=said[-1].text,
        )
    return applied(CommandKind.SNOOZE, said[-1], reading, view, time)


def _ask_again(item: PendingItem, reading: Reading, view: View) -> OpenQuestion:
    return asked(
        view,
        reading,
        QuestionKind.TIME,
        CommandKind.SNOOZE,
        candidates=(item.id,),
        text=item.text,
    )


def said_last(view: View) -> PendingItem | None:
    """Return the reminder that was said last and not answered, if it is what "it" means now."""
    return next((item for item in _said(view) if item.id == view.focus), None)


def _said(view: View) -> list[PendingItem]:
    """Return the reminders that were said and not answered, the newest last."""
    said = [item for item in view.items if pending.is_said(item) and item.announced_at]
    return sorted(said, key=lambda item: item.announced_at or view.now)


def done(command: Command, reading: Reading, view: View) -> Outcome | None:
    """Propose that what a reminder was for has been done."""
    folded = fold_in(reading.text, view.pack)
    denied = command_words(view.pack).undone.search(folded) or fact_words(
        view.pack
    ).negative.search(folded)
    named = command.target is not None and not fact_words(
        view.pack
    ).first_person.search(folded)
    if denied or not (named or _is_past(folded, view)):
        return None
    if is_pronoun(command.object, view.pack):
        said = _said(view)
        return applied(CommandKind.DONE, said[-1], reading, view) if said else None
    near = tuple(
        item for item in view.items if pending.is_said(item) or _is_near(item, view.now)
    )
    items = covered(near, reading.text, view.pack)
    if not items and named:
        items = (
            by_words(near, command.object, view.pack) if len(command.object) > 1 else ()
        )
    return chosen(command, items, reading, view) if items else None


def _is_past(folded: str, view: View) -> bool:
    """Tell whether the sentence says that something has happened ("took", "already")."""
    return not command_words(view.pack).past.isdisjoint(tokens(folded))


def _is_near(item: PendingItem, now: datetime) -> bool:
    return item.due is None or since(now, item.due) <= _SOON


def move(command: Command, reading: Reading, view: View) -> Outcome | None:
    """Propose another time for a reminder."""
    time = new_words(command, reading, view)
    raw = _raw(command, reading)
    items = picked(command, reading, raw, view)
    if not command.sure and command.target is None:
        if not time.spans:
            return None
        items = tuple(item for item in items if item.id == view.focus)
    if command.when and not time.spans:
        return None
    return chosen(command, items, reading, view, time)


def _moved(
    item: PendingItem, time: TimeReading, reading: Reading, view: View
) -> Outcome:
    """Propose the new time: what is not said of it stays as it was."""
    new = new_time(item, time, reading, view) if time.spans else time
    if new.due is None or new.unclear is not None or not is_after(new.due, view.now):
        question = asked(
            view,
            reading,
            QuestionKind.TIME,
            CommandKind.MOVE,
            candidates=(item.id,),
            text=item.text,
        )
        past = new.due is not None or new.unclear is Unclear.PAST
        code = "ask_past" if past else "ask_time"
        return Outcome(code=code, question=question, text=item.text)
    changed = (
        in_series(item, new)
        if item.rule and not new.rule and not names_day(time)
        else pending.move(item, new)
    )
    if pending.same_moment(changed.due, item.due) and changed.rule == item.rule:
        return Outcome(code="set_same", items=(item,), dropped=True)
    change = ReminderMoved(item=changed, before=item)
    return Outcome(code="moved", changes=(change,), items=(changed,), dropped=True)


def _raw(command: Command, reading: Reading) -> str:
    """Return what was said of the reminder with the time words in it."""
    if command.target is not None:
        return command.target.of(reading.text)
    return "" if command.kind is CommandKind.MOVE else _time_words(reading)


def _time_words(reading: Reading) -> str:
    return " ".join(span.of(reading.text) for span in reading.time.spans)
