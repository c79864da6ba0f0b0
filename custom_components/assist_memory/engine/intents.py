"""Layer 1: what a sentence is for, and whether it states anything at all (B3)."""

from dataclasses import dataclass
from functools import cache

import regex

from .language import LanguagePack
from .models import Intent
from .text import any_of, fold_in


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class _IntentWords:
    intents: tuple[tuple[Intent, regex.Pattern[str]], ...]
    """In the order in which they are tried."""
    questions: regex.Pattern[str]
    statements: regex.Pattern[str]
    """What looks like a question and is none ("remind me when …")."""
    hypotheticals: regex.Pattern[str]


@cache
def intent_words(pack: LanguagePack) -> _IntentWords:
    """Return the pack's patterns of intents. Raises LanguagePackError."""
    names = [intent.value for intent in Intent if intent is not Intent.GENERAL]
    file = pack.file("intents").only(*names, "questions", "statements", "hypotheticals")

    return _IntentWords(
        intents=tuple(
            (Intent(name), any_of(file.texts(name))) for name in file if name in names
        ),
        questions=any_of(file.texts("questions")),
        statements=any_of(file.texts("statements")),
        hypotheticals=any_of(file.texts("hypotheticals")),
    )


def read_intent(text: str, pack: LanguagePack) -> Intent:
    """Return what a normalised sentence is for; the first intent of the pack that fits."""
    folded = fold_in(text, pack)
    for intent, pattern in intent_words(pack).intents:
        if pattern.search(folded):
            return intent
    return Intent.GENERAL


def is_question(text: str, pack: LanguagePack) -> bool:
    """Tell whether a sentence asks, so that nothing in it is stated."""
    words = intent_words(pack)
    folded = fold_in(text, pack)
    if words.statements.search(folded):
        return False
    return words.questions.search(folded) is not None


def is_hypothetical(text: str, pack: LanguagePack) -> bool:
    """Tell whether a sentence supposes or jokes, so that nothing in it is stated."""
    folded = fold_in(text, pack)
    return intent_words(pack).hypotheticals.search(folded) is not None
