"""The fallback for written forms: used with care, refused when in doubt."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from assist_memory.language import read_pack
from assist_memory.models import TimeKind
from assist_memory.times import fallback, read_time

NOW = datetime(2026, 5, 13, 14, 20, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize(
    ("text", "kind", "due"),
    [
        ("Thu, 04 Jun 2026 09:15:00", TimeKind.INSTANT, "2026-06-04T09:15:00+02:00"),
        ("2026-06-04T09:15", TimeKind.INSTANT, "2026-06-04T09:15:00+02:00"),
        ("4 June 2026", TimeKind.DATE, "2026-06-04T09:00:00+02:00"),
    ],
)
def test_a_written_moment_is_read(text: str, kind: TimeKind, due: str) -> None:
    """A day without a time gets no time of its own."""
    reading = fallback.read(text, NOW, read_pack("en"))
    assert (reading.kind, reading.due) == (kind, datetime.fromisoformat(due))


@pytest.mark.parametrize(
    "text",
    [
        "4 June 2024",
        "4 June 2031",
        "June 2026 45",
        "hello",
        "",
        "in 3 hours",
        "x" * 5000,
    ],
)
def test_what_is_doubtful_is_refused(text: str) -> None:
    """Past, far away, a number unused, counted from now, no time at all."""
    assert fallback.read(text, NOW, read_pack("en")).kind is TimeKind.NONE


def test_unread_times_are_returned() -> None:
    """Only what looks like a time and was not understood."""
    text = "the week of january 12-14 or tomorrow at 5"
    pack = read_pack("en")
    spans = fallback.unread(text, read_time(text, NOW, pack), pack)
    assert all("tomorrow" not in span.of(text) for span in spans)
    assert (
        fallback.unread("tomorrow at 5", read_time("tomorrow at 5", NOW, pack), pack)
        == ()
    )
