"""A language pack as rules use it: every file read, typed and compiled, so that a mistake is known at once (X7)."""

from collections.abc import Callable
from functools import cache

from .attitude import attitude_words
from .command_words import command_words
from .context import context_words
from .distill import distill_words
from .fact_words import fact_words
from .guard import claim_words
from .intents import intent_words
from .language import LanguagePack, language_code, read_pack
from .picking import ordinals
from .pointers import reference_words
from .sounds import sound_words
from .speech import phrasebook, script_words
from .times.spoken import phrases_of
from .times.words import time_words
from .vocabulary import vocabulary

_CHECKS: tuple[Callable[[LanguagePack], object], ...] = (
    *(vocabulary, attitude_words, intent_words, reference_words, context_words),
    *(distill_words, sound_words, time_words, phrases_of, command_words, ordinals),
    *(fact_words, phrasebook, script_words, claim_words),
)


def load_language(tag: str) -> LanguagePack:
    """Return the pack for a BCP 47 tag, English if there is none. Blocking at first use. Raises LanguagePackError."""
    return _load(language_code(tag))


@cache
def _load(code: str) -> LanguagePack:
    pack = read_pack(code)
    for check in _CHECKS:
        check(pack)
    _prepare(pack)
    return pack


def _prepare(pack: LanguagePack) -> None:
    """Compile also what rules compile when they first need it, so that all turns take alike."""
    words = command_words(pack)
    for index in (words.whole, words.none, words.maybe, words.start):
        index.prepare()
    for stage in time_words(pack).stages:
        stage.prepare()
