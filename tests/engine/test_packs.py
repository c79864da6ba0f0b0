"""A pack that was loaded is ready: no sentence waits for it."""

import re

import pytest
import regex

from assist_memory.command_words import command_words
from assist_memory.language import LanguagePack, pack_of, read_pack
from assist_memory.packs import load_language
from assist_memory.phrases import PhraseIndex, parse_phrase
from assist_memory.times.words import time_words


def refuse(*_: object) -> None:
    """Stand in for a compiler that must not be called."""
    raise AssertionError("compiled in the middle of a turn")


@pytest.mark.parametrize("tag", ["en", "zh-CN"])
def test_a_loaded_pack_compiles_nothing_later(
    tag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Phrases of commands and templates of times, which rules compile when they need them."""
    pack = load_language(tag)
    monkeypatch.setattr(re, "compile", refuse)
    monkeypatch.setattr(regex, "compile", refuse)
    templates = [one for stage in time_words(pack).stages for one in stage.templates]
    assert templates
    assert all(template.pattern.pattern for template in templates)
    assert [*phrases_at(pack, {"en": "remind me", "zh": "提醒我"}[pack.code])]


def phrases_at(pack: LanguagePack, text: str) -> list[str]:
    """Return the patterns of the phrases that a clause may begin with."""
    index = command_words(pack).start
    return [phrase.pattern.pattern for _, phrase in index.starting_at(text, 0)]


def test_phrases_can_be_compiled_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before that they wait until they are needed."""
    index = PhraseIndex([("switch", parse_phrase("turn (on|off)"))])
    index.prepare()
    monkeypatch.setattr(re, "compile", refuse)
    ((_, phrase),) = index.starting_at("turn off", 0)
    assert phrase.pattern.fullmatch("turn off")


def test_the_pack_of_a_tag_is_one() -> None:
    """What rules derive from a pack is derived once."""
    assert (
        pack_of("zh_Hans") is pack_of("zh-CN") is read_pack("zh") is load_language("zh")
    )
