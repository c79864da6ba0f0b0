"""What a sentence names: lists, patterns, sounds, the home's own names."""

from pathlib import Path
import time
from typing import Any

from hypothesis import given, settings, strategies as st
import pytest
import yaml

from assist_memory.entities import MAX_MENTIONS, find_mentions, stated_name
from assist_memory.language import read_pack
from assist_memory.models import Home, HomeArea, HomeEntity, HomePerson
from assist_memory.text import normalise

FILE = Path(__file__).parent / "memory" / "entities.yaml"
CASES: list[tuple[str, dict[str, Any]]] = [
    (language, case)
    for language, cases in yaml.safe_load(FILE.read_text(encoding="utf-8")).items()
    for case in cases
]
HOME = Home(
    entities=(HomeEntity(id="light.off", name="Off", aliases=("reading light",)),),
    areas=(HomeArea(id="den", name="Den", aliases=("snug",)),),
    persons=(HomePerson(id="person.mo", name="Mo", aliases=("Maurice",)),),
)


def named(text: str, language: str, home: Home = HOME) -> dict[str, str]:
    """Return names and kinds that a sentence names."""
    found = find_mentions(normalise(text), home, read_pack(language))
    return {mention.name: mention.kind.value for mention in found}


@pytest.mark.parametrize(("language", "case"), CASES, ids=lambda value: str(value)[:40])
def test_a_sentence_names_what_it_names(language: str, case: dict[str, Any]) -> None:
    """All wanted names are found with their kind; none that is ruled out."""
    found = named(case["say"], language)
    assert {name: found.get(name) for name in case["names"]} == case["names"]
    assert not set(case.get("without", ())) & set(found)


@pytest.mark.parametrize(
    ("language", "case"),
    [(language, case) for language, case in CASES if not case["names"]],
    ids=lambda value: str(value)[:40],
)
def test_small_talk_names_nothing(language: str, case: dict[str, Any]) -> None:
    """Where nothing is named, nothing is found."""
    assert named(case["say"], language) == {}


@pytest.mark.parametrize(("language", "case"), CASES, ids=lambda value: str(value)[:40])
@pytest.mark.parametrize("symbol", ["😀", "❤️ ", "👨‍👩‍👧", "★"])
def test_symbols_change_nothing(
    language: str, case: dict[str, Any], symbol: str
) -> None:
    """B14: a symbol before, behind or inside the sentence leaves the names as they are."""
    plain = named(case["say"], language)
    place = case["say"].find(" ") + 1
    assert named(symbol + case["say"] + symbol, language) == plain
    assert named(case["say"][:place] + symbol + case["say"][place:], language) == plain


def test_spans_lie_in_the_text_that_was_given() -> None:
    """With symbols in front, a span still covers the words themselves."""
    text = normalise("😀 the ladder 👍 is in Porto")
    places = {
        m.name: m.span.of(text) for m in find_mentions(text, HOME, read_pack("en"))
    }
    assert places == {"ladder": "ladder", "Porto": "Porto"}


def test_the_home_s_names_come_first() -> None:
    """A name of the home wins over words of the language, and aliases are folded into it."""
    found = find_mentions("switch off the Snug for maurice", HOME, read_pack("en"))
    assert {(m.name, m.ref) for m in found} >= {
        ("Off", "light.off"),
        ("Den", "den"),
        ("Mo", "person.mo"),
    }


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("en", "my name is Vera Novak", "Vera Novak"),
        ("en", "Hi, I'm Tom", "Tom"),
        ("en", "please call me ishmael", "Ishmael"),
        ("en", "I'm tired", None),
        ("en", "my name is not important", None),
        ("zh", "我叫周小梅", "周小梅"),
        ("zh", "我是张阿姨，今年七十", "张阿姨"),
        ("zh", "我是中国人", None),
    ],
)
def test_people_say_their_name(language: str, text: str, name: str | None) -> None:
    """Only a name that is given as one's own counts."""
    assert stated_name(text, read_pack(language)) == name


@given(st.text(max_size=300), st.sampled_from(["en", "zh"]))
@settings(max_examples=60, deadline=None)
def test_any_text_can_be_read(text: str, language: str) -> None:
    """Nothing raises, spans lie in the text in order, and their number is bounded."""
    plain = normalise(text)
    found = find_mentions(plain, HOME, read_pack(language))
    assert len(found) <= MAX_MENTIONS
    assert all(0 <= m.span.start < m.span.end <= len(plain) for m in found)
    assert [m.span for m in found] == sorted(m.span for m in found)


@pytest.mark.parametrize(
    "piece",
    [
        "A",
        "a ",
        "Aa ",
        "my name is ",
        "1/",
        "12 over ",
        "《",
        '"',
        "x=",
        "我叫",
        "在餐厅",
        "小王",
        "中",
        "the a ",
    ],
)
def test_hostile_text_is_read_in_no_time(piece: str) -> None:
    """Patterns do not run away on long repetitions."""
    text = normalise(piece * 100_000)
    for language in ("en", "zh"):
        find_mentions(text, HOME, read_pack(language))
        started = time.process_time()
        find_mentions(text, HOME, read_pack(language))
        assert time.process_time() - started < 0.25
