"""Word lists compiled once: finds the longest known phrases of a text in one pass, in any language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .text import Token, find_tokens


class Hit[Value](NamedTuple):
    """A known phrase: the tokens from `first` up to `last`, exclusive."""

    first: int
    last: int
    value: Value


@dataclass(frozen=True, eq=False, slots=True)
class Lexicon[Value]:
    """Phrases and what each stands for. Looked up by whole words, so that "ham" is not found in "Graham"."""

    values: Mapping[str, Value]
    """By the phrase's words, joined by spaces."""
    lengths: Mapping[str, tuple[int, ...]]
    """First word → how many words the phrases have that begin with it, longest first."""
    endings: tuple[str, ...]
    """Endings that the last word of a phrase may carry ("'s", "s")."""

    def find(self, tokens: Sequence[Token]) -> Iterator[Hit[Value]]:
        """Yield the phrases of a text from left to right, the longest at each place, without overlap."""
        position = 0
        while position < len(tokens):
            hit = self._at(tokens, position) if self._may(tokens[position]) else None
            if hit is None:
                position += 1
            else:
                yield hit
                position = hit.last

    def _may(self, token: Token) -> bool:
        """Tell whether a phrase may begin with a word: of most words none does."""
        word = token.word
        return word in self.lengths or (
            bool(self.endings) and word.endswith(self.endings)
        )

    def get(self, phrase: str) -> Value | None:
        """Return what a whole folded phrase stands for."""
        if phrase in self.values:
            return self.values[phrase]
        tokens = find_tokens(phrase)
        hit = self._at(tokens, 0) if tokens else None
        return hit.value if hit is not None and hit.last == len(tokens) else None

    def _at(self, tokens: Sequence[Token], position: int) -> Hit[Value] | None:
        first = tokens[position].word
        for length in self.lengths.get(first, ()):
            last = position + length
            if last <= len(tokens):
                words = [token.word for token in tokens[position:last]]
                if (value := self._value(words)) is not None:
                    return Hit(position, last, value)
        # A single word with an ending begins with a word that no list has.
        if self.endings and first.endswith(self.endings):
            for ending in self.endings:
                stem = first.removesuffix(ending)
                if stem != first and 1 in self.lengths.get(stem, ()):
                    return Hit(position, position + 1, self.values[stem])
        return None

    def _value(self, words: list[str]) -> Value | None:
        key = " ".join(words)
        if key in self.values:
            return self.values[key]
        for ending in self.endings:
            if key.endswith(ending) and (stem := key[: -len(ending)]) in self.values:
                return self.values[stem]
        return None


def compile_lexicon[Value](
    phrases: Iterable[tuple[str, Value]], endings: tuple[str, ...] = ()
) -> Lexicon[Value]:
    """Compile folded phrases; of two equal ones the first counts."""
    values: dict[str, Value] = {}
    lengths: dict[str, set[int]] = {}
    for phrase, value in phrases:
        words = [token.word for token in find_tokens(phrase)]
        if words and values.setdefault(" ".join(words), value) is value:
            lengths.setdefault(words[0], set()).add(len(words))
    return Lexicon(
        values,
        {first: tuple(sorted(found, reverse=True)) for first, found in lengths.items()},
        endings,
    )
