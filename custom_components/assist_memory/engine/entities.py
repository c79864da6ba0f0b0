"""Layer 1: who and what a sentence names. Lists, patterns and the home's names check each other (A2, A18, B14)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import regex

from .finders import Found, find_names, find_own_name
from .language import LanguagePack
from .lexicon import Lexicon, compile_lexicon
from .models import EntityKind, Home, Mention, Span
from .text import Token, find_tokens, fold_in
from .vocabulary import vocabulary

MAX_MENTIONS = 24
"""More than these in one sentence are not held."""
_ROLES = frozenset({"kin", "role"})
"""Groups of words that stand for somebody, or beside a name."""
_SYMBOLS = regex.compile(r"[\p{So}\p{Sk}\p{Emoji_Presentation}\uFE0F\u200D]+ ?")


def find_mentions(text: str, home: Home, pack: LanguagePack) -> tuple[Mention, ...]:
    """Return what a normalised text names, in order, each thing once; spans index into the text."""
    plain, places = _without_symbols(text)
    tokens = find_tokens(fold_in(plain, pack))
    found = [*_of_home(tokens, home, pack), *find_names(plain, tokens, pack)]
    return tuple(_placed(mention, places) for mention in _chosen(found, plain, pack))


def stated_name(text: str, pack: LanguagePack) -> str | None:
    """Return the name that a person gives as their own ("my name is …"), if any."""
    plain, _ = _without_symbols(text)
    mention = find_own_name(plain, pack)
    return mention.name if mention else None


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


def _chosen(found: Iterable[Found], text: str, pack: LanguagePack) -> list[Mention]:
    chosen: list[Mention] = []
    for _, mention in sorted(found, key=lambda one: one.order):
        if not any(mention.span.overlaps(other.span) for other in chosen):
            chosen.append(mention)
    chosen.sort(key=lambda mention: mention.span)
    chosen = _with_roles(chosen, text, pack)
    return list({mention.name: mention for mention in reversed(chosen)}.values())[::-1][
        :MAX_MENTIONS
    ]


def _with_roles(
    mentions: list[Mention], text: str, pack: LanguagePack
) -> list[Mention]:
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
    return (
        mention.kind is EntityKind.PERSON and known_group(mention.name, pack) in _ROLES
    )


def _is_name(mention: Mention, pack: LanguagePack) -> bool:
    return (
        mention.kind is EntityKind.PERSON
        and known_group(mention.name, pack) not in _ROLES
    )


# --- the home's own names -----------------------------------------------------------------------

type _HomeName = tuple[str, EntityKind, str]
_homes: list[tuple[Home, LanguagePack, Lexicon[_HomeName]]] = []
_MAX_HOMES = 4


def _of_home(
    tokens: Sequence[Token], home: Home, pack: LanguagePack
) -> Iterator[Found]:
    if not (home.entities or home.areas or home.persons):
        return
    for first, last, (name, kind, ref) in _home_names(home, pack).find(tokens):
        span = Span(tokens[first].start, tokens[last - 1].end)
        yield Found(0, Mention(name=name, kind=kind, span=span, ref=ref))


def _home_names(home: Home, pack: LanguagePack) -> Lexicon[_HomeName]:
    """Return the compiled names of a home; the last few homes are kept (names of things, no talk)."""
    for known, language, lexicon in _homes:
        if language is pack and (known is home or known == home):
            return lexicon
    lexicon = compile_lexicon(
        _names_of(home, pack), pack.file("vocabulary").texts("endings")
    )
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


def known_group(name: str, pack: LanguagePack) -> str:
    """Return the group of a name that the pack's lists know, else an empty text."""
    word = vocabulary(pack).words.get(fold_in(name, pack))
    return word.group if word else ""
