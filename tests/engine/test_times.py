"""Sentences about times, as data: what is due, which rule, what is left of the text (A10)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml

from assist_memory.language import read_pack
from assist_memory.models import TimeKind, TimeReading
from assist_memory.text import normalise
from assist_memory.times import cut, read_time

FOLDER = Path(__file__).parent / "times"


def _cases(language: str) -> Iterator[Any]:
    data = yaml.safe_load((FOLDER / f"{language}.yaml").read_text(encoding="utf-8"))
    for case in data["cases"]:
        whole = data["defaults"] | case
        yield pytest.param(
            language, whole, id=f"{language}: {case['say']} @ {whole['now']}"
        )


def _read(case: dict[str, Any], language: str) -> TimeReading:
    now = datetime.fromisoformat(case["now"]).replace(tzinfo=ZoneInfo(case["zone"]))
    return read_time(normalise(case["say"]), now, read_pack(language))


def _local(moment: datetime | None, precision: int) -> str | None:
    return None if moment is None else moment.isoformat()[:precision]


@pytest.mark.parametrize(("language", "case"), [*_cases("en"), *_cases("zh")])
def test_a_sentence_is_due_when_people_mean_it(
    language: str, case: dict[str, Any]
) -> None:
    """Due time, end, length, rule and what must be asked are those of the table."""
    reading = _read(case, language)
    due = case.get("due")
    assert _local(reading.due, len(due or "")) == due
    assert _local(reading.end, 19) == case.get("end")
    assert reading.rule == case.get("rule")
    assert reading.unclear == case.get("unclear")
    length = case.get("seconds")
    assert reading.duration == (None if length is None else timedelta(seconds=length))


@pytest.mark.parametrize(("language", "case"), [*_cases("en"), *_cases("zh")])
def test_a_sentence_is_of_the_kind_it_says(language: str, case: dict[str, Any]) -> None:
    """A moment, a day, a stretch of time, a length or a series; a repetition is known by its rule."""
    reading = _read(case, language)
    usual = TimeKind.RECURRENCE if "rule" in case else TimeKind.INSTANT
    assert case.get("unclear") or reading.kind == case.get("kind", usual)


@pytest.mark.parametrize(("language", "case"), [*_cases("en"), *_cases("zh")])
def test_exactly_the_time_words_are_cut(language: str, case: dict[str, Any]) -> None:
    """The rest of the sentence survives; where the table has no text there is none."""
    text = normalise(case["say"])
    left = cut(text, _read(case, language).spans)
    assert left == case.get("text", left)


def _rejections() -> Iterator[tuple[str, str]]:
    data = yaml.safe_load((FOLDER / "rejections.yaml").read_text(encoding="utf-8"))
    return ((language, text) for language, texts in data.items() for text in texts)


@pytest.mark.parametrize(("language", "text"), list(_rejections()))
def test_words_that_only_look_like_times_are_none(language: str, text: str) -> None:
    """Nothing is found and nothing is cut."""
    now = datetime(2026, 5, 13, 14, 20, tzinfo=ZoneInfo("Europe/Berlin"))
    reading = read_time(text, now, read_pack(language))
    assert (reading.kind, reading.spans) == (TimeKind.NONE, ())
