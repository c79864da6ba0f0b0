"""The time words of a pack, typed: what each word may be (its roles), and the compiled templates of each stage."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from ..errors import LanguagePackError
from ..language import LanguagePack, Section
from ..numbers import NumberWords, number_run, number_words
from ..text import fold
from .grammar import Letters, Source, Stage, compiled, literals_of
from .pieces import NUMBER_ROLES, SHAPES, number_roles, pieces_of

type Roles = Mapping[str, object]

STAGES: tuple[tuple[str, ...], ...] = (
    (
        "hour_range",
        "clock",
        "clock_past",
        "clock_to",
        "date",
        "day",
        "part",
        "weak_part",
        "weak_day",
        "duration",
        "slip",
        "times",
    ),
    ("chain", "clock_list", "weekday_list", "weekday_range", "date_more"),
    (
        "clock_past_long",
        "clock_to_long",
        "offset",
        "ago",
        "lead",
        "shift",
        "shift_back",
        "every",
        "limit",
    ),
    ("clock_range", "day_range", "until", "except"),
)
"""The families of templates; a stage works on what the stage before it has made of the tokens."""

DAY_FAMILIES = frozenset(
    {"date", "day", "weekday_list", "weekday_range", "date_more", "shift", "shift_back"}
)
CLOCK_FAMILIES = frozenset(
    {"clock", "clock_past", "clock_to", "clock_past_long", "clock_to_long"}
)

_GROUPS: dict[str, str] = {
    **dict.fromkeys(DAY_FAMILIES, "a_day"),
    **dict.fromkeys(CLOCK_FAMILIES, "a_clock"),
    "weak_day": "a_weak_day",
    "part": "a_part",
    "weak_part": "a_part",
    "duration": "a_duration",
    "chain": "a_duration",
    "clock_list": "clocks",
}

_NUMBERS = frozenset(
    {"weekday", "weekday_short", "month", "relative_day", "relative_short"}
)
_FRACTIONS = frozenset({"amount", "fraction"})
_TEXTS = frozenset(
    {
        "unit",
        "part",
        "part_word",
        "part_set",
        "half",
        "half_short",
        "which",
        "named_clock",
        "holiday",
        "ordinal_word",
    }
)
_SETS = frozenset({"weekday_set"})
_VALUED = _NUMBERS | _FRACTIONS | _TEXTS | _SETS


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A phrase of the pack: its words, what it may be, and the letter of that."""

    words: tuple[str, ...]
    roles: Roles
    letter: str


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TimeWords:
    """Everything the scanner needs of one language."""

    numbers: NumberWords
    lexicon: Mapping[str, tuple[Lexeme, ...]]
    """By first word, longest first."""
    letters: Letters
    stages: tuple[Stage, ...]
    options: frozenset[str]
    spoken: Section


@cache
def time_words(pack: LanguagePack) -> TimeWords:
    """Return the time words of a pack, compiled. Raises LanguagePackError."""
    section = pack.file("times").only("words", "rules", "connect", "options", "spoken")
    sources = list(_sources(section))
    roles = _roles_of_words(section.section("words"))
    for source in sources:
        for text in literals_of(source.text):
            for word in pieces_of(fold(text)):
                roles.setdefault((word.text,), {})[_literal(word.text)] = word.text
    numbers = number_words(pack)
    letters = _letters(roles, numbers)
    stages = tuple(
        Stage(
            tuple(
                compiled(source, letters, _literals)
                for source in sources
                if source.family in families
            )
        )
        for families in STAGES
    )
    return TimeWords(
        numbers=numbers,
        lexicon=_lexicon(roles, letters),
        letters=letters,
        stages=stages,
        options=frozenset(section.texts("options")),
        spoken=section.section("spoken"),
    )


def group_of(family: str) -> str:
    """Return the role by which other templates name what a family makes."""
    return _GROUPS.get(family, f"a_{family}")


def _literal(word: str) -> str:
    return f"={word}"


def _literals(text: str) -> list[str]:
    return [_literal(word.text) for word in pieces_of(fold(text))]


def _sources(section: Section) -> Iterator[Source]:
    """Yield the templates in order, each with the connecting words of its family around it."""
    families = [family for stage in STAGES for family in stage]
    rules = section.section("rules").only(*families)
    connect = section.section("connect").text_map()
    for family in rules:
        place = f"{rules.place}: {family}"
        frame = connect.get(family, "%")
        items = rules.data[family]
        if not isinstance(items, list):
            raise LanguagePackError(f"{place} is no list")
        for item in items:
            text, constants = _template(item, place)
            yield Source(
                family=family,
                text=frame.replace("%", text),
                place=place,
                constants=constants,
            )


def _template(item: object, place: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    if isinstance(item, str):
        return item, ()
    if not isinstance(item, dict) or "say" not in item:
        raise LanguagePackError(
            f"{place}: {item!r} is neither a text nor a mapping with `say`"
        )
    texts = Section(place, item).text_map()
    return texts.pop("say"), tuple(texts.items())


def _roles_of_words(section: Section) -> dict[tuple[str, ...], dict[str, object]]:
    """Return what each phrase may be. Raises LanguagePackError for unknown roles and values."""
    valued = {role for role in section if isinstance(section.data[role], dict)}
    # A role with values means something to the code; one with a plain list only names its words for templates.
    Section(section.place, dict.fromkeys(valued)).only(*_VALUED)
    roles: dict[tuple[str, ...], dict[str, object]] = {}
    for role in section:
        if role not in valued:
            phrases: dict[str, tuple[str, ...]] = {"": section.texts(role)}
        else:
            phrases = section.section(role).texts_map()
        for value, texts in phrases.items():
            for text in texts:
                words = tuple(piece.text for piece in pieces_of(fold(text)))
                if not words:
                    raise LanguagePackError(
                        f"{section.place}: {role} has an empty phrase"
                    )
                roles.setdefault(words, {})[role] = _value(
                    role, value, f"{section.place}: {role}"
                )
    for words, have in roles.items():
        if "not_time" in have:
            roles[words] = {}
    return roles


def _value(role: str, text: str, place: str) -> object:
    try:
        if role in _NUMBERS:
            return int(text)
        if role in _FRACTIONS:
            return float(text)
        if role in _SETS:
            return frozenset(int(number) for number in text.split(","))
    except ValueError as error:
        raise LanguagePackError(f"{place}: {text!r} is no number") from error
    return text


def _letters(roles: Mapping[tuple[str, ...], Roles], numbers: NumberWords) -> Letters:
    letters = Letters()
    for words, have in roles.items():
        letters.of(frozenset(have))
        # A word that is also a number has the roles of both.
        if (run := number_run(words, 0, numbers)) and run.words == len(words):
            letters.of(number_roles(run.value, ordinal=run.ordinal) | frozenset(have))
    for numeric in (*NUMBER_ROLES, *SHAPES):
        letters.of(numeric)
    for families in STAGES:
        for family in families:
            letters.of(frozenset({group_of(family)}))
    return letters


def _lexicon(
    roles: Mapping[tuple[str, ...], Roles], letters: Letters
) -> dict[str, tuple[Lexeme, ...]]:
    by_first: dict[str, list[Lexeme]] = {}
    for words, have in roles.items():
        if words:
            by_first.setdefault(words[0], []).append(
                Lexeme(words, have, letters.of(frozenset(have)))
            )
    return {
        first: tuple(sorted(lexemes, key=lambda lexeme: -len(lexeme.words)))
        for first, lexemes in by_first.items()
    }
