"""What a matched template means: from the values of its slots and its constants to a typed atom."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from .atoms import (
    Atom,
    Clock,
    ClockRange,
    Clocks,
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
from .build_day import build_day, weekdays_of
from .clock import readings

type Values = Sequence[tuple[str, object]]
type Constants = Mapping[str, str]

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


def texts(values: Values, *roles: str) -> list[str]:
    """Return the texts that fill slots of these roles."""
    return [value for role, value in values if role in roles and isinstance(value, str)]


def numbers(values: Values, *roles: str) -> list[float]:
    """Return the numbers that fill slots of these roles."""
    return [value for role, value in values if role in roles and isinstance(value, int | float)]


def atoms[T](values: Values, kind: type[T]) -> list[T]:
    """Return the atoms of a kind among the slots."""
    return [value for _, value in values if isinstance(value, kind)]


# --- times of day ------------------------------------------------------------------------------


def _clock(values: Values, constants: Constants) -> Clock | None:
    half = next(iter(texts(values, "half", "half_short")), constants.get("half"))
    for role, value in values:
        if role in {"clock_digits", "clock_dot", "spelled_clock"} and isinstance(value, tuple):
            hour, minute, second, *led = value
            exact = role == "spelled_clock" or bool(led and led[0])
            return _checked(hour, minute, second, half=half, exact=exact)
        if role == "named_clock" and isinstance(value, str):
            return replace(_named(value), half=None)
        if role == "military" and isinstance(value, int):
            return _checked(value // 100, value % 100, 0, half=half, exact=True)
        if role == "bad_clock":
            return Clock(hour=99)
        if role in {"a_clock"} and isinstance(value, Clock):
            return replace(value, half=half) if half else value
    return _spoken_clock(values, constants, half)


def _spoken_clock(values: Values, constants: Constants, half: str | None) -> Clock | None:
    hours = [*numbers(values, "hour", "zero_led"), *(float(constants[key]) for key in ("hour",) if key in constants)]
    minutes = numbers(values, "minute", "full_minute", "number")
    if not hours:
        return None
    minute = minutes[0] if minutes else float(constants.get("minute", "0"))
    minute += 60 * sum(numbers(values, "amount"))
    second = int(minutes[1]) if len(minutes) > 1 else 0
    exact = any(role == "zero_led" for role, _ in values)
    return _checked(int(hours[0]), int(minute), second, half=half, exact=exact)


def _checked(hour: int, minute: int, second: int, *, half: str | None, exact: bool) -> Clock | None:
    if hour > 24 or minute > 59 or second > 59 or (hour == 24 and minute):
        return None
    if hour > 12 or hour == 0:
        half, exact = None, True
    return Clock(hour=hour, minute=minute, second=second, half=half, exact=exact and half is None)


def _named(value: str) -> Clock:
    hour, minute = (int(part) for part in value.split(":"))
    return Clock(hour=hour, minute=minute, exact=True, named=True)


def _past(values: Values, constants: Constants) -> Clock | None:
    return _moved(values, constants, 1)


def _to(values: Values, constants: Constants) -> Clock | None:
    return _moved(values, constants, -1)


def _moved(values: Values, constants: Constants, sign: int) -> Clock | None:
    """A quarter past, ten to; the minutes may be said as a length or as a part of an hour."""
    bare = sum(numbers(values, "minute")[:1])
    if bare % 5:
        return None  # "two to four" is no clock time; odd minutes are said with their unit
    minutes = bare + sum(numbers(values, "number")[:1]) + 60 * sum(numbers(values, "amount"))
    minutes += sum(duration.delta.seconds for duration in atoms(values, Duration)) / 60
    minutes += float(constants.get("minute", "0"))
    rest = [(role, value) for role, value in values if role not in {"minute", "number", "amount", "a_duration"}]
    base = _clock(rest, {key: value for key, value in constants.items() if key != "minute"})
    if base is None or not 0 < minutes < 60 or base.hour > 24:
        return None
    hour = base.hour if base.half is None else base.hour % 12 + 12 * (base.half == "pm")
    fixed = base.exact or base.half is not None
    total = (60 * hour + base.minute + sign * int(minutes)) % (1440 if fixed else 720)
    hour = total // 60 if fixed else total // 60 or 12
    return Clock(hour=hour, minute=total % 60, exact=fixed, said=base.hour)


def _clocks(values: Values, constants: Constants) -> Clocks | None:
    found: list[Clock] = []
    parts = atoms(values, Part)
    if parts:
        found = [_in_part(clock, part) for clock, part in zip(atoms(values, Clock), parts, strict=False)]
        return Clocks(clocks=tuple(found)) if len(found) == len(parts) > 1 else None
    for role, value in values:
        if isinstance(value, Clocks):
            found += value.clocks
        elif isinstance(value, Clock):
            found.append(value)
        elif role == "hour" and isinstance(value, int):
            found.append(Clock(hour=value, exact=value > 12))
    half = next(iter(texts(values, "half")), None) or found[-1].half
    same = [replace(clock, half=clock.half or half) if not clock.exact else clock for clock in found]
    return Clocks(clocks=tuple(same)) if len(found) > 1 and not constants else None


def _in_part(clock: Clock, part: Part) -> Clock:
    """A time with its own part of the day, as one on the 24-hour clock; after midnight stays what it is."""
    first = next(readings(clock, part, day_named=True), None)
    if first is None or first[0]:
        return clock
    return Clock(hour=first[1], minute=first[2], second=first[3], exact=True)


def _clock_range(values: Values, constants: Constants) -> ClockRange | None:
    for _, value in values:
        if isinstance(value, tuple) and len(value) == 2:
            half = next(iter(texts(values, "half")), None)
            return ClockRange(start=Clock(hour=value[0], half=half), end=Clock(hour=value[1], half=half))
    both = _clocks(values, constants)
    if both is None or len(both.clocks) != 2:
        return None
    start, end = both.clocks
    if start.half == end.half and start.hour % 12 > end.hour % 12 and not start.exact:
        # "From 11 to 1 pm" begins in the other half of the day.
        start = replace(start, half={"am": "pm", "pm": "am"}.get(start.half or ""))
    return ClockRange(start=start, end=end)


# --- lengths -----------------------------------------------------------------------------------


def _duration(values: Values, constants: Constants) -> Duration | None:
    amount = sum(numbers(values, "number", "amount", "fraction")) + float(constants.get("amount", "0"))
    units = [*texts(values, "unit"), *(constants[key] for key in ("unit",) if key in constants)]
    if not units or not 0 < amount < 1_000_000:
        return None
    return Duration(delta=scaled(UNITS[units[0]], amount))


def scaled(unit: Delta, amount: float) -> Delta:
    """Return so much of a unit; parts of a month are days, parts of a day are hours."""
    months, month_part = divmod(unit.months * amount, 1)
    days, day_part = divmod(unit.days * amount + round(30 * month_part), 1)
    return Delta(months=int(months), days=int(days), seconds=unit.seconds * amount + 86400 * day_part)


def _total(values: Values) -> Delta | None:
    found = [duration.delta for duration in atoms(values, Duration)]
    return sum(found[1:], found[0]) if found else None


def _made(values: Values, constants: Constants, make: Callable[[Delta], Atom]) -> Atom | None:
    plain = _duration(values, constants) if not atoms(values, Duration) else None
    total = plain.delta if plain else _total(values)
    return make(total) if total else None


def _chain(values: Values, constants: Constants) -> Atom | None:
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
    if not days or not isinstance(delta, Duration) or delta.delta.exact or days[0].shift:
        return None
    return replace(days[0], shift=delta.delta if sign > 0 else -delta.delta)


# --- repetitions and the rest ------------------------------------------------------------------


def _part(values: Values, constants: Constants) -> Part | None:
    names = texts(values, "part", "part_word")
    return Part(name=constants.get("part") or names[0], here="here" in constants)


def _every(values: Values, constants: Constants) -> Every | None:
    interval = int(sum(numbers(values, "number", "ordinal", "amount"))) or int(constants.get("interval", "1"))
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
    weekdays = [value for role, value in values if role == "weekday_set" and isinstance(value, frozenset)]
    names = [*texts(values, "part", "part_word"), *(part.name for part in atoms(values, Part))]
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
        return ("year", delta.months // 12) if delta.months % 12 == 0 else ("month", delta.months)
    if delta.days:
        return ("week", delta.days // 7) if delta.days % 7 == 0 else ("day", delta.days)
    for unit, seconds in (("hour", 3600), ("minute", 60)):
        if delta.seconds % seconds == 0:
            return unit, int(delta.seconds // seconds)
    return "", 0


def _times(values: Values, constants: Constants) -> Every | None:
    count = int(sum(numbers(values, "number", "amount"))) or int(constants.get("times", "0"))
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
    sets += [frozenset({6, 7}) if day.weekend else day.weekdays for day in atoms(values, Day) if day.weekdays or day.weekend]
    sets += [every.weekdays for every in atoms(values, Every) if every.weekdays]
    return Except(weekdays=frozenset().union(*sets)) if sets and not constants else None


def _day_range(values: Values, constants: Constants) -> DayRange | None:
    days = atoms(values, Day)
    return DayRange(start=days[0], end=days[1]) if len(days) == 2 and not constants else None


def _weekday_list(values: Values, constants: Constants) -> Day | None:
    found = weekdays_of(values)
    return Day(weekdays=frozenset(found)) if len(found) > 1 and not constants else None


def _weekday_range(values: Values, constants: Constants) -> Day | None:
    found = weekdays_of(values)
    if len(found) != 2 or constants:
        return None
    first, last = found
    return Day(weekdays=frozenset((first - 1 + step) % 7 + 1 for step in range((last - first) % 7 + 1)))


_BUILDERS: Mapping[str, Callable[[Values, Constants], Atom | None]] = {
    "clock": _clock,
    "slip": _clock,
    "clock_past": _past,
    "clock_past_long": _past,
    "clock_to": _to,
    "clock_to_long": _to,
    "clock_list": _clocks,
    "hour_range": _clock_range,
    "clock_range": _clock_range,
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


def families() -> Iterable[str]:
    """Return the names of all families of templates."""
    return _BUILDERS.keys()
