"""Which reminder a person means: by its words, its time, its place in the list, or as "it"."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
import re

from . import pending
from .command_words import command_words
from .facts import indexed, keywords, scattered
from .kept import PendingItem, Status
from .language import LanguagePack
from .models import Command, Reading, TimeKind, TimeReading
from .outcome import View
from .phrases import compile_phrases
from .text import fold_in
from .times import cut, is_after, next_occurrence, read_time, since

NEAR = timedelta(minutes=15)
"""So long before it is due "it's time" may mean a reminder."""
ENOUGH = 0.6
"""The share of the person's words that a reminder must have to be meant."""


@cache
def ordinals(pack: LanguagePack) -> tuple[tuple[re.Pattern[str], int], ...]:
    """Return the words for a place in a list, as patterns with an index. Raises LanguagePackError."""
    places = pack.file("commands").section("ordinals").texts_map()
    return tuple(
        (compile_phrases(words), int(index)) for index, words in places.items()
    )


def picked(
    command: Command, reading: Reading, raw: str, view: View
) -> tuple[PendingItem, ...]:
    """Return the reminders that fit what the person said of one; all that fit equally well.

    `raw`: the words that tell it from others, times included.
    """
    time = read_time(raw, view.now, view.pack) if raw else TimeReading()
    items = at_time(view.items, time, view.now)
    words = command.object if command.target is None else cut(raw, time.spans)
    if time.spans and not keywords(words, view.pack):
        # A time alone tells them apart, and nothing else may.
        return items
    if is_pronoun(words, view.pack):
        said = fold_in(words or command.span.of(reading.text), view.pack)
        return _pointed_at(said, items, view)
    return by_words(items, words, view.pack)


def is_pronoun(words: str, pack: LanguagePack) -> bool:
    """Tell whether words name nothing by themselves: "it", "the last one", or no words at all."""
    known = command_words(pack)
    folded = fold_in(words, pack).strip()
    return (
        not folded
        or folded in known.pronouns
        or known.last_ones.fullmatch(folded) is not None
    )


def _pointed_at(
    said: str, items: Sequence[PendingItem], view: View
) -> tuple[PendingItem, ...]:
    if command_words(view.pack).last_ones.search(said) and items:
        # Reminders stand in the order in which they were made.
        return (items[-1],)
    focus = tuple(item for item in items if item.id == view.focus)
    return focus or tuple(items)


def by_words(
    items: Sequence[PendingItem], words: str, pack: LanguagePack
) -> tuple[PendingItem, ...]:
    """Return the reminders whose text shares most with the words, if it shares enough."""
    wanted = keywords(words, pack)
    if not wanted:
        return ()
    scored = [
        (len(wanted & indexed(item.text, pack)) / len(wanted), item) for item in items
    ]
    best = max((score for score, _ in scored), default=0.0)
    return tuple(item for score, item in scored if score >= max(ENOUGH, best))


def covered(
    items: Sequence[PendingItem], words: str, pack: LanguagePack
) -> tuple[PendingItem, ...]:
    """Return the reminders all of whose content words are among the words, in any order."""
    said = scattered(words, pack)
    return tuple(
        item
        for item in items
        if (wanted := scattered(item.text, pack)) and wanted <= said
    )


def by_place(
    items: Sequence[PendingItem], words: str, pack: LanguagePack
) -> PendingItem | None:
    """Return the reminder at the place in the list that the words name ("the first one")."""
    folded = fold_in(words, pack)
    for pattern, index in ordinals(pack):
        if pattern.search(folded) and -len(items) <= index < len(items):
            return items[index]
    return None


def selected(
    command: Command, time: TimeReading, view: View
) -> tuple[PendingItem, ...]:
    """Return the open reminders that fit both the time and the words that are named; all if neither is."""
    items = at_time(view.items, time, view.now)
    return by_words(items, command.object, view.pack) if command.object else items


def at_time(
    items: Sequence[PendingItem], time: TimeReading, now: datetime
) -> tuple[PendingItem, ...]:
    """Return the reminders that a time expression fits; all of them if there is none."""
    if not time.spans:
        return tuple(items)
    # A day is all of it: that its morning moment stands for it picks nothing.
    exact = tuple(
        item
        for item in items
        if time.kind is not TimeKind.DATE
        and any(pending.same_moment(when, time.due) for when in _moments(item))
    )
    return exact or tuple(item for item in items if fits(item, time, now))


def fits(item: PendingItem, time: TimeReading, now: datetime) -> bool:
    """Tell whether a reminder is due at a time, also by a later occurrence of a series."""
    if time.due is None:
        return False
    if _names_clock(time) and time.kind is not TimeKind.INTERVAL:
        # "My one o'clock reminder": the clock as it is said, of either half of the day.
        wanted = (time.due.hour % 12, time.due.minute)
        return any(_clock(when, time.due) == wanted for when in _moments(item))
    start = time.due.replace(hour=0, minute=0, second=0, microsecond=0)
    end = start + timedelta(days=1)
    if time.kind is TimeKind.INTERVAL and time.end is not None:
        start, end = time.due, time.end
    return any(
        not is_after(start, when) and is_after(end, when)
        for when in (
            *_moments(item),
            *_occurrence(item, start if is_after(start, now) else now),
        )
    )


def _moments(item: PendingItem) -> list[datetime]:
    return [when for when in (item.due, item.last_due) if when is not None]


def _occurrence(item: PendingItem, start: datetime) -> list[datetime]:
    if not item.rule or item.anchor is None:
        return []
    found = next_occurrence(item.rule, item.anchor, start - timedelta(seconds=1))
    return [found] if found else []


def _clock(when: datetime, like: datetime) -> tuple[int, int]:
    local = when.astimezone(like.tzinfo)
    return local.hour % 12, local.minute


def _names_clock(time: TimeReading) -> bool:
    """Tell whether a time names a clock or a length; "tonight" does not."""
    return any(
        getattr(time.said, part, None) is not None
        for part in ("clock", "offset", "duration")
    )


def called_up(
    items: Sequence[PendingItem], reading: Reading, pack: LanguagePack
) -> tuple[PendingItem, ...]:
    """Return the reminders for which a sentence says that it is time, and the time fits (A6)."""
    folded, now = fold_in(reading.text, pack), reading.utterance.now
    if (
        reading.question
        or reading.commands
        or not command_words(pack).now.search(folded)
    ):
        return ()
    near = [item for item in items if _is_near(item, now)]
    rest = command_words(pack).now.sub(" ", folded)
    said = keywords(rest, pack)
    return tuple(item for item in near if not said or said & indexed(item.text, pack))


def _is_near(item: PendingItem, now: datetime) -> bool:
    waits = item.status in {Status.PENDING, Status.SNOOZED}
    return waits and item.due is not None and since(now, item.due) <= NEAR


def at_hand(item: PendingItem, now: datetime) -> PendingItem:
    """Return a reminder that the person has called up: it counts as said, and a series is not moved by it."""
    return replace(item, status=Status.ANNOUNCED, announced_at=now, last_due=item.due)
