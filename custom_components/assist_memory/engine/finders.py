"""The ways in which a name can be found in a text: by shape, list, sound, pattern, capitals, article (A2)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import regex

from .language import LanguagePack
from .lexicon import Hit
from .models import EntityKind, Mention, Span
from .sounds import find_by_sound
from .text import Token, find_tokens, fold_in
from .vocabulary import Vocabulary, Word, vocabulary

_NEAR = 4
"""How many words may stand between a part of the body and what ails it."""

_PHRASE = 3
"""Words of a noun phrase, without article and adjectives."""

_MARK = regex.compile(r"[.,;:!?。，；：！？、]")
_FORMULA = regex.compile(
    r"(?<![\p{L}\p{N}])\p{L}\p{M}? ?= ?[\p{L}\p{N}][\p{L}\p{N}²³^*/+\-]*(?: ?[*/+\-] ?[\p{L}\p{N}²³^]+)*+"
)
_QUOTED = regex.compile(
    r"《([^《》]{1,40})》|「([^「」]{1,40})」|“([^“”]{1,40})”|\"([^\"]{1,40})\"|『([^『』]{1,40})』"
)
_READING = regex.compile(r"(?<![\p{N}/.])\p{N}{2,3} ?/ ?\p{N}{2,3}(?![\p{N}/])")
_DATE = regex.compile(
    r"(?<!\p{N})(?:\p{N}{4}[-/.]\p{N}{1,2}[-/.]\p{N}{1,2}|\p{N}{1,2}[-/]\p{N}{1,2}[-/]\p{N}{4})(?!\p{N})"
)
_ABBREVIATION = regex.compile(
    r"(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}\p{N}]{1,5}(?![\p{Ll}\p{N}])"
)


class Found(NamedTuple):
    """A candidate; of overlapping ones the lower rank wins, then the longer, then the earlier."""

    rank: int
    mention: Mention

    @property
    def order(self) -> tuple[int, int, int]:
        """Return what candidates are sorted by."""
        span = self.mention.span
        return self.rank, span.start - span.end, span.start


def find_names(text: str, tokens: Sequence[Token], pack: LanguagePack) -> list[Found]:
    """Return all candidates of a text without symbols; they may overlap."""
    words = vocabulary(pack)
    listed = list(words.words.find(tokens))
    return [
        *_by_shape(text),
        *_by_list(tokens, listed),
        *_by_sound(tokens, pack),
        *_own_name(text, words, pack),
        *_by_pattern(text, words, pack),
        *_ailing(text, tokens, words),
        *_capitalised(text, tokens, words),
        *_noun_phrases(text, tokens, listed, words),
    ]


def find_own_name(text: str, pack: LanguagePack) -> Mention | None:
    """Return the name that a person gives as their own ("my name is …"), if any."""
    return next((one.mention for one in _own_name(text, vocabulary(pack), pack)), None)


# --- shapes that no language owns ---------------------------------------------------------------


def _by_shape(text: str) -> Iterator[Found]:
    """Find formulas, quoted terms and works, readings like 132/85, written dates, abbreviations."""
    for found in _QUOTED.finditer(text):
        kind = EntityKind.WORK if text[found.start()] == "《" else EntityKind.THING
        name = next(group for group in found.groups() if group is not None).strip()
        if name:
            yield Found(0, Mention(name=name, kind=kind, span=Span(*found.span())))
    shapes = (
        (_FORMULA, EntityKind.FORMULA),
        (_READING, EntityKind.NUMBER),
        (_DATE, EntityKind.DATE),
        (_ABBREVIATION, EntityKind.ABBREVIATION),
    )
    for shape, kind in shapes:
        for found in shape.finditer(text):
            rank = 3 if kind is EntityKind.ABBREVIATION else 1
            yield Found(
                rank,
                Mention(
                    name=found[0].replace(" ", ""), kind=kind, span=Span(*found.span())
                ),
            )


# --- lists and patterns -------------------------------------------------------------------------


def _by_list(tokens: Sequence[Token], listed: Sequence[Hit[Word]]) -> Iterator[Found]:
    for first, last, word in listed:
        span = Span(tokens[first].start, tokens[last - 1].end)
        yield Found(1, Mention(name=word.name, kind=word.kind, span=span))


def _by_sound(tokens: Sequence[Token], pack: LanguagePack) -> Iterator[Found]:
    for first, last, word in find_by_sound(tokens, pack):
        span = Span(tokens[first].start, tokens[last - 1].end)
        yield Found(2, Mention(name=word.name, kind=word.kind, span=span))


def _own_name(text: str, words: Vocabulary, pack: LanguagePack) -> Iterator[Found]:
    for pattern in words.own_name:
        if (found := pattern.search(text)) and (span := _name_span(found, words, pack)):
            name = _titled(span.of(text))
            yield Found(0, Mention(name=name, kind=EntityKind.PERSON, span=span))


def _by_pattern(text: str, words: Vocabulary, pack: LanguagePack) -> Iterator[Found]:
    capitals = text != text.lower()
    for pattern in words.patterns:
        if pattern.capital and not capitals:
            continue
        for found in pattern.expression.finditer(text):
            span = (
                Span(*found.span()) if pattern.kept else _name_span(found, words, pack)
            )
            if span:
                # A pet may be called Pepper.
                rank = 0 if pattern.kind is EntityKind.PET else 1
                name = span.of(text)
                yield Found(rank, Mention(name=name, kind=pattern.kind, span=span))


def _name_span(
    found: regex.Match[str], words: Vocabulary, pack: LanguagePack
) -> Span | None:
    """Return the span of the name in a match, cut before the first word that is no part of a name."""
    start = found.start("name")
    named: list[Token] = []
    for token in find_tokens(fold_in(found["name"], pack)):
        if token.word in words.stops:
            break
        named.append(token)
    if not named:
        return None
    last = named[-1]
    return Span(start, start + last.end - _possessive(last, words))


def _possessive(token: Token, words: Vocabulary) -> int:
    """Return how long the possessive ending of a word is."""
    endings = (len(end) for end in words.possessives if token.word.endswith(end))
    return next(endings, 0)


def _titled(name: str) -> str:
    """Return a name that was heard without capitals with them."""
    return name.title() if name.islower() else name


def _ailing(text: str, tokens: Sequence[Token], words: Vocabulary) -> Iterator[Found]:
    """Find a part of the body and what ails it, in either order ("my feet swell", "swelling in my feet")."""
    parts = list(words.parts.find(tokens))
    if not parts:
        return
    pairs = sorted(
        (_distance(part, ailment), part, ailment)
        for part in parts
        for ailment in words.ailments.find(tokens)
        if _distance(part, ailment) <= _NEAR
    )
    used: set[int] = set()
    for _, part, ailment in pairs:
        first, last = min(part.first, ailment.first), max(part.last, ailment.last)
        span = Span(tokens[first].start, tokens[last - 1].end)
        if used.isdisjoint({part.first, ailment.first}) and not _MARK.search(
            span.of(text)
        ):
            used.update((part.first, ailment.first))
            name = ailment.value.replace("{part}", part.value)
            name = words.symptoms.get(name, name)
            yield Found(1, Mention(name=name, kind=EntityKind.SYMPTOM, span=span))


def _distance(part: Hit[str], ailment: Hit[str]) -> int:
    """Return how far the two are apart; what ails a part rather follows it than goes before."""
    if ailment.first >= part.last:
        return ailment.first - part.last
    return max(0, part.first - ailment.last) + 1


# --- names and things that no list has ----------------------------------------------------------


def _capitalised(
    text: str, tokens: Sequence[Token], words: Vocabulary
) -> Iterator[Found]:
    """Find runs of capitalised words that no list explains; one at the beginning only with another sign of a name."""
    run: list[Token] = []
    for token in [*tokens, None]:
        capital = token is not None and _is_capitalised(text, token, words)
        if capital and token and (not run or _adjacent(text, run[-1], token)):
            run.append(token)
            continue
        if run and (run[0] is not tokens[0] or _is_surely_name(run, words)):
            yield _as_name(text, run, words)
        run = [token] if capital and token else []
    if text.islower():
        yield from (
            _as_name(text, [token], words)
            for token in tokens
            if token.word in words.given_names
        )


def _is_surely_name(run: Sequence[Token], words: Vocabulary) -> bool:
    known = run[0].word in words.given_names
    return len(run) > 1 or known or bool(_possessive(run[0], words))


def _is_capitalised(text: str, token: Token, words: Vocabulary) -> bool:
    first = text[token.start]
    return first.isupper() and token.word not in words.stops


def _adjacent(text: str, token: Token, other: Token) -> bool:
    return text[token.end : other.start] in {" ", "-", ". "}


def _as_name(text: str, run: Sequence[Token], words: Vocabulary) -> Found:
    last = run[-1]
    span = Span(run[0].start, last.end - _possessive(last, words))
    first = run[0].word[: len(run[0].word) - _possessive(run[0], words)]
    kind = EntityKind.PERSON if first in words.given_names else EntityKind.THING
    return Found(2, Mention(name=_titled(span.of(text)), kind=kind, span=span))


def _noun_phrases(
    text: str,
    tokens: Sequence[Token],
    listed: Sequence[Hit[Word]],
    words: Vocabulary,
) -> Iterator[Found]:
    """Find things by the article or possessive in front of them, up to three words long."""
    for index, token in enumerate(tokens):
        if token.word not in words.openers:
            continue
        first = index + 1
        while first < len(tokens) and tokens[first].word in words.adjectives:
            first += 1
        last = first
        while last < min(len(tokens), first + _PHRASE):
            before, after = tokens[last - 1], tokens[last]
            if after.word in words.stops or text[before.end : after.start] != " ":
                break
            if last > first and after.word.endswith(words.past_endings):
                break
            last += 1
        if last > first and tokens[last - 1].word not in words.dull:
            span = Span(tokens[first].start, tokens[last - 1].end)
            verb = tokens[last - 1].word.endswith(words.verb_endings)
            rank, kind = _among(first, last, listed, verb_last=verb)
            yield Found(rank, Mention(name=span.of(text), kind=kind, span=span))


_EXTENDED = frozenset({EntityKind.THING, EntityKind.FOOD, EntityKind.EVENT})
_MODIFYING = _EXTENDED | {EntityKind.AREA, EntityKind.DEVICE}


def _among(
    first: int, last: int, listed: Sequence[Hit[Word]], *, verb_last: bool
) -> tuple[int, EntityKind]:
    """Return rank and kind of a noun phrase: one that only says more than a listed word counts before it."""
    inside = [hit for hit in listed if hit.first < last and hit.last > first]
    if not inside:
        return 3, EntityKind.THING
    head = inside[-1]
    if head.last == last:
        extends = head.first > first and head.value.kind in _EXTENDED
        return (1 if extends else 3), head.value.kind
    modifies = not verb_last and all(hit.value.kind in _MODIFYING for hit in inside)
    return (1 if modifies else 3), EntityKind.THING
