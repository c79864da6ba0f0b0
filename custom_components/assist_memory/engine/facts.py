"""Facts that a person asked to be remembered: stated, dated, replaced and found again (C3 in RAM, X1).

A fact's text is the person's own sentence with relative days made absolute at the moment it was said, so that
"yesterday" is right for ever. A later fact about the same subject and relation takes the place of the older one.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
import re

from .dating import absolute
from .fact_words import FactWords, fact_words
from .kept import Fact
from .language import LanguagePack
from .text import fold_in, has_han

MAX_TEXT = 300
ENOUGH = 0.74
"""The share of a question's content words that a fact must have to answer it unasked."""
ENOUGH_ASKED = 0.5
"""The same where the person asks for what is remembered."""

_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_CODE = re.compile(r"[^\W\d_\u3400-\u9fff]*\d[^\W_\u3400-\u9fff]*")
"""A number, with letters beside it."""
_MARKUP = re.compile(
    r"<\|[^|<>]{0,40}\|>|</?[a-z_]{1,20}>|[<>{}`#*|\[\]\\]+|\b(?:system|assistant|user)\s*:",
    re.IGNORECASE,
)
_MOST_SUBJECT_WORDS = 6
_MOST_SUBJECT_HAN = 16


def make_fact(
    text: str, now: datetime, pack: LanguagePack, *, id_: str, source: str
) -> Fact:
    """Return the fact that a sentence states, its relative days made absolute."""
    dated = absolute(one_line(text), now, pack)
    return Fact(
        id=id_,
        text=dated,
        time=now,
        keywords=indexed(dated, pack),
        subject=subject_of(dated, pack),
        source_ref=source,
    )


def one_line(text: str) -> str:
    """Return words as data: one line, bounded, no markup and no role markers in it."""
    return " ".join(_MARKUP.sub(" ", text).split())[:MAX_TEXT].strip(" ,.;:，。；：")


def keywords(text: str, pack: LanguagePack) -> frozenset[str]:
    """Return the content words of a text in their basic forms; of Chinese the pairs of characters."""
    words, folded = fact_words(pack), fold_in(text, pack)
    if not has_han(folded):
        found = (
            _bare(word) for word in _WORD.findall(folded) if word not in words.stop
        )
        basic = (words.forms.get(word, word) for word in found)
        return frozenset(_stem(word) for word in basic if word not in words.stop)
    folded = words.forms_pattern.sub(lambda match: words.forms[match[0]], folded)
    plain = words.stop_pattern.sub(" ", folded)
    return frozenset(pair for run in _WORD.findall(plain) for pair in _pairs(run))


def indexed(text: str, pack: LanguagePack) -> frozenset[str]:
    """Return what a text is found by: its keywords, and of Chinese also each character."""
    folded = fold_in(text, pack)
    characters = filter(has_han, folded) if has_han(folded) else ()
    return keywords(text, pack) | frozenset(characters)


def scattered(text: str, pack: LanguagePack) -> frozenset[str]:
    """Return the content words of a text, of Chinese the single characters: "药吃了" has what "吃药" has."""
    return frozenset(
        part
        for word in keywords(text, pack)
        for part in (word if has_han(word) else (word,))
    )


def _bare(word: str) -> str:
    return word.removesuffix("'s") or word


def _stem(word: str) -> str:
    for ending in ("ing", "ied", "ies", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)]
            return (
                stem[:-1]
                if len(stem) > 3 and stem[-1] == stem[-2] and ending in {"ing", "ed"}
                else stem
            )
    return word


def _pairs(run: str) -> Iterable[str]:
    if not has_han(run):
        return (run,)
    return (run,) if len(run) == 1 else (run[i : i + 2] for i in range(len(run) - 1))


def subject_of(text: str, pack: LanguagePack) -> str:
    """Return what a fact is about and what kind of thing it says, or "" where several such facts can be true."""
    words = fact_words(pack)
    folded = fold_in(text, pack)
    for relation, pattern in words.relations:
        match = pattern.search(folded)
        head = folded[: match.start()].strip() if match else ""
        if head and _is_noun_phrase(head, words):
            return f"{head}|{relation}"
    return _first_verb(folded, words)


def _is_noun_phrase(head: str, words: FactWords) -> bool:
    if has_han(head):
        return len(head) <= _MOST_SUBJECT_HAN and head not in words.no_subjects
    parts = head.split()
    return len(parts) <= _MOST_SUBJECT_WORDS and (
        parts[0] in words.determiners or parts[0].endswith("'s")
    )


def _first_verb(folded: str, words: FactWords) -> str:
    verbs = (verb for verb in words.first_verbs if folded.startswith(verb))
    return next((f"{verb}|self" for verb in verbs), "")


def replaced_by(fact: Fact, facts: Sequence[Fact]) -> Fact | None:
    """Return the older fact whose place a new one takes, or None."""
    if not fact.subject:
        return None
    return next(
        (old for old in facts if old.subject == fact.subject and old.text != fact.text),
        None,
    )


def repeated(fact: Fact, facts: Sequence[Fact]) -> Fact | None:
    """Return the fact that says the same already, or None."""
    return next(
        (old for old in facts if old.text.casefold() == fact.text.casefold()), None
    )


def traces(fact: Fact, kept: Iterable[Fact], names: Iterable[str]) -> tuple[str, ...]:
    """Return what only this fact tells: its numbers and the known names in it, which go with it everywhere."""
    elsewhere = " ".join(other.text.casefold() for other in kept)
    said = fact.text.casefold()
    found = [
        *_CODE.findall(fact.text),
        *(name for name in names if name.casefold() in said),
    ]
    return tuple(
        dict.fromkeys(word for word in found if word.casefold() not in elsewhere)
    )


def corrected(text: str, facts: Sequence[Fact], pack: LanguagePack) -> Fact | None:
    """Return the one fact that a statement with a word of correction takes back, or None."""
    stated, subject = indexed(text, pack), subject_of(text, pack)
    by_subject = [fact for fact in facts if subject and fact.subject == subject]
    shared = [
        fact for fact in facts if _share(keywords(fact.text, pack), stated) >= ENOUGH
    ]
    found = by_subject or shared
    return found[0] if len(found) == 1 else None


def recall(
    facts: Sequence[Fact], query: str, pack: LanguagePack, *, asked: bool = False
) -> tuple[Fact, ...]:
    """Return the facts that answer a question, best first; none where too little fits.

    `asked`: the person asks for what is remembered, so that less must fit.
    """
    words = fact_words(pack)
    wanted, folded = keywords(query, pack), fold_in(query, pack)
    if not wanted or (not asked and words.not_recall.search(folded)):
        return ()
    first = words.first_person.search(folded) is not None
    definite = words.definite.search(folded) is not None
    scored = [
        (_score(fact, wanted, pack, first=first or asked, definite=definite), fact)
        for fact in facts
    ]
    least = ENOUGH_ASKED if asked else ENOUGH
    best = max((score for score, _ in scored), default=0.0)
    kept = [(score, fact) for score, fact in scored if score >= max(least, best - 0.01)]
    kept = [
        (score, fact) for score, fact in kept if _same_sense(folded, fact, words)
    ] or kept
    return tuple(
        fact for _, fact in sorted(kept, key=lambda pair: pair[1].time, reverse=True)
    )


def _score(
    fact: Fact,
    wanted: frozenset[str],
    pack: LanguagePack,
    *,
    first: bool,
    definite: bool,
) -> float:
    share = _share(wanted, fact.keywords)
    if first or len(wanted & fact.keywords) > 1:
        return share
    subject = keywords(fact.subject.partition("|")[0], pack)
    if subject and (subject <= wanted or (definite and wanted <= subject)):
        return share
    return 0.0


def _share(wanted: frozenset[str], having: frozenset[str]) -> float:
    return len(wanted & having) / len(wanted) if wanted else 0.0


def _same_sense(folded: str, fact: Fact, words: FactWords) -> bool:
    """Tell whether question and fact both deny something or neither does."""
    asks_not = words.negative.search(folded) is not None
    return asks_not == (words.negative.search(fact.text.casefold()) is not None)


def said_back(text: str, pack: LanguagePack) -> str:
    """Return the person's own words as they are said back to them: "my" becomes "your"."""
    words = fact_words(pack)
    return words.second_pattern.sub(
        # A pattern takes a dotted capital I for an i; folding, which keeps the length, doesn't.
        lambda m: words.second_person.get(fold_in(m[0], pack), m[0]),
        text,
    )
