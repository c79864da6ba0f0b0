"""What the templates about days mean: dates, weekdays, periods, holidays."""

from collections.abc import Iterator

from .atoms import Day
from .slots import Constants, Values, texts

_SHIFTS = {
    "day": "relative",
    "week": "week",
    "month": "month_shift",
    "year": "year_shift",
}
_FIELDS = {
    "relative_day": "relative",
    "relative_short": "relative",
    "month": "month",
    "month_number": "month",
    "dom": "dom",
    "late_dom": "dom",
    "ordinal_day": "dom",
    "ordinal": "nth",
    "number": "nth",
    "year": "year",
}
_NUMBERS = (
    "relative",
    "week",
    "month_shift",
    "year_shift",
    "dom",
    "month",
    "nth",
    "year",
)


def build_day(values: Values, constants: Constants) -> Day | None:
    """Return the day that the slots say; a date that no calendar has is refused, not dropped."""
    day = Day(
        weekend=True if "weekend" in constants else None,
        refused=True if "refused" in constants else None,
        which=constants.get("which"),
        **{key: int(constants[key]) for key in _NUMBERS if key in constants},  # type: ignore[arg-type] # own names
    )
    joined: Day | None = day
    for part in _parts(values, constants):
        joined = (
            joined.joined(part) if joined is not None and part is not None else None
        )
    if (
        joined is None
        or joined == Day()
        or (joined.week is not None and joined.dom is not None)
    ):
        return None
    return joined if _exists(joined) else Day(refused=True)


def _parts(values: Values, constants: Constants) -> Iterator[Day | None]:
    """Yield what each slot says of the day; None for what makes no sense."""
    unit = next(iter(texts(values, "unit")), None)
    for which in texts(values, "which"):
        yield _shifted_by(which, constants.get("unit", unit), values)
    for role, value in values:
        if role == "date_digits":
            yield _digits(str(value), constants.get("order"))
        elif isinstance(value, Day):
            yield value
        elif role not in {"which", "unit"}:
            yield _part(role, value)


def _shifted_by(which: str, unit: str | None, values: Values) -> Day | None:
    """Return what "this", "next", "last" say: with a unit a period, with a weekday or month the one in it."""
    if not which.lstrip("-").isdecimal():
        return Day(which=which)
    count = int(which)
    if unit is not None:
        if unit == "day" and count < 0:
            return None  # "the last day" is one of a month, not yesterday
        return Day(**{_SHIFTS[unit]: count}) if unit in _SHIFTS else None  # type: ignore[arg-type] # own names
    if any(role in {"month", "short_date"} for role, _ in values):
        return Day() if count in {0, 1} else Day(year_shift=count)
    return Day(week=count)


def _part(role: str, value: object) -> Day | None:
    day = Day()
    match role, value:
        case "weekday" | "weekday_short", int(number):
            day = Day(weekdays=frozenset({number}))
        case "short_year", int(number):
            day = Day(year=_full_year(number))
        case "ordinal_word", str(text):
            day = Day(nth=int(text))
        case "holiday", str(text):
            month, dom = (int(part) for part in text.split("-"))
            day = Day(month=month, dom=dom)
        case "short_date", (int(first), int(second)):
            month, dom = (first, second) if first <= 12 else (second, first)
            day = Day(month=month, dom=dom)
        case _, int(number) if role in _FIELDS:
            day = Day(**{_FIELDS[role]: number})  # type: ignore[arg-type] # own names
    return day


def _digits(text: str, order: str | None) -> Day:
    """Return a date in digits: year first, or month first; where the month cannot be one, day first."""
    short_year_first = order == "ymd" and "-" in text
    first, second, third = text.replace("/", "-").replace(".", "-").split("-")
    if len(first) == 4:
        return Day(year=int(first), month=int(second), dom=int(third))
    if short_year_first and len(third) == 2 and int(second) <= 12 and int(third) <= 31:
        return Day(year=_full_year(int(first)), month=int(second), dom=int(third))
    year = int(third) if len(third) == 4 else _full_year(int(third))
    month, dom = (
        (int(first), int(second)) if int(first) <= 12 else (int(second), int(first))
    )
    return Day(year=year, month=month, dom=dom)


def _full_year(short: int) -> int:
    """Return the year that two digits mean, between 1970 and 2069."""
    return short + (2000 if short < 70 else 1900)


def _exists(day: Day) -> bool:
    """Tell whether some year has such a day."""
    if day.month is not None and not 1 <= day.month <= 12:
        return False
    if day.dom is None or day.dom == -1:
        return day.nth is None or day.nth <= 5
    most = (
        31
        if day.month is None
        else (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[day.month - 1]
    )
    return 1 <= day.dom <= most


def weekdays_of(values: Values) -> list[int]:
    """Return the weekdays of a list, in the order said; empty if anything else is among them."""
    found: list[int] = []
    for role, value in values:
        if isinstance(value, Day):
            if value.weekdays is None or value != Day(weekdays=value.weekdays):
                return []
            found += sorted(value.weekdays)
        elif role == "number" and isinstance(value, int):
            digits = [int(digit) for digit in str(value)]
            if (
                not found
                or digits != sorted(set(digits))
                or not all(found[-1] < digit <= 7 for digit in digits)
            ):
                return []
            found += digits
    return found
