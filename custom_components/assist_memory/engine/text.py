"""Text as the rules see it: normalised once, folded for comparison with equal length, cut into tokens."""

from collections.abc import Iterable
from functools import cache
import re
from typing import NamedTuple
import unicodedata

import regex

from .language import LanguagePack

MAX_TEXT = 1000
"""Longer input is cut before any pattern sees it (DESIGN section 8)."""

_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc", "'''")
# Chinese sentence marks stay: they are not merely wide forms of the Latin ones.
_HALF_WIDTH = {
    code: code - 0xFEE0
    for code in range(0xFF01, 0xFF5F)
    if chr(code) not in "，！？；：（）"
}
_SPACES = regex.compile(r"[\s\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Z}]+")
_HAN = regex.compile(r"\p{Han}")
_TOKEN = regex.compile(
    r"\p{Han}|[[\p{L}\p{N}]--\p{Han}][[\p{L}\p{N}\p{M}]--\p{Han}]*+(?:['’.\-][[\p{L}\p{N}\p{M}]--\p{Han}]++)*+",
    regex.VERSION1,
)
_ASCII_TOKEN = re.compile(r"[A-Za-z0-9]++(?:['.\-][A-Za-z0-9]++)*+")
"""The same for plain text, where the standard library is three times as fast."""


class Token(NamedTuple):
    """A word of a folded text and where it stands; each Han character is one."""

    word: str
    start: int
    end: int


def normalise(text: str) -> str:
    """Return the text in one line, NFC, full-width forms made half-width, spaces folded, at most MAX_TEXT long."""
    bounded = unicodedata.normalize("NFC", text[: 2 * MAX_TEXT])
    return _SPACES.sub(" ", bounded.translate(_HALF_WIDTH)).strip()[:MAX_TEXT]


def fold(text: str) -> str:
    """Return the text for comparison: lower case, straight apostrophes; always of the same length."""
    lower = text.lower()
    if len(lower) != len(text):
        # Some capitals have a longer small form: those stay.
        lower = "".join(
            char.lower() if len(char.lower()) == 1 else char for char in text
        )
    return lower if lower.isascii() else lower.translate(_APOSTROPHES)


def fold_in(text: str, pack: LanguagePack) -> str:
    """Return the text folded as this language compares it (traditional characters as simplified ones); same length."""
    characters = _characters(pack)
    return fold(text).translate(characters) if characters else fold(text)


def tokens(text: str) -> list[str]:
    """Return the folded words of a text; each Han character is a token of its own."""
    return _TOKEN.findall(fold(text))


def find_tokens(folded: str) -> list[Token]:
    """Return the words of a folded text with their places."""
    pattern = _ASCII_TOKEN if folded.isascii() else _TOKEN
    return [
        Token(found[0], found.start(), found.end())
        for found in pattern.finditer(folded)
    ]


def any_of(patterns: Iterable[str]) -> regex.Pattern[str]:
    """Return one pattern that is found where any of several is; of none, it is found nowhere."""
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    return regex.compile(joined or "(?!)", regex.VERSION1)


def has_han(text: str) -> bool:
    """Tell whether a text has a Han character."""
    return _HAN.search(text) is not None


@cache
def _characters(pack: LanguagePack) -> dict[int, str]:
    """Return the pack's one-to-one map of variant characters, from its optional file characters.yaml."""
    if "characters" not in pack.files:
        return {}
    pairs = pack.file("characters").only("variants").section("variants").text_map()
    return str.maketrans(pairs)
