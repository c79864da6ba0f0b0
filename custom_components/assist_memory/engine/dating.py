"""Sentences with their relative days made absolute, at the moment they are said (A10)."""

from datetime import datetime, timedelta

from .fact_words import fact_words
from .language import LanguagePack
from .models import TimeKind
from .text import fold_in
from .times import read_time, since, spoken_time

_FAR = timedelta(days=50)
"""Seen from so far away a day is said by its date."""
_SOME_DAYS = timedelta(hours=30)


def absolute(text: str, now: datetime, pack: LanguagePack) -> str:
    """Return a sentence with its relative days made absolute: "yesterday" becomes "on Monday, 8 June"."""
    dated = _with_past_days(text, now, pack)
    return dated if dated != text else _with_coming_days(text, now, pack)


def _with_coming_days(text: str, now: datetime, pack: LanguagePack) -> str:
    time = read_time(text, now, pack)
    if time.due is None or time.rule or not time.spans:
        return text
    if time.kind is TimeKind.INSTANT:
        spoken = spoken_time(time.due, time.due - _FAR, pack)
    elif time.kind is TimeKind.DATE:
        spoken = spoken_day(time.due, pack)
    elif time.end is not None and since(time.due, time.end) > _SOME_DAYS:
        spoken = fact_words(pack).around_day.format(day=spoken_day(time.due, pack))
    else:
        return text
    first, *others = time.spans
    for span in reversed(others):
        text = text[: span.start] + text[span.end :]
    return _replaced(text, first.start, first.end, spoken)


def _with_past_days(text: str, now: datetime, pack: LanguagePack) -> str:
    words = fact_words(pack)
    for pattern, way, count in words.days:
        if match := pattern.search(fold_in(text, pack)):
            spoken = spoken_day(_day(now, way, count), pack)
            if way == "about":
                spoken = words.around_day.format(day=spoken)
            return _replaced(text, match.start(), match.end(), spoken)
    return text


def _replaced(text: str, start: int, end: int, spoken: str) -> str:
    """Return the text with other words at a place; a preposition that both have stands once."""
    before, _, rest = text[:start].rstrip().rpartition(" ")
    first = spoken.partition(" ")[0]
    if rest and rest.casefold() == first.casefold():
        return f"{before} {spoken}{text[end:]}".strip()
    return f"{text[:start]}{spoken}{text[end:]}"


def _day(now: datetime, way: str, count: int) -> datetime:
    if way == "weekday":
        return now - timedelta(days=now.weekday() + 7 - count)
    return now + timedelta(days=-count if way == "ago" else count)


def spoken_day(day: datetime, pack: LanguagePack) -> str:
    """Return a day by its date, never as "tomorrow"."""
    return spoken_time(day, day - _FAR, pack, date_only=True)
