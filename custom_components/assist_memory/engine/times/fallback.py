"""The last resort for written forms that the grammar does not know: dateparser, checked before it is believed.

Importing dateparser takes up to two seconds, so it happens on first use; call `read` outside an event loop.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta

import regex

from ..language import LanguagePack
from ..models import Span, TimeKind, TimeReading
from ..text import MAX_TEXT, fold_in
from .clock import DayMoments, is_after, wall
from .scanner import Token, tokens_of
from .words import time_words

FARTHEST = timedelta(days=2 * 366)
"""An answer further ahead is a misreading."""

MOST_WORDS = 120
"""No written time is longer; what is, is not given to dateparser."""

_TELLING = frozenset(
    {
        "date_digits",
        "clock_digits",
        "short_date",
        "bad_clock",
        "month",
        "weekday",
        "year",
    }
)
_NUMBER = regex.compile(r"[0-9]++")
_OTHER_HOUR = timedelta(hours=5, minutes=7, seconds=13)

_USUAL = DayMoments()


def unread(text: str, reading: TimeReading, pack: LanguagePack) -> tuple[Span, ...]:
    """Return the stretches of a normalised text that look like a time and that the reading left alone."""
    words = time_words(pack)
    stretches: list[list[Token]] = [[]]
    for token in tokens_of(fold_in(text[:MAX_TEXT], pack), words):
        taken = any(
            Span(token.start, token.end).overlaps(span) for span in reading.spans
        )
        if token.roles and not taken:
            stretches[-1].append(token)
        elif stretches[-1]:
            stretches.append([])
    return tuple(
        Span(found[0].start, found[-1].end) for found in stretches if _is_telling(found)
    )


def read(
    text: str, now: datetime, pack: LanguagePack, moments: DayMoments = _USUAL
) -> TimeReading:
    """Return what dateparser makes of a written time, or no reading. Blocking.

    Refused are moments that are past or more than two years ahead, and those that leave a number of the text unused.
    """
    if not 0 < len(text) <= MOST_WORDS:
        return TimeReading()
    found, other = (
        _parsed(text, now, pack.code),
        _parsed(text, now + _OTHER_HOUR, pack.code),
    )
    if found is None or other is None or not _uses_all_numbers(text, found):
        return TimeReading()
    zone = now.tzinfo or UTC
    # A time of day that follows the clock of now was never said, and neither was a midnight without a zero.
    zero = any(int(number) == 0 for number in _NUMBER.findall(text))
    timed = found.time() == other.time() and (found.time() != time(0) or zero)
    due = wall(found.date(), found.time() if timed else moments.morning, zone)
    if not is_after(due, now) or is_after(due, now + FARTHEST):
        return TimeReading()
    kind = TimeKind.INSTANT if timed else TimeKind.DATE
    return TimeReading(kind=kind, due=due, spans=(Span(0, len(text)),))


def _parsed(text: str, now: datetime, language: str) -> datetime | None:
    import dateparser  # noqa: PLC0415 - two seconds that most homes never need

    return dateparser.parse(
        text,
        languages=[language],
        settings={
            "RELATIVE_BASE": now.replace(tzinfo=None),
            "PREFER_DATES_FROM": "future",
            "RETURN_AS_TIMEZONE_AWARE": False,
        },
    )


def _uses_all_numbers(text: str, found: datetime) -> bool:
    """Tell whether every number that was written is one of the moment."""
    hour = found.hour % 12 or 12
    parts = {
        found.year,
        found.year % 100,
        found.month,
        found.day,
        found.hour,
        hour,
        found.minute,
        found.second,
    }
    return all(int(number) in parts for number in _NUMBER.findall(text))


def _is_telling(tokens: Sequence[Token]) -> bool:
    return any(token.roles.keys() & _TELLING for token in tokens)
