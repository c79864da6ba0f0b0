"""What a sentence says of an entity, in few words: context, action, constraints (A4, A8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import regex

from .language import LanguagePack
from .lexicon import Lexicon, compile_lexicon
from .models import EntityKind, Mention, Span
from .text import find_tokens, fold_in

REACH = 15
"""Characters of context on either side of a mention."""
_WORD = 12
"""How many more characters a whole word may take."""
MAX_ATTRIBUTES = 4
MAX_ACTION = 30

_AMOUNT = regex.compile(r"\p{N}+(?:\.\p{N}+)?")
_MARK = regex.compile(r"[.!?;。！？；…]")
_CLAUSE = regex.compile(r"[.,;:!?。，；：！？…]")


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class _DistillWords:
    verbs: Lexicon[str]
    """Form of a verb → the verb."""
    action: str
    """How verb and object stand together, with `{verb}` and `{object}`."""
    attributes: tuple[regex.Pattern[str], ...]
    personal: tuple[regex.Pattern[str], ...]
    """Which of them are of people only (an age)."""


@cache
def distill_words(pack: LanguagePack) -> _DistillWords:
    """Return the verbs and constraints of the pack's context.yaml. Raises LanguagePackError."""
    file = pack.file("context")
    return _DistillWords(
        verbs=compile_lexicon(
            (fold_in(form, pack), verb)
            for verb, forms in file.section("verbs").texts_map().items()
            for form in (verb, *forms)
        ),
        action=file.text("action"),
        attributes=tuple(
            regex.compile(text, regex.VERSION1) for text in file.texts("attributes")
        ),
        personal=tuple(
            regex.compile(text, regex.VERSION1) for text in file.texts("personal")
        ),
    )


def context_of(text: str, span: Span) -> str:
    """Return a mention with 15 characters on either side, in whole words, within its sentence."""
    begin = max([0, *(mark.end() for mark in _MARK.finditer(text, 0, span.start))])
    after = _MARK.search(text, span.end)
    end = after.start() if after else len(text)
    start = max(begin, span.start - REACH)
    stop = min(end, span.end + REACH)
    while start > max(begin, span.start - REACH - _WORD) and _inside_word(text, start):
        start -= 1
    while stop < min(end, span.end + REACH + _WORD) and _inside_word(text, stop):
        stop += 1
    return text[start:stop].strip(" ,，、:：")


def _inside_word(text: str, place: int) -> bool:
    """Tell whether a place lies inside a word of letters that are written together."""
    before, after = text[place - 1], text[place]
    return _is_letter(before) and _is_letter(after)


def _is_letter(char: str) -> bool:
    return char in "'’-" or (char.isalnum() and ord(char) < 0x2E80)


def clause_of(text: str, span: Span) -> Span:
    """Return the clause that a span begins in."""
    begin = max([0, *(mark.end() for mark in _CLAUSE.finditer(text, 0, span.start))])
    after = _CLAUSE.search(text, span.end)
    return Span(begin, after.start() if after else len(text))


class Deed(NamedTuple):
    """A verb of a sentence, and where it begins."""

    verb: str
    start: int


def find_deeds(folded: str, pack: LanguagePack) -> list[Deed]:
    """Return the verbs of a folded text, in order."""
    tokens = find_tokens(folded)
    return [
        Deed(hit.value, tokens[hit.first].start)
        for hit in distill_words(pack).verbs.find(tokens)
    ]


def action_of(
    text: str, deeds: Sequence[Deed], span: Span, name: str, pack: LanguagePack
) -> str:
    """Return what is done with a mention ("take amlodipine"), else what it does ("makes my feet swell"), or nothing."""
    clause = clause_of(text, span)
    within = [deed for deed in deeds if clause.start <= deed.start < clause.end]
    before = [deed.verb for deed in within if deed.start < span.start]
    if before:
        return distill_words(pack).action.format(verb=before[-1], object=name)
    after = [deed.start for deed in within if deed.start >= span.end]
    return _clipped(text[after[0] : clause.end].strip()) if after else ""


def _clipped(text: str) -> str:
    """Return a text cut to MAX_ACTION characters, in whole words."""
    if len(text) <= MAX_ACTION:
        return text
    stop = MAX_ACTION
    while stop and _inside_word(text, stop):
        stop -= 1
    return text[: stop or MAX_ACTION].strip()


def attributes_of(
    text: str, mentions: Sequence[Mention], pack: LanguagePack
) -> tuple[str, ...]:
    """Return the constraints and properties that a sentence gives: doses, colours, how often, with what (A5)."""
    folded = fold_in(text, pack)
    spans = [m.span for m in mentions if m.kind is EntityKind.NUMBER]
    for pattern in distill_words(pack).attributes:
        for found in pattern.finditer(folded):
            span = Span(*found.span())
            if not any(span.overlaps(other) for other in spans):
                spans.append(span)
    return tuple(span.of(text).strip() for span in sorted(spans))[:MAX_ATTRIBUTES]


def is_personal(attribute: str, pack: LanguagePack) -> bool:
    """Tell whether an attribute can only be a person's."""
    folded = fold_in(attribute, pack)
    return any(pattern.search(folded) for pattern in distill_words(pack).personal)


def unit_of(attribute: str) -> str:
    """Return the unit of an amount ("5 mg" → "mg"), empty for what is no amount."""
    return _AMOUNT.sub("", attribute).strip() if attribute[:1].isdigit() else ""
