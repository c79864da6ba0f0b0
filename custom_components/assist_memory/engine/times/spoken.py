"""Moments, rules and lengths back in words, the way each language says them; the sentences are the pack's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache

from ..language import LanguagePack, Section
from .recurrence import end_of, parts_of
from .words import time_words

_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_UNITS = {
    "DAILY": "day",
    "WEEKLY": "week",
    "MONTHLY": "month",
    "YEARLY": "year",
    "HOURLY": "hour",
    "MINUTELY": "minute",
}
_LENGTHS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))

type Templates = Mapping[str, str]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Phrases:
    """How one language says times."""

    weekdays: Sequence[str]
    months: Sequence[str]
    hours: Sequence[str]
    """The names of the 24 hours."""
    numbers: Sequence[str]
    """Words for small numbers; digits where the list ends."""
    counts: Templates
    """Words for numbers that are others before a unit ("两天")."""
    ordinals: Sequence[str]
    """Names of 1st to 31st as a day of the month; digits are not enough for most languages."""
    nths: Templates
    parts: Sequence[tuple[int, str]]
    """From which hour on a part of the day is said."""
    relative: Templates
    units: Mapping[str, Sequence[str]]
    say: Templates


@cache
def phrases_of(pack: LanguagePack) -> Phrases:
    """Return the typed section `spoken` of a pack. Raises LanguagePackError."""
    section = time_words(pack).spoken.only(
        "weekdays",
        "months",
        "hours",
        "numbers",
        "counts",
        "ordinals",
        "nths",
        "parts",
        "relative",
        "units",
        "say",
    )
    return Phrases(
        weekdays=section.texts("weekdays"),
        months=section.texts("months"),
        hours=section.texts("hours"),
        numbers=section.texts("numbers"),
        counts=section.section("counts").text_map(),
        ordinals=section.texts("ordinals"),
        nths=section.section("nths").text_map(),
        parts=sorted(
            (int(hour), text)
            for hour, text in section.section("parts").text_map().items()
        ),
        relative=section.section("relative").text_map(),
        units=_checked_units(section.section("units")),
        say=section.section("say").text_map(),
    )


def _checked_units(section: Section) -> Mapping[str, Sequence[str]]:
    return section.texts_map()


def spoken_time(
    when: datetime, now: datetime, pack: LanguagePack, *, date_only: bool = False
) -> str:
    """Return a moment as people say it, seen from now and in now's zone: the day, and the time with its part of day."""
    phrases = phrases_of(pack)
    local = when.astimezone(now.tzinfo)
    if date_only:
        return _day(local.date(), now.date(), phrases)
    if (local.hour, local.minute, local.second) == (
        0,
        0,
        0,
    ) and "midnight" in phrases.say:
        tonight = (local.date() - now.date()).days == 1
        day = _day(local.date(), now.date(), phrases)
        return phrases.say["midnight_tonight" if tonight else "midnight"].format(
            day=day
        )
    day = _day(local.date(), now.date(), phrases)
    return phrases.say["day_and_clock"].format(day=day, clock=_clock(local, phrases))


def spoken_duration(delta: timedelta, pack: LanguagePack) -> str:
    """Return a length in its two largest units."""
    phrases = phrases_of(pack)
    seconds = max(0, round(delta.total_seconds()))
    said: list[str] = []
    for unit, length in _LENGTHS:
        count, seconds = divmod(seconds, length)
        if count and len(said) < 2:
            said.append(_counted(count, unit, phrases))
    return phrases.say["and"].join(said) or _counted(0, "second", phrases)


def spoken_rule(rule: str, first: datetime, pack: LanguagePack) -> str:
    """Return a rule as people say it, with its time of day; `first` is an occurrence. Raises ValueError."""
    phrases = phrases_of(pack)
    parts = parts_of(rule)
    days = _days(parts, first, phrases)
    if parts["FREQ"] not in {"HOURLY", "MINUTELY"}:
        days = phrases.say["days_and_times"].format(
            days=days, times=_times(parts, first, phrases)
        )
    if (until := end_of(parts, first)) is not None:
        last = until.astimezone(first.tzinfo).date()
        return phrases.say["until"].format(
            rule=days, day=_day(last, first.date() - timedelta(days=30), phrases)
        )
    if "COUNT" in parts:
        return phrases.say["count"].format(
            rule=days, n=_number(int(parts["COUNT"]), phrases)
        )
    return days


# --- days and clocks ---------------------------------------------------------------------------


def _day(day: date, today: date, phrases: Phrases) -> str:
    ahead = (day - today).days
    if (text := phrases.relative.get(str(ahead))) is not None:
        return text
    names = {
        "weekday": phrases.weekdays[day.isoweekday() - 1],
        "month": phrases.months[day.month - 1],
        "dom": _number(day.day, phrases),
        "year": str(day.year),
    }
    key = (
        "weekday"
        if 0 < ahead < 7
        else "date"
        if day.year == today.year
        else "date_and_year"
    )
    return phrases.say[key].format(**names)


def _clock(local: datetime, phrases: Phrases) -> str:
    part = next(text for hour, text in reversed(phrases.parts) if hour <= local.hour)
    key = "clock_seconds" if local.second else f"clock_{local.minute}"
    if key not in phrases.say:
        key = (
            "clock"
            if local.minute >= 10 or "clock_early" not in phrases.say
            else "clock_early"
        )
    return phrases.say[key].format(
        hour=phrases.hours[local.hour],
        minute=_number(local.minute, phrases),
        minute2=f"{local.minute:02}",
        second=_number(local.second, phrases),
        second2=f"{local.second:02}",
        part=part,
    )


def _number(value: int, phrases: Phrases) -> str:
    return phrases.numbers[value] if value < len(phrases.numbers) else str(value)


def _counted(count: int, unit: str, phrases: Phrases) -> str:
    forms = phrases.units[unit]
    return forms[0 if count == 1 else -1].format(
        n=phrases.counts.get(str(count)) or _number(count, phrases)
    )


def _listed(texts: Sequence[str], phrases: Phrases) -> str:
    if len(texts) < 2:
        return "".join(texts)
    return phrases.say["last_of_list"].format(
        rest=phrases.say["comma"].join(texts[:-1]), last=texts[-1]
    )


# --- rules -------------------------------------------------------------------------------------


def _days(parts: Mapping[str, str], first: datetime, phrases: Phrases) -> str:
    interval = int(parts.get("INTERVAL", "1"))
    unit = _UNITS.get(parts["FREQ"])
    if unit is None:
        raise ValueError("nobody says such a rule")
    every = _every(unit, interval, phrases)
    if unit == "week":
        return _weekly(parts, first, interval, every, phrases)
    if unit == "month":
        return phrases.say["of_every"].format(
            day=_month_day(parts, first, phrases), every=every
        )
    if unit == "year":
        month = int(parts.get("BYMONTH", str(first.month)).split(",", maxsplit=1)[0])
        dom = int(parts.get("BYMONTHDAY", str(first.day)).split(",")[-1])
        names = {"month": phrases.months[month - 1], "dom": _number(dom, phrases)}
        return phrases.say["yearly"].format(every=every, **names)
    return every


def _every(unit: str, interval: int, phrases: Phrases) -> str:
    for key in (f"every_{interval}_{unit}", f"every_{unit}"):
        if key in phrases.say and (interval == 1 or key != f"every_{unit}"):
            return phrases.say[key]
    return phrases.say["every_n"].format(units=_counted(interval, unit, phrases))


def _weekly(
    parts: Mapping[str, str],
    first: datetime,
    interval: int,
    every: str,
    phrases: Phrases,
) -> str:
    numbers = [
        _CODES.index(code)
        for code in parts.get("BYDAY", _CODES[first.weekday()]).split(",")
    ]
    known = "weekdays_" + "".join(str(number + 1) for number in sorted(numbers))
    if interval == 1 and known in phrases.say:
        return phrases.say[known]
    names = _listed([phrases.weekdays[number] for number in numbers], phrases)
    key = {1: "weekly", 2: "weekly_2"}.get(interval, "weekly_n")
    return phrases.say[key].format(weekdays=names, every=every)


def _month_day(parts: Mapping[str, str], first: datetime, phrases: Phrases) -> str:
    if "BYDAY" in parts:
        code = parts["BYDAY"].split(",", maxsplit=1)[0]
        nth, weekday = code[:-2] or "1", phrases.weekdays[_CODES.index(code[-2:])]
        return phrases.say["nth_weekday"].format(nth=phrases.nths[nth], weekday=weekday)
    days = parts.get("BYMONTHDAY", str(first.day)).split(",")
    if days == ["-1"]:
        return phrases.say["last_day"]
    key = (
        "day_or_last"
        if len(days) > 1 or parts.get("SKIP") == "BACKWARD"
        else "day_of_month"
    )
    return phrases.say[key].format(day=phrases.ordinals[int(days[-1]) - 1])


def _times(parts: Mapping[str, str], first: datetime, phrases: Phrases) -> str:
    """Return the times of day that the rule names, or the one of the occurrence."""
    hours = [int(hour) for hour in parts.get("BYHOUR", str(first.hour)).split(",")]
    minutes = [
        int(minute) for minute in parts.get("BYMINUTE", str(first.minute)).split(",")
    ]
    grid = [(hour, minute) for hour in hours for minute in minutes]
    if "BYSETPOS" in parts and "BYHOUR" in parts:
        grid = [grid[int(position) - 1] for position in parts["BYSETPOS"].split(",")]
    return _listed(
        [
            _clock(first.replace(hour=hour, minute=minute), phrases)
            for hour, minute in grid
        ],
        phrases,
    )
