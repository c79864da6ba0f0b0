"""What a matched template means: from the values of its slots and its constants to a typed atom."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from .atoms import (
    Atom,
    Clock,
    Day,
    DayRange,
    Delta,
    Duration,
    Every,
    Except,
    Lead,
    Offset,
    Part,
    Until,
)
from .build_clock import clock, clock_range, clocks, past, to
from .build_day import build_day, weekdays_of
from .slots import Constants, Values, atoms, numbers, texts

WEEKEND = frozenset({6, 7})

UNITS: dict[str, Delta] = {
    "second": Delta(seconds=1),
    "minute": Delta(seconds=60),
    "quarter_hour": Delta(seconds=900),
    "hour": Delta(seconds=3600),
    "day": Delta(days=1),
    "week": Delta(days=7),
    "fortnight": Delta(days=14),
    "month": Delta(months=1),
    "quarter": Delta(months=3),
    "year": Delta(months=12),
    "decade": Delta(months=120),
    "century": Delta(months=1200),
    "millennium": Delta(months=12000),
}


def build(family: str, values: Values, constants: Constants) -> Atom | None:
    """Return the atom that a template of this family makes, or None if it makes no sense."""
    return _BUILDERS[family](values, constants)


# --- lengths -----------------------------------------------------------------------------------


def _duration(values: Values, constants: Constants) -> Duration | None:
    amount = sum(numbers(values, "number", "amount", "fraction")) + float(
        constants.get("amount", "0")
    )
    units = [
        *texts(values, "unit"),
        *(constants[key] for key in ("unit",) if key in constants),
    ]
    if not units or not 0 < amount < 1_000_000:
        return None
    return Duration(delta=scaled(UNITS[units[0]], amount))


def scaled(unit: Delta, amount: float) -> Delta:
    """Return so much of a unit; parts of a month are days, parts of a day are hours."""
    months, month_part = divmod(unit.months * amount, 1)
    days, day_part = divmod(unit.days * amount + round(30 * month_part), 1)
    return Delta(
        months=int(months),
        days=int(days),
        seconds=unit.seconds * amount + 86400 * day_part,
    )


def _total(values: Values) -> Delta | None:
    found = [duration.delta for duration in atoms(values, Duration)]
    return sum(found[1:], found[0]) if found else None


def _made(
    values: Values, constants: Constants, make: Callable[[Delta], Atom]
) -> Atom | None:
    plain = _duration(values, constants) if not atoms(values, Duration) else None
    total = plain.delta if plain else _total(values)
    return make(total) if total else None


def _chain(values: Values, constants: Constants) -> Atom | None:
    if bare := numbers(values, "number"):
        # Minutes and seconds without their unit, behind the hours.
        total = _total(values)
        seconds = sum(
            number * length for number, length in zip(bare, (60, 1), strict=False)
        )
        return Duration(delta=total + Delta(seconds=seconds)) if total else None
    return _made(values, constants, lambda delta: Duration(delta=delta))


def _limit(values: Values, constants: Constants) -> Atom | None:
    return _made(values, constants, lambda delta: Duration(delta=delta, limits=True))


def _offset(values: Values, constants: Constants) -> Atom | None:
    return _made(values, constants, lambda delta: Offset(delta=delta))


def _ago(values: Values, constants: Constants) -> Atom | None:
    return _made(values, constants, lambda delta: Offset(delta=-delta))


def _lead(values: Values, constants: Constants) -> Atom | None:
    return _made(values, constants, lambda delta: Lead(delta=delta))


def _shift(values: Values, constants: Constants) -> Atom | None:
    return _shifted(values, constants, 1)


def _shift_back(values: Values, constants: Constants) -> Atom | None:
    return _shifted(values, constants, -1)


def _shifted(values: Values, constants: Constants, sign: int) -> Atom | None:
    days = atoms(values, Day)
    delta = _made(values, constants, lambda total: Duration(delta=total))
    if (
        not days
        or not isinstance(delta, Duration)
        or delta.delta.exact
        or days[0].shift
    ):
        return None
    return replace(days[0], shift=delta.delta if sign > 0 else -delta.delta)


# --- repetitions and the rest ------------------------------------------------------------------


def _part(values: Values, constants: Constants) -> Part | None:
    names = texts(values, "part", "part_word", "part_set")
    return Part(name=constants.get("part") or names[0], here="here" in constants)


def _every(values: Values, constants: Constants) -> Every | None:
    interval = int(sum(numbers(values, "number", "ordinal", "amount"))) or int(
        constants.get("interval", "1")
    )
    unit = next(iter(texts(values, "unit")), constants.get("unit"))
    if durations := atoms(values, Duration):
        unit, interval = _unit_of(durations[0].delta)
        if not unit:
            return Every(refused=True)
        if "skip" in constants and interval == 1 and unit not in {"hour", "minute"}:
            interval = 2  # leaving one out is every other
    elif unit in UNITS:
        unit, count = _unit_of(UNITS[unit])
        interval *= count
    weekdays = [
        value
        for role, value in values
        if role == "weekday_set" and isinstance(value, frozenset)
    ]
    names = [
        *texts(values, "part", "part_word", "part_set"),
        *(part.name for part in atoms(values, Part)),
    ]
    return Every(
        unit="week" if weekdays else unit,
        interval=interval,
        weekdays=frozenset().union(*weekdays) if weekdays else None,
        part=constants.get("part") or next(iter(names), None),
        refused="refused" in constants,
    )


def _unit_of(delta: Delta) -> tuple[str, int]:
    """Return the largest unit that the length is a whole number of, and how many."""
    counted = [bool(delta.months), bool(delta.days), bool(delta.seconds)]
    if sum(counted) != 1:
        return "", 0
    if delta.months:
        return (
            ("year", delta.months // 12)
            if delta.months % 12 == 0
            else ("month", delta.months)
        )
    if delta.days:
        return ("week", delta.days // 7) if delta.days % 7 == 0 else ("day", delta.days)
    for unit, seconds in (("hour", 3600), ("minute", 60)):
        if delta.seconds % seconds == 0:
            return unit, int(delta.seconds // seconds)
    return "", 0


def _times(values: Values, constants: Constants) -> Every | None:
    count = int(sum(numbers(values, "number", "amount"))) or int(
        constants.get("times", "0")
    )
    unit = next(iter(texts(values, "unit")), constants.get("unit", "day"))
    return Every(unit=unit, times=count) if count > 0 else None


def _until(values: Values, constants: Constants) -> Until | None:
    days, clocks = atoms(values, Day), atoms(values, Clock)
    clocks += [Clock(hour=int(hour)) for hour in numbers(values, "hour")]
    if constants or not (days or clocks):
        return None
    return Until(day=days[0] if days else None, clock=clocks[0] if clocks else None)


def _except(values: Values, constants: Constants) -> Except | None:
    sets = [value for _, value in values if isinstance(value, frozenset)]
    sets += [day.weekdays for day in atoms(values, Day) if day.weekdays]
    sets += [WEEKEND for day in atoms(values, Day) if day.weekend]
    sets += [every.weekdays for every in atoms(values, Every) if every.weekdays]
    return Except(weekdays=frozenset().union(*sets)) if sets and not constants else None


def _day_range(values: Values, constants: Constants) -> DayRange | None:
    days = atoms(values, Day)
    return (
        DayRange(start=days[0], end=days[1])
        if len(days) == 2 and not constants
        else None
    )


def _weekday_list(values: Values, constants: Constants) -> Day | None:
    found = weekdays_of(values)
    return Day(weekdays=frozenset(found)) if len(found) > 1 and not constants else None


def _weekday_range(values: Values, constants: Constants) -> Day | None:
    found = weekdays_of(values)
    if len(found) != 2 or constants:
        return None
    first, last = found
    return Day(
        weekdays=frozenset(
            (first - 1 + step) % 7 + 1 for step in range((last - first) % 7 + 1)
        )
    )


_BUILDERS: Mapping[str, Callable[[Values, Constants], Atom | None]] = {
    "clock": clock,
    "slip": clock,
    "clock_past": past,
    "clock_past_long": past,
    "clock_to": to,
    "clock_to_long": to,
    "clock_list": clocks,
    "hour_range": clock_range,
    "clock_range": clock_range,
    "date": build_day,
    "day": build_day,
    "date_more": build_day,
    "weak_day": build_day,
    "weekday_list": _weekday_list,
    "weekday_range": _weekday_range,
    "part": _part,
    "weak_part": _part,
    "duration": _duration,
    "chain": _chain,
    "limit": _limit,
    "offset": _offset,
    "ago": _ago,
    "lead": _lead,
    "shift": _shift,
    "shift_back": _shift_back,
    "every": _every,
    "times": _times,
    "until": _until,
    "except": _except,
    "day_range": _day_range,
}
