"""Time expressions of a sentence: read, cut, answered, spoken back; words come from the packs (A10, X1)."""

from datetime import datetime

from ..language import LanguagePack
from ..models import TimeReading
from ..text import MAX_TEXT, fold_in
from .clock import DayMoments, elapsed, is_after, since
from .cut import cut
from .merge import merge_answer
from .recurrence import next_occurrence
from .resolve import resolve
from .scanner import scan
from .sentence import gather
from .spoken import spoken_duration, spoken_rule, spoken_time
from .words import time_words

_USUAL = DayMoments()

__all__ = [
    "DayMoments",
    "cut",
    "elapsed",
    "is_after",
    "merge_answer",
    "next_occurrence",
    "read_time",
    "since",
    "spoken_duration",
    "spoken_rule",
    "spoken_time",
]


def read_time(
    text: str, now: datetime, pack: LanguagePack, moments: DayMoments = _USUAL
) -> TimeReading:
    """Return what all time words of a normalised text mean at an aware moment, in its zone. Never raises."""
    words = time_words(pack)
    tokens = scan(fold_in(text[:MAX_TEXT], pack), words)
    if not tokens:
        return TimeReading()
    return resolve(gather(tokens, words), now, moments)
