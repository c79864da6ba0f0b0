"""Layer 1: what a sentence is for, and whether it states anything at all (B3)."""

from dataclasses import dataclass
from functools import cache

import regex

from .language import LanguagePack
from .models import Intent
from .text import fold_in


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class _IntentWords:
    intents: tuple[tuple[Intent, tuple[regex.Pattern[str], ...]], ...]
    """In the order in which they are tried."""
    questions: tuple[regex.Pattern[str], ...]
    statements: tuple[regex.Pattern[str], ...]
    """What looks like a question and is none ("remind me when …")."""
    hypotheticals: tuple[regex.Pattern[str], ...]


@cache
def intent_words(pack: LanguagePack) -> _IntentWords:
    """Return the pack's patterns of intents. Raises LanguagePackError."""
    names = [intent.value for intent in Intent if intent is not Intent.GENERAL]
    file = pack.file("intents").only(*names, "questions", "statements", "hypotheticals")

    def patterns(key: str) -> tuple[regex.Pattern[str], ...]:
        return tuple(regex.compile(text, regex.VERSION1) for text in file.texts(key))

    return _IntentWords(
        intents=tuple((Intent(name), patterns(name)) for name in file if name in names),
        questions=patterns("questions"),
        statements=patterns("statements"),
        hypotheticals=patterns("hypotheticals"),
    )


def read_intent(text: str, pack: LanguagePack) -> Intent:
    """Return what a normalised sentence is for; the first intent of the pack that fits."""
    folded = fold_in(text, pack)
    for intent, patterns in intent_words(pack).intents:
        if any(pattern.search(folded) for pattern in patterns):
            return intent
    return Intent.GENERAL


def is_question(text: str, pack: LanguagePack) -> bool:
    """Tell whether a sentence asks, so that nothing in it is stated."""
    words = intent_words(pack)
    folded = fold_in(text, pack)
    if any(pattern.search(folded) for pattern in words.statements):
        return False
    return any(pattern.search(folded) for pattern in words.questions)


def is_hypothetical(text: str, pack: LanguagePack) -> bool:
    """Tell whether a sentence supposes or jokes, so that nothing in it is stated."""
    folded = fold_in(text, pack)
    return any(pattern.search(folded) for pattern in intent_words(pack).hypotheticals)
