"""Facts that a person asked to be remembered: stated, dated, replaced and found again (C3 in RAM, X1).

A fact's text is the person's own sentence with relative days made absolute at the moment it was said, so that
"yesterday" is right for ever. A later fact about the same subject and relation takes the place of the older one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
import re

from .language import LanguagePack
from .models import Fact, TimeKind
from .phrases import compile_phrases
from .text import fold_in, has_han
from .times import read_time, spoken_time

MAX_FACTS = 500
"""More facts than this are not kept in RAM; the oldest goes first."""
MAX_TEXT = 300
ENOUGH = 0.74
"""The share of a question's content words that a fact must have to answer it unasked."""
ENOUGH_ASKED = 0.5
"""The same where the person asks for what is remembered."""

_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_MARKUP = re.compile(r"<\|[^|<>]{0,40}\|>|</?[a-z_]{1,20}>|[<>{}`#*|\[\]\\]+|\b(?:system|assistant|user)\s*:", re.I)
_FAR = timedelta(days=50)
_SOME_DAYS = timedelta(hours=30)
_MOST_SUBJECT_WORDS = 6
_MOST_SUBJECT_HAN = 16


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class FactWords:
    """The file facts.yaml, typed."""

    stop: frozenset[str]
    stop_pattern: re.Pattern[str]
    negative: re.Pattern[str]
    forms: Mapping[str, str]
    forms_pattern: re.Pattern[str]
    determiners: tuple[str, ...]
    definite: re.Pattern[str]
    """Words by which a question means a certain thing ("the key")."""
    relations: tuple[tuple[str, re.Pattern[str]], ...]
    first_verbs: tuple[str, ...]
    not_recall: re.Pattern[str]
    first_person: re.Pattern[str]
    topics: re.Pattern[str]
    about_me: frozenset[str]
    last_said: frozenset[str]
    days: tuple[tuple[re.Pattern[str], str, int], ...]
    """Patterns of past days with how to count ("days", "weekday", "about") and by how much."""
    around_day: str
    second_person: Mapping[str, str]
    second_pattern: re.Pattern[str]


@cache
def fact_words(pack: LanguagePack) -> FactWords:
    """Return the pack's words about facts. Raises LanguagePackError."""
    file = pack.file("facts").only(
        *("stop", "negative", "forms", "determiners", "relations", "first_verbs", "not_recall", "first_person"),
        *("topics", "about_me", "last_said", "days", "weekdays", "weeks", "ago", "around_day"),
        "second_person",
    )
    forms = file.section("forms").text_map()
    second = file.section("second_person").text_map()
    return FactWords(
        stop=frozenset(file.texts("stop")),
        stop_pattern=_any_of(file.texts("stop")),
        negative=_any_of(file.texts("negative")),
        forms=forms,
        forms_pattern=_any_of(forms),
        determiners=file.texts("determiners"),
        definite=_any_of(file.texts("determiners")),
        relations=tuple((name, _any_of(words)) for name, words in file.section("relations").texts_map().items()),
        first_verbs=file.texts("first_verbs"),
        not_recall=compile_phrases(file.texts("not_recall")),
        first_person=_any_of(file.texts("first_person")),
        topics=_any_of(file.texts("topics")),
        about_me=frozenset(file.texts("about_me")),
        last_said=frozenset(file.texts("last_said")),
        days=(
            *_days(file.section("ago").text_map(), "ago"),
            *_days(file.section("weekdays").text_map(), "weekday"),
            *_days(file.section("days").text_map(), "days"),
            *_days(file.section("weeks").text_map(), "about"),
        ),
        around_day=file.text("around_day"),
        second_person=second,
        second_pattern=_any_of(second),
    )


def make_fact(text: str, now: datetime, pack: LanguagePack, *, id_: str, source: str) -> Fact:
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


def absolute(text: str, now: datetime, pack: LanguagePack) -> str:
    """Return a sentence with its relative days made absolute: "yesterday" becomes "on Monday, 8 June"."""
    dated = _with_past_days(text, now, pack)
    return dated if dated != text else _with_coming_days(text, now, pack)


def _with_coming_days(text: str, now: datetime, pack: LanguagePack) -> str:
    time = read_time(text, now, pack)
    if time.due is None or time.rule or not time.spans:
        return text
    if time.kind is TimeKind.INSTANT:
        spoken = spoken_time(time.due, time.due - _FAR, pack)
    elif time.kind is TimeKind.DATE:
        spoken = spoken_day(time.due, pack)
    elif time.end is not None and time.end - time.due > _SOME_DAYS:
        spoken = fact_words(pack).around_day.format(day=spoken_day(time.due, pack))
    else:
        return text
    first, *others = time.spans
    for span in reversed(others):
        text = text[: span.start] + text[span.end :]
    return _replaced(text, first.start, first.end, spoken)


def _with_past_days(text: str, now: datetime, pack: LanguagePack) -> str:
    words = fact_words(pack)
    for pattern, way, count in words.days:
        if match := pattern.search(fold_in(text, pack)):
            spoken = spoken_day(_day(now, way, count), pack)
            if way == "about":
                spoken = words.around_day.format(day=spoken)
            return _replaced(text, match.start(), match.end(), spoken)
    return text


def _replaced(text: str, start: int, end: int, spoken: str) -> str:
    """Return the text with other words at a place; a preposition that both have stands once."""
    before, _, rest = text[:start].rstrip().rpartition(" ")
    first = spoken.partition(" ")[0]
    if rest and rest.casefold() == first.casefold():
        return f"{before} {spoken}{text[end:]}".strip()
    return f"{text[:start]}{spoken}{text[end:]}"


def _day(now: datetime, way: str, count: int) -> datetime:
    if way == "weekday":
        return now - timedelta(days=now.weekday() + 7 - count)
    return now + timedelta(days=-count if way == "ago" else count)


def spoken_day(day: datetime, pack: LanguagePack) -> str:
    """Return a day by its date, never as "tomorrow"."""
    return spoken_time(day, day - _FAR, pack, date_only=True)


def keywords(text: str, pack: LanguagePack) -> frozenset[str]:
    """Return the content words of a text in their basic forms; of Chinese the pairs of characters."""
    words = fact_words(pack)
    folded = words.forms_pattern.sub(lambda m: words.forms[m[0]], fold_in(text, pack))
    if not has_han(folded):
        return frozenset(_stem(w) for w in map(_bare, _WORD.findall(folded)) if w not in words.stop)
    plain = words.stop_pattern.sub(" ", folded)
    return frozenset(pair for run in _WORD.findall(plain) for pair in _pairs(run))


def indexed(text: str, pack: LanguagePack) -> frozenset[str]:
    """Return what a text is found by: its keywords, and of Chinese also each character."""
    return keywords(text, pack) | frozenset(char for char in fold_in(text, pack) if has_han(char))


def scattered(text: str, pack: LanguagePack) -> frozenset[str]:
    """Return the content words of a text, of Chinese the single characters: "药吃了" has what "吃药" has."""
    return frozenset(part for word in keywords(text, pack) for part in (word if has_han(word) else (word,)))


def _bare(word: str) -> str:
    return word.removesuffix("'s") or word


def _stem(word: str) -> str:
    for ending in ("ing", "ied", "ies", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)]
            return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and ending in {"ing", "ed"} else stem
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
        return len(head) <= _MOST_SUBJECT_HAN and head not in {"我", "你"}
    parts = head.split()
    return len(parts) <= _MOST_SUBJECT_WORDS and (parts[0] in words.determiners or parts[0].endswith("'s"))


def _first_verb(folded: str, words: FactWords) -> str:
    return next((f"{verb}|self" for verb in words.first_verbs if re.match(rf"(?:i |我){re.escape(verb)}", folded)), "")


def replaced_by(fact: Fact, facts: Sequence[Fact]) -> Fact | None:
    """Return the older fact whose place a new one takes, or None."""
    if not fact.subject:
        return None
    return next((old for old in facts if old.subject == fact.subject and old.text != fact.text), None)


def repeated(fact: Fact, facts: Sequence[Fact]) -> Fact | None:
    """Return the fact that says the same already, or None."""
    return next((old for old in facts if old.text.casefold() == fact.text.casefold()), None)


def corrected(text: str, facts: Sequence[Fact], pack: LanguagePack) -> Fact | None:
    """Return the one fact that a statement with a word of correction takes back, or None."""
    stated, subject = indexed(text, pack), subject_of(text, pack)
    by_subject = [fact for fact in facts if subject and fact.subject == subject]
    shared = [fact for fact in facts if _share(keywords(fact.text, pack), stated) >= ENOUGH]
    found = by_subject or shared
    return found[0] if len(found) == 1 else None


def recall(facts: Sequence[Fact], query: str, pack: LanguagePack, *, asked: bool = False) -> tuple[Fact, ...]:
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
        (_score(fact, wanted, pack, first=first or asked, definite=definite), fact) for fact in facts
    ]
    least = ENOUGH_ASKED if asked else ENOUGH
    best = max((score for score, _ in scored), default=0.0)
    kept = [(score, fact) for score, fact in scored if score >= max(least, best - 0.01)]
    kept = [(score, fact) for score, fact in kept if _same_sense(folded, fact, words)] or kept
    return tuple(fact for _, fact in sorted(kept, key=lambda pair: pair[1].time, reverse=True))


def _score(
    fact: Fact, wanted: frozenset[str], pack: LanguagePack, *, first: bool, definite: bool
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
    """"What don't I like?" is not answered by what the person likes."""
    asks_not = words.negative.search(folded) is not None
    return asks_not == (words.negative.search(fact.text.casefold()) is not None)


def said_back(text: str, pack: LanguagePack) -> str:
    """Return the person's own words as they are said back to them: "my" becomes "your"."""
    words = fact_words(pack)
    return words.second_pattern.sub(lambda m: words.second_person[fold_in(m[0], pack)], text)


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(phrases, key=len, reverse=True)
    choices = [_literal(phrase) for phrase in longest_first]
    return re.compile("|".join(choices) if choices else "(?!)", re.IGNORECASE)


def _literal(phrase: str) -> str:
    return re.escape(phrase) if has_han(phrase) else rf"(?<![\w']){re.escape(phrase)}(?![\w'])"


def _days(table: Mapping[str, str], way: str) -> Iterable[tuple[re.Pattern[str], str, int]]:
    for phrase, count in table.items():
        yield compile_phrases([phrase]), way, int(count)
