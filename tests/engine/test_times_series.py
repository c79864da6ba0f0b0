"""Occurrences of rules: wall time in the zone, clock changes, short months, ends (RC, TZ)."""

from datetime import date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import given, settings, strategies as st
import pytest

from assist_memory.times import next_occurrence

BERLIN = ZoneInfo("Europe/Berlin")


def _after(rule: str, anchor: datetime, after: datetime, count: int) -> list[datetime]:
    """Return the next occurrences, each derived from the anchor."""
    found: list[datetime] = []
    while (
        len(found) < count
        and (following := next_occurrence(rule, anchor, after)) is not None
    ):
        found.append(following)
        after = following
    return found


def test_a_daily_time_stays_on_the_wall() -> None:
    """The offset changes with the clock, the hour does not."""
    anchor = datetime(2026, 3, 27, 8, 0, tzinfo=BERLIN)
    found = _after("FREQ=DAILY", anchor, anchor, 4)
    assert [moment.isoformat() for moment in found] == [
        "2026-03-28T08:00:00+01:00",
        "2026-03-29T08:00:00+02:00",
        "2026-03-30T08:00:00+02:00",
        "2026-03-31T08:00:00+02:00",
    ]


def test_a_time_in_the_spring_gap_moves_on_by_the_gap() -> None:
    """02:30 does not exist on that night; it fires once, at 03:30."""
    anchor = datetime(2026, 3, 27, 2, 30, tzinfo=BERLIN)
    found = _after("FREQ=DAILY", anchor, anchor, 3)
    assert [f"{moment:%d %H:%M}" for moment in found] == [
        "28 02:30",
        "29 03:30",
        "30 02:30",
    ]


def test_of_two_equal_times_in_autumn_only_the_first_fires() -> None:
    """02:30 comes twice on that night; after the first one the next is tomorrow's."""
    anchor = datetime(2026, 10, 23, 2, 30, tzinfo=BERLIN)
    found = _after("FREQ=DAILY", anchor, anchor, 3)
    assert [moment.isoformat() for moment in found] == [
        "2026-10-24T02:30:00+02:00",
        "2026-10-25T02:30:00+02:00",
        "2026-10-26T02:30:00+01:00",
    ]
    second = datetime(2026, 10, 25, 2, 10, tzinfo=BERLIN, fold=1)
    assert next_occurrence("FREQ=DAILY", anchor, second) == found[2]


def test_hours_count_elapsed_time() -> None:
    """Every 12 hours over the spring change: one o'clock follows midnight's noon."""
    anchor = datetime(2026, 3, 28, 12, 0, tzinfo=BERLIN)
    found = _after("FREQ=HOURLY;INTERVAL=12", anchor, anchor, 2)
    assert [f"{moment:%d %H:%M}" for moment in found] == ["29 00:00", "29 13:00"]


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
        "FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD",
    ],
)
def test_the_31st_is_the_last_day_of_a_short_month(rule: str) -> None:
    """In RFC 5545's words and in RFC 7529's."""
    anchor = datetime(2027, 12, 31, 9, 0, tzinfo=BERLIN)
    found = _after(rule, anchor, anchor, 4)
    assert [moment.date() for moment in found] == [
        date(2028, 1, 31),
        date(2028, 2, 29),
        date(2028, 3, 31),
        date(2028, 4, 30),
    ]


def test_a_leap_day_is_kept_in_every_year() -> None:
    """Skipping backward, other years have it on the 28th."""
    anchor = datetime(2028, 2, 29, 9, 0, tzinfo=BERLIN)
    found = _after(
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;SKIP=BACKWARD", anchor, anchor, 4
    )
    assert [(moment.year, moment.day) for moment in found] == [
        (2029, 28),
        (2030, 28),
        (2031, 28),
        (2032, 29),
    ]


@pytest.mark.parametrize(
    ("rule", "count"),
    [
        ("FREQ=DAILY;COUNT=3", 2),
        ("FREQ=DAILY;UNTIL=20260503", 2),
        ("FREQ=DAILY;UNTIL=20260502T060000Z", 1),
        ("FREQ=DAILY;UNTIL=20260502T080000", 1),
        ("FREQ=HOURLY;INTERVAL=6;COUNT=3", 2),
        ("FREQ=HOURLY;INTERVAL=6;UNTIL=20260501T120000Z", 1),
    ],
)
def test_a_series_ends(rule: str, count: int) -> None:
    """COUNT counts the anchor too; UNTIL is inclusive, in UTC, floating or a date."""
    anchor = datetime(2026, 5, 1, 8, 0, tzinfo=BERLIN)
    assert len(_after(rule, anchor, anchor, 10)) == count


def test_every_other_week_is_counted_from_the_anchor() -> None:
    """Not from the moment of asking."""
    anchor = datetime(2026, 5, 7, 10, 0, tzinfo=BERLIN)
    after = datetime(2026, 5, 14, 12, 0, tzinfo=BERLIN)
    assert next_occurrence(
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH", anchor, after
    ) == anchor + timedelta(days=14)


@pytest.mark.parametrize(
    "rule",
    ["", "COUNT=2", "FREQ=DAILY;INTERVAL=0", "FREQ=SOMETIMES", "FREQ=DAILY;BYDAY=XX"],
)
def test_what_is_no_rule_is_refused(rule: str) -> None:
    """Stored rules are checked by whoever reads them."""
    now = datetime(2026, 5, 1, 8, 0, tzinfo=BERLIN)
    with pytest.raises(ValueError, match=r"."):
        next_occurrence(rule, now, now)


RULES = [
    "FREQ=DAILY",
    "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=30",
    "FREQ=WEEKLY;BYDAY=SA,SU",
    "FREQ=MONTHLY;BYDAY=-1SU",
    "FREQ=MONTHLY;BYMONTHDAY=-1",
]


@settings(max_examples=60, deadline=None)
@given(
    rule=st.sampled_from(RULES),
    hour=st.integers(0, 23),
    minute=st.sampled_from([0, 15, 30]),
    start=st.dates(date(2026, 3, 20), date(2026, 10, 24)),
    zone=st.sampled_from(
        ["Europe/Berlin", "America/Los_Angeles", "Australia/Lord_Howe"]
    ),
)
def test_occurrences_strictly_increase(
    rule: str, hour: int, minute: int, start: date, zone: str
) -> None:
    """Over both changes, and no daily time comes twice on one date."""
    anchor = datetime(
        start.year, start.month, start.day, hour, minute, tzinfo=ZoneInfo(zone)
    )
    found = _after(rule, anchor, anchor - timedelta(days=1), 24)
    stamps = [moment.timestamp() for moment in found]
    assert all(one < other for one, other in pairwise(stamps))
    once = "BYHOUR" not in rule
    assert not once or len({moment.date() for moment in found}) == len(found)
