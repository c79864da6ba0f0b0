"""`deadlines`: what the time words of a text mean."""

from datetime import datetime
from typing import Any

from ..language import language_code, read_pack
from ..reading import written_time
from ..text import normalise
from ..times import cut, read_time
from .lines import Row, utterance_of


def deadline(row: Row) -> dict[str, Any]:
    """Return the reading of a line's time words. Raises LineError."""
    utterance = utterance_of(row)
    text = normalise(utterance.text)
    pack = read_pack(language_code(utterance.language))
    time = written_time(text, read_time(text, utterance.now, pack), utterance.now, pack)
    return {
        "kind": time.kind.value,
        "due": _iso(time.due),
        "end": _iso(time.end),
        "seconds": time.duration.total_seconds() if time.duration is not None else None,
        "rule": time.rule,
        "text": cut(text, time.spans),
        "unclear": time.unclear.value if time.unclear else None,
    }


def _iso(when: datetime | None) -> str | None:
    return when.isoformat() if when is not None else None
