"""The words of commands: commands.yaml, typed and compiled (X7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
import re

from .language import LanguagePack, Section
from .models import CommandKind
from .phrases import BLANK, PhraseIndex, Rules, compile_phrases, parse_phrase

ORDER = (
    CommandKind.NEVER_MIND,
    CommandKind.YES,
    CommandKind.NO,
    CommandKind.SNOOZE,
    CommandKind.FORGET_LAST,
    CommandKind.FORGET_ALL,
    CommandKind.INTRODUCE,
    CommandKind.SKIP,
    CommandKind.CANCEL,
    CommandKind.LIST,
    CommandKind.RECALL,
    CommandKind.FORGET_ABOUT,
    CommandKind.REMEMBER,
    CommandKind.REMIND,
    CommandKind.MOVE,
    CommandKind.DONE,
    CommandKind.BACK,
)
"""The first kind that fits wins; within a kind what is sure comes before what is not."""

BREAKS = frozenset('.,;:!?…，。；：！？、"“”')
"""Marks that end a clause."""
_KEYS = (
    "all",
    "whole",
    "start",
    "bare",
    "before_kept",
    "wrapped",
    "other",
    "start_soft",
    "whole_soft",
)
_START_KEYS = ("start", "bare", "before_kept", "wrapped", "other", "start_soft")
_LISTS = ("not_after_bare", "not_after", "kept")


_FILE_KEYS = (
    *("rules", "commands", "ordinals", "lead", "links", "pronouns", "past"),
    *("conditions", "condition_before", "after_time", "as_time", "wake_text"),
)
_PLAIN = {
    "last_ones": "last_ones",
    "all_words": "all_words",
    "excepting": "except_words",
    "now": "now_words",
    "corrections": "corrections",
    "earlier": "earlier",
    "next_words": "next_words",
    "did_i": "did_i",
    "reporting": "reporting",
    "undone": "undone",
    "wake": "wake",
    "shared": "shared",
}
"""Fields whose phrases may stand anywhere, and their keys in the file."""
_EDGED = {
    "tail": (r"[ ,.!?，。！？~～…]*+", r"[ ,.!?，。！？~～…]*+$"),
    "obligations": (r"^[ ,，]*+", ""),
    "dangling": ("", "[ ]*+$"),
    "untimed": ("[ ,，]*+", ""),
    "stated_name": ("", r"[ ,.!，。！]*+$"),
    "repair": ("", r"[ ,，.]*+(?=.)"),
}
"""Fields whose phrases stand at an edge: what comes before and after them."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class CommandWords:
    """The file commands.yaml, compiled."""

    lead: re.Pattern[str]
    clause: re.Pattern[str]
    """What ends a clause: a mark or a time."""
    tail: re.Pattern[str]
    after: re.Pattern[str]
    """What may stand between "remind me" and what it is about."""
    obligations: re.Pattern[str]
    dangling: re.Pattern[str]
    """What is left over at its end when its time is cut ("the meeting is")."""
    pronouns: frozenset[str]
    last_ones: re.Pattern[str]
    all_words: re.Pattern[str]
    untimed: re.Pattern[str]
    excepting: re.Pattern[str]
    now: re.Pattern[str]
    corrections: re.Pattern[str]
    stated_name: re.Pattern[str]
    past: frozenset[str]
    """Words by which a sentence says that something has happened."""
    earlier: re.Pattern[str]
    next_words: re.Pattern[str]
    did_i: re.Pattern[str]
    """Questions whether the person has done something."""
    whole: PhraseIndex[tuple[CommandKind, str]]
    """Phrases for whole sentences, in the order in which they are tried."""
    none: PhraseIndex[str]
    """Phrases for whole sentences that are no command, whatever they sound like."""
    maybe: PhraseIndex[tuple[CommandKind, str]]
    """The same for sentences that are a command only if what they name exists."""
    repair: re.Pattern[str]
    """Words before another time for what was just set ("no, evening")."""
    condition: re.Pattern[str]
    """A clause before "remind me" that says when, and no time ("when I get home")."""
    reporting: re.Pattern[str]
    """Words in such a clause that make it a report ("when she asked you to remind me")."""
    undone: re.Pattern[str]
    """Words that deny a deed beside the negative ones ("almost", "forgot to")."""
    as_time: str
    """How words that are no time by themselves are read as one ("at {words}")."""
    wake: re.Pattern[str]
    """Commands that say by themselves what the reminder is about."""
    wake_text: str
    shared: re.Pattern[str]
    """Words that make a fact one for everyone ("for all of us")."""
    start: PhraseIndex[tuple[CommandKind, str]]
    """Phrases that a clause begins with."""


@cache
def command_words(pack: LanguagePack) -> CommandWords:
    """Return the pack's commands. Raises LanguagePackError."""
    file = pack.file("commands").only(*_FILE_KEYS, *_PLAIN.values(), *_EDGED)
    rules = Rules(file.section("rules").texts_map())
    lead = compile_phrases(file.texts("lead"), rules).pattern
    commands = file.section("commands").only(
        *(kind.value for kind in CommandKind), "none"
    )
    before = _led_by(file.texts("condition_before"), rules, lead)
    return CommandWords(
        lead=_compiled_lead(lead),
        clause=_compiled_clause(file.texts("after_time"), rules),
        after=_compiled_after(file.texts("links"), rules),
        condition=compile_phrases(file.texts("conditions"), rules, after=before),
        pronouns=frozenset(file.texts("pronouns")),
        past=frozenset(file.texts("past")),
        as_time=file.text("as_time"),
        wake_text=file.text("wake_text"),
        none=_none_phrases(commands, rules),
        whole=_whole_phrases(commands, rules, ("all", "whole")),
        maybe=_whole_phrases(commands, rules, ("whole_soft",)),
        start=_start_phrases(commands, rules),
        **{
            name: compile_phrases(file.texts(key), rules)
            for name, key in _PLAIN.items()
        },
        **{
            name: compile_phrases(file.texts(name), rules, before=before, after=after)
            for name, (before, after) in _EDGED.items()
        },
    )


def _compiled_lead(lead: str) -> re.Pattern[str]:
    return re.compile(rf"(?:(?>{lead.replace('(?P<phrase>', '(?:')})[ ,，、]*+)*+")


def _led_by(phrases: Sequence[str], rules: Rules, lead: str) -> str:
    """Return a look-ahead for the commands that a condition may stand before."""
    command = compile_phrases(phrases, rules).pattern.replace("(?P<phrase>", "(?:")
    lead = lead.replace("(?P<phrase>", "(?:")
    return rf"[ ,，]*+(?=(?:(?>{lead})[ ,，]*+)*+{command})"


def _compiled_clause(after_time: Sequence[str], rules: Rules) -> re.Pattern[str]:
    vague = compile_phrases(after_time, rules).pattern.replace("(?P<phrase>", "(?:")
    marks = "".join(map(re.escape, sorted(BREAKS)))
    return re.compile(rf"(?:[{marks}][ ]*+|{BLANK}++[ ]*+(?:(?:{vague})[ ]*+)?)+")


def _compiled_after(links: Sequence[str], rules: Rules) -> re.Pattern[str]:
    """Return the pattern for what stands after "remind me": times, a colon, one linking word."""
    link = compile_phrases(links, rules).pattern.replace("(?P<phrase>", "(?:")
    return re.compile(
        rf"(?:[ ,:，：、]*+(?:(?:{link})[ ,:，：]*+)?{BLANK}++)*+[ ,:，：、]*+(?:(?:{link})[ ,:，：]*+)?"
    )


def _whole_phrases(
    commands: Section, rules: Rules, keys: Sequence[str]
) -> PhraseIndex[tuple[CommandKind, str]]:
    sections = {
        kind: commands.section(kind.value).only(*_KEYS, *_LISTS) for kind in ORDER
    }
    return PhraseIndex(
        ((kind, key), parse_phrase(phrase, rules))
        for key in keys
        for kind in ORDER
        for phrase in sections[kind].texts(key)
    )


def _none_phrases(commands: Section, rules: Rules) -> PhraseIndex[str]:
    section = commands.section("none").only("whole")
    return PhraseIndex(
        ("none", parse_phrase(phrase, rules)) for phrase in section.texts("whole")
    )


def _start_phrases(
    commands: Section, rules: Rules
) -> PhraseIndex[tuple[CommandKind, str]]:
    return PhraseIndex(
        ((kind, key), parse_phrase(phrase, rules, after=_lookahead(section, key)))
        for kind in ORDER
        for section in [commands.section(kind.value)]
        for key in _START_KEYS
        for phrase in section.texts(key)
    )


def _lookahead(section: Section, key: str) -> str:
    """Return what must or may not follow the phrases of a key."""
    if key == "bare":
        return rf"[ ,:]++(?!(?:{_either(section, 'not_after_bare')})\b)(?=.)"
    if key == "start" and section.texts("not_after"):
        return rf"(?!{_either(section, 'not_after')})"
    if key == "before_kept":
        return rf"[ ,，]*+(?={_either(section, 'kept')})"
    return ""


def _either(section: Section, key: str) -> str:
    return "|".join(map(re.escape, section.texts(key)))
