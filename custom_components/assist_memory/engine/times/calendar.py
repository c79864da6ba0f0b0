"""Days: which dates fit what was said, in order, seen from today."""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from .atoms import Day, Delta

YEARS = range(1000, 9000)
"""Beyond them no day is meant, and no zone can be trusted."""

MONTHS_AHEAD = 12 * 9
"""Far enough for any 29 February."""


def days_of(day: Day, today: date) -> Iterator[date]:
    """Yield the dates that keep all constraints, the next first; nothing if there is none."""
    if day.refused:
        return
    if day.shift is not None:
        yield from _shifted(day, day.shift, today)
        return
    if _is_dated_weekday(day):
        yield from _dated_weekday(day, today)
        return
    for found in _unchecked(day, today):
        if found is not None and (
            day.weekdays is None or found.isoweekday() in day.weekdays
        ):
            yield found


def is_past(day: Day, today: date) -> bool:
    """Tell whether the words themselves speak of the past ("yesterday", "last week", a year that is over)."""
    backward = (day.relative, day.week, day.month_shift, day.year_shift)
    if day.which == "past" or any(
        shift is not None and shift < 0 for shift in backward
    ):
        return True
    if day.shift is not None or day.year is not None or _is_dated_weekday(day):
        first = next(days_of(day, today), None)
        return first is not None and first < today
    return False


def moved(start: date, delta: Delta) -> date | None:
    """Return the date so many months and days on; None beyond the calendar."""
    try:
        found = start + relativedelta(months=delta.months, days=delta.days)
    except OverflowError, ValueError:
        return None
    return found if found.year in YEARS else None


def is_period(day: Day) -> bool:
    """Tell whether only a week, month or year was named, and no day in it."""
    inside = (
        day.relative,
        day.weekdays,
        day.dom,
        day.month,
        day.shift,
        day.weekend,
        day.nth,
    )
    return all(value is None for value in inside) and day != Day()


def _is_dated_weekday(day: Day) -> bool:
    """Tell whether a date without a year was said with its weekday ("Friday, the 6th of July")."""
    pinned = (
        day.year,
        day.year_shift,
        day.month_shift,
        day.which,
        day.week,
        day.relative,
        day.nth,
    )
    dated = day.weekdays is not None and day.month is not None and day.dom is not None
    return dated and all(value is None for value in pinned)


def _dated_weekday(day: Day, today: date) -> Iterator[date]:
    """Yield the coming or the last such date, whichever the weekday fits; one years away is never meant."""
    for which in (None, "past"):
        found = next(_month_days(replace(day, which=which, weekdays=None), today), None)
        if found is not None and day.weekdays and found.isoweekday() in day.weekdays:
            yield found
            return


def _shifted(day: Day, shift: Delta, today: date) -> Iterator[date]:
    # A weekday is not today, which people call today.
    is_weekday = day == Day(weekdays=day.weekdays, shift=shift)
    start = today + timedelta(days=1) if is_weekday and shift.days > 0 else today
    for found in days_of(replace(day, shift=None), start):
        if (result := moved(found, shift)) is not None:
            yield result
        return


def _unchecked(day: Day, today: date) -> Iterator[date | None]:
    if day.week is not None and day.dom is not None:
        return  # the end of a week is no day of a month
    if day.relative is not None:
        yield _agreeing(today + timedelta(days=day.relative), day)
    elif day.weekend and day.dom is None:
        yield from _weekends(day, today)
    elif day.nth is not None:
        yield from _nth_days(day, today)
    elif day.dom is not None or day.month is not None:
        yield from _month_days(day, today)
    elif day.week is not None:
        monday = (
            today - timedelta(days=today.isoweekday() - 1) + timedelta(weeks=day.week)
        )
        yield from (
            monday + timedelta(days=step) for step in range(7 if day.weekdays else 1)
        )
    elif day.weekdays is not None:
        yield from _weekdays(day, today)
    elif (
        day.month_shift is not None
        or day.year_shift is not None
        or day.year is not None
    ):
        yield from _month_days(day, today)


def _agreeing(found: date, day: Day) -> date | None:
    """Return a day counted from today if it agrees with what else was said of it."""
    said = ((day.dom, found.day), (day.month, found.month), (day.year, found.year))
    return found if all(wanted in {None, is_} for wanted, is_ in said) else None


def _weekdays(day: Day, today: date) -> Iterator[date]:
    if day.which == "past":
        yield from (today - timedelta(days=step) for step in range(1, 8))
        return
    first = 1 if day.which == "coming" else 0
    start = today
    if day.year_shift or day.month_shift:
        start = _month_start(day, today, 0) or today
    yield from (start + timedelta(days=step) for step in range(first, first + 14))


def _weekends(day: Day, today: date) -> Iterator[date]:
    saturday = (
        today - timedelta(days=today.isoweekday() - 6) + timedelta(weeks=day.week or 0)
    )
    for week in range(1 if day.week is not None else 3):
        for step in range(2):
            found = saturday + timedelta(weeks=week, days=step)
            if found >= today or (day.week or 0) < 0:
                yield found


def _month_start(day: Day, today: date, index: int) -> date | None:
    """Return the first day of the index-th month that fits what was said of month and year."""
    fixed_year = day.year if day.year is not None else None
    if day.year_shift is not None:
        fixed_year = today.year + day.year_shift
    if day.month_shift is not None:
        return (
            moved(today.replace(day=1), Delta(months=day.month_shift))
            if index == 0
            else None
        )
    if fixed_year is not None:
        month = day.month or (
            1 if day.dom is None or day.year_shift != 0 else today.month
        )
        return (
            date(fixed_year, month, 1)
            if index == 0 and 1 <= fixed_year <= 9999
            else None
        )
    if day.month is not None:
        return (
            date(today.year + index, day.month, 1)
            if index < MONTHS_AHEAD // 12
            else None
        )
    return moved(today.replace(day=1), Delta(months=index))


def _months(day: Day, today: date) -> Iterator[date]:
    pinned = (day.month_shift, day.year_shift, day.year)
    back = day.which == "past" and all(value is None for value in pinned)
    for index in range(0, -13, -1) if back else range(MONTHS_AHEAD):
        if (start := _month_start(day, today, index)) is None:
            return
        yield start


def _month_days(day: Day, today: date) -> Iterator[date]:
    pinned = (
        day.month_shift is not None
        or day.year is not None
        or day.year_shift is not None
    )
    for start in _months(day, today):
        last = monthrange(start.year, start.month)[1]
        dom = last if day.dom == -1 else day.dom or 1
        if dom > last:
            # Only a month that was named as "this" or "next" makes its last day of the 31st.
            if day.month_shift is None:
                continue
            dom = last
        found = start.replace(day=dom)
        if pinned or (found < today if day.which == "past" else found >= today):
            yield found


def _nth_days(day: Day, today: date) -> Iterator[date]:
    if not day.weekdays or day.nth is None:
        return
    pinned = (
        day.month_shift is not None
        or day.year is not None
        or day.year_shift is not None
    )
    for start in _months(day, today):
        last = monthrange(start.year, start.month)[1]
        fitting = [
            found
            for number in range(1, last + 1)
            if (found := start.replace(day=number)).isoweekday() in day.weekdays
        ]
        index = day.nth - 1 if day.nth > 0 else day.nth
        if -len(fitting) <= index < len(fitting) and (
            pinned or fitting[index] >= today
        ):
            yield fitting[index]
