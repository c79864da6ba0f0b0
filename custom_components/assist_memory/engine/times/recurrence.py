"""Rules of repetition (RFC 5545): the next occurrence, by wall time in the anchor's zone or by elapsed time."""

from calendar import monthrange
from datetime import UTC, datetime, timedelta
from itertools import islice

from dateutil.rrule import rrule, rrulestr

from .clock import elapsed, is_after, wall

ELAPSING = {"HOURLY": 3600, "MINUTELY": 60, "SECONDLY": 1}
"""Rules that count elapsed time, with the seconds of their unit."""

LONGEST_SHIFT = timedelta(hours=3)
"""No clock change moves wall time further."""

MOST_STEPS = 50
MOST_INTERVAL = 100_000


def next_occurrence(rule: str, anchor: datetime, after: datetime) -> datetime | None:
    """Return the first occurrence strictly after a moment, in the anchor's zone; None if it was the last.

    Raises ValueError if the rule is none.
    """
    parts = parts_of(rule)
    if parts.get("FREQ") in ELAPSING and not parts.keys() - {
        "FREQ",
        "INTERVAL",
        "COUNT",
        "UNTIL",
        "WKST",
    }:
        return _next_elapsed(parts, anchor, after)
    return _next_wall(_backward(parts, anchor), anchor, after)


def parts_of(rule: str) -> dict[str, str]:
    """Return the parts of a bare RRULE value. Raises ValueError if it is none."""
    parts = dict(
        part.split("=", 1)
        for part in rule.upper().removeprefix("RRULE:").split(";")
        if part
    )
    if "FREQ" not in parts or not 0 < int(parts.get("INTERVAL", "1")) <= MOST_INTERVAL:
        raise ValueError("not a rule of repetition")
    return parts


def end_of(parts: dict[str, str], anchor: datetime) -> datetime | None:
    """Return the moment of UNTIL, inclusive; a bare date counts to its end, a floating time in the anchor's zone."""
    text = parts.get("UNTIL")
    if text is None:
        return None
    if len(text) == 8:
        text += "T235959"
    moment = datetime.strptime(text.removesuffix("Z"), "%Y%m%dT%H%M%S")  # noqa: DTZ007 - the zone follows
    return moment.replace(tzinfo=UTC if text.endswith("Z") else anchor.tzinfo)


def _next_elapsed(
    parts: dict[str, str], anchor: datetime, after: datetime
) -> datetime | None:
    step = ELAPSING[parts["FREQ"]] * int(parts.get("INTERVAL", "1"))
    gone = (after.astimezone(UTC) - anchor.astimezone(UTC)).total_seconds()
    index = max(0, int(gone // step) + 1) if gone >= 0 else 0
    if "COUNT" in parts and index >= int(parts["COUNT"]):
        return None
    found = elapsed(anchor, index * step)
    until = end_of(parts, anchor)
    return None if until is not None and is_after(found, until) else found


def _next_wall(
    parts: dict[str, str], anchor: datetime, after: datetime
) -> datetime | None:
    until = end_of(parts, anchor)
    text = ";".join(f"{key}={value}" for key, value in parts.items() if key != "UNTIL")
    local = anchor.replace(tzinfo=None)
    series = rrulestr(text, dtstart=local)
    if not isinstance(series, rrule):
        raise ValueError("not a single rule")  # noqa: TRY004 - the text is wrong, not its type
    start = (
        max(after.astimezone(anchor.tzinfo).replace(tzinfo=None), local) - LONGEST_SHIFT
    )
    for found in islice(series.xafter(start), MOST_STEPS):
        moment = wall(found.date(), found.time(), anchor.tzinfo or UTC)
        if until is not None and is_after(moment, until):
            return None
        if is_after(moment, after):
            return moment
    return None


def _backward(parts: dict[str, str], anchor: datetime) -> dict[str, str]:
    """Say SKIP=BACKWARD (RFC 7529) in the words of RFC 5545: the last of the days up to the wanted one."""
    plain = {
        key: value for key, value in parts.items() if key not in {"SKIP", "RSCALE"}
    }
    if (
        parts.get("SKIP") != "BACKWARD"
        or "BYDAY" in parts
        or parts["FREQ"] not in {"MONTHLY", "YEARLY"}
    ):
        return plain
    wanted = int(parts.get("BYMONTHDAY", str(anchor.day)).split(",")[0])
    if wanted <= 28:
        return plain
    if parts["FREQ"] == "YEARLY":
        plain.setdefault("BYMONTH", str(anchor.month))
        shortest = min(
            monthrange(2025, int(month))[1] for month in plain["BYMONTH"].split(",")
        )
    else:
        shortest = 28
    return {**plain, **month_day(wanted, shortest)}


def month_day(wanted: int, shortest: int = 28) -> dict[str, str]:
    """Return the parts for a day of the month that is the last one where the month is too short."""
    if wanted <= shortest:
        return {"BYMONTHDAY": str(wanted)}
    days = ",".join(str(day) for day in range(shortest, wanted + 1))
    return {"BYMONTHDAY": days, "BYSETPOS": "-1"}
