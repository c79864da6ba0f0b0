"""Reminders as values: what may happen to one, what is due next, how it is saved."""

from dataclasses import replace
from datetime import datetime, timedelta
import json
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given, strategies as st
import pytest

from assist_memory import pending
from assist_memory.errors import StateFormatError
from assist_memory.kept import PendingItem, Status
from assist_memory.models import TimeKind, TimeReading

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 6, 9, 10, 0, tzinfo=BERLIN)
SIX = NOW.replace(hour=18)
DAY = timedelta(days=1)


def one_shot(due: datetime | None = SIX, **fields: Any) -> PendingItem:
    """Return a reminder that is due once."""
    item = PendingItem(id="a", owner="anna", text="feed the fish", created=NOW, due=due)
    return replace(item, **fields)


def series(due: datetime = SIX, rule: str = "FREQ=DAILY", **fields: Any) -> PendingItem:
    """Return a reminder that comes again."""
    return one_shot(due, rule=rule, anchor=due, **fields)


def test_a_one_shot_is_announced_once() -> None:
    """Announced it is no longer waited for, and stays open for an answer."""
    saying = pending.start_announcing(one_shot(), SIX)
    said = pending.announced(saying, SIX)
    assert (saying.status, said.status) == (Status.ANNOUNCING, Status.ANNOUNCED)
    assert pending.next_due([said]) is None
    assert pending.is_open(said, SIX + timedelta(hours=1))
    assert not pending.is_open(said, SIX + timedelta(hours=13))


def test_a_series_moves_on_when_it_is_said() -> None:
    """`due` is the next occurrence, `last_due` the one that was said."""
    said = pending.announced(
        pending.start_announcing(series(), SIX), SIX + timedelta(minutes=1)
    )
    assert (said.due, said.last_due) == (SIX + DAY, SIX)
    assert pending.next_due([said]) == said


def test_killed_while_announcing_is_said_again() -> None:
    """What was saved before speaking is due still."""
    saying = pending.start_announcing(one_shot(), SIX)
    to_say, missed = pending.catch_up([saying], SIX + timedelta(minutes=5))
    assert (to_say, missed) == ((saying,), ())


def test_late_is_said_and_too_late_is_missed() -> None:
    """Six hours are the limit; a series goes on."""
    late = one_shot(SIX)
    old = one_shot(SIX - timedelta(hours=7), id="b")
    again = series(SIX - timedelta(hours=8), id="c")
    to_say, missed = pending.catch_up([late, old, again], SIX + timedelta(hours=1))
    assert to_say == (late,)
    assert [(item.id, item.status) for item in missed] == [
        ("c", Status.MISSED),
        ("b", Status.MISSED),
    ]
    assert not pending.is_open(missed[1], SIX)
    assert missed[0].due == SIX - timedelta(hours=8) + DAY
    assert pending.is_open(missed[0], SIX)


def test_done_early_passes_over_the_coming_occurrence() -> None:
    """Done after it was said, the next one stays."""
    assert pending.done(series(), NOW).due == SIX + DAY
    said = pending.announced(series(), SIX)
    assert pending.done(said, SIX).due == SIX + DAY
    assert pending.done(said, SIX).status is Status.PENDING
    assert pending.done(one_shot(), NOW).status is Status.DONE


def test_skipping_a_one_shot_cancels_it() -> None:
    """There is no next time."""
    assert pending.skip(one_shot(), NOW).status is Status.CANCELLED
    assert pending.skip(series(), NOW).due == SIX + DAY


def test_the_last_occurrence_ends_a_series() -> None:
    """After it nothing is due."""
    last = series(rule="FREQ=DAILY;COUNT=1")
    said = pending.announced(last, SIX)
    assert said.rule is None
    assert pending.next_due([said]) is None


def test_a_snooze_is_for_one_occurrence() -> None:
    """The series comes back to its own hour."""
    said = pending.announced(series(), SIX)
    snoozed = pending.snooze(said, SIX + timedelta(minutes=10))
    assert (snoozed.status, snoozed.due) == (
        Status.SNOOZED,
        SIX + timedelta(minutes=10),
    )
    again = pending.announced(snoozed, SIX + timedelta(minutes=10))
    assert again.due == SIX + DAY


def test_acknowledged_ends_a_one_shot_only() -> None:
    """A series waits for its next occurrence."""
    assert pending.acknowledge(one_shot(), SIX).status is Status.ACKNOWLEDGED
    assert not pending.is_open(pending.acknowledge(one_shot(), SIX), SIX)
    assert pending.acknowledge(series(), SIX).status is Status.PENDING


def test_moved_overrides_a_snooze() -> None:
    """A later word counts."""
    snoozed = pending.snooze(
        pending.announced(one_shot(), SIX), SIX + timedelta(hours=1)
    )
    new = TimeReading(kind=TimeKind.INSTANT, due=SIX + timedelta(minutes=2))
    moved = pending.move(snoozed, new)
    assert (moved.id, moved.due, moved.status) == ("a", new.due, Status.PENDING)


def test_one_occurrence_of_a_series_is_moved() -> None:
    """The rule stays."""
    new = TimeReading(kind=TimeKind.INSTANT, due=SIX + timedelta(hours=1))
    moved = pending.move(series(), new)
    assert (moved.due, moved.rule, moved.anchor) == (new.due, "FREQ=DAILY", SIX)
    assert pending.announced(moved, SIX + timedelta(hours=1)).due == SIX + DAY


def test_time_passes() -> None:
    """What fell due counts as said at its due; of a series the next one is ahead."""
    items = pending.elapsed(
        [one_shot(), series(id="b"), one_shot(None, id="c")], SIX + 3 * DAY
    )
    assert [item.status for item in items] == [
        Status.ANNOUNCED,
        Status.ANNOUNCED,
        Status.PENDING,
    ]
    assert items[0].announced_at == SIX
    assert items[1].due == SIX + 4 * DAY


def test_the_next_one_is_the_earliest() -> None:
    """Those without a time, and those that are over, are not waited for."""
    items = [
        one_shot(SIX + DAY, id="b"),
        one_shot(id="a"),
        one_shot(None, id="c"),
        one_shot(NOW, id="d", status=Status.CANCELLED),
    ]
    following = pending.next_due(items)
    assert following is not None
    assert following.id == "a"
    assert pending.next_due([]) is None


@pytest.mark.parametrize("text", ["Feed the fish!", "feed the  fish"])
def test_same_words_at_the_same_time_are_one(text: str) -> None:
    """Case and marks make no difference, the time does."""
    assert pending.same(one_shot(), one_shot(id="b", text=text))
    assert not pending.same(one_shot(), one_shot(SIX + DAY))


def test_long_texts_are_cut_at_a_word() -> None:
    """One line of at most 200 characters."""
    assert pending.bounded("feed\nthe   fish") == "feed the fish"
    cut = pending.bounded("feed the fish " * 40)
    assert len(cut) <= pending.MAX_TEXT
    assert cut.endswith(("feed", "the", "fish"))
    assert len(pending.bounded("喂鱼" * 200)) == pending.MAX_TEXT


def test_a_named_day_is_kept_as_such() -> None:
    """A date has its morning moment and is known as a date."""
    item = pending.timed(one_shot(None), TimeReading(kind=TimeKind.DATE, due=SIX))
    assert item.date_only
    assert item.anchor is None


@given(
    rule=st.sampled_from([None, "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,FR"]),
    status=st.sampled_from(Status),
    offset=st.integers(-10_000, 10_000),
    text=st.text(max_size=40),
)
def test_saved_and_read_it_is_the_same(
    rule: str | None, status: Status, offset: int, text: str
) -> None:
    """JSON-safe, with the zone that a series needs."""
    due = (NOW + timedelta(minutes=offset)).replace(tzinfo=BERLIN)
    item = one_shot(
        due, rule=rule, anchor=due if rule else None, status=status, text=text
    )
    back = pending.from_dict(json.loads(json.dumps(pending.to_dict(item))))
    assert back == item
    assert back.due is not None
    assert back.due.tzinfo is BERLIN


@pytest.mark.parametrize(
    "damage",
    [
        {"version": 2},
        {"status": "lost"},
        {"due": "soon"},
        {"due": "2026-06-09T10:00"},
        {"zone": "Mars/Base"},
    ],
)
def test_damaged_data_is_refused(damage: dict[str, object]) -> None:
    """StateFormatError, never something half read."""
    with pytest.raises(StateFormatError):
        pending.from_dict({**pending.to_dict(one_shot()), **damage})


def test_missing_fields_are_refused() -> None:
    """StateFormatError, too."""
    data = pending.to_dict(one_shot())
    del data["owner"]
    with pytest.raises(StateFormatError):
        pending.from_dict(data)


def test_a_series_keeps_its_wall_time_over_the_change_of_clocks() -> None:
    """Saved in summer, read in winter."""
    due = datetime(2026, 10, 24, 8, 0, tzinfo=BERLIN)
    item = pending.from_dict(pending.to_dict(series(due)))
    following = pending.announced(item, due).due
    assert following == datetime(2026, 10, 25, 8, 0, tzinfo=BERLIN)
    assert following is not None
    assert following.hour == 8
