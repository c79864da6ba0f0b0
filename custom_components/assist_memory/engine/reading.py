"""Layer 1 as a whole: one sentence read once, each finding with its span (A2)."""

from dataclasses import replace
from datetime import datetime

from .attitude import read_attitude
from .command_words import command_words
from .commands import read_commands
from .entities import find_mentions
from .intents import is_hypothetical, is_question, read_intent
from .language import LanguagePack
from .models import (
    Command,
    CommandKind,
    Home,
    Reading,
    Span,
    TimeKind,
    TimeReading,
    Utterance,
)
from .phrases import captured
from .text import fold_in, normalise
from .times import DayMoments, read_time
from .times.fallback import read as read_written, unread

_ASKING = frozenset({CommandKind.LIST, CommandKind.RECALL})


def read(
    utterance: Utterance,
    home: Home,
    pack: LanguagePack,
    moments: DayMoments | None = None,
) -> Reading:
    """Return what a sentence says. Never raises, whatever the text."""
    text = normalise(utterance.text)
    time = read_time(text, utterance.now, pack, moments or DayMoments())
    mentions = find_mentions(text, home, pack)
    commands = read_commands(text, time, mentions, pack)
    ordered = _is_order(commands)
    return Reading(
        utterance=utterance,
        text=text,
        commands=commands,
        mentions=mentions,
        attitude=read_attitude(text, mentions, pack),
        intent=read_intent(text, pack),
        time=time,
        stated_name=_stated_name(text, home, pack),
        # A polite question ("can you remind me …?") is an order and no question.
        question=not ordered and is_question(text, pack),
        hypothetical=not ordered and is_hypothetical(text, pack),
    )


def unread_times(reading: Reading, pack: LanguagePack) -> tuple[Span, ...]:
    """Return what looks like a time in a command and was not read; `reread` may know it."""
    if reading.time.kind is not TimeKind.NONE or not _is_order(reading.commands):
        return ()
    return unread(reading.text, reading.time, pack)


def reread(reading: Reading, pack: LanguagePack) -> Reading:
    """Return the reading with a written time that only dateparser knows. Blocking: its first import takes seconds."""
    if not unread_times(reading, pack):
        return reading
    time = written_time(reading.text, reading.time, reading.utterance.now, pack)
    commands = read_commands(reading.text, time, reading.mentions, pack)
    return replace(reading, time=time, commands=commands)


def written_time(
    text: str, reading: TimeReading, now: datetime, pack: LanguagePack
) -> TimeReading:
    """Return a time that the grammar did not read in a normalised text, by dateparser, or the reading. Blocking."""
    if reading.kind is not TimeKind.NONE:
        return reading
    for span in unread(text, reading, pack):
        found = read_written(span.of(text), now, pack)
        if found.due is not None:
            return replace(found, spans=(span,))
    return reading


def _is_order(commands: tuple[Command, ...]) -> bool:
    return any(command.sure and command.kind not in _ASKING for command in commands)


def _stated_name(text: str, home: Home, pack: LanguagePack) -> str | None:
    """Return the name from "this is <name>", if it is a person's of this home."""
    if not home.persons:
        return None
    folded, words = fold_in(text, pack), command_words(pack)
    lead = words.lead.match(folded)
    match = words.stated_name.match(folded, lead.end() if lead else 0)
    span = captured(match, "name") if match else None
    if span is None:
        return None
    said = fold_in(span.of(text), pack).strip()
    for person in home.persons:
        if said in (fold_in(name, pack) for name in (person.name, *person.aliases)):
            return person.name
    return None
