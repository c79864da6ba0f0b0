"""An open question about time and its answer, joined to one reading; also repairs ("no, in the evening")."""

from dataclasses import fields, replace
from datetime import date, datetime

from ..models import TimeKind, TimeReading
from .atoms import Clock, Day
from .calendar import days_of
from .clock import DayMoments
from .resolve import resolve
from .sentence import Request

_USUAL = DayMoments()


def merge_answer(
    open: TimeReading,  # noqa: A002 - the name of the contract
    answer: TimeReading,
    now: datetime,
    moments: DayMoments = _USUAL,
) -> TimeReading:
    """Return what was open with the answer laid over it: what it names wins, the rest stays. Spans are the answer's."""
    if answer.kind is TimeKind.NONE:
        return open
    said, more = _request_of(open, now), _request_of(answer, now)
    if said is None or more is None or more.offset is not None or more.every:
        return answer
    joined = _joined(said, more, now.date())
    return replace(resolve(joined, now, moments), spans=answer.spans, said=joined)


def _request_of(reading: TimeReading, now: datetime) -> Request | None:
    """Return what was said; of a stored moment its day and time."""
    if isinstance(reading.said, Request):
        return reading.said
    if reading.due is None:
        return None
    due = reading.due.astimezone(now.tzinfo)
    day = Day(relative=(due.date() - now.date()).days)
    if reading.kind is TimeKind.DATE:
        return Request(day=day)
    return Request(
        day=day,
        clock=Clock(hour=due.hour, minute=due.minute, second=due.second, exact=True),
    )


def _joined(said: Request, more: Request, today: date) -> Request:
    """Lay the answer's words over what was said before; a day that fits the old one narrows it."""
    changes = {
        item.name: value for item in fields(more) if (value := getattr(more, item.name))
    }
    if more.day is not None and said.day is not None:
        both = said.day.joined(more.day)
        changes["day"] = both if both and next(days_of(both, today), None) else more.day
    if said.offset is not None and more.day is not None:
        changes["offset"] = None
    if more.clock or more.clocks or more.clock_range:
        changes |= {
            name: getattr(more, name) for name in ("clock", "clocks", "clock_range")
        }
    elif more.part is not None and said.clock is not None:
        changes["clock"] = _halved(said.clock)
    return replace(said, **changes)


def _halved(clock: Clock) -> Clock:
    """Let a part of the day that is named later decide the half, also of a time that was settled."""
    return (
        replace(clock, hour=clock.hour % 12 or 12, half=None, exact=False)
        if not clock.named
        else clock
    )
