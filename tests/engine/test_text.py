"""Text as the rules see it: one line, bounded, folded with equal length, cut into words."""

from hypothesis import given, strategies as st
import pytest

from assist_memory.language import read_pack
from assist_memory.text import (
    MAX_TEXT,
    any_of,
    find_tokens,
    fold,
    fold_in,
    has_han,
    normalise,
    tokens,
)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("  two\n lines\t here ", "two lines here"),
        ("ｆｕｌｌ　ｗｉｄｔｈ １２", "full width 12"),
        ("你好，世界！", "你好，世界！"),
        ("zero\u200bwidth\u2028line", "zero width line"),
        ("cafe\u0301", "café"),
        ("", ""),
    ],
)
def test_text_becomes_one_plain_line(text: str, plain: str) -> None:
    """Spaces, controls and full-width forms are folded; Chinese marks stay."""
    assert normalise(text) == plain


def test_long_text_is_cut() -> None:
    """No pattern sees more than MAX_TEXT characters."""
    assert len(normalise("word " * 100_000)) <= MAX_TEXT


@given(st.text(max_size=200))
def test_folding_keeps_the_length(text: str) -> None:
    """Spans of the folded text hold in the text itself, in every language."""
    assert len(fold(text)) == len(text)
    assert all(
        len(fold_in(text, read_pack(code))) == len(text) for code in ("en", "zh")
    )


def test_case_apostrophes_and_script_are_folded() -> None:
    """Capitals, curly apostrophes and traditional characters compare as their plain forms."""
    assert fold("Don’t İT") == "don't İt"
    assert fold_in("高血壓藥", read_pack("zh")) == "高血压药"
    assert fold_in("高血壓", read_pack("en")) == "高血壓"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Mia's 2.5 mg, follow-up!", ["mia's", "2.5", "mg", "follow-up"]),
        ("吃10片维生素D的", ["吃", "10", "片", "维", "生", "素", "d", "的"]),
        ("café ❤️ ok", ["café", "ok"]),
    ],
)
def test_words_and_characters(text: str, words: list[str]) -> None:
    """Each Han character is a word; digits and letters beside one are cut off."""
    assert tokens(text) == words


@given(st.text(max_size=200))
def test_tokens_know_their_place(text: str) -> None:
    """A token's place holds its word, plain text or not."""
    folded = fold(text)
    found = find_tokens(folded)
    assert all(folded[token.start : token.end] == token.word for token in found)
    assert [token.word for token in found] == tokens(text)


def test_han_is_told() -> None:
    """Han characters are found anywhere."""
    assert has_han("a药")
    assert not has_han("abc")


def test_one_pattern_for_many_is_found_where_any_is() -> None:
    """Alternatives keep to themselves; of none, nothing is found."""
    either = any_of(["^tea|milk$", "sugar"])
    found = [
        bool(either.search(text)) for text in ("tea please", "no tea", "brown sugar")
    ]
    assert found == [True, False, True]
    assert any_of([]).search("tea") is None
