"""A folded sentence cut into words, Han characters, numbers and written times; and what a number may stand for."""

from collections.abc import Iterator
from functools import cache
import re
from typing import NamedTuple

import regex

_WRITTEN = r"""
    (?P<date>(?:[0-9]{4}(?P<sep>[-/.])[0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}(?P<sep2>[-/.])[0-9]{1,2}(?P=sep2)(?:[0-9]{4}|[0-9]{2}))(?![0-9]))
    | (?P<clock>[0-9]{1,2}[:：][0-9]{2}(?:[:：][0-9]{2})?+(?![:：]?[0-9]))
    | (?P<odd>[0-9]{1,2}(?:[:：][0-9]{1,2}){1,3}+(?![0-9]))
    | (?P<spelled>[0-9]{1,2}h[0-9]{2}(?![0-9a-z]))
    | (?P<short>[0-9]{1,2}(?:[-.·]|[ ]?/[ ]?)[0-9]{1,2}(?![0-9]|[.][0-9]))
    | (?P<number>[0-9]{1,3}(?:,[0-9]{3})++(?![0-9])|[0-9]++(?:\.[0-9]++)?)
"""
"""Times and numbers in digits, which all texts write alike."""
_PIECE = regex.compile(
    rf"""{_WRITTEN}
    | (?P<word>\p{{Han}}|[[\p{{L}}\p{{M}}]--\p{{Han}}]++(?:'[[\p{{L}}\p{{M}}]--\p{{Han}}]++)*+)
    | (?P<sign>[^\s])
    """,
    flags=regex.VERSION1 | regex.VERBOSE,
)
_ASCII_PIECE = re.compile(
    rf"{_WRITTEN} | (?P<word>[A-Za-z]++(?:'[A-Za-z]++)*+) | (?P<sign>[^ \t-\r])",
    flags=re.VERBOSE,
)
"""The same for plain text, where the standard library is faster."""

MOST_DIGITS = 9
"""Longer runs of digits are no numbers that a time could have."""


class Piece(NamedTuple):
    """A word, character, number or written time of a folded text."""

    text: str
    start: int
    end: int
    kind: str
    """date, clock, odd, spelled, short, number, word or sign."""


def pieces_of(folded: str) -> list[Piece]:
    """Return the pieces of a folded text; spaces are left out."""
    pattern = _ASCII_PIECE if folded.isascii() else _PIECE
    return [
        Piece(found[0], found.start(), found.end(), found.lastgroup or "sign")
        for found in pattern.finditer(folded)
    ]


@cache
def number_roles(
    value: float, digits: str = "", *, ordinal: bool = False
) -> frozenset[str]:
    """Return what a number may stand for; `digits` is how it was written, if in digits."""
    if value != int(value):
        return frozenset({"number"})
    if ordinal:
        return frozenset(
            {"ordinal", "ordinal_day"} if 1 <= value <= 31 else {"ordinal"}
        )
    return frozenset(
        {"number", *_small_roles(int(value)), *_written_roles(int(value), digits)}
    )


def _small_roles(value: int) -> Iterator[str]:
    if value <= 24:
        yield "hour"
    if value <= 59:
        yield "minute"
    if 10 <= value <= 59:
        yield "full_minute"
    if 1 <= value <= 31:
        yield "dom"
    if 13 <= value <= 31:
        yield "late_dom"
    if 1 <= value <= 12:
        yield "month_number"
    if 1000 <= value <= 2999:
        yield "year"


def _written_roles(value: int, digits: str) -> Iterator[str]:
    if len(digits) == 2:
        yield "short_year"
    if len(digits) == 2 and digits[0] == "0":
        yield "zero_led"
        yield "full_minute"
    if len(digits) in {3, 4} and value // 100 <= 24 and value % 100 <= 59:
        yield "military"


def short_roles(text: str) -> dict[str, object]:
    """Return what "4.22", "3/15" or "2-4" may stand for, with the values."""
    sign = next(char for char in text if not char.isdecimal() and char != " ")
    first, second = (int(part) for part in text.split(sign))
    roles: dict[str, object] = {}
    if _is_month_and_day(first, second):
        roles["short_date"] = (first, second)
    if sign == "." and (text[-2:].isdecimal() and first <= 23 and second <= 59):
        roles["clock_dot"] = (first, second, 0)
    if sign == ".":
        roles["number"] = float(text)
    if sign == "-" and first <= 24 and second <= 24:
        roles["hour_range"] = (first, second)
    return roles


def _is_month_and_day(first: int, second: int) -> bool:
    return (1 <= first <= 12 and 1 <= second <= 31) or (
        1 <= second <= 12 and 1 <= first <= 31
    )


_LARGE = (100, 160, 1000, 1060, 3000)
"""One of each kind: clocks written together or not, years or not."""

NUMBER_ROLES = frozenset(
    {number_roles(value) for value in (*range(-1, 61), *_LARGE)}
    | {number_roles(value, str(value)) for value in (*range(101), *_LARGE)}
    | {number_roles(value, f"{value:02}") for value in range(10)}
    | {number_roles(value, f"{value:04}") for value in (*range(61), *_LARGE[:2])}
    | {number_roles(value, ordinal=True) for value in range(1, 33)}
    | {number_roles(0.5)}
)
"""All sets of roles that a number can have."""

SHAPES = frozenset(
    {
        frozenset({role})
        for role in (
            "date_digits",
            "clock_digits",
            "bad_clock",
            "spelled_clock",
            "number",
        )
    }
    | {
        frozenset(short_roles(f"{first}{sign}{second}"))
        for sign in ".-/"
        for first in (1, 12, 13, 24, 25, 32, 99)
        for second in ("1", "01", "12", "13", "24", "25", "32", "60", "99")
    }
)
"""All sets of roles that a written time can have."""
