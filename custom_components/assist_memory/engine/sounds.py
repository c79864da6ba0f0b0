"""Names as speech recognition and tired fingers write them: by their sound, not by their letters (A18)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from .language import LanguagePack
from .lexicon import Hit, Lexicon, compile_lexicon
from .models import EntityKind
from .text import Token, has_han
from .vocabulary import Word, vocabulary

_MIN_LETTERS = 7
_MAX_LETTERS = 24
_MIN_SOUNDS = 6
"""Shorter names have too many neighbours in everyday language."""
_MIN_CHARACTERS = 3
_KINDS = frozenset({EntityKind.MEDICINE, EntityKind.CONDITION})


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class _Sounds:
    """The pack's optional sounds.yaml, and the listed names by their sound."""

    rules: Mapping[str, str]
    vowels: frozenset[str]
    spelt: Mapping[str, tuple[str, Word]]
    """Sound of a name in letters, also with one sound left out → its plain spelling and what it names."""
    stops: frozenset[str]
    characters: Mapping[str, str]
    """Character → the first of those that sound like it."""
    written: Lexicon[Word]
    """Names in characters, each as the first that sounds like it."""


def find_by_sound(tokens: Sequence[Token], pack: LanguagePack) -> Iterator[Hit[Word]]:
    """Yield medicines and conditions that a text names in a form that no list has."""
    sounds = sound_words(pack)
    if sounds.spelt:
        yield from _spelt(tokens, sounds)
    if sounds.characters:
        alike = [
            token._replace(word=sounds.characters.get(token.word, token.word))
            for token in tokens
        ]
        yield from sounds.written.find(alike)


def _spelt(tokens: Sequence[Token], sounds: _Sounds) -> Iterator[Hit[Word]]:
    """Look at each word, and at each two neighbours as one ("met formin")."""
    for index, token in enumerate(tokens):
        if token.word in sounds.stops:
            continue
        after = tokens[index + 1].word if index + 1 < len(tokens) else ""
        pair = (
            token.word + after if after.isalpha() and after not in sounds.stops else ""
        )
        for count, word in ((1, token.word), (2, pair)):
            if _MIN_LETTERS <= len(word) <= _MAX_LETTERS and (
                found := _by_ear(word, sounds)
            ):
                yield Hit(index, index + count, found)


def _by_ear(word: str, sounds: _Sounds) -> Word | None:
    plain = _plain(word, sounds.rules)
    key = _key(plain, sounds.vowels)
    for sound in (key, *_with_one_less(key)):
        if found := sounds.spelt.get(sound):
            spelling, named = found
            if _distance(plain, spelling) <= max(1, len(spelling) // 4):
                return named
    return None


def _plain(word: str, rules: Mapping[str, str]) -> str:
    """Return a word spelt as it sounds."""
    for spelling, sound in rules.items():
        word = word.replace(spelling, sound)
    return word


def _key(plain: str, vowels: frozenset[str]) -> str:
    """Return how a word sounds, roughly: all vowels alike, nothing doubled, no vowel at the end."""
    alike = "".join("a" if char in vowels else char for char in plain if char.isalpha())
    return "".join(char for char, _ in groupby(alike)).rstrip("a")


def _with_one_less(key: str) -> Iterator[str]:
    """Yield a sound without each one but the first; short ones stand as they are."""
    if len(key) > _MIN_SOUNDS:
        yield from (key[:place] + key[place + 1 :] for place in range(1, len(key)))


def _distance(one: str, other: str) -> int:
    """Return how many letters must be changed, added or left out."""
    row = list(range(len(other) + 1))
    for index, char in enumerate(one, 1):
        before, row[0] = row[0], index
        for place, against in enumerate(other, 1):
            best = min(row[place] + 1, row[place - 1] + 1, before + (char != against))
            before, row[place] = row[place], best
    return row[-1]


@cache
def sound_words(pack: LanguagePack) -> _Sounds:
    """Return how the pack's names sound. Raises LanguagePackError."""
    if "sounds" not in pack.files:
        return _Sounds(
            rules={},
            vowels=frozenset(),
            spelt={},
            stops=frozenset(),
            characters={},
            written=compile_lexicon(()),
        )
    file = pack.file("sounds").only("rules", "vowels", "alike")
    rules = file.section("rules").text_map()
    vowels = frozenset(file.text("vowels")) if rules else frozenset()
    characters = {char: group[0] for group in file.texts("alike") for char in group}
    names = [
        (phrase, word)
        for phrase, word in vocabulary(pack).words.values.items()
        if word.kind in _KINDS
    ]
    return _Sounds(
        rules=rules,
        vowels=vowels,
        spelt=_keys(names, rules, vowels) if rules else {},
        stops=vocabulary(pack).stops,
        characters=characters,
        written=compile_lexicon(
            ("".join(characters.get(char, char) for char in phrase), word)
            for phrase, word in (
                (phrase.replace(" ", ""), word) for phrase, word in names
            )
            if len(phrase) >= _MIN_CHARACTERS and has_han(phrase)
        ),
    )


def _keys(
    names: Sequence[tuple[str, Word]], rules: Mapping[str, str], vowels: frozenset[str]
) -> dict[str, tuple[str, Word]]:
    """Return the names by their sounds; a whole one counts before another with one sound less."""
    whole: dict[str, tuple[str, Word]] = {}
    for phrase, word in names:
        plain = _plain(phrase, rules)
        key = _key(plain, vowels)
        if (
            " " not in phrase
            and len(phrase) >= _MIN_LETTERS
            and len(key) >= _MIN_SOUNDS
        ):
            whole.setdefault(key, (plain, word))
    less = {
        shorter: found
        for key, found in whole.items()
        for shorter in _with_one_less(key)
    }
    return {**less, **whole}
