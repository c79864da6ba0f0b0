"""What a sentence asks code itself to do (A2): one command each, and none where it only sounds like one."""

from datetime import datetime
from pathlib import Path
import time
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given, strategies as st
import pytest
import yaml

from assist_memory.errors import LanguagePackError
from assist_memory.models import CommandKind, Home, HomePerson, Reading, Span, Utterance
from assist_memory.packs import load_language
from assist_memory.phrases import (
    BLANK,
    Rules,
    blanked,
    captured,
    compile_phrases,
    parse_phrase,
)
from assist_memory.reading import read, reread, unread_times

FILE = Path(__file__).parent / "dialogue" / "commands.yaml"
DATA: dict[str, dict[str, dict[str, str]]] = yaml.safe_load(
    FILE.read_text(encoding="utf-8")
)
NOW = datetime(2026, 6, 9, 10, 0, tzinfo=ZoneInfo("Europe/London"))
HOSTILE = [
    "remind me ",
    "提醒我",
    "cancel all ",
    "please ",
    "can you ",
    "忘掉",
    "not ",
    "a,",
    "to to ",
    "\x1f",
]


def understood(text: str, language: str) -> Reading:
    """Return the reading of a sentence."""
    utterance = Utterance(text=text, language=language, now=NOW)
    return read(utterance, Home(), load_language(language))


def cases() -> list[Any]:
    """Return (language, kind, sentence, what it is about)."""
    return [
        (language, kind, text, about)
        for language, kinds in DATA.items()
        for kind, sentences in kinds.items()
        for text, about in sentences.items()
    ]


@pytest.mark.parametrize(("language", "kind", "text", "about"), cases())
def test_a_command_is_understood(
    language: str, kind: str, text: str, about: str
) -> None:
    """With what it is about, without trigger, politeness and time words."""
    (command,) = understood(text, language).commands
    assert (command.kind.value, command.object) == (kind, about)
    assert command.sure


@pytest.mark.parametrize(("language", "kind", "text", "about"), cases())
def test_an_order_is_no_question(
    language: str, kind: str, text: str, about: str
) -> None:
    """Also where it is asked politely."""
    if kind not in {"list", "recall"}:
        assert not understood(text, language).question


@pytest.mark.parametrize("language", DATA)
def test_every_kind_is_written_about(language: str) -> None:
    """Done is a command only where something was to be done, so talks/ has it."""
    assert set(DATA[language]) == {kind.value for kind in CommandKind} - {"done"}


def test_a_sweep_knows_what_is_to_stay() -> None:
    """Everything, but for what is named; cut off, that is known, too."""
    (some,) = understood("delete all reminders but the vet one", "en").commands
    (cut,) = understood("cancel all my reminders except", "en").commands
    (all_of_them,) = understood("cancel all my reminders", "en").commands
    assert (some.everything, some.keep) == (True, "the vet one")
    assert (cut.everything, cut.keep) == (True, "")
    assert (all_of_them.everything, all_of_them.keep) == (True, None)


def test_no_time_may_be_wanted() -> None:
    """And the words for it are cut."""
    (command,) = understood(
        "remind me about cleaning my teeth guard, no particular time", "en"
    ).commands
    assert command.untimed
    assert command.object == "cleaning my teeth guard"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("turn on the light", "en"),
        ("it reminds me of you", "en"),
        ("开灯", "zh"),
        ("", "en"),
        ("…", "zh"),
    ],
)
def test_other_sentences_give_no_command(text: str, language: str) -> None:
    """A wrong reading is worse than none."""
    assert understood(text, language).commands == ()


def test_a_name_counts_only_if_the_home_knows_it() -> None:
    """A stated name is a person's; "this is nice" states none."""
    home = Home(persons=(HomePerson(id="p1", name="Anna", aliases=("Annie",)),))
    pack = load_language("en")
    named = read(
        Utterance(text="hi, this is Annie", language="en", now=NOW), home, pack
    )
    plain = read(Utterance(text="this is nice", language="en", now=NOW), home, pack)
    assert (named.stated_name, plain.stated_name) == ("Anna", None)


@given(text=st.text(max_size=300), language=st.sampled_from(["en", "zh"]))
def test_no_text_is_too_strange(text: str, language: str) -> None:
    """Never raises; spans lie in the text."""
    reading = understood(text, language)
    for command in reading.commands:
        assert 0 <= command.span.start <= command.span.end <= len(reading.text)


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_hostile_text_costs_little(piece: str, language: str) -> None:
    """A hundred thousand characters are read in a blink: no pattern explodes."""
    understood(piece, language)
    begun = time.process_time()
    understood(piece * (100_000 // len(piece)), language)
    assert time.process_time() - begun < 0.5


def test_a_written_time_that_the_grammar_does_not_know() -> None:
    """Only for a command, and only where something looks like a time; dateparser is asked last."""
    pack = load_language("en")
    plain = understood("remind me to call Ida", "en")
    talk = understood("the plane left at 25:99", "en")
    assert reread(plain, pack) is plain
    assert unread_times(talk, pack) == ()
    odd = understood("remind me at 25:99 to call Ida", "en")
    assert reread(odd, pack).time.due is None


# --- phrases -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("(can|could) you [please] go", "can you go"),
        ("(can|could) you [please] go", "could you please go"),
        ("don't go", "dont go"),
        ("go ~ now", f"go {BLANK * 4} now"),
        ("<greet> you", "hi you"),
        ("把 {x} 取消", "把会取消"),
    ],
)
def test_a_phrase_fits(phrase: str, text: str) -> None:
    """Choices, what may be left out, rules, slots and times."""
    rules = Rules({"greet": ("hi", "hello")})
    assert parse_phrase(phrase, rules).pattern.fullmatch(text)


@pytest.mark.parametrize("text", ["canyou go", "can you gone", "can you go's"])
def test_a_phrase_fits_whole_words_only(text: str) -> None:
    """A part of a word is another word."""
    assert not parse_phrase("(can|could) you [please] go").pattern.fullmatch(text)


@pytest.mark.parametrize("phrase", ["go <nowhere>", "(go", "go]", "<loop>"])
def test_a_broken_phrase_is_refused(phrase: str) -> None:
    """With a message that names it."""
    with pytest.raises(LanguagePackError):
        parse_phrase(phrase, Rules({"loop": ("<loop>",)}))


def test_slots_are_found_by_name() -> None:
    """In whichever choice they stand; no phrases fit nothing."""
    pattern = compile_phrases(["cancel {x} now", "drop {x}"])
    match = pattern.fullmatch("drop the ball")
    assert match
    assert captured(match, "x") == Span(5, 13)
    assert captured(match, "y") is None
    assert compile_phrases([]).search("anything") is None


def test_blanks_keep_the_length() -> None:
    """So that spans hold."""
    assert blanked("at six go", [Span(0, 6)]) == BLANK * 6 + " go"
