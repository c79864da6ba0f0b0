"""Layer 2: the threads of the talk. What refreshes one, what opens one, which one has to go (A3, A20)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from .kept import Topic
from .language import LanguagePack
from .models import CommandKind, EntityKind, Mention, Reading, Reference
from .text import find_tokens, fold_in, has_han
from .vocabulary import vocabulary

SIMILAR = 0.6
"""Above this Jaccard similarity a sentence belongs to a topic."""
MAX_KEYWORDS = 24
"""More keywords a topic does not gather."""

_HEADS = (EntityKind.CONDITION, EntityKind.MEDICINE)
"""Kinds that open a thread of their own wherever they are named."""
_AMOUNTS = frozenset({EntityKind.NUMBER, EntityKind.DATE})
_SUBJECTS = (
    *_HEADS,
    *(EntityKind.WORK, EntityKind.FORMULA, EntityKind.PLACE, EntityKind.EVENT),
    *(EntityKind.SYMPTOM, EntityKind.PET, EntityKind.DEVICE, EntityKind.ORGANISATION),
    *(
        EntityKind.FOOD,
        EntityKind.PERSON,
        EntityKind.THING,
        EntityKind.ABBREVIATION,
        EntityKind.AREA,
    ),
)
"""Which kind names the thread of a sentence, best first."""


def advance(
    chain: tuple[Topic, ...],
    reading: Reading,
    references: Sequence[Reference],
    pack: LanguagePack,
    *,
    round_: int,
    max_topics: int,
    own_name: str | None = None,
    source_ref: str = "",
) -> tuple[Topic, ...]:
    """Return the chain after a sentence: what it speaks of refreshed, what is new put next to what it belongs to."""
    mentions = [mention for mention in reading.mentions if mention.name != own_name]
    covered = [reference.span for reference in references]
    mentions = [
        mention
        for mention in mentions
        if not any(span.overlaps(mention.span) for span in covered)
    ]
    mentions = [mention for mention in mentions if mention.kind not in _AMOUNTS]
    names = {mention.name for mention in mentions} | {one.entity for one in references}
    words = keywords(reading.text, pack)
    refreshed = {topic.text for topic in chain if _belongs(topic, names, words, pack)}
    chain = tuple(
        _refreshed(topic, names, round_) if topic.text in refreshed else topic
        for topic in chain
    )
    if _opens_nothing(reading):
        return chain
    for text in _new_subjects(chain, mentions, words, refreshed=bool(refreshed)):
        gathered = frozenset([text, *sorted(names), *sorted(words)][:MAX_KEYWORDS])
        topic = Topic(
            text=text, keywords=gathered, last_round=round_, source_ref=source_ref
        )
        chain = _placed(chain, topic, refreshed, pack)
    return _bounded(chain, max_topics, round_)


def keywords(text: str, pack: LanguagePack) -> frozenset[str]:
    """Return the words of a sentence that carry content; Chinese text gives pairs of characters."""
    stops = vocabulary(pack).empty
    folded = fold_in(text, pack)
    if has_han(folded):
        return frozenset(_pairs(folded, pack))
    return frozenset(
        token.word
        for token in find_tokens(folded)
        if len(token.word) > 1 and token.word not in stops and not token.word.isdigit()
    )


def _pairs(folded: str, pack: LanguagePack) -> Iterator[str]:
    stops = vocabulary(pack).stops
    before = None
    for token in find_tokens(folded):
        if token.word in stops:
            before = None
            continue
        if not has_han(token.word):
            yield token.word
            before = None
            continue
        if before is not None and before.end == token.start:
            yield before.word + token.word
        before = token


def _belongs(
    topic: Topic, names: set[str], words: frozenset[str], pack: LanguagePack
) -> bool:
    """Tell whether a sentence speaks of a topic: by a name, by a related name, or by similar words."""
    if not names.isdisjoint(topic.keywords):
        return True
    if not names.isdisjoint(
        vocabulary(pack).related.get(topic.text, frozenset()) & _measures(pack)
    ):
        return True
    both = words | topic.keywords
    return bool(both) and len(words & topic.keywords) / len(both) > SIMILAR


@cache
def _measures(pack: LanguagePack) -> frozenset[str]:
    """Return the names that speak of what they are related to, without being a thread of their own."""
    words = vocabulary(pack)
    return frozenset(
        name
        for name in words.related
        if (word := words.words.get(fold_in(name, pack))) and word.kind not in _HEADS
    )


def _refreshed(topic: Topic, names: set[str], round_: int) -> Topic:
    gathered = [topic.text, *sorted(names), *sorted(topic.keywords - names)]
    return replace(
        topic,
        keywords=frozenset(gathered[:MAX_KEYWORDS]),
        last_round=round_,
        rounds=topic.rounds + (topic.last_round != round_),
    )


_SILENT = frozenset(CommandKind) - {CommandKind.REMEMBER, CommandKind.RECALL}


def _opens_nothing(reading: Reading) -> bool:
    """Tell whether a sentence is for code, or supposes: it may refresh a thread and opens none."""
    return reading.hypothetical or any(
        command.kind in _SILENT for command in reading.commands
    )


def _new_subjects(
    chain: Sequence[Topic],
    mentions: Sequence[Mention],
    words: frozenset[str],
    *,
    refreshed: bool,
) -> list[str]:
    """Return the threads that a sentence opens: each condition and medicine, else one if it refreshed none."""
    known = {topic.text for topic in chain}
    heads = [m.name for m in mentions if m.kind in _HEADS and m.name not in known]
    if heads or refreshed:
        return heads[:2]
    subjects = [mention for mention in mentions if mention.kind in _SUBJECTS]
    if subjects:
        return [
            min(subjects, key=lambda m: (_SUBJECTS.index(m.kind), -m.span.start)).name
        ]
    return [keyword] if (keyword := _keyword(words)) and keyword not in known else []


def _keyword(words: frozenset[str]) -> str:
    """Return the word that names a sentence in which nothing is named (A20)."""
    return max(words, key=lambda word: (len(word), word), default="")


def _placed(
    chain: tuple[Topic, ...], topic: Topic, refreshed: set[str], pack: LanguagePack
) -> tuple[Topic, ...]:
    """Return the chain with a new topic behind the last one that it belongs to, else at the end."""
    related = vocabulary(pack).related.get(topic.text, frozenset())
    near = [
        index
        for index, other in enumerate(chain)
        if other.text in related or other.text in refreshed
    ]
    place = near[-1] + 1 if near else len(chain)
    return (*chain[:place], topic, *chain[place:])


def _bounded(
    chain: tuple[Topic, ...], max_topics: int, round_: int
) -> tuple[Topic, ...]:
    """Return the chain without its least topics: those not spoken of for long, and never in many rounds."""
    while len(chain) > max_topics:
        least = min(chain, key=lambda topic: _worth(topic, round_))
        chain = tuple(topic for topic in chain if topic is not least)
    return chain


def _worth(topic: Topic, round_: int) -> float:
    # The newest always stays; a thread that came up in many rounds outlives many that came up once.
    if topic.last_round == round_:
        return float("inf")
    return topic.rounds / (round_ - topic.last_round)
