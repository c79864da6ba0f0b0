"""Layer 1: how the speaker feels about what is said, from phrases, negation and complaints (A2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import regex

from .language import LanguagePack
from .lexicon import Hit, Lexicon, compile_lexicon
from .models import Attitude, EntityKind, Mention
from .text import Token, any_of, find_tokens, fold_in

_NO_TURN = 1 << 30
_CLAUSE = regex.compile(r"[.,;:!?。，；：！？…]")


_KEYS = (
    *(
        "phrases",
        "negations",
        "modifiers",
        "turns",
        "over",
        "irony",
        "causes",
        "treats",
    ),
    *("purposes", "neutral", "reach", "values"),
)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class _AttitudeWords:
    """The pack's attitude.yaml."""

    phrases: Lexicon[float]
    negations: Lexicon[bool]
    modifiers: Lexicon[float]
    turns: Lexicon[bool]
    """Words after which the clause counts that is meant ("but")."""
    over: regex.Pattern[str]
    """How people say that an ailment is gone."""
    irony: regex.Pattern[str]
    causes: regex.Pattern[str]
    """How a complaint blames something."""
    treats: regex.Pattern[str]
    """How people say what a medicine is for: that blames nothing."""
    purposes: regex.Pattern[str]
    """The same right before the name of a symptom ("for my …")."""
    neutral: regex.Pattern[str]
    """Requests and questions in which words of feeling say nothing about the speaker."""
    reach: int
    """How many words before a phrase a negation or modifier may stand."""
    values: dict[str, float]


@cache
def attitude_words(pack: LanguagePack) -> _AttitudeWords:
    """Return the pack's words of attitude. Raises LanguagePackError."""
    file = pack.file("attitude").only(*_KEYS)

    def lexicon(key: str) -> Lexicon[bool]:
        return compile_lexicon((fold_in(word, pack), True) for word in file.texts(key))

    def scored(key: str) -> Iterator[tuple[str, float]]:
        for value, words in file.section(key).texts_map().items():
            yield from ((fold_in(word, pack), float(value)) for word in words)

    return _AttitudeWords(
        phrases=compile_lexicon(scored("phrases")),
        negations=lexicon("negations"),
        modifiers=compile_lexicon(scored("modifiers")),
        turns=lexicon("turns"),
        over=any_of(file.texts("over")),
        irony=any_of(file.texts("irony")),
        causes=any_of(file.texts("causes")),
        treats=any_of(file.texts("treats")),
        purposes=any_of(file.texts("purposes")),
        neutral=any_of(file.texts("neutral")),
        reach=int(file.number("reach")),
        values=file.section("values")
        .only("complaint", "symptom", "over", "irony")
        .number_map(),
    )


def read_attitude(
    text: str, mentions: Sequence[Mention], pack: LanguagePack
) -> Attitude:
    """Return the attitude of a normalised sentence and the words that decided."""
    words = attitude_words(pack)
    folded = fold_in(text, pack)
    if words.irony.search(folded):
        return Attitude(value=words.values["irony"], reason=_first_clause(text))
    tokens = find_tokens(folded)
    turn = _turning_point(tokens, words)
    phrases = [*_phrases(text, folded, tokens, mentions, words)]
    if phrases and words.neutral.search(folded):
        phrases = []
    ailments = [*_ailments(text, folded, mentions, pack)]
    if any(attitude.value < 0 for _, attitude in ailments):
        # "Worse", "so much", "very": what is strong of an ailment is no praise.
        phrases = [one for one in phrases if one[1].value < 0 or one[0] >= turn]
    found = [*ailments, *phrases]
    return _decided(found, turn)


def blames(text: str, mentions: Sequence[Mention], pack: LanguagePack) -> bool:
    """Tell whether a sentence blames something for the symptoms that it names (A14)."""
    words = attitude_words(pack)
    folded = fold_in(text, pack)
    if words.treats.search(folded) or words.over.search(folded):
        return False
    for symptom in mentions:
        if symptom.kind is EntityKind.SYMPTOM:
            before = folded[: symptom.span.start]
            if words.purposes.search(before):
                return False
    return any(mention.kind is EntityKind.MEDICINE for mention in mentions) or bool(
        words.causes.search(folded)
    )


def _decided(found: list[tuple[int, Attitude]], turn: int) -> Attitude:
    """Return the strongest finding, of those behind the last "but" if there are any."""
    meant = [attitude for place, attitude in found if place >= turn] or [
        one for _, one in found
    ]
    return max(meant, key=lambda attitude: abs(attitude.value), default=Attitude())


def _turning_point(tokens: Sequence[Token], words: _AttitudeWords) -> int:
    """Return where the last "but" stands, behind all where there is none."""
    places = [tokens[hit.first].start for hit in words.turns.find(tokens)]
    return max(places, default=_NO_TURN)


def _ailments(
    text: str, folded: str, mentions: Sequence[Mention], pack: LanguagePack
) -> Iterator[tuple[int, Attitude]]:
    """Yield what the symptoms say: a complaint where something is blamed, relief where one is gone."""
    symptoms = [mention for mention in mentions if mention.kind is EntityKind.SYMPTOM]
    if not symptoms:
        return
    words = attitude_words(pack)
    gone = words.over.search(folded)
    kind = (
        "over" if gone else "complaint" if blames(text, mentions, pack) else "symptom"
    )
    for symptom in symptoms:
        reason = symptom.span.of(text)
        yield symptom.span.start, Attitude(value=words.values[kind], reason=reason)


def _phrases(
    text: str,
    folded: str,
    tokens: Sequence[Token],
    mentions: Sequence[Mention],
    words: _AttitudeWords,
) -> Iterator[tuple[int, Attitude]]:
    taken = [
        mention.span for mention in mentions if mention.kind is not EntityKind.THING
    ]
    for hit in words.phrases.find(tokens):
        start, end = tokens[hit.first].start, tokens[hit.last - 1].end
        if any(span.start <= start and end <= span.end for span in taken):
            continue
        before = _same_clause(folded, tokens, hit, words.reach)
        value = hit.value
        for modifier in words.modifiers.find(before):
            value *= modifier.value
        if sum(1 for _ in words.negations.find(before)) % 2:
            value *= -0.6
        value = max(-1.0, min(1.0, value))
        yield start, Attitude(value=round(value, 2), reason=text[start:end])


def _same_clause(
    folded: str, tokens: Sequence[Token], hit: Hit[float], reach: int
) -> list[Token]:
    """Return the words shortly before a phrase, back to the last mark."""
    before: list[Token] = []
    after = tokens[hit.first]
    for token in reversed(tokens[max(0, hit.first - reach) : hit.first]):
        if _CLAUSE.search(folded, token.end, after.start):
            break
        before.insert(0, token)
        after = token
    return before


def _first_clause(text: str) -> str:
    return _CLAUSE.split(text, maxsplit=1)[0].strip() or text
