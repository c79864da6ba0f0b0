"""What holds of every reading, whatever is said and whenever (A10): laws instead of examples."""

from datetime import UTC, datetime, timedelta
from itertools import permutations
from zoneinfo import ZoneInfo

from hypothesis import given, settings, strategies as st
import pytest

from assist_memory.language import read_pack
from assist_memory.models import Unclear
from assist_memory.text import MAX_TEXT, normalise
from assist_memory.times import cut, next_occurrence, read_time, spoken_time
from assist_memory.times.words import time_words

BERLIN = ZoneInfo("Europe/Berlin")
ZONES = (
    "Europe/Berlin",
    "Asia/Shanghai",
    "America/Los_Angeles",
    "Australia/Lord_Howe",
    "UTC",
)

moments = st.builds(
    lambda minutes, zone: (
        datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    ).astimezone(ZoneInfo(zone)),
    st.integers(0, 3 * 365 * 1440),
    st.sampled_from(ZONES),
)


def _words(language: str) -> list[str]:
    lexicon = time_words(read_pack(language)).lexicon
    return sorted(
        " ".join(lexeme.words) for lexemes in lexicon.values() for lexeme in lexemes
    )


_DIGITS = [
    "7",
    "12",
    "10:30",
    "1745",
    "31",
    "2027",
    "3/15",
    "0.5",
    "99999999999",
    "8:61",
    "2026-02-30",
]


@st.composite
def _babble(draw: st.DrawFn) -> tuple[str, str]:
    """Time words of a language in any order, with digits and other words between."""
    language = draw(st.sampled_from(["en", "zh"]))
    word = st.sampled_from(_words(language) + _DIGITS) | st.text(max_size=6)
    words = draw(st.lists(word, max_size=14))
    return language, draw(st.sampled_from([" ", ""])).join(words)


@settings(max_examples=400, deadline=None)
@given(said=_babble(), now=moments)
def test_nothing_that_is_said_breaks_the_reading(
    said: tuple[str, str], now: datetime
) -> None:
    """Spans are ordered and inside the text; a due time is future, unless the words themselves are of the past."""
    language, words = said
    text = normalise(words)
    reading = read_time(text, now, read_pack(language))
    edges = [edge for span in reading.spans for edge in (span.start, span.end)]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(text) for edge in edges)
    assert reading.due is None or reading.due.tzinfo is now.tzinfo
    assert (
        reading.due is None
        or reading.due.timestamp() >= now.timestamp()
        or reading.unclear is Unclear.PAST
    )
    assert len(cut(text, reading.spans)) <= len(text)
    if reading.rule is not None and reading.due is not None:
        before = reading.due - timedelta(seconds=1)
        assert next_occurrence(reading.rule, reading.due, before) == reading.due


@settings(max_examples=100, deadline=None)
@given(text=st.text(), now=moments, language=st.sampled_from(["en", "zh"]))
def test_any_text_can_be_read(text: str, now: datetime, language: str) -> None:
    """No script, control character or length raises."""
    reading = read_time(normalise(text), now, read_pack(language))
    assert (
        reading.rule is None
        or next_occurrence(reading.rule, reading.due or now, now) is not None
    )


@settings(max_examples=400, deadline=None)
@given(
    now=moments,
    minutes=st.integers(1, 500 * 1440),
    language=st.sampled_from(["en", "zh"]),
)
def test_a_spoken_time_is_read_as_the_same_instant(
    now: datetime, minutes: int, language: str
) -> None:
    """What the answer says can be said back; the second of two equal wall times in autumn cannot be named."""
    pack = read_pack(language)
    when = (
        (now.astimezone(UTC) + timedelta(minutes=minutes))
        .astimezone(now.tzinfo)
        .replace(fold=0)
    )
    reading = read_time(spoken_time(when, now, pack), now, pack)
    future = when.timestamp() > now.timestamp()
    assert not future or (
        reading.due is not None and reading.due.timestamp() == when.timestamp()
    )


ORDERS: dict[str, list[tuple[str, ...]]] = {
    "en": [
        ("water the fern", "tomorrow", "at 10"),
        ("water the fern", "on friday", "at half past six", "in the evening"),
        ("water the fern", "on june 3", "at 5 pm"),
        ("water the fern", "every monday", "at 8 am"),
    ],
    "zh": [
        ("浇花", "明天上午十点"),
        ("浇花", "周五", "晚上八点半"),
        ("浇花", "每周一", "早上八点"),
    ],
}


@pytest.mark.parametrize(
    ("language", "parts"),
    [(key, parts) for key, lists in ORDERS.items() for parts in lists],
)
def test_the_order_of_the_words_does_not_matter(
    language: str, parts: tuple[str, ...]
) -> None:
    """All permutations of a sentence give one due time, rule and text."""
    now = datetime(2026, 5, 13, 14, 20, tzinfo=BERLIN)
    join = " ".join if language == "en" else "".join
    texts = [join(order) for order in permutations(parts)]
    readings = [read_time(text, now, read_pack(language)) for text in texts]
    assert len({(reading.due, reading.rule) for reading in readings}) == 1
    assert {
        cut(text, reading.spans) for text, reading in zip(texts, readings, strict=True)
    } == {parts[0]}


SPELLINGS: dict[str, list[tuple[str, ...]]] = {
    "en": [
        ("at half past five", "at 5:30", "at five thirty", "at 5 30"),
        (
            "tomorrow at 7 pm",
            "tomorrow at 7pm",
            "tomorrow at 7 p.m.",
            "tomorrow at seven in the evening",
        ),
        (
            "in 90 minutes",
            "in an hour and a half",
            "in one and a half hours",
            "in 1.5 hours",
        ),
        ("on june 3rd", "on the third of june", "june 3", "on 3 june"),
        (
            "every day at 8 am",
            "daily at 8 am",
            "each day at 8 in the morning",
            "every morning at 8",
        ),
    ],
    "zh": [
        (
            "明天下午三点半",
            "明天下午3点半",
            "明天下午3:30",
            "明天15:30",
            "明天下午三点三十分",
        ),
        ("一个半小时后", "90分钟后", "九十分钟以后", "过一个半钟头", "1.5小时后"),
        ("下周三", "下个星期三", "下礼拜三", "下週三"),
        ("6月3号", "六月三日", "6月3日"),
    ],
}


@pytest.mark.parametrize(
    ("language", "texts"),
    [(key, texts) for key, lists in SPELLINGS.items() for texts in lists],
)
def test_the_spelling_does_not_matter(language: str, texts: tuple[str, ...]) -> None:
    """Digits, words and variants of one time are one time."""
    now = datetime(2026, 5, 13, 14, 20, tzinfo=BERLIN)
    readings = [read_time(normalise(text), now, read_pack(language)) for text in texts]
    assert len({(reading.due, reading.rule) for reading in readings}) == 1
    assert readings[0].due is not None


SWEPT: list[tuple[str, str, set[tuple[int, int]], int | None]] = [
    ("en", "at 7:15 pm", {(19, 15)}, None),
    ("en", "at 4", {(16, 0)}, None),
    ("en", "at 9", {(9, 0), (21, 0)}, None),
    ("en", "on friday at 10", {(10, 0)}, 5),
    ("en", "friday evening at 8", {(20, 0)}, 5),
    ("zh", "晚上九点", {(21, 0)}, None),
    ("zh", "周五下午三点", {(15, 0)}, 5),
    ("zh", "凌晨两点", {(2, 0)}, None),
]


@pytest.mark.parametrize(("language", "text", "clocks", "weekday"), SWEPT)
def test_the_next_future_reading_wins(
    language: str, text: str, clocks: set[tuple[int, int]], weekday: int | None
) -> None:
    """Swept over 48 hours in steps of 10 minutes, due is the least future moment that keeps what was named."""
    start = datetime(2026, 5, 13, 0, 3, tzinfo=BERLIN)
    for step in range(288):
        now = start + timedelta(minutes=10 * step)
        days = [
            now.replace(hour=0, minute=0) + timedelta(days=count) for count in range(9)
        ]
        fitting = [
            day.replace(hour=hour, minute=minute)
            for day in days
            for hour, minute in clocks
            if weekday in {None, day.isoweekday()}
        ]
        wanted = min(moment for moment in fitting if moment > now)
        assert read_time(text, now, read_pack(language)).due == wanted


@pytest.mark.parametrize(
    "text",
    [
        "at " * 400,
        "1 " * 500,
        "every " * 200,
        "monday and " * 100,
        "八点" * 500,
        "周一" * 500,
        "每" * 1000,
        "9" * 1000,
    ],
)
def test_hostile_text_is_read_in_bounded_time(text: str) -> None:
    """A full-length line of nothing but time words costs no more than some milliseconds."""
    now = datetime(2026, 5, 13, 14, 20, tzinfo=BERLIN)
    for language in ("en", "zh"):
        read_time(text[:1], now, read_pack(language))
        start = datetime.now(UTC)
        read_time(text[:MAX_TEXT], now, read_pack(language))
        assert datetime.now(UTC) - start < timedelta(seconds=1)
