"""Number words and digits: what a language's words for numbers are worth, in both directions of need (A10).

The words are in the pack's numbers.yaml; here is only how values, scales and joiners combine.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import regex

from .language import LanguagePack
from .models import Span
from .text import fold_in

type Number = int | float

MOST_WORDS = 12
"""No number has more words than this; longer runs are cut."""

HYPHEN = "-"

_PIECE = regex.compile(
    r"[0-9]{1,3}(?:,[0-9]{3})++(?![0-9])|[0-9]++(?:\.[0-9]++)?"
    r"|-|\p{Han}|[[\p{L}\p{M}]--\p{Han}]++(?:'[[\p{L}\p{M}]--\p{Han}]++)*+",
    flags=regex.VERSION1,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberWords:
    """The number words of one language."""

    values: Mapping[str, int]
    scales: Mapping[str, int]
    ordinals: Mapping[str, int]
    joiners: frozenset[str]
    one: frozenset[str]
    suffixes: frozenset[str]
    points: frozenset[str]
    digitwise: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberRun:
    """A number made of words: how many words, its value, and whether it is an ordinal."""

    words: int
    value: Number
    ordinal: bool = False


@cache
def number_words(pack: LanguagePack) -> NumberWords:
    """Return the typed number words of a pack. Raises LanguagePackError."""
    section = pack.file("numbers").only(
        "values",
        "scales",
        "joiners",
        "one",
        "ordinals",
        "ordinal_suffixes",
        "points",
        "digitwise",
    )
    return NumberWords(
        values={
            word: int(value)
            for word, value in section.section("values").number_map().items()
        },
        scales={
            word: int(value)
            for word, value in section.section("scales").number_map().items()
        },
        ordinals={
            word: int(value)
            for word, value in section.section("ordinals").number_map().items()
        },
        joiners=frozenset(section.texts("joiners")),
        one=frozenset(section.texts("one")),
        suffixes=frozenset(section.texts("ordinal_suffixes")),
        points=frozenset(section.texts("points")),
        digitwise=frozenset(section.texts("digitwise")),
    )


def read_number(text: str, pack: LanguagePack) -> Number | None:
    """Return the number that the whole text says, or None."""
    found = find_numbers(text.strip(), pack)
    return (
        found[0][1]
        if len(found) == 1 and found[0][0] == Span(0, len(text.strip()))
        else None
    )


def find_numbers(text: str, pack: LanguagePack) -> list[tuple[Span, Number]]:
    """Return all numbers of a text, digits and words, ordinals too, in order."""
    words = number_words(pack)
    pieces = list(_PIECE.finditer(fold_in(text, pack)))
    said = [piece.group() for piece in pieces]
    found: list[tuple[Span, Number]] = []
    index = 0
    while index < len(pieces):
        if run := _number_at(said, index, words):
            last = pieces[index + run.words - 1]
            found.append((Span(pieces[index].start(), last.end()), run.value))
            index += run.words
        else:
            index += 1
    return found


def _number_at(said: Sequence[str], start: int, words: NumberWords) -> NumberRun | None:
    if said[start][0].isdecimal():
        plain = said[start].replace(",", "")
        return NumberRun(words=1, value=float(plain) if "." in plain else int(plain))
    return number_run(said, start, words)


def number_run(said: Sequence[str], start: int, words: NumberWords) -> NumberRun | None:
    """Return the longest number that begins with the word at `start`, or None. `said` is folded."""
    first = said[start]
    plain = first in words.values or first in words.scales or first in words.ordinals
    if not plain and (first not in words.one or not _is_scale(said, start + 1, words)):
        return None
    if run := _digit_run(said, start, words):
        return run
    return _with_decimals(said, start, _combined(said, start, words), words)


def _is_scale(said: Sequence[str], index: int, words: NumberWords) -> bool:
    return index < len(said) and said[index] in words.scales


def _digit_run(said: Sequence[str], start: int, words: NumberWords) -> NumberRun | None:
    """Digits read one by one ("二零二六"); a scale after them makes it another kind of number."""
    end = start
    while end < len(said) and end - start < MOST_WORDS and said[end] in words.digitwise:
        end += 1
    if end - start < 2 or _is_scale(said, end, words):
        return None
    value = int("".join(str(words.values[word]) for word in said[start:end]))
    return NumberRun(words=end - start, value=value)


def _combined(said: Sequence[str], start: int, words: NumberWords) -> NumberRun:
    """Add up values and scales as long as each fits below what is already there."""
    total = group = 0
    room = 10**12
    index, end, ordinal = start, start, False
    while index < len(said) and index - start < MOST_WORDS and not ordinal:
        word = said[index]
        if (
            word in words.scales
            and (scale := words.scales[word])
            and (group or index == start or scale < room)
        ):
            total, group, room = _scaled(total, group, scale)
        elif (word in words.values or word in words.ordinals) and _fits(
            words, word, group, room
        ):
            ordinal = word in words.ordinals
            value = words.ordinals[word] if ordinal else words.values[word]
            group, room = group + value, 10 if value >= 20 and value % 10 == 0 else 1
        elif word in words.one and index == start:
            group, room = 1, 1
        elif (
            (word == HYPHEN or word in words.joiners)
            and index > start
            and _joins(said, index, words, room)
        ):
            index += 1
            continue
        else:
            break
        index += 1
        end = index
    value = total + group
    return NumberRun(
        words=end - start,
        value=_tailed(said, start, end, value, words),
        ordinal=ordinal,
    )


def _scaled(total: int, group: int, scale: int) -> tuple[int, int, int]:
    if scale >= 1000:
        return (
            total + max(group, 1) * scale if group or not total else total * scale,
            0,
            scale,
        )
    low = group % scale if group >= scale else group
    return total, group - low + max(low, 1) * scale, scale


def _fits(words: NumberWords, word: str, group: int, room: int) -> bool:
    value = words.ordinals[word] if word in words.ordinals else words.values[word]
    return 0 < value < room or (value == 0 and group == 0 and room > 1000)


def _joins(said: Sequence[str], index: int, words: NumberWords, room: int) -> bool:
    """Tell whether a joiner belongs to the number: after a scale, before a smaller value; a hyphen after tens too."""
    if said[index] == HYPHEN:
        return (
            room == 10
            and index + 1 < len(said)
            and _fits_below(said[index + 1], words, room)
        )
    if room < 100 or index + 1 >= len(said) or said[index - 1] not in words.scales:
        return False
    return _fits_below(said[index + 1], words, room)


def _fits_below(word: str, words: NumberWords, room: int) -> bool:
    return 0 < words.values.get(word, words.ordinals.get(word, 0)) < room


def _tailed(
    said: Sequence[str], start: int, end: int, value: int, words: NumberWords
) -> int:
    """Count a lone last digit after a scale in the next lower one ("两千三" is 2300)."""
    if end - start < 2 or not words.digitwise or said[end - 1] not in words.digitwise:
        return value
    scale, digit = words.scales.get(said[end - 2], 0), words.values[said[end - 1]]
    return value - digit + digit * scale // 10 if scale >= 100 else value


def _with_decimals(
    said: Sequence[str], start: int, run: NumberRun, words: NumberWords
) -> NumberRun | None:
    end = start + run.words
    if not run.words:
        return None
    if run.ordinal or end + 1 >= len(said) or said[end] not in words.points:
        return run
    digits = ""
    for word in said[end + 1 : end + 5]:
        if not 0 <= words.values.get(word, -1) < 10:
            break
        digits += str(words.values[word])
    if not digits:
        return run
    return NumberRun(
        words=run.words + 1 + len(digits), value=float(f"{int(run.value)}.{digits}")
    )
