"""Another time for a reminder: what is not said of it stays as it was ("move it to Friday", "no, evening")."""

from dataclasses import replace

from .command_words import command_words
from .kept import PendingItem, Status
from .models import Command, Reading, TimeKind, TimeReading
from .outcome import View
from .text import fold_in
from .times import merge_answer, read_time


def new_words(command: Command, reading: Reading, view: View) -> TimeReading:
    """Return the time that is new: not the one by which the reminder is told from others."""
    if command.when:
        words = command.when
    elif command.target is not None:
        start, end = command.target.start, command.target.end
        words = f"{reading.text[:start]} {reading.text[end:]}"
    elif command.sure:
        return reading.time
    else:
        # "No, evening": a part of the day counts by itself, once the words before it are gone.
        words = reading.text[command.span.end :]
    time = read_time(words, view.now, view.pack)
    if time.spans:
        return time
    return read_time(
        command_words(view.pack).as_time.format(words=words), view.now, view.pack
    )


def new_time(
    item: PendingItem, time: TimeReading, reading: Reading, view: View
) -> TimeReading:
    """Return the new time of a reminder, completed by its old one."""
    if time.rule or item.due is None:
        return time
    if time.lead is not None and time.due is None:
        return TimeReading(kind=TimeKind.INSTANT, due=item.due - time.lead)
    if time.kind is TimeKind.DURATION and time.duration:
        earlier = command_words(view.pack).earlier.search(
            fold_in(reading.text, view.pack)
        )
        due = item.due - time.duration if earlier else item.due + time.duration
        return TimeReading(kind=TimeKind.INSTANT, due=due)
    if names_day(time):
        return _with_clock(item, time, view)
    kind = TimeKind.DATE if item.date_only else TimeKind.INSTANT
    return merge_answer(TimeReading(kind=kind, due=item.due), time, view.now)


def _with_clock(item: PendingItem, time: TimeReading, view: View) -> TimeReading:
    """Return the new day with the clock of the old one, where only a day is named."""
    if (
        time.kind is not TimeKind.DATE
        or time.due is None
        or item.due is None
        or item.date_only
    ):
        return time
    old = item.due.astimezone(view.now.tzinfo)
    due = time.due.replace(hour=old.hour, minute=old.minute, second=old.second)
    return TimeReading(kind=TimeKind.INSTANT, due=due)


def names_day(time: TimeReading) -> bool:
    """Tell whether a time names its day."""
    return (
        getattr(time.said, "day", None) is not None
        or getattr(time.said, "offset", None) is not None
    )


def in_series(item: PendingItem, new: TimeReading) -> PendingItem:
    """Return a whole series at another time of day."""
    if item.anchor is None or new.due is None:
        return item
    anchor = item.anchor.replace(
        hour=new.due.hour, minute=new.due.minute, second=new.due.second
    )
    return replace(
        item,
        due=new.due,
        anchor=anchor,
        status=Status.PENDING,
        announced_at=None,
        last_due=None,
    )
