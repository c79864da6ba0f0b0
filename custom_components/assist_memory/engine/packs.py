"""A language pack as rules use it: every file read, typed and compiled, so that a mistake is known at once (X7)."""

from functools import cache

from .attitude import attitude_words
from .command_words import command_words
from .context import context_words
from .fact_words import fact_words
from .guard import claim_words
from .intents import intent_words
from .language import LanguagePack, language_code, read_pack
from .picking import ordinals
from .pointers import reference_words
from .speech import phrasebook, script_words
from .times.spoken import phrases_of
from .times.words import time_words
from .vocabulary import vocabulary


def load_language(tag: str) -> LanguagePack:
    """Return the pack for a BCP 47 tag, English if there is none. Blocking at first use. Raises LanguagePackError."""
    return _load(language_code(tag))


@cache
def _load(code: str) -> LanguagePack:
    pack = read_pack(code)
    checks = (
        *(vocabulary, attitude_words, intent_words, reference_words, context_words),
        *(
            time_words,
            phrases_of,
            command_words,
            ordinals,
            fact_words,
            phrasebook,
            script_words,
            claim_words,
        ),
    )
    for check in checks:
        check(pack)
    return pack
