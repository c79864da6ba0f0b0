"""Layer 1: who and what a sentence names. Lists, patterns and the home's names check each other (A2, A18, B14)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import regex

from .language import LanguagePack
from .lexicon import Hit, Lexicon, compile_lexicon
from .models import EntityKind, Home, Mention, Span
from .sounds import find_by_sound
from .text import Token, find_tokens, fold_in
from .vocabulary import Vocabulary, vocabulary

MAX_MENTIONS = 24
"""More than these in one sentence are not held."""
_ROLES = frozenset({"kin", "role"})
"""Groups of words that stand for somebody, or beside a name."""
_NEAR = 4
"""How many words may stand between a part of the body and what ails it."""

_MARK = regex.compile(r"[.,;:!?。，；：！？、]")
_SYMBOLS = regex.compile(r"[\p{So}\p{Sk}\p{Emoji_Presentation}\uFE0F\u200D]+ ?")
_FORMULA = regex.compile(r"(?<![\p{L}\p{N}])\p{L}\p{M}? ?= ?[\p{L}\p{N}][\p{L}\p{N}²³^*/+\-]*(?: ?[*/+\-] ?[\p{L}\p{N}²³^]+)*+")
_QUOTED = regex.compile(r"《([^《》]{1,40})》|「([^「」]{1,40})」|“([^“”]{1,40})”|\"([^\"]{1,40})\"|『([^『』]{1,40})』")
_READING = regex.compile(r"(?<![\p{N}/.])\p{N}{2,3} ?/ ?\p{N}{2,3}(?![\p{N}/])")
_DATE = regex.compile(r"(?<!\p{N})(?:\p{N}{4}[-/.]\p{N}{1,2}[-/.]\p{N}{1,2}|\p{N}{1,2}[-/]\p{N}{1,2}[-/]\p{N}{4})(?!\p{N})")
_ABBREVIATION = regex.compile(r"(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}\p{N}]{1,5}(?![\p{Ll}\p{N}])")


class _Found(NamedTuple):
    """A candidate; of overlapping ones the lower rank wins, then the longer, then the earlier."""

    rank: int
    mention: Mention

    @property
    def order(self) -> tuple[int, int, int]:
        span = self.mention.span
        return self.rank, span.start - span.end, span.start


def find_mentions(text: str, home: Home, pack: LanguagePack) -> tuple[Mention, ...]:
    """Return what a normalised text names, in order, each thing once; spans index into the text."""
    plain, places = _without_symbols(text)
    words = vocabulary(pack)
    folded = fold_in(plain, pack)
    tokens = find_tokens(folded)
    found = [
        *_of_home(plain, tokens, home, pack),
        *_by_shape(plain),
        *_by_list(tokens, words),
        *_by_sound(tokens, pack),
        *_by_pattern(plain, words, pack),
        *_ailing(plain, tokens, words),
        *_capitalised(plain, tokens, words),
        *_noun_phrases(plain, tokens, words),
    ]
    return tuple(_placed(mention, places) for mention in _chosen(found, plain, pack))


def stated_name(text: str, pack: LanguagePack) -> str | None:
    """Return the name that a person gives as their own ("my name is …"), if any."""
    words = vocabulary(pack)
    plain, _ = _without_symbols(text)
    for pattern in words.own_name:
        if (found := pattern.search(plain)) and (span := _name_span(found, words, pack)):
            return _titled(span.of(plain))
    return None


def _without_symbols(text: str) -> tuple[str, list[int] | None]:
    """Return the text without emoji and the like, and where each of its characters stood."""
    if text.isascii() or not _SYMBOLS.search(text):
        return text, None
    kept: list[int] = []
    position = 0
    for found in _SYMBOLS.finditer(text):
        kept.extend(range(position, found.start()))
        position = found.end()
    kept.extend(range(position, len(text)))
    return "".join(text[place] for place in kept), kept


def _placed(mention: Mention, places: list[int] | None) -> Mention:
    if places is None:
        return mention
    span = Span(places[mention.span.start], places[mention.span.end - 1] + 1)
    return replace(mention, span=span)


def _chosen(found: Iterable[_Found], text: str, pack: LanguagePack) -> list[Mention]:
    chosen: list[Mention] = []
    for _, mention in sorted(found, key=lambda one: one.order):
        if not any(mention.span.overlaps(other.span) for other in chosen):
            chosen.append(mention)
    chosen.sort(key=lambda mention: mention.span)
    chosen = _with_roles(chosen, text, pack)
    return list({mention.name: mention for mention in reversed(chosen)}.values())[::-1][:MAX_MENTIONS]


def _with_roles(mentions: list[Mention], text: str, pack: LanguagePack) -> list[Mention]:
    """Return the mentions with a word for kin or work joined to the name behind it ("my sister Anna")."""
    joined: list[Mention] = []
    for mention in mentions:
        role = joined[-1] if joined else None
        if role and _is_role(role, pack) and _is_name(mention, pack):
            between = text[role.span.end : mention.span.start]
            if not between.strip():
                joined[-1] = replace(mention, role=role.name)
                continue
        joined.append(mention)
    return joined


def _is_role(mention: Mention, pack: LanguagePack) -> bool:
    return mention.kind is EntityKind.PERSON and known_group(mention.name, pack) in _ROLES


def _is_name(mention: Mention, pack: LanguagePack) -> bool:
    return mention.kind is EntityKind.PERSON and known_group(mention.name, pack) not in _ROLES


# --- the home's own names -----------------------------------------------------------------------

type _HomeName = tuple[str, EntityKind, str]
_homes: list[tuple[Home, LanguagePack, Lexicon[_HomeName]]] = []
_MAX_HOMES = 4


def _of_home(text: str, tokens: Sequence[Token], home: Home, pack: LanguagePack) -> Iterator[_Found]:
    if not (home.entities or home.areas or home.persons):
        return
    for first, last, (name, kind, ref) in _home_names(home, pack).find(tokens):
        span = Span(tokens[first].start, tokens[last - 1].end)
        yield _Found(0, Mention(name=name, kind=kind, span=span, ref=ref))


def _home_names(home: Home, pack: LanguagePack) -> Lexicon[_HomeName]:
    """Return the compiled names of a home; the last few homes are kept (names of things, no talk)."""
    for known, language, lexicon in _homes:
        if language is pack and (known is home or known == home):
            return lexicon
    lexicon = compile_lexicon(_names_of(home, pack), pack.file("vocabulary").texts("endings"))
    _homes.append((home, pack, lexicon))
    del _homes[:-_MAX_HOMES]
    return lexicon


def _names_of(home: Home, pack: LanguagePack) -> Iterator[tuple[str, _HomeName]]:
    groups = (
        (EntityKind.PERSON, home.persons),
        (EntityKind.AREA, home.areas),
        (EntityKind.DEVICE, home.entities),
    )
    for kind, things in groups:
        for thing in things:
            for name in (thing.name, *thing.aliases):
                yield fold_in(name, pack), (thing.name, kind, thing.id)


# --- shapes that no language owns ---------------------------------------------------------------


def _by_shape(text: str) -> Iterator[_Found]:
    """Find formulas, quoted terms and works, readings like 132/85, written dates, abbreviations."""
    for found in _QUOTED.finditer(text):
        kind = EntityKind.WORK if text[found.start()] == "《" else EntityKind.THING
        name = next(group for group in found.groups() if group is not None).strip()
        if name:
            yield _Found(0, Mention(name=name, kind=kind, span=Span(*found.span())))
    shapes = (
        (_FORMULA, EntityKind.FORMULA),
        (_READING, EntityKind.NUMBER),
        (_DATE, EntityKind.DATE),
        (_ABBREVIATION, EntityKind.ABBREVIATION),
    )
    for shape, kind in shapes:
        for found in shape.finditer(text):
            rank = 3 if kind is EntityKind.ABBREVIATION else 1
            yield _Found(rank, Mention(name=found[0].replace(" ", ""), kind=kind, span=Span(*found.span())))


# --- lists and patterns -------------------------------------------------------------------------


def _by_list(tokens: Sequence[Token], words: Vocabulary) -> Iterator[_Found]:
    for first, last, word in words.words.find(tokens):
        span = Span(tokens[first].start, tokens[last - 1].end)
        yield _Found(1, Mention(name=word.name, kind=word.kind, span=span))


def _by_sound(tokens: Sequence[Token], pack: LanguagePack) -> Iterator[_Found]:
    for first, last, word in find_by_sound(tokens, pack):
        span = Span(tokens[first].start, tokens[last - 1].end)
        yield _Found(2, Mention(name=word.name, kind=word.kind, span=span))


def _by_pattern(text: str, words: Vocabulary, pack: LanguagePack) -> Iterator[_Found]:
    for pattern in words.own_name:
        if (found := pattern.search(text)) and (span := _name_span(found, words, pack)):
            yield _Found(0, Mention(name=_titled(span.of(text)), kind=EntityKind.PERSON, span=span))
    for pattern in words.patterns:
        for found in pattern.expression.finditer(text):
            span = Span(*found.span()) if pattern.kept else _name_span(found, words, pack)
            if span:
                yield _Found(1, Mention(name=span.of(text), kind=pattern.kind, span=span))


def _name_span(found: regex.Match[str], words: Vocabulary, pack: LanguagePack) -> Span | None:
    """Return the span of the name in a match, cut before the first word that is no part of a name."""
    start, end = found.span("name")
    tokens = find_tokens(fold_in(found["name"], pack))
    for index, token in enumerate(tokens):
        if token.word in words.stops:
            end = start + tokens[index - 1].end if index else start
            break
    return Span(start, end) if end > start and start >= 0 else None


def _titled(name: str) -> str:
    """Return a name that was heard without capitals with them."""
    return name.title() if name.islower() else name


def _ailing(text: str, tokens: Sequence[Token], words: Vocabulary) -> Iterator[_Found]:
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
        if used.isdisjoint({part.first, ailment.first}) and not _MARK.search(span.of(text)):
            used.update((part.first, ailment.first))
            name = ailment.value.replace("{part}", part.value)
            name = words.symptoms.get(name, name)
            yield _Found(1, Mention(name=name, kind=EntityKind.SYMPTOM, span=span))


def _distance(part: Hit[str], ailment: Hit[str]) -> int:
    """Return how far the two are apart; what ails a part rather follows it than goes before."""
    if ailment.first >= part.last:
        return ailment.first - part.last
    return max(0, part.first - ailment.last) + 1


# --- names and things that no list has ----------------------------------------------------------


def _capitalised(text: str, tokens: Sequence[Token], words: Vocabulary) -> Iterator[_Found]:
    """Find runs of capitalised words that no list explains; one at the beginning only beside another."""
    run: list[Token] = []
    for token in [*tokens, None]:
        if token and _is_capitalised(text, token, words) and (not run or _adjacent(text, run[-1], token)):
            run.append(token)
            continue
        if run and (run[0] is not tokens[0] or len(run) > 1 or run[0].word in words.given_names):
            yield _as_name(text, run, words)
        run = [token] if token and _is_capitalised(text, token, words) else []
    if not text.islower():
        return
    for token in tokens:
        if token.word in words.given_names:
            yield _as_name(text, [token], words)


def _is_capitalised(text: str, token: Token, words: Vocabulary) -> bool:
    first = text[token.start]
    return first.isupper() and token.word not in words.stops


def _adjacent(text: str, token: Token, other: Token) -> bool:
    return text[token.end : other.start] in {" ", "-", ". "}


def _as_name(text: str, run: Sequence[Token], words: Vocabulary) -> _Found:
    span = Span(run[0].start, run[-1].end)
    name = span.of(text)
    for ending in ("'s", "’s"):
        name = name.removesuffix(ending)
    span = Span(span.start, span.start + len(name))
    known = run[0].word.removesuffix("'s") in words.given_names
    kind = EntityKind.PERSON if known else EntityKind.THING
    return _Found(2, Mention(name=_titled(name), kind=kind, span=span))


def _noun_phrases(text: str, tokens: Sequence[Token], words: Vocabulary) -> Iterator[_Found]:
    """Find things by the article or possessive in front of them, up to three words long."""
    for index, token in enumerate(tokens):
        if token.word not in words.openers:
            continue
        phrase: list[Token] = []
        before = token
        for after in tokens[index + 1 : index + 4]:
            if after.word in words.stops or text[before.end : after.start] != " ":
                break
            phrase.append(after)
            before = after
        if phrase and phrase[-1].word not in words.dull:
            span = Span(phrase[0].start, phrase[-1].end)
            yield _Found(3, Mention(name=span.of(text), kind=EntityKind.THING, span=span))


def known_group(name: str, pack: LanguagePack) -> str:
    """Return the group of a name that the pack's lists know, else an empty text."""
    word = vocabulary(pack).words.get(fold_in(name, pack))
    return word.group if word else ""
