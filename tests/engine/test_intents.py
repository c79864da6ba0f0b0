"""What a sentence is for, and whether it states anything."""

from pathlib import Path
import time
from typing import Any

import pytest
import yaml

from assist_memory.intents import is_hypothetical, is_question, read_intent
from assist_memory.language import read_pack
from assist_memory.text import normalise

FILE = Path(__file__).parent / "memory" / "intents.yaml"
DATA: dict[str, dict[str, list[str]]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
INTENTS = ("clarify", "steps", "correct", "confirm", "general")


def cases(*kinds: str) -> list[Any]:
    """Return (language, kind, sentence) of these kinds."""
    return [
        (language, kind, text)
        for language, data in DATA.items()
        for kind in kinds
        for text in data[kind]
    ]


@pytest.mark.parametrize(("language", "intent", "text"), cases(*INTENTS))
def test_a_sentence_has_one_intent(language: str, intent: str, text: str) -> None:
    """B3: clarify, steps, correct, confirm or general."""
    assert read_intent(text, read_pack(language)).value == intent


@pytest.mark.parametrize(("language", "kind", "text"), cases("questions", "statements"))
def test_questions_state_nothing(language: str, kind: str, text: str) -> None:
    """A request in the form of a question is none."""
    assert is_question(text, read_pack(language)) is (kind == "questions")


@pytest.mark.parametrize(("language", "kind", "text"), cases("hypotheticals", "real"))
def test_suppositions_state_nothing(language: str, kind: str, text: str) -> None:
    """What is supposed, wished or joked about is told apart from what is so."""
    assert is_hypothetical(text, read_pack(language)) is (kind == "hypotheticals")


@pytest.mark.parametrize(
    "piece", ["if i ", "what ", "so ", "如果", "什么", "不是", "a"]
)
def test_hostile_text_is_read_in_no_time(piece: str) -> None:
    """Patterns do not run away on long repetitions."""
    text = normalise(piece * 100_000)
    for language in ("en", "zh"):
        pack = read_pack(language)
        read_intent(text, pack)
        started = time.process_time()
        read_intent(text, pack)
        is_question(text, pack)
        is_hypothetical(text, pack)
        assert time.process_time() - started < 0.1
