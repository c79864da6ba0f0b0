"""Times, rules and lengths in words, and open questions joined with their answers."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from assist_memory.language import read_pack
from assist_memory.models import TimeKind, TimeReading, Unclear
from assist_memory.times import (
    merge_answer,
    next_occurrence,
    read_time,
    spoken_duration,
    spoken_rule,
    spoken_time,
)

NOW = datetime(2026, 5, 13, 14, 20, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize(
    ("when", "english", "chinese"),
    [
        ("2026-05-13T15:00", "today at 3 in the afternoon", "今天下午三点"),
        ("2026-05-14T10:00", "tomorrow at 10 in the morning", "明天上午十点"),
        ("2026-05-15T18:30", "on Friday at 6:30 in the evening", "后天晚上六点半"),
        ("2026-05-18T21:05", "on Monday at 9:05 at night", "星期一晚上九点零五分"),
        (
            "2026-06-03T12:15",
            "on Wednesday, June 3 at 12:15 in the afternoon",
            "6月三号星期三中午十二点一刻",
        ),
        (
            "2027-01-01T02:20",
            "on Friday, January 1, 2027 at 2:20 in the morning",
            "2027年1月一号星期五凌晨两点二十分",
        ),
        ("2026-05-14T00:00", "tonight at midnight", "明天凌晨零点"),
        (
            "2026-05-16T00:00",
            "on Saturday at midnight, when the day begins",
            "星期六凌晨零点",
        ),
    ],
)
def test_a_moment_is_said_with_its_day_and_part_of_day(
    when: str, english: str, chinese: str
) -> None:
    """So that a wrong reading can be heard; never as digits of a clock on a screen."""
    moment = datetime.fromisoformat(when).replace(tzinfo=NOW.tzinfo)
    said = [spoken_time(moment, NOW, read_pack(language)) for language in ("en", "zh")]
    assert said == [english, chinese]


def test_a_day_is_said_without_a_time() -> None:
    """A reminder for a day names no clock."""
    when = NOW + timedelta(days=1)
    said = [
        spoken_time(when, NOW, read_pack(language), date_only=True)
        for language in ("en", "zh")
    ]
    assert said == ["tomorrow", "明天"]


def test_a_moment_is_said_in_the_zone_of_the_listener() -> None:
    """Whatever zone the value was stored in."""
    when = datetime(2026, 5, 13, 16, 0, tzinfo=ZoneInfo("UTC"))
    assert spoken_time(when, NOW, read_pack("en")) == "today at 6 in the evening"


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [
        (45, "45 seconds", "四十五秒"),
        (5400, "1 hour and 30 minutes", "一个小时三十分钟"),
        (172800, "2 days", "两天"),
    ],
)
def test_a_length_is_said_in_its_two_largest_units(
    seconds: int, english: str, chinese: str
) -> None:
    """One of a thing is one."""
    said = [
        spoken_duration(timedelta(seconds=seconds), read_pack(language))
        for language in ("en", "zh")
    ]
    assert said == [english, chinese]


RULES = [
    "FREQ=DAILY",
    "FREQ=DAILY;INTERVAL=2",
    "FREQ=DAILY;INTERVAL=5",
    "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0",
    "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0,30;BYSETPOS=2,3",
    "FREQ=DAILY;UNTIL=20260612T215959Z",
    "FREQ=WEEKLY;BYDAY=MO,WE,FR",
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "FREQ=WEEKLY;BYDAY=SA,SU",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR",
    "FREQ=WEEKLY;INTERVAL=3;BYDAY=TU",
    "FREQ=MONTHLY;BYMONTHDAY=15",
    "FREQ=MONTHLY;BYMONTHDAY=-1",
    "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
    "FREQ=MONTHLY;INTERVAL=6;BYMONTHDAY=15",
    "FREQ=MONTHLY;BYDAY=3FR",
    "FREQ=MONTHLY;BYDAY=-1FR",
    "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=5",
    "FREQ=HOURLY;INTERVAL=4",
    "FREQ=MINUTELY;INTERVAL=30",
]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("rule", RULES)
def test_a_spoken_rule_is_read_as_the_same_rule(language: str, rule: str) -> None:
    """Words, rule and words again."""
    pack = read_pack(language)
    first = next_occurrence(
        rule, NOW.replace(hour=8, minute=30 * ("0,30" in rule)), NOW
    )
    assert first is not None
    assert read_time(spoken_rule(rule, first, pack), NOW, pack).rule == rule


def test_a_short_month_is_spoken_of() -> None:
    """The 31st is the last day of a short month, and the confirmation says so."""
    rule = "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"
    said = [spoken_rule(rule, NOW, read_pack(language)) for language in ("en", "zh")]
    assert "short months" in said[0]
    assert "月底" in said[1]


@pytest.mark.parametrize(
    ("language", "first", "answer", "due"),
    [
        ("en", "tomorrow", "at ten", "2026-05-14T10:00"),
        ("en", "next week", "on tuesday at four", "2026-05-19T16:00"),
        ("en", "today at 11 am", "tomorrow", "2026-05-14T11:00"),
        ("en", "tomorrow at 8", "in the evening", "2026-05-14T20:00"),
        ("en", "tomorrow at 8", "at six", "2026-05-14T18:00"),
        ("en", "tomorrow at 8", "on friday", "2026-05-15T08:00"),
        ("en", "tomorrow at 8", "in 20 minutes", "2026-05-13T14:40"),
        ("zh", "明天", "上午十点", "2026-05-14T10:00"),
        ("zh", "下周", "周二下午四点", "2026-05-19T16:00"),
        ("zh", "明天八点", "晚上", "2026-05-14T20:00"),
        ("zh", "明天八点", "后天", "2026-05-15T08:00"),
    ],
)
def test_an_answer_completes_or_repairs_what_was_said(
    language: str, first: str, answer: str, due: str
) -> None:
    """What the answer names wins, the rest stays."""
    pack = read_pack(language)
    merged = merge_answer(
        read_time(first, NOW, pack), read_time(answer, NOW, pack), NOW
    )
    assert merged.due == datetime.fromisoformat(due).replace(tzinfo=NOW.tzinfo)


def test_an_answer_repairs_a_stored_moment() -> None:
    """A stored reminder has no words any more: its day stays, and its half of the day gives way."""
    stored = TimeReading(
        kind=TimeKind.INSTANT, due=NOW.replace(day=14, hour=8, minute=0)
    )
    pack = read_pack("en")
    evening = merge_answer(stored, read_time("in the evening", NOW, pack), NOW)
    assert evening.due == NOW.replace(day=14, hour=20, minute=0)


def test_an_answer_without_a_time_leaves_the_question_open() -> None:
    """Nothing is guessed."""
    pack = read_pack("en")
    merged = merge_answer(
        read_time("next week", NOW, pack), read_time("hm", NOW, pack), NOW
    )
    assert (merged.due, merged.unclear) == (None, Unclear.DAY)
