"""Which reminder a person means: by its words, its time, its place in the list, or as "it"."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
import re

from .commands import command_words
from .facts import indexed, keywords
from .language import LanguagePack
from .models import PendingItem, TimeKind, TimeReading
from .outcome import View
from .phrases import compile_phrases
from .text import fold_in
from .times import read_time

ENOUGH = 0.6
"""The share of the person's words that a reminder must have to be meant."""
_DAY = timedelta(days=1)


@cache
def ordinals(pack: LanguagePack) -> tuple[tuple[re.Pattern[str], int], ...]:
    """Return the words for a place in a list, as patterns with an index. Raises LanguagePackError."""
    places = pack.file("commands").section("ordinals").texts_map()
    return tuple((compile_phrases(words), int(index)) for index, words in places.items())


def picked(words: str, raw: str, view: View) -> tuple[PendingItem, ...]:
    """Return the reminders that fit what the person said of one; all that fit equally well.

    `words`: what was said of it without times; `raw`: the same with times.
    """
    time = _time_of(raw, view)
    items = at_time(view.items, time, view.now)
    if time.spans and not words:
        # A time alone tells them apart, and nothing else may.
        return items
    if is_pronoun(words, view.pack):
        return _pointed_at(words, items, view)
    return by_words(items, words, view.pack)


def is_pronoun(words: str, pack: LanguagePack) -> bool:
    """Tell whether words name nothing by themselves: "it", "the last one", or no words at all."""
    known = command_words(pack)
    folded = fold_in(words, pack).strip()
    return not folded or folded in known.pronouns or known.last_ones.fullmatch(folded) is not None


def _pointed_at(words: str, items: Sequence[PendingItem], view: View) -> tuple[PendingItem, ...]:
    folded = fold_in(words, view.pack).strip()
    if command_words(view.pack).last_ones.fullmatch(folded) and items:
        return (max(items, key=lambda item: item.created),)
    focus = tuple(item for item in items if item.id == view.focus)
    return focus or tuple(items)


def by_words(items: Sequence[PendingItem], words: str, pack: LanguagePack) -> tuple[PendingItem, ...]:
    """Return the reminders whose text shares most with the words, if it shares enough."""
    wanted = keywords(words, pack)
    if not wanted:
        return ()
    scored = [(len(wanted & indexed(item.text, pack)) / len(wanted), item) for item in items]
    best = max((score for score, _ in scored), default=0.0)
    return tuple(item for score, item in scored if score >= max(ENOUGH, best))


def covered(items: Sequence[PendingItem], words: str, pack: LanguagePack) -> tuple[PendingItem, ...]:
    """Return the reminders all of whose content words are among the words."""
    said = indexed(words, pack)
    return tuple(item for item in items if (wanted := keywords(item.text, pack)) and wanted <= said)


def by_place(items: Sequence[PendingItem], words: str, pack: LanguagePack) -> PendingItem | None:
    """Return the reminder at the place in the list that the words name ("the first one")."""
    folded = fold_in(words, pack)
    for pattern, index in ordinals(pack):
        if pattern.search(folded) and -len(items) <= index < len(items):
            return items[index]
    return None


def _time_of(raw: str, view: View) -> TimeReading:
    """Return the time by which the person tells the reminder from others, if any."""
    return read_time(raw, view.now, view.pack) if raw else TimeReading()


def at_time(items: Sequence[PendingItem], time: TimeReading, now: datetime) -> tuple[PendingItem, ...]:
    """Return the reminders that a time expression fits; all of them if there is none."""
    if not time.spans:
        return tuple(items)
    exact = tuple(item for item in items if any(when == time.due for when in _moments(item)))
    return exact or tuple(item for item in items if any(_fits(when, time) for when in _moments(item)))


def _moments(item: PendingItem) -> list[datetime]:
    return [when for when in (item.due, item.last_due) if when is not None]


def _fits(when: datetime, time: TimeReading) -> bool:
    if time.due is None:
        return False
    local = when.astimezone(time.due.tzinfo)
    if time.kind is TimeKind.DATE:
        return local.date() == time.due.date()
    if time.kind is TimeKind.INTERVAL and time.end is not None:
        return time.due <= local < time.end
    # "My one o'clock reminder": the clock as it is said, of either half of the day.
    return (local.hour % 12, local.minute) == (time.due.hour % 12, time.due.minute)
