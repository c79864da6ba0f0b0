"""Layer 1 as a whole: one sentence read once, each finding with its span (A2)."""

from .attitude import read_attitude
from .command_words import command_words
from .commands import read_commands
from .entities import find_mentions
from .intents import is_hypothetical, is_question, read_intent
from .language import LanguagePack
from .models import CommandKind, Home, Reading, Utterance
from .phrases import captured
from .text import fold_in, normalise
from .times import DayMoments, read_time

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
    # A polite question ("can you remind me …?") is an order and no question.
    ordered = any(command.sure and command.kind not in _ASKING for command in commands)
    return Reading(
        utterance=utterance,
        text=text,
        commands=commands,
        mentions=mentions,
        attitude=read_attitude(text, mentions, pack),
        intent=read_intent(text, pack),
        time=time,
        stated_name=_stated_name(text, home, pack),
        question=not ordered and is_question(text, pack),
        hypothetical=not ordered and is_hypothetical(text, pack),
    )


def _stated_name(text: str, home: Home, pack: LanguagePack) -> str | None:
    """Return the name from "this is <name>", if it is a person's of this home."""
    match = command_words(pack).stated_name.search(fold_in(text, pack))
    span = captured(match, "name") if match else None
    if span is None:
        return None
    said = fold_in(span.of(text), pack).strip()
    for person in home.persons:
        if said in (fold_in(name, pack) for name in (person.name, *person.aliases)):
            return person.name
    return None
