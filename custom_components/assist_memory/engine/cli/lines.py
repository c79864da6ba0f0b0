"""JSON lines: one object in, one object out, flushed; a line that cannot be read yields an error code."""

from collections.abc import Callable, Mapping
from datetime import datetime
import json
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..models import Home, HomeArea, HomeEntity, HomePerson, Utterance

MOST_LINE = 1_000_000
"""Longer lines are not read."""

type Row = Mapping[str, Any]


class LineError(Exception):
    """A line cannot be understood; its code is what is printed."""

    def __init__(self, code: str) -> None:
        """Take the code."""
        super().__init__(code)
        self.code = code


def serve(command: str, lines: BinaryIO, out: BinaryIO) -> int:
    """Answer each line until the input ends."""
    handle = _handler(command)
    for line in lines:
        out.write(_written(_answered(line, handle)))
        out.flush()
    return 0


def _handler(command: str) -> Callable[[Row], dict[str, Any]]:
    if command == "deadlines":
        from .deadlines import deadline  # noqa: PLC0415 - each command loads only what it needs

        return deadline
    from .turns import Session  # noqa: PLC0415 - as above

    return Session().turn


def _answered(line: bytes, handle: Callable[[Row], dict[str, Any]]) -> dict[str, Any]:
    try:
        return handle(_parsed(line))
    except LineError as error:
        return {"error": error.code}


def _parsed(line: bytes) -> Row:
    if len(line) > MOST_LINE:
        raise LineError("line_too_long")
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LineError("not_json") from error
    if not isinstance(row, dict):
        raise LineError("not_an_object")
    return row


def _written(row: Row) -> bytes:
    text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    # U+2028 and U+2029 end lines for some readers; inside JSON they may be escaped.
    text = (
        text.replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
        .replace("\x85", "\\u0085")
    )
    return text.encode("utf-8", "backslashreplace") + b"\n"


def utterance_of(row: Row) -> Utterance:
    """Return what was said, when and where. Raises LineError."""
    return Utterance(
        text=_text(row, "text", required=True),
        language=_text(row, "language") or "en",
        now=_moment(row),
        satellite=_text(row, "satellite") or None,
    )


def _text(row: Row, key: str, *, required: bool = False) -> str:
    value = row.get(key)
    if value is None and not required:
        return ""
    if not isinstance(value, str):
        raise LineError(f"bad_{key}")
    return value


def optional_text(row: Row, key: str) -> str | None:
    """Return a text that may be missing; empty is missing. Raises LineError."""
    return _text(row, key) or None


def _moment(row: Row) -> datetime:
    try:
        zone = ZoneInfo(_text(row, "timezone") or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise LineError("bad_timezone") from error
    try:
        now = datetime.fromisoformat(_text(row, "now", required=True))
        return now.replace(tzinfo=zone) if now.tzinfo is None else now.astimezone(zone)
    except (ValueError, OverflowError) as error:
        raise LineError("bad_now") from error


def home_of(data: object) -> Home:
    """Return the home's names. Raises LineError."""
    if not isinstance(data, dict):
        raise LineError("bad_home")
    return Home(
        entities=tuple(
            HomeEntity(**_named(row), area=_area(row))
            for row in _rows(data, "entities")
        ),
        areas=tuple(HomeArea(**_named(row)) for row in _rows(data, "areas")),
        persons=tuple(HomePerson(**_named(row)) for row in _rows(data, "persons")),
    )


def _rows(data: Row, key: str) -> list[Row]:
    rows = data.get(key) or []
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise LineError("bad_home")
    return rows


def _named(row: Row) -> dict[str, Any]:
    aliases = row.get("aliases") or []
    texts = (
        row.get("id"),
        row.get("name"),
        *(aliases if isinstance(aliases, list) else [None]),
    )
    if not all(isinstance(text, str) for text in texts):
        raise LineError("bad_home")
    return {"id": row["id"], "name": row["name"], "aliases": tuple(aliases)}


def _area(row: Row) -> str | None:
    area = row.get("area")
    return area if isinstance(area, str) else None
