"""Repetitions: from "every other Monday at ten" to a rule and its first occurrence."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

from ..models import TimeKind, TimeReading, Unclear
from .atoms import ClockRange, Day, Every, Part
from .calendar import days_of, moved
from .clock import DayMoments, elapsed, instants, is_after, readings, wall
from .ends import limits
from .recurrence import ELAPSING, end_of, month_day, next_occurrence, parts_of
from .sentence import Request

CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_FREQ = {
    "minute": "MINUTELY",
    "hour": "HOURLY",
    "day": "DAILY",
    "week": "WEEKLY",
    "month": "MONTHLY",
    "year": "YEARLY",
}
_ALL = frozenset(range(1, 8))

type Parts = dict[str, str]


def resolve_series(request: Request, now: datetime, moments: DayMoments) -> TimeReading:
    """Return the rule and its first occurrence; what no rule expresses or nobody can tell is asked."""
    every = _joined(request)
    if every is None or every.refused or request.many:
        return _asking(Unclear.WHICH)
    if request.day is not None and request.day.refused:
        return _asking(Unclear.DAY)
    if every.unit == "hour" and request.clock_range is not None:
        return _hours_of_day(every.interval, request.clock_range, now)
    if every.unit in {"hour", "minute"}:
        return _elapsing(every, request, now)
    parts = _calendar_parts(every, request)
    return (
        _asking(Unclear.DAY)
        if parts is None
        else _on_days(parts, every, request, now, moments)
    )


def _on_days(
    parts: Parts, every: Every, request: Request, now: datetime, moments: DayMoments
) -> TimeReading:
    times = _times(request, every, moments)
    if not times or (every.times or 1) not in {1, len(times)}:
        return _asking(Unclear.TIME)
    first = _first(parts, times, request, now)
    if first is None:
        return _asking(Unclear.PAST)
    days, clocks = _with_day(parts, first), _clock_parts(times)
    counted = "BYSETPOS" in clocks and days["FREQ"] != "DAILY"
    if clocks and (counted or "BYSETPOS" in days):
        return _asking(Unclear.WHICH)  # positions count within one day only
    if not clocks and (first.hour, first.minute) != (times[0].hour, times[0].minute):
        # A clock change moves the first one alone; the rule keeps the time that was said.
        clocks = {"BYHOUR": str(times[0].hour), "BYMINUTE": str(times[0].minute)}
    parts = days | clocks | limits(request, first)
    end = end_of(parts, first)
    if end is not None and is_after(first, end):
        return _asking(Unclear.PAST)
    return TimeReading(kind=TimeKind.RECURRENCE, due=first, rule=written(parts))


def _asking(unclear: Unclear) -> TimeReading:
    return TimeReading(kind=TimeKind.RECURRENCE, unclear=unclear)


def led_series(reading: TimeReading, due: datetime, now: datetime) -> TimeReading:
    """Return a series moved ahead of its events; one whose days would change too is no rule."""
    event = reading.due
    if event is None or reading.rule is None:
        return reading
    parts = parts_of(reading.rule)
    other_day = due.date() != event.date() or parts["FREQ"] in ELAPSING
    if other_day or "BYHOUR" in parts:
        return _asking(Unclear.WHICH)
    lead = event.astimezone(UTC) - due.astimezone(UTC)
    first = due if is_after(due, now) else next_occurrence(reading.rule, due, now)
    return (
        replace(reading, due=first, lead=lead)
        if first is not None
        else _asking(Unclear.PAST)
    )


def written(parts: Parts) -> str:
    """Return the parts as a bare RRULE value, in the usual order."""
    order = (
        "FREQ",
        "INTERVAL",
        "BYMONTH",
        "BYMONTHDAY",
        "BYDAY",
        "BYHOUR",
        "BYMINUTE",
        "BYSETPOS",
        "COUNT",
        "UNTIL",
    )
    return ";".join(f"{key}={parts[key]}" for key in order if key in parts)


def _joined(request: Request) -> Every | None:
    """Return all repeating words as one; None if they contradict."""
    joined = Every()
    for every in request.every:
        if every.refused:
            return every
        units = {unit for unit in (joined.unit, every.unit) if unit is not None}
        unit = _narrower(units)
        if unit is None and units:
            return None
        joined = Every(
            unit=unit,
            interval=max(joined.interval, every.interval),
            weekdays=(joined.weekdays or frozenset()) | (every.weekdays or frozenset())
            or None,
            part=joined.part or every.part,
            times=every.times or joined.times,
        )
    return joined


def _narrower(units: set[str]) -> str | None:
    """Working days said beside "every day" narrow it; a month named beside a week does not fit."""
    if len(units) <= 1:
        return next(iter(units), None)
    return "week" if units in ({"day", "week"}, {"week", "weekend"}) else None


# --- which days --------------------------------------------------------------------------------


def _calendar_parts(every: Every, request: Request) -> Parts | None:
    day = request.day or Day()
    weekdays = every.weekdays or (
        frozenset({6, 7}) if every.unit == "weekend" or day.weekend else day.weekdays
    )
    parts: Parts = {}
    unit = every.unit or _unit_of(day, weekdays)
    if unit is None and every.part is not None:
        unit = "day"
    if unit == "weekend":
        unit = "week"
    if unit is None:
        return None
    if every.interval > 1:
        parts["INTERVAL"] = str(every.interval)
    if request.leave_out is not None:
        weekdays = (weekdays or _ALL) - request.leave_out.weekdays
        unit = "week" if unit == "day" else unit
        if not weekdays:
            return None
    if unit == "day" and weekdays and not (day.relative is not None):
        unit = "week"
    parts["FREQ"] = _FREQ[unit]
    if unit == "week" and weekdays:
        parts["BYDAY"] = ",".join(CODES[number - 1] for number in sorted(weekdays))
    if unit in {"month", "year"} and not _month_parts(parts, unit, day, weekdays):
        return None
    return parts


def _unit_of(day: Day, weekdays: frozenset[int] | None) -> str | None:
    """Return what repeats when only a day was said behind "every"."""
    if day.month is not None:
        return "year"
    if day.dom is not None or day.nth is not None:
        return "month"
    return "week" if weekdays else None


def _month_parts(
    parts: Parts, unit: str, day: Day, weekdays: frozenset[int] | None
) -> bool:
    """Add the day of the month or the n-th weekday; False if nobody can tell which day."""
    if unit == "year" and day.month is not None:
        parts["BYMONTH"] = str(day.month)
    if weekdays and day.nth is not None:
        parts["BYDAY"] = ",".join(
            f"{day.nth}{CODES[number - 1]}" for number in sorted(weekdays)
        )
        return True
    if weekdays or (unit == "year" and day.month is None):
        return False
    if day.dom == -1:
        parts["BYMONTHDAY"] = "-1"
    elif day.dom is not None:
        shortest = 29 if day.month in {1, 3, 5, 7, 8, 10, 12} else 28
        leap = unit == "year" and day.month == 2
        long = unit == "year" and day.month not in {2, None}
        parts |= month_day(day.dom, 31 if long else 28 if leap else min(shortest, 28))
    return True


def _with_day(parts: Parts, first: datetime) -> Parts:
    """Add the day of the first time to a month or year without one."""
    if parts["FREQ"] in {"MONTHLY", "YEARLY"} and not parts.keys() & {
        "BYMONTHDAY",
        "BYDAY",
    }:
        if parts["FREQ"] == "YEARLY":
            parts = {**parts, "BYMONTH": str(first.month)}
        return parts | month_day(
            first.day, 31 if parts["FREQ"] == "YEARLY" and first.month != 2 else 28
        )
    return parts


# --- at what time ------------------------------------------------------------------------------


def _times(request: Request, every: Every, moments: DayMoments) -> list[time]:
    """Return the times of day, in order; a daily or weekly series names its days (DESIGN section 5)."""
    part = request.part or (Part(name=every.part) if every.part else None)
    clocks = (
        list(request.clocks.clocks)
        if request.clocks
        else [request.clock]
        if request.clock
        else []
    )
    if not clocks:
        names = {said for said in (every.part, part and part.name) if said}
        return sorted({moments.of(name) for name in names or {"morning"}})
    found: set[time] = set()
    for clock in clocks:
        reading = next(readings(clock, part, day_named=True), None)
        if reading is None:
            return []
        found.add(time(*reading[1:]))
    return sorted(found)


def _clock_parts(times: list[time]) -> Parts:
    if len(times) < 2:
        return {}
    hours = sorted({at.hour for at in times})
    minutes = sorted({at.minute for at in times})
    parts = {
        "BYHOUR": ",".join(map(str, hours)),
        "BYMINUTE": ",".join(map(str, minutes)),
    }
    if len(hours) * len(minutes) > len(times):
        grid = [(hour, minute) for hour in hours for minute in minutes]
        parts["BYSETPOS"] = ",".join(
            str(1 + grid.index((at.hour, at.minute))) for at in times
        )
    return parts


# --- from when to when -------------------------------------------------------------------------


def _first(
    parts: Parts, times: list[time], request: Request, now: datetime
) -> datetime | None:
    """Return the first occurrence: on the day that was named to start with, else the next that fits the rule."""
    zone, start, day = now.tzinfo or UTC, now.date(), request.day
    if request.offset is not None and not request.offset.delta.exact:
        start = moved(start, request.offset.delta) or start
    elif day is not None and _starts(day):
        # Beside "every Saturday", "starting tomorrow" need not be one.
        begins = replace(day, weekdays=None) if parts["FREQ"] == "WEEKLY" else day
        named = next(days_of(begins, start), None)
        if named is None:
            return None
        start = max(start, named)
    single = {key: value for key, value in parts.items() if key != "INTERVAL"}
    if single["FREQ"] in {"MONTHLY", "YEARLY"} and not single.keys() & {
        "BYMONTHDAY",
        "BYDAY",
    }:
        single = {"FREQ": "DAILY"}
    if parts["FREQ"] == "WEEKLY" and "BYDAY" not in parts:
        single = {"FREQ": "DAILY"}
    begin = wall(start, time(0), zone)
    after = max(now, elapsed(begin, -1), key=datetime.timestamp)
    # The time that was said, also where a clock change leaves it out on this day.
    anchors = (datetime.combine(start, at, zone) for at in times)
    nexts = (next_occurrence(written(single), at, after) for at in anchors)
    return min(
        (due for due in nexts if due is not None), key=datetime.timestamp, default=None
    )


def _starts(day: Day) -> bool:
    """Tell whether the day names the first time rather than what repeats."""
    counted = (day.relative, day.week, day.year, day.shift)
    if any(said is not None for said in counted):
        return True
    return day.month is not None and day.dom is not None


def _elapsing(every: Every, request: Request, now: datetime) -> TimeReading:
    """Every few hours or minutes: elapsed time, from now or from the time that was named."""
    seconds = every.interval * (3600 if every.unit == "hour" else 60)
    first = elapsed(now, seconds)
    if request.clock is not None:
        times = list(readings(request.clock, request.part, day_named=False))
        days = (now.date() + timedelta(days=step) for step in range(2))
        found = (
            due for day in days for due in instants(day, iter(times), now.tzinfo or UTC)
        )
        first = min(
            (due for due in found if is_after(due, now)),
            key=datetime.timestamp,
            default=first,
        )
    parts = {"FREQ": _FREQ[every.unit or "hour"]}
    if every.interval > 1:
        parts["INTERVAL"] = str(every.interval)
    return TimeReading(
        kind=TimeKind.RECURRENCE,
        due=first,
        rule=written(parts | limits(request, first)),
    )


def _hours_of_day(interval: int, between: ClockRange, now: datetime) -> TimeReading:
    """Every few hours from one time to another: so many times each day, by the clock on the wall."""
    start = next(readings(between.start, None, day_named=True), None)
    ends = readings(between.end, None, day_named=True)
    end = next(
        (found for found in ends if start is not None and found[1] > start[1]), None
    )
    if start is None or end is None or start[0] or end[0]:
        return _asking(Unclear.WHICH)
    times = [time(hour, start[2]) for hour in range(start[1], end[1] + 1, interval)]
    parts = {"FREQ": "DAILY"} | _clock_parts(times)
    first = _first({"FREQ": "DAILY"}, times, Request(), now)
    return TimeReading(kind=TimeKind.RECURRENCE, due=first, rule=written(parts))
