"""What the templates about days mean: dates, weekdays, periods, holidays."""

from collections.abc import Mapping, Sequence

from .atoms import Day

_SHIFTS = {"day": "relative", "week": "week", "month": "month_shift", "year": "year_shift"}
_NUMBERS = ("relative", "week", "month_shift", "year_shift", "dom", "month", "nth", "year")


def build_day(values: Sequence[tuple[str, object]], constants: Mapping[str, str]) -> Day | None:
    """Return the day that the slots say; a date that no calendar has is refused, not dropped."""
    day = Day(
        weekend=True if "weekend" in constants else None,
        refused=True if "refused" in constants else None,
        which=constants.get("which"),
        **{key: int(constants[key]) for key in _NUMBERS if key in constants},  # type: ignore[arg-type] # own names
    )
    which = next((str(value) for role, value in values if role == "which"), None)
    unit = next((str(value) for role, value in values if role == "unit"), None)
    if which is not None:
        shifted = _shifted_by(which, constants.get("unit", unit), values)
        day = _joined(day, shifted) if shifted is not None else None
        if day is None:
            return None
    for role, value in values:
        part = _digits(str(value), constants.get("order")) if role == "date_digits" else _part(role, value)
        if part is not None and (day := _joined(day, part)) is None:
            return None
    if day == Day():
        return None
    return day if _exists(day) else Day(refused=True)


def _joined(day: Day, other: Day) -> Day | None:
    return day.joined(other)


def _shifted_by(which: str, unit: str | None, values: Sequence[tuple[str, object]]) -> Day | None:
    """This, next, last: with a unit a period, with a weekday or month the one in it."""
    if not which.lstrip("-").isdecimal():
        return Day(which=which)
    count = int(which)
    if unit is not None:
        if unit == "day" and count < 0:
            return None  # "the last day" is one of a month, not yesterday
        return Day(**{_SHIFTS[unit]: count}) if unit in _SHIFTS else None  # type: ignore[arg-type] # own names
    if any(role == "month" for role, _ in values):
        return Day() if count in {0, 1} else Day(year_shift=count)
    return Day(week=count)


def _part(role: str, value: object) -> Day | None:
    if isinstance(value, Day):
        return value
    if role in {"weekday", "weekday_short"} and isinstance(value, int):
        return Day(weekdays=frozenset({value}))
    if role in {"relative_day", "relative_short"} and isinstance(value, int):
        return Day(relative=value)
    if role in {"month", "month_number"} and isinstance(value, int):
        return Day(month=value)
    if role in {"dom", "late_dom", "ordinal_day"} and isinstance(value, int):
        return Day(dom=value)
    if role in {"ordinal", "number"} and isinstance(value, int):
        return Day(nth=value)
    if role == "year" and isinstance(value, int):
        return Day(year=value)
    if role == "short_year" and isinstance(value, int):
        return Day(year=_full_year(value))
    return _written(role, value)


def _written(role: str, value: object) -> Day | None:
    if role == "ordinal_word" and isinstance(value, str):
        return Day(nth=int(value))
    if role == "holiday" and isinstance(value, str):
        month, dom = (int(part) for part in value.split("-"))
        return Day(month=month, dom=dom)
    if role == "short_date" and isinstance(value, tuple):
        first, second = value
        month, dom = (first, second) if first <= 12 else (second, first)
        return Day(month=month, dom=dom)
    return None


def _digits(text: str, order: str | None) -> Day:
    """Year first, or month first; where the month cannot be one, day first."""
    short_year_first = order == "ymd" and "-" in text
    first, second, third = text.replace("/", "-").replace(".", "-").split("-")
    if len(first) == 4:
        return Day(year=int(first), month=int(second), dom=int(third))
    if short_year_first and len(third) == 2 and int(second) <= 12 and int(third) <= 31:
        return Day(year=_full_year(int(first)), month=int(second), dom=int(third))
    year = int(third) if len(third) == 4 else _full_year(int(third))
    month, dom = (int(first), int(second)) if int(first) <= 12 else (int(second), int(first))
    return Day(year=year, month=month, dom=dom)


def _full_year(short: int) -> int:
    """A year of two digits lies between 1970 and 2069."""
    return short + (2000 if short < 70 else 1900)


def _exists(day: Day) -> bool:
    """Tell whether some year has such a day."""
    if day.month is not None and not 1 <= day.month <= 12:
        return False
    if day.dom is None or day.dom == -1:
        return day.nth is None or day.nth <= 5
    most = 31 if day.month is None else (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[day.month - 1]
    return 1 <= day.dom <= most


def weekdays_of(values: Sequence[tuple[str, object]]) -> list[int]:
    """Return the weekdays of a list, in the order said; empty if anything else is among them."""
    found: list[int] = []
    for role, value in values:
        if isinstance(value, Day):
            if value.weekdays is None or value != Day(weekdays=value.weekdays):
                return []
            found += sorted(value.weekdays)
        elif role == "number" and isinstance(value, int):
            digits = [int(digit) for digit in str(value)]
            if not found or digits != sorted(set(digits)) or not all(found[-1] < digit <= 7 for digit in digits):
                return []
            found += digits
    return found
