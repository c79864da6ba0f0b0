"""Number words and digits of both languages."""

import pytest

from assist_memory.language import read_pack
from assist_memory.numbers import find_numbers, read_number


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("en", "seven", 7),
        ("en", "twenty-three", 23),
        ("en", "twenty three", 23),
        ("en", "a hundred", 100),
        ("en", "one hundred and five", 105),
        ("en", "two thousand and thirty two", 2032),
        ("en", "nineteen hundred eighty four", 1984),
        ("en", "two point five", 2.5),
        ("en", "twenty first", 21),
        ("en", "1,250", 1250),
        ("en", "3.5", 3.5),
        ("zh", "七", 7),
        ("zh", "十", 10),
        ("zh", "二十三", 23),
        ("zh", "一百零五", 105),
        ("zh", "一百五", 150),
        ("zh", "两千三", 2300),
        ("zh", "两万", 20000),
        ("zh", "二零二六", 2026),
        ("zh", "42", 42),
    ],
)
def test_a_number_is_read(language: str, text: str, value: float) -> None:
    """Values, scales and joiners combine as the language does it."""
    assert read_number(text, read_pack(language)) == value


@pytest.mark.parametrize(
    ("language", "text", "values"),
    [
        ("en", "five thirty", [5, 30]),
        ("en", "twenty twenty six", [20, 26]),
        ("en", "ten to five", [10, 5]),
        ("en", "bread and 2 eggs", [2]),
        ("en", "and a half", []),
        ("zh", "十点半", [10]),
        ("zh", "三个苹果两个梨", [3, 2]),
    ],
)
def test_numbers_are_found_apart(language: str, text: str, values: list[float]) -> None:
    """Two numbers side by side stay two; a joiner alone is none."""
    assert [value for _, value in find_numbers(text, read_pack(language))] == values


@pytest.mark.parametrize("text", ["", "hello", "one apple", "2 3"])
def test_a_text_that_is_more_or_less_than_a_number_is_none(text: str) -> None:
    """Only the whole text counts."""
    assert read_number(text, read_pack("en")) is None


def test_spans_cover_the_words() -> None:
    """From the first to the last word of the number."""
    text = "about one hundred and five steps"
    (span, _), *_ = find_numbers(text, read_pack("en"))
    assert span.of(text) == "one hundred and five"
