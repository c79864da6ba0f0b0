"""The typed pieces that time words are made of; the grammar finds them in any order, the resolver joins them."""

from dataclasses import dataclass, fields, replace
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """A length of time: calendar months and days, and exact seconds."""

    months: int = 0
    days: int = 0
    seconds: float = 0

    def __add__(self, other: Delta) -> Delta:
        """Return both lengths together."""
        return Delta(
            months=self.months + other.months,
            days=self.days + other.days,
            seconds=self.seconds + other.seconds,
        )

    def __neg__(self) -> Delta:
        """Return the length backwards."""
        return Delta(months=-self.months, days=-self.days, seconds=-self.seconds)

    @property
    def exact(self) -> bool:
        """Whether it counts in hours, minutes or seconds, so that it leads to a moment and not to a day."""
        return self.seconds != 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A time of day; an hour up to 12 without `half` and not `exact` may lie in either half of the day."""

    hour: int
    minute: int = 0
    second: int = 0
    half: str | None = None
    """am or pm."""
    exact: bool = False
    """Said on the 24-hour clock."""
    named: bool = False
    """Said as a word (noon, midnight); 24 means the end of the day."""
    said: int | None = None
    """The hour that was said, where it is another one ("quarter to seven")."""

    @property
    def early(self) -> bool:
        """Whether, on a named day, the bare hour means the morning (DESIGN section 5)."""
        said = self.hour if self.said is None else self.said
        return 7 <= said <= 11 or (said == 12 and self.hour == 11)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """Several times of one day."""

    clocks: tuple[Clock, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRange:
    """From one time of day to another."""

    start: Clock
    end: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the day, as a window: early, morning, noon, afternoon, evening or night."""

    name: str
    here: bool = False
    """Bound to today ("tonight", "this evening")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What is said of the day; every field is a constraint, None where nothing was said."""

    relative: int | None = None
    """Days from today."""
    weekdays: frozenset[int] | None = None
    """ISO numbers, Monday is 1."""
    week: int | None = None
    """Calendar weeks from this one."""
    which: str | None = None
    """coming or past: the next or last one, counted from today."""
    dom: int | None = None
    """Day of the month; -1 is its last day."""
    month: int | None = None
    month_shift: int | None = None
    year: int | None = None
    year_shift: int | None = None
    nth: int | None = None
    """Which of the month's weekdays; -1 is the last."""
    weekend: bool | None = None
    shift: Delta | None = None
    """To be added to the day that the rest says."""
    refused: bool | None = None
    """Of a calendar that is not supported, or a day that does not exist."""

    def joined(self, other: Day) -> Self | None:
        """Return both constraints as one, or None if they contradict."""
        changes: dict[str, object] = {}
        for item in fields(self):
            mine, others = getattr(self, item.name), getattr(other, item.name)
            if mine is not None and others is not None and mine != others:
                return None
            if mine is None and others is not None:
                changes[item.name] = others
        return replace(self, **changes)  # type: ignore[arg-type] # field names and values are its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Offset:
    """A time counted from now; negative for the past."""

    delta: Delta


@dataclass(frozen=True, slots=True, kw_only=True)
class Duration:
    """A length without an anchor."""

    delta: Delta
    limits: bool = False
    """Said as an extent ("for two weeks")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """How long before the event."""

    delta: Delta


@dataclass(frozen=True, slots=True, kw_only=True)
class Every:
    """A repetition; without `unit` the day that was said gives it ("every" Monday)."""

    unit: str | None = None
    interval: int = 1
    weekdays: frozenset[int] | None = None
    part: str | None = None
    times: int | None = None
    """How often within one unit."""
    refused: bool = False
    """Nobody can tell what is meant, or no rule expresses it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Until:
    """The last day of a repetition, inclusive, or the moment of it."""

    day: Day | None = None
    clock: Clock | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Except:
    """Weekdays that a repetition leaves out."""

    weekdays: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class DayRange:
    """From one day to another, both included."""

    start: Day
    end: Day


type Atom = (
    Clock
    | Clocks
    | ClockRange
    | Part
    | Day
    | DayRange
    | Offset
    | Duration
    | Lead
    | Every
    | Until
    | Except
)
