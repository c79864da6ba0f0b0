"""What the templates about times of day mean."""

from dataclasses import replace

from .atoms import Clock, ClockRange, Clocks, Duration, Part
from .clock import readings
from .slots import Constants, Values, atoms, numbers, texts


def clock(values: Values, constants: Constants) -> Clock | None:
    """Return the time of day that is written or said; None if there is none, hour 99 if nobody's clock has it."""
    half = next(iter(texts(values, "half", "half_short")), constants.get("half"))
    written = (_written(role, value, half) for role, value in values)
    return next((found for found in written if found is not None), None) or _said(
        values, constants, half
    )


def past(values: Values, constants: Constants) -> Clock | None:
    """Return so many minutes past an hour."""
    return _moved(values, constants, 1)


def to(values: Values, constants: Constants) -> Clock | None:
    """Return so many minutes to an hour."""
    return _moved(values, constants, -1)


def clocks(values: Values, constants: Constants) -> Clocks | None:
    """Return several times of one day; am or pm behind the last counts for all, a part of the day for its own."""
    found: list[Clock] = []
    parts = atoms(values, Part)
    if parts:
        times = atoms(values, Clock)
        times = times * len(parts) if len(times) == 1 else times
        found = [_in_part(at, part) for at, part in zip(times, parts, strict=False)]
        return Clocks(clocks=tuple(found)) if len(found) == len(parts) > 1 else None
    for role, value in values:
        if isinstance(value, Clocks):
            found += value.clocks
        elif isinstance(value, Clock):
            found.append(value)
        elif role == "hour" and isinstance(value, int):
            found.append(Clock(hour=value, exact=value > 12))
    half = next(iter(texts(values, "half")), None) or found[-1].half
    same = [at if at.exact else replace(at, half=at.half or half) for at in found]
    return Clocks(clocks=tuple(same)) if len(found) > 1 and not constants else None


def _in_part(at: Clock, part: Part) -> Clock:
    """Return a time with its own part of the day on the 24-hour clock; after midnight it stays what it is."""
    first = next(readings(at, part, day_named=True), None)
    if first is None or first[0]:
        return at
    return Clock(hour=first[1], minute=first[2], second=first[3], exact=True)


def clock_range(values: Values, constants: Constants) -> ClockRange | None:
    """Return from one time to another."""
    for _, value in values:
        if isinstance(value, tuple) and len(value) == 2:
            half = next(iter(texts(values, "half")), None)
            return ClockRange(
                start=Clock(hour=value[0], half=half),
                end=Clock(hour=value[1], half=half),
            )
    both = clocks(values, constants)
    if both is None or len(both.clocks) != 2:
        return None
    start, end = both.clocks
    if start.half == end.half and start.hour % 12 > end.hour % 12 and not start.exact:
        # "From 11 to 1 pm" begins in the other half of the day.
        start = replace(start, half={"am": "pm", "pm": "am"}.get(start.half or ""))
    return ClockRange(start=start, end=end)


def _written(role: str, value: object, half: str | None) -> Clock | None:
    match role, value:
        case "clock_digits" | "clock_dot" | "spelled_clock", (
            int(hour),
            int(minute),
            int(second),
            *led,
        ):
            exact = role == "spelled_clock" or any(led)
            return _checked(hour, minute, second, half=half, exact=exact)
        case "named_clock", str(text):
            hour, minute = (int(part) for part in text.split(":"))
            return Clock(hour=hour, minute=minute, exact=True, named=True)
        case "military", int(number):
            return _checked(number // 100, number % 100, 0, half=half, exact=True)
        case "bad_clock" | "vague", _:
            return Clock(hour=99)
        case "a_clock", Clock() as found:
            return replace(found, half=half) if half else found
    return None


def _said(values: Values, constants: Constants, half: str | None) -> Clock | None:
    hours = [
        *numbers(values, "hour", "zero_led"),
        *(float(constants[key]) for key in ("hour",) if key in constants),
    ]
    minutes = numbers(values, "minute", "full_minute", "number")
    if not hours:
        return None
    minute = minutes[0] if minutes else float(constants.get("minute", "0"))
    minute += 60 * sum(numbers(values, "amount"))
    second = int(minutes[1]) if len(minutes) > 1 else 0
    exact = any(role == "zero_led" for role, _ in values)
    return _checked(int(hours[0]), int(minute), second, half=half, exact=exact)


def _checked(
    hour: int, minute: int, second: int, *, half: str | None, exact: bool
) -> Clock | None:
    if hour > 24 or minute > 59 or second > 59 or (hour == 24 and minute):
        return None
    if hour > 12 or hour == 0:
        half, exact = None, True
    return Clock(
        hour=hour, minute=minute, second=second, half=half, exact=exact and half is None
    )


def _moved(values: Values, constants: Constants, sign: int) -> Clock | None:
    """Move a time by minutes; they may be said as a number, as a length or as a part of an hour."""
    bare = sum(numbers(values, "minute")[:1])
    if bare % 5:
        return (
            None  # "two to four" is no clock time; odd minutes are said with their unit
        )
    minutes = (
        bare + sum(numbers(values, "number")[:1]) + 60 * sum(numbers(values, "amount"))
    )
    minutes += sum(duration.delta.seconds for duration in atoms(values, Duration)) / 60
    minutes += float(constants.get("minute", "0"))
    rest = [
        (role, value)
        for role, value in values
        if role not in {"minute", "number", "amount", "a_duration"}
    ]
    base = clock(
        rest, {key: value for key, value in constants.items() if key != "minute"}
    )
    if base is None or not 0 < minutes < 60 or base.hour > 24:
        return None
    hour = base.hour if base.half is None else base.hour % 12 + 12 * (base.half == "pm")
    fixed = base.exact or base.half is not None
    total = (60 * hour + base.minute + sign * int(minutes)) % (1440 if fixed else 720)
    hour = total // 60 if fixed else total // 60 or 12
    return Clock(hour=hour, minute=total % 60, exact=fixed, said=base.hour)
