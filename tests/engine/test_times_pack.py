"""A language is a pack and nothing else: an invented one, and packs with mistakes (X7)."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from assist_memory.errors import LanguagePackError
from assist_memory.language import LanguagePack, Section
from assist_memory.times import cut, read_time
from assist_memory.times.words import time_words

NOW = datetime(2026, 5, 13, 14, 20, tzinfo=ZoneInfo("Europe/Berlin"))

NUMBERS: dict[str, Any] = {"values": {"pa": 1, "re": 2, "ci": 3, "vo": 4}}
TIMES: dict[str, Any] = {
    "words": {
        "weekday": {"1": ["lunadi"], "5": ["jimadi"]},
        "relative_day": {"1": ["mora"]},
        "unit": {"minute": ["mentu"], "hour": ["cacra"]},
        "part": {"evening": ["vesper"]},
        "every": ["ro"],
        "link": ["e"],
    },
    "connect": {"clock": "[ti] %"},
    "rules": {
        "day": ["{relative_day}", "{weekday}"],
        # This language counts the half hour towards the next one.
        "clock": ["tik {hour}"],
        "clock_to": [{"say": "xadba {hour}", "minute": "30"}],
        "part": ["{part}"],
        "duration": ["{number} {unit}"],
        "offset": ["ba {a_duration}"],
        "every": ["{every}"],
    },
}


def _pack(times: dict[str, Any]) -> LanguagePack:
    files = {"times": times, "numbers": NUMBERS}
    return LanguagePack(
        "xx", {name: Section(f"xx/{name}.yaml", data) for name, data in files.items()}
    )


@pytest.mark.parametrize(
    ("text", "due", "rule", "left"),
    [
        ("mora tik ci", "2026-05-14T15:00", None, ""),
        ("tik ci mora djica", "2026-05-14T15:00", None, "djica"),
        ("xadba vo", "2026-05-13T15:30", None, ""),
        ("ba re cacra", "2026-05-13T16:20", None, ""),
        ("jimadi vesper e tik re", "2026-05-15T14:00", None, ""),
        ("ro lunadi ti tik vo", "2026-05-18T16:00", "FREQ=WEEKLY;BYDAY=MO", ""),
    ],
)
def test_an_invented_language_needs_no_python(
    text: str, due: str, rule: str | None, left: str
) -> None:
    """Words and templates of a pack are all that is needed."""
    reading = read_time(text, NOW, _pack(TIMES))
    assert reading.due == datetime.fromisoformat(due).replace(tzinfo=NOW.tzinfo)
    assert (reading.rule, cut(text, reading.spans)) == (rule, left)


@pytest.mark.parametrize(
    ("place", "value", "complaint"),
    [
        ("words", {"colour": {"1": ["red"]}}, "unknown key 'colour'"),
        ("words", {"weekday": {"one": ["lunadi"]}}, "weekday: 'one' is no number"),
        ("words", {"every": [True]}, r"every\[0\] is True, not text"),
        ("words", {"every": [" "]}, "every has an empty phrase"),
        ("rules", {"tea": ["x"]}, "unknown key 'tea'"),
        ("rules", {"clock": ["[tik {hour}"]}, "has an open bracket"),
        ("rules", {"clock": ["[tik]"]}, "is no template"),
        ("rules", {"clock": ["tik {hour"]}, "is no template"),
        ("rules", {"clock": [{"minute": "30"}]}, "neither a text nor a mapping"),
        ("rules", {"clock": "tik"}, "clock is no list"),
    ],
)
def test_a_mistake_in_a_pack_is_named(
    place: str, value: dict[str, Any], complaint: str
) -> None:
    """File, key and what is wrong, when the pack is loaded."""
    with pytest.raises(
        LanguagePackError, match=rf"xx/times\.yaml: {place}.*{complaint}"
    ):
        time_words(_pack(TIMES | {place: value}))
