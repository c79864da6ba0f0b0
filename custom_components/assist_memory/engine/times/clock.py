"""Times of day: which moments a clock time may mean, and wall time in a zone with its clock changes."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from .atoms import Clock, Part


@dataclass(frozen=True, slots=True, kw_only=True)
class DayMoments:
    """When in the day a part of it is meant, if no time is named (an option, DESIGN section 5)."""

    early: time = time(5)
    morning: time = time(9)
    noon: time = time(12)
    afternoon: time = time(15)
    evening: time = time(19)
    night: time = time(21)

    def of(self, part: str) -> time:
        """Return the moment of a part of the day."""
        return {
            "early": self.early,
            "morning": self.morning,
            "forenoon": self.morning,
            "noon": self.noon,
            "afternoon": self.afternoon,
            "evening": self.evening,
        }.get(part, self.night)


WINDOW_ENDS = {
    "early": 6,
    "morning": 12,
    "forenoon": 12,
    "noon": 14,
    "afternoon": 18,
    "evening": 22,
    "night": 24,
}
"""The hour at which each part of the day is over."""

FIRST_DAYTIME_HOUR = 6
"""A bare hour never means a time between midnight and this hour (DESIGN section 5)."""

type WallTime = tuple[int, int, int, int]
"""Days to add, hour, minute, second."""


def wall(day: date, at: time, zone: tzinfo | None) -> datetime:
    """Return the instant of a wall time: one inside the spring gap moves on by the gap, in autumn the first counts."""
    return datetime.combine(day, at, zone).astimezone(UTC).astimezone(zone)


def elapsed(start: datetime, seconds: float) -> datetime:
    """Return the instant so many seconds later, in the same zone, clock changes or not."""
    return (start.astimezone(UTC) + timedelta(seconds=seconds)).astimezone(start.tzinfo)


def is_after(one: datetime, other: datetime) -> bool:
    """Tell whether an instant is later; times of one zone would be compared by the clock on the wall."""
    return one.timestamp() > other.timestamp()


def since(then: datetime, now: datetime) -> timedelta:
    """Return the time that has really gone by; times of one zone would be subtracted as the clock on the wall."""
    return now.astimezone(UTC) - then.astimezone(UTC)


def instants(
    day: date, times: Iterator[WallTime], zone: tzinfo | None
) -> Iterator[datetime]:
    """Yield the instants of wall times of a day, in the order of preference given; none beyond the calendar."""
    for days, hour, minute, second in times:
        try:
            yield wall(day + timedelta(days=days), time(hour, minute, second), zone)
        except OverflowError, ValueError:
            return


def readings(clock: Clock, part: Part | None, *, day_named: bool) -> Iterator[WallTime]:
    """Yield what a clock time may mean on a day, the most likely first; a named part of the day is binding."""
    if clock.hour > 24:
        return
    for days, hour in _hours(clock, part.name if part else None, day_named=day_named):
        yield days, hour, clock.minute, clock.second


def _hours(
    clock: Clock, part: str | None, *, day_named: bool
) -> Iterator[tuple[int, int]]:
    if clock.half is not None:
        hour = clock.hour % 12 + 12 * (clock.half == "pm")
        # "Tonight at 1 am" is the small hours of tomorrow, unless it is already night.
        yield 0, hour
        if part in {"night", "evening"} and hour < FIRST_DAYTIME_HOUR:
            yield 1, hour
    elif clock.exact or clock.hour == 0 or clock.hour > 12:
        if part in {"night", "evening"} and clock.hour < FIRST_DAYTIME_HOUR:
            yield 0, clock.hour
            yield 1, clock.hour
        else:
            yield clock.hour // 24, clock.hour % 24
    elif part is not None:
        yield from _hours_in_part(clock.hour, part)
    elif day_named:
        morning, evening = clock.hour % 12, clock.hour % 12 + 12
        yield from (
            (0, hour)
            for hour in ((morning, evening) if clock.early else (evening, morning))
        )
    else:
        yield from (
            (0, hour)
            for hour in (clock.hour % 12, clock.hour % 12 + 12)
            if hour >= FIRST_DAYTIME_HOUR
        )


def _hours_in_part(hour: int, part: str) -> Iterator[tuple[int, int]]:
    if part in {"early", "morning"}:
        yield 0, hour % 12
    elif part == "forenoon":
        yield 0, hour
    elif part == "noon":
        yield 0, hour if hour >= 10 else hour + 12
    elif part == "afternoon":
        yield 0, hour % 12 + 12
    elif hour == 12 or (hour < 5 and part == "night"):
        # The night goes on after midnight; said after midnight, it is this one.
        yield 0, hour % 12
        yield 1, hour % 12
    else:
        yield 0, hour + 12
