"""From what was said to the moment that is meant: hard constraints first, then the next future reading (section 5)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import islice

from ..models import TimeKind, TimeReading, Unclear
from .atoms import Clock, Day, Part
from .calendar import days_of, is_past, is_period, moved
from .clock import WINDOW_ENDS, DayMoments, elapsed, instants, is_after, readings, wall
from .sentence import Request
from .series import led_series, resolve_series

MOST_DAYS = 60
"""So many candidate days are looked at; the first or second fits nearly always."""


def resolve(request: Request, now: datetime, moments: DayMoments) -> TimeReading:
    """Return the reading of a request; its spans are the request's."""
    reading = _resolved(request, now, moments)
    if request.lead is not None:
        reading = _led(reading, request, now)
    return replace(
        reading, spans=tuple(request.spans), said=request if request.spans else None
    )


def _resolved(request: Request, now: datetime, moments: DayMoments) -> TimeReading:
    if request.every:
        return resolve_series(request, now, moments)
    if request.clocks is not None or request.many or _names_many(request.day):
        return TimeReading(unclear=Unclear.WHICH, kind=TimeKind.INSTANT)
    for said, read in (
        (request.day_range, _between_days),
        (request.offset, _counted),
        (request.clock_range, _between),
        (request.clock or request.part, _moment),
    ):
        if said is not None:
            return read(request, now, moments)
    return (
        _day(request.day, now, moments) if request.day is not None else _length(request)
    )


def _length(request: Request) -> TimeReading:
    """Return a length without an anchor; a lead without an event lacks its time."""
    if request.duration is not None:
        delta = request.duration.delta
        length = timedelta(days=delta.days + 30 * delta.months, seconds=delta.seconds)
        return TimeReading(kind=TimeKind.DURATION, duration=length)
    if request.lead is not None:
        return TimeReading(kind=TimeKind.INSTANT, unclear=Unclear.TIME)
    return TimeReading()


def _names_many(day: Day | None) -> bool:
    return day is not None and day.weekdays is not None and len(day.weekdays) > 1


def zone_of(now: datetime) -> tzinfo:
    """Return the zone of an aware moment."""
    return now.tzinfo or UTC


# --- counted from now --------------------------------------------------------------------------


def _counted(request: Request, now: datetime, moments: DayMoments) -> TimeReading:
    """In so many minutes: elapsed time. In so many days: that day, at the time named or none."""
    delta = request.offset.delta if request.offset else None
    target = moved(now.date(), delta) if delta else None
    if delta is None or target is None:
        return TimeReading(kind=TimeKind.DATE, unclear=Unclear.DAY)
    if delta.exact:
        base = (
            wall(target, now.time(), zone_of(now))
            if delta.months or delta.days
            else now
        )
        return _answer(elapsed(base, delta.seconds), now)
    if request.day is not None:
        target = next(days_of(request.day, target), target)
    days = (target - now.date()).days
    if request.clock is None and request.part is None:
        return _day(Day(relative=days), now, moments)
    return _moment(replace(request, day=Day(relative=days), offset=None), now, moments)


def _answer(
    due: datetime, now: datetime, kind: TimeKind = TimeKind.INSTANT
) -> TimeReading:
    return TimeReading(
        kind=kind, due=due, unclear=Unclear.PAST if is_after(now, due) else None
    )


# --- days --------------------------------------------------------------------------------------


def _day(day: Day, now: datetime, moments: DayMoments) -> TimeReading:
    """Read a day without a time: its morning moment; today what is left of it."""
    today = now.date()
    if is_period(day) and not is_past(day, today):
        return TimeReading(kind=TimeKind.DATE, unclear=Unclear.DAY)
    found = next((found for found in _coming(day, today)), None)
    if found is None:
        return TimeReading(kind=TimeKind.DATE, unclear=Unclear.DAY)
    if found == today:
        return _rest_of_today(now, moments)
    if found < today and not is_past(day, today):
        return TimeReading(kind=TimeKind.DATE, unclear=Unclear.PAST)
    return _answer(wall(found, moments.morning, zone_of(now)), now, TimeKind.DATE)


def _coming(day: Day, today: date) -> Iterator[date]:
    """Yield the days; a weekday without a time is not today, which people call today."""
    plain = day.weekdays is not None and day == Day(weekdays=day.weekdays)
    for found in days_of(day, today):
        if not (plain and found == today):
            yield found


def _rest_of_today(now: datetime, moments: DayMoments) -> TimeReading:
    for name in ("morning", "noon", "afternoon", "evening", "night"):
        if is_after(due := wall(now.date(), moments.of(name), zone_of(now)), now):
            return TimeReading(kind=TimeKind.DATE, due=due)
    return TimeReading(kind=TimeKind.DATE, unclear=Unclear.TIME)


def _between_days(request: Request, now: datetime, moments: DayMoments) -> TimeReading:
    if request.day_range is None:
        return TimeReading()
    start = _day(request.day_range.start, now, moments)
    first = start.due.date() if start.due else now.date()
    last = next(days_of(request.day_range.end, first), None)
    if start.due is None or last is None:
        return TimeReading(kind=TimeKind.INTERVAL, unclear=start.unclear or Unclear.DAY)
    end = wall(last + timedelta(days=1), datetime.min.time(), zone_of(now))
    return TimeReading(
        kind=TimeKind.INTERVAL, due=start.due, end=end, unclear=start.unclear
    )


# --- moments -----------------------------------------------------------------------------------


def _moment(request: Request, now: datetime, moments: DayMoments) -> TimeReading:
    day, part, clock = request.day, request.part, request.clock
    if clock is not None and clock.hour > 24:
        return TimeReading(kind=TimeKind.INSTANT, unclear=Unclear.TIME)
    if part is not None and part.here and day is None:
        day = Day(relative=0)
    midnight = clock is not None and clock.named and clock.hour == 24 and part is None
    if midnight and day is not None and day.relative != 0:
        # Midnight of a named day begins it or ends it.
        return TimeReading(kind=TimeKind.INSTANT, unclear=Unclear.DAY)
    if (
        due := _first_moment(Named(day=day, clock=clock, part=part), now, moments)
    ) is not None:
        return _answer(due, now)
    return _nothing_left(day, part, clock, now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The hard constraints of a moment."""

    day: Day | None
    clock: Clock | None
    part: Part | None


def _first_moment(named: Named, now: datetime, moments: DayMoments) -> datetime | None:
    """Return the next future moment that keeps what was named; for a past day the moment on it."""
    today = now.date()
    past = named.day is not None and is_past(named.day, today)
    for found in islice(days_of(named.day or Day(relative=0), today), MOST_DAYS):
        for due in _on_day(found, named, now, moments):
            if past or is_after(due, now):
                return due
    if named.day is not None:
        return None
    # No day was named, so tomorrow will do. A reading of tomorrow is the least future one.
    tomorrow = _on_day(today + timedelta(days=1), named, now, moments)
    return min(tomorrow, key=datetime.timestamp, default=None)


def _on_day(
    found: date, named: Named, now: datetime, moments: DayMoments
) -> Iterator[datetime]:
    zone, day, clock, part = zone_of(now), named.day, named.clock, named.part
    if clock is None:
        yield wall(found, moments.of(part.name if part else "morning"), zone)
        return
    times = list(
        instants(found, readings(clock, part, day_named=day is not None), zone)
    )
    if part is not None and day is not None and found != now.date():
        # The small hours of a named night lie on the day after it.
        yield from times[-1:]
    elif day is None or part is not None:
        # Last night's small hours are still to come when it is past midnight.
        yield from sorted(times, key=datetime.timestamp)
    elif found == now.date() and day.weekdays is None and day.dom is None:
        yield from times
    else:
        yield from times[:1]


def _nothing_left(
    day: Day | None, part: Part | None, clock: Clock | None, now: datetime
) -> TimeReading:
    """Say what to ask: the time if the named part is still going on, else the day is over or does not exist."""
    if day is not None and next(days_of(day, now.date()), None) is None:
        return TimeReading(kind=TimeKind.INSTANT, unclear=Unclear.DAY)
    if clock is None and part is not None and now.hour < WINDOW_ENDS[part.name]:
        return TimeReading(kind=TimeKind.INSTANT, unclear=Unclear.TIME)
    return TimeReading(kind=TimeKind.INSTANT, unclear=Unclear.PAST)


def _between(request: Request, now: datetime, moments: DayMoments) -> TimeReading:
    """From one time to another: the end is the first reading after the start."""
    if request.clock_range is None:
        return TimeReading()
    both = request.clock_range
    start = _moment(replace(request, clock=both.start), now, moments)
    if start.due is None:
        return replace(start, kind=TimeKind.INTERVAL)
    day = start.due.date()
    ends = (
        end
        for found in (day, day + timedelta(days=1))
        for end in instants(
            found, readings(both.end, request.part, day_named=False), zone_of(now)
        )
        if is_after(end, start.due)
    )
    end = min(ends, key=datetime.timestamp, default=None)
    return TimeReading(
        kind=TimeKind.INTERVAL, due=start.due, end=end, unclear=start.unclear
    )


# --- leads -------------------------------------------------------------------------------------


def _led(reading: TimeReading, request: Request, now: datetime) -> TimeReading:
    """Move the reading ahead of the event by what was said."""
    if request.lead is None or reading.due is None:
        return reading
    delta = request.lead.delta
    day = moved(reading.due.date(), -delta)
    if day is None:
        return TimeReading(kind=reading.kind, unclear=Unclear.PAST)
    base = (
        wall(day, reading.due.time(), zone_of(now))
        if delta.days or delta.months
        else reading.due
    )
    due = elapsed(base, -delta.seconds)
    if reading.kind is TimeKind.RECURRENCE:
        return led_series(reading, due, now)
    kind = TimeKind.INSTANT if reading.kind is TimeKind.INTERVAL else reading.kind
    if not is_after(due, now):
        return replace(reading, kind=kind, due=None, end=None, unclear=Unclear.PAST)
    lead = reading.due.astimezone(UTC) - due.astimezone(UTC)
    return replace(reading, kind=kind, due=due, end=None, lead=lead)
