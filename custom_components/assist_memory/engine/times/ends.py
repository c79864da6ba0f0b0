"""Where a repetition ends: until a day, until a time, for so long."""

from datetime import UTC, datetime, time

from .atoms import Day, Until
from .calendar import days_of, moved
from .clock import elapsed, instants, is_after, readings, wall
from .sentence import Request


def limits(request: Request, first: datetime) -> dict[str, str]:
    """Return the part of the rule that ends it, seen from the first occurrence; empty if nothing does."""
    if request.until is not None:
        return _until(request.until, first)
    if request.duration is not None:
        last = moved(first.date(), request.duration.delta)
        if last is not None and not request.duration.delta.exact:
            return {
                "UNTIL": _utc(elapsed(wall(last, time(0), first.tzinfo or UTC), -1))
            }
    return {}


def _until(until: Until, first: datetime) -> dict[str, str]:
    """Return the end: the end of the day that was named, or the moment on it."""
    zone = first.tzinfo or UTC
    last = next(days_of(until.day or Day(relative=0), first.date()), None)
    if last is None:
        return {}
    if until.clock is None:
        return {"UNTIL": _utc(wall(last, time(23, 59, 59), zone))}
    times = readings(until.clock, None, day_named=until.day is not None)
    ends = [end for end in instants(last, times, zone) if not is_after(first, end)]
    return {"UNTIL": _utc(ends[0])} if ends else {}


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
