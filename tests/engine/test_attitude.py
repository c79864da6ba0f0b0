"""How the speaker feels: phrases, negation, complaints, and requests that say nothing."""

from pathlib import Path
import time

from hypothesis import given, settings, strategies as st
import pytest
import yaml

from assist_memory.attitude import blames, read_attitude
from assist_memory.entities import find_mentions
from assist_memory.language import read_pack
from assist_memory.models import Attitude, Home
from assist_memory.text import normalise

FILE = Path(__file__).parent / "memory" / "attitude.yaml"
CASES = [
    (language, sign, text)
    for language, signs in yaml.safe_load(FILE.read_text(encoding="utf-8")).items()
    for sign, texts in signs.items()
    for text in texts
]


def felt(text: str, language: str) -> Attitude:
    """Return the attitude of a sentence."""
    pack = read_pack(language)
    plain = normalise(text)
    return read_attitude(plain, find_mentions(plain, Home(), pack), pack)


@pytest.mark.parametrize(("language", "sign", "text"), CASES)
def test_the_sign_is_right(language: str, sign: str, text: str) -> None:
    """Below -0.3 is negative, above 0.3 positive (A2)."""
    value = felt(text, language).value
    found = "negative" if value < -0.3 else "positive" if value > 0.3 else "neutral"
    assert found == sign


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "I have strong side effects from the statins"), ("zh", "这个药副作用很大")],
)
def test_side_effects_weigh_heavily(language: str, text: str) -> None:
    """A2: "strong side effects" is about -0.8."""
    assert felt(text, language).value == pytest.approx(-0.8, abs=0.05)


@pytest.mark.parametrize(
    ("language", "text", "blamed"),
    [
        ("en", "this pill gives me a headache", True),
        ("en", "I take ibuprofen for my headache", False),
        ("zh", "吃了布洛芬胃疼", True),
        ("zh", "我吃布洛芬治头疼", False),
    ],
)
def test_a_cure_is_not_blamed(language: str, text: str, blamed: bool) -> None:
    """What a medicine is for is no complaint about it."""
    pack = read_pack(language)
    assert blames(text, find_mentions(text, Home(), pack), pack) is blamed


def test_the_reason_is_in_the_words() -> None:
    """The reason is what was said."""
    assert felt("These tablets make my feet swell", "en").reason == "feet swell"


@given(st.text(max_size=200), st.sampled_from(["en", "zh"]))
@settings(max_examples=50, deadline=None)
def test_any_text_has_an_attitude(text: str, language: str) -> None:
    """The value lies between -1 and 1, and nothing raises."""
    assert -1 <= felt(text, language).value <= 1


@pytest.mark.parametrize(
    "piece",
    [
        "great, ",
        "not ",
        "pain ",
        "since i take ",
        "my feet swell ",
        "太好了",
        "疼",
        "吃了",
        "不",
    ],
)
def test_hostile_text_is_read_in_no_time(piece: str) -> None:
    """Patterns do not run away on long repetitions."""
    for language in ("en", "zh"):
        felt(piece, language)
        started = time.process_time()
        felt(piece * 100_000, language)
        assert time.process_time() - started < 0.25
