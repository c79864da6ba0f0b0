"""What pronouns and descriptions stand for, and when they stand for nothing."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from assist_memory.entities import find_mentions
from assist_memory.language import read_pack
from assist_memory.models import Home, Reading, Utterance
from assist_memory.references import resolve
from assist_memory.settings import Settings
from assist_memory.state import MemoryState, advance
from assist_memory.text import normalise

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
FILE = Path(__file__).parent / "memory" / "references.yaml"
CASES: list[Any] = [
    pytest.param(language, case, id=f"{language} {case['name']}")
    for language, cases in yaml.safe_load(FILE.read_text(encoding="utf-8")).items()
    for case in cases
]


def heard(text: str, language: str) -> Reading:
    """Return what a sentence names, without commands, times and attitude."""
    plain = normalise(text)
    return Reading(
        utterance=Utterance(text=text, language=language, now=NOW),
        text=plain,
        mentions=find_mentions(plain, Home(), read_pack(language)),
    )


def after(said: list[str], language: str) -> MemoryState:
    """Return the state after these sentences."""
    state = MemoryState()
    pack = read_pack(language)
    for text in said:
        reading = heard(text, language)
        references = resolve(
            *(reading.text, reading.mentions, state, pack),
            attitude=reading.attitude.value,
        )
        state = advance(state, reading, references, Settings(), "turn", pack)
    return state


def resolved(text: str, state: MemoryState, language: str) -> dict[str, str]:
    """Return mention → entity of a sentence."""
    reading = heard(text, language)
    found = resolve(
        *(reading.text, reading.mentions, state, read_pack(language)),
        attitude=reading.attitude.value,
    )
    return {reference.mention: reference.entity for reference in found}


@pytest.mark.parametrize(("language", "case"), CASES)
def test_a_pointer_stands_for_one_entity(language: str, case: dict[str, Any]) -> None:
    """A5: the right one, or none where two fit equally or nothing does."""
    found = resolved(case["then"], after(case["said"], language), language)
    assert {mention: found.get(mention) for mention in case["is"]} == case["is"]


@pytest.mark.parametrize("rounds", [5, 30, 90])
def test_a_description_reaches_back_over_a_long_digression(rounds: int) -> None:
    """A cleanup leaves a trace, so that "that medicine" is still found."""
    filler = [f"the bus number {number} was late" for number in range(rounds)]
    state = after(["I take candesartan", *filler], "en")
    assert resolved("is that medicine strong", state, "en") == {
        "that medicine": "candesartan"
    }


def test_a_bare_it_does_not_reach_that_far() -> None:
    """Without a class, an old entity is no guess."""
    filler = [f"good evening number {number}" for number in range(60)]
    state = after(["the fence is green", *filler], "en")
    assert resolved("how high was it", state, "en") == {}


def test_the_speaker_is_nobody_else() -> None:
    """The person's own name is no antecedent of "he"."""
    state = after(["my name is Arthur Bell"], "en")
    assert resolved("he is ill", state, "en") == {}
