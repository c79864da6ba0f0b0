"""The two nights in which the clocks change: moments count, not the clock on the wall."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, strategies as st
import pytest

from assist_memory import (
    Home,
    MemoryManager,
    PendingItem,
    ReminderSet,
    Utterance,
    is_after,
    load_language,
    pending,
    read,
    since,
)

ZONE = ZoneInfo("Europe/Berlin")
NIGHTS = (
    datetime(2026, 10, 24, 22, tzinfo=UTC),
    datetime(2027, 3, 27, 22, tzinfo=UTC),
)
moments = st.builds(
    lambda night, minutes: (night + timedelta(minutes=minutes)).astimezone(ZONE),
    st.sampled_from(NIGHTS),
    st.integers(0, 7 * 60),
)


def item_at(due: datetime, **fields: object) -> PendingItem:
    """Return a reminder for a moment."""
    values = {"id": "a", "owner": "anna", "text": "oven", "created": NIGHTS[0]}
    return PendingItem(**(values | {"due": due} | fields))  # type: ignore[arg-type]


@given(moments, moments)
def test_due_is_what_lies_behind(due: datetime, now: datetime) -> None:
    """Whatever the wall says, the item is due when its moment has come."""
    by = now.astimezone(UTC) - due.astimezone(UTC)
    item = item_at(due)
    assert since(due, now) == by
    assert is_after(due, now) == (by < timedelta(0))
    assert pending.is_due(item, now) == (by >= timedelta(0))
    late = timedelta(hours=1)
    to_say, missed = pending.catch_up([item], now, late)
    assert bool(to_say) == (timedelta(0) <= by <= late)
    assert bool(missed) == (by > late)
    (stands,) = pending.elapsed([item], now)
    assert pending.is_said(stands) == (by >= timedelta(0))


@given(st.lists(moments, min_size=1, max_size=5))
def test_the_next_one_is_the_earliest_moment(dues: list[datetime]) -> None:
    """Sorted by moments."""
    found = pending.next_due([item_at(due) for due in dues])
    assert found is not None
    assert found.due is not None
    assert found.due.timestamp() == min(due.timestamp() for due in dues)


@given(moments, moments)
def test_one_moment_is_one_reminder(one: datetime, other: datetime) -> None:
    """Half past two comes twice in autumn: two reminders, not one."""
    same = one.timestamp() == other.timestamp()
    assert pending.same(item_at(one), item_at(other)) == same


@pytest.mark.parametrize("fold", [0, 1])
def test_half_an_hour_lasts_half_an_hour(fold: int) -> None:
    """Asked for at a quarter to three, the first and the second."""
    now = datetime(2026, 10, 25, 2, 45, tzinfo=ZONE, fold=fold)
    utterance = Utterance(
        text="Remind me in 30 minutes to turn off the oven", language="en", now=now
    )
    memory = MemoryManager(owner="anna")
    (change,) = memory.update_state(read(utterance, Home(), load_language("en")))
    assert isinstance(change, ReminderSet)
    assert change.item.due is not None
    assert since(now, change.item.due) == timedelta(minutes=30)
    assert not pending.is_due(change.item, now)
    later = (now.astimezone(UTC) + timedelta(minutes=30)).astimezone(ZONE)
    assert pending.is_due(change.item, later)


def test_a_question_of_the_second_hour_can_be_answered() -> None:
    """What is asked at half past two for the second time has not expired at once."""
    memory = MemoryManager(owner="anna")
    pack = load_language("en")
    now = datetime(2026, 10, 25, 2, 30, tzinfo=ZONE, fold=1)
    for text, wanted in (("Remind me to call the bank", 0), ("at six pm", 1)):
        utterance = Utterance(text=text, language="en", now=now)
        changes = memory.update_state(read(utterance, Home(), pack))
        assert len(changes) == wanted
