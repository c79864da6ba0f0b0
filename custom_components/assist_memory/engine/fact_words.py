"""The words about facts: facts.yaml, typed and compiled (X7)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
import re

from .language import LanguagePack
from .phrases import compile_phrases
from .text import has_han


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
        *(
            "stop",
            "negative",
            "forms",
            "determiners",
            "relations",
            "first_verbs",
            "not_recall",
            "first_person",
        ),
        *(
            "topics",
            "about_me",
            "last_said",
            "days",
            "weekdays",
            "weeks",
            "ago",
            "around_day",
        ),
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
        relations=tuple(
            (name, _any_of(words))
            for name, words in file.section("relations").texts_map().items()
        ),
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


def _days(
    table: Mapping[str, str], way: str
) -> Iterable[tuple[re.Pattern[str], str, int]]:
    for phrase, count in table.items():
        yield compile_phrases([phrase]), way, int(count)
