"""The words about facts: facts.yaml, typed and compiled (X7)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
import re

from .language import LanguagePack, Section
from .phrases import compile_phrases
from .text import has_han

_FILE_KEYS = (
    *(
        "stop",
        "negative",
        "forms",
        "determiners",
        "relations",
        "first_verbs",
        "no_subjects",
    ),
    *(
        "not_recall",
        "first_person",
        "topics",
        "about_me",
        "last_said",
        "days",
        "weekdays",
    ),
    *("weeks", "ago", "around_day", "second_person"),
)


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
    """What a person does in one place at a time ("I park")."""
    no_subjects: frozenset[str]
    """Words that are no subject by themselves."""
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
    file = pack.file("facts").only(*_FILE_KEYS)
    forms = file.section("forms").text_map()
    second = file.section("second_person").text_map()
    relations = file.section("relations").texts_map()
    return FactWords(
        stop=frozenset(file.texts("stop")),
        stop_pattern=_any_of(file.texts("stop")),
        negative=_any_of(file.texts("negative")),
        forms=forms,
        forms_pattern=_any_of(forms),
        determiners=file.texts("determiners"),
        definite=_any_of(file.texts("determiners")),
        relations=tuple((name, _any_of(words)) for name, words in relations.items()),
        first_verbs=file.texts("first_verbs"),
        no_subjects=frozenset(file.texts("no_subjects")),
        not_recall=compile_phrases(file.texts("not_recall")),
        first_person=_any_of(file.texts("first_person")),
        topics=_any_of(file.texts("topics")),
        about_me=frozenset(file.texts("about_me")),
        last_said=frozenset(file.texts("last_said")),
        days=tuple(_all_days(file)),
        around_day=file.text("around_day"),
        second_person=second,
        second_pattern=_any_of(second),
    )


def _all_days(file: Section) -> Iterator[tuple[re.Pattern[str], str, int]]:
    """Yield the patterns of past days, those that name most first."""
    ways = {"ago": "ago", "weekdays": "weekday", "days": "days", "weeks": "about"}
    for key, way in ways.items():
        for phrase, count in file.section(key).text_map().items():
            yield compile_phrases([phrase]), way, int(count)


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(phrases, key=len, reverse=True)
    choices = [_literal(phrase) for phrase in longest_first]
    return re.compile("|".join(choices) if choices else "(?!)", re.IGNORECASE)


def _literal(phrase: str) -> str:
    return (
        re.escape(phrase)
        if has_han(phrase)
        else rf"(?<![\w']){re.escape(phrase)}(?![\w'])"
    )
