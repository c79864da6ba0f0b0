"""Packs: found by any tag, checked when they are loaded, complete in every language."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from assist_memory import language
from assist_memory.attitude import attitude_words
from assist_memory.context import context_words
from assist_memory.distill import distill_words
from assist_memory.errors import LanguagePackError
from assist_memory.intents import intent_words
from assist_memory.language import (
    LanguagePack,
    Section,
    available_languages,
    language_code,
    read_pack,
)
from assist_memory.lexicon import compile_lexicon
from assist_memory.models import EntityKind
from assist_memory.pointers import reference_words
from assist_memory.text import find_tokens
from assist_memory.vocabulary import vocabulary

RULES = (
    attitude_words,
    context_words,
    distill_words,
    intent_words,
    reference_words,
    vocabulary,
)


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("en", "en"),
        ("en-GB", "en"),
        ("zh_Hans_CN", "zh"),
        ("ZH-TW", "zh"),
        ("cmn-Hans", "zh"),
        ("yue", "zh"),
        (" fr ", "en"),
        ("", "en"),
    ],
)
def test_any_tag_has_a_pack(tag: str, code: str) -> None:
    """X7: any BCP 47 tag, also with an underscore; English where there is no pack."""
    assert language_code(tag) == code


@pytest.mark.parametrize("code", sorted(available_languages()))
def test_every_pack_is_complete(code: str) -> None:
    """Each rule finds its words in each language."""
    pack = read_pack(code)
    for rule in RULES:
        rule(pack)
    assert {word.kind for word in vocabulary(pack).words.values.values()} >= {
        EntityKind.MEDICINE,
        EntityKind.CONDITION,
        EntityKind.SYMPTOM,
        EntityKind.PERSON,
        EntityKind.PLACE,
        EntityKind.DEVICE,
        EntityKind.AREA,
        EntityKind.FOOD,
        EntityKind.EVENT,
        EntityKind.WORK,
    }


@pytest.mark.parametrize("code", sorted(available_languages()))
def test_every_listed_phrase_is_found(code: str) -> None:
    """No phrase of the lists is hidden by how texts are cut into words."""
    words = vocabulary(read_pack(code)).words
    lost = [
        phrase
        for phrase, word in words.values.items()
        if [hit.value for hit in words.find(find_tokens(phrase))] != [word]
    ]
    assert lost == []


def test_unknown_pack_is_an_error() -> None:
    """A pack that does not exist is named."""
    with pytest.raises(LanguagePackError, match="'xx'"):
        read_pack("xx")


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ({"a": True}, "a is True, not text; quote it"),
        ({"a": 12}, "a is 12, not text"),
        ({}, "a is missing"),
    ],
)
def test_a_text_is_a_text(data: dict[str, Any], complaint: str) -> None:
    """What YAML misreads is reported with file and key."""
    with pytest.raises(LanguagePackError, match=complaint):
        Section("xx/words.yaml", data).text("a")


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ({"a": ["on", False]}, r"a\[1\] is False"),
        ({"a": "on"}, "a is 'on', not a list"),
    ],
)
def test_a_list_holds_texts(data: dict[str, Any], complaint: str) -> None:
    """A phrase that YAML reads as a truth value is found by its place."""
    with pytest.raises(LanguagePackError, match=complaint):
        Section("xx/words.yaml", data).texts("a")


def test_numbers_sections_and_keys_are_checked() -> None:
    """Numbers are no truth values, sections are mappings, unknown keys are refused."""
    section = Section("xx/words.yaml", {"n": 2, "t": True, "s": [], "m": {"k": "v"}})
    assert section.number("n") == 2
    assert section.section("m").text_map() == {"k": "v"}
    assert section.section("none").text_map() == {}
    assert section.texts("none") == ()
    assert list(section) == ["n", "t", "s", "m"]
    assert section.only("n", "t", "s", "m") is section
    for read in (
        lambda: section.number("t"),
        lambda: section.section("s"),
        lambda: section.only("n"),
    ):
        with pytest.raises(LanguagePackError):
            read()


def test_a_file_must_be_a_mapping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken file or a list is refused with its name; a missing one too."""
    monkeypatch.setattr(language, "LANGUAGES", tmp_path)
    for name, text in (("x1", "- a"), ("x2", "a: [")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "words.yaml").write_text(text, encoding="utf-8")
        with pytest.raises(LanguagePackError, match=r"words\.yaml"):
            read_pack(name)
    with pytest.raises(LanguagePackError, match=r"xx/words\.yaml is missing"):
        LanguagePack("xx", {}).file("words")


def _pack_with(name: str, change: dict[str, Any]) -> LanguagePack:
    """Return the English pack with some keys of one file changed."""
    english = read_pack("en")
    file = english.file(name)
    files = dict(english.files)
    files[name] = Section(file.place, {**file.data, **change})
    return LanguagePack("en", files)


@pytest.mark.parametrize(
    ("name", "change", "complaint"),
    [
        ("vocabulary", {"groups": {"medicine": "potion"}}, "no kind 'potion'"),
        ("vocabulary", {"own_name": ["("]}, r"vocabulary\.yaml"),
        ("vocabulary", {"extra": []}, "unknown key 'extra'"),
        ("attitude", {"extra": []}, "unknown key 'extra'"),
        ("intents", {"extra": []}, "unknown key 'extra'"),
        ("references", {"extra": []}, "unknown key 'extra'"),
        ("context", {"extra": []}, "unknown key 'extra'"),
        ("context", {"lead": None}, "lead is None"),
    ],
)
def test_a_wrong_pack_is_refused(
    name: str, change: dict[str, Any], complaint: str
) -> None:
    """Each rule checks its own file when the pack is loaded."""
    pack = _pack_with(name, change)
    with pytest.raises(LanguagePackError, match=complaint):
        _check(pack)


def _check(pack: LanguagePack) -> None:
    for rule in RULES:
        rule(pack)


def test_the_longest_phrase_is_found_with_its_ending() -> None:
    """Whole words only, longest first, an ending on the last word."""
    lexicon = compile_lexicon(
        [("tea", 1), ("tea pot", 2), ("ham", 3), ("tea", 4)], ("'s", "s")
    )
    tokens = find_tokens("graham's tea pots and teas, tea")
    assert [hit.value for hit in lexicon.find(tokens)] == [2, 1, 1]
    assert lexicon.get("tea pot") == 2
    assert lexicon.get("tea pot lid") is None
    assert lexicon.get("") is None


def test_files_hold_no_misread_words() -> None:
    """No key of a pack is a truth value or a number."""
    for path in language.LANGUAGES.glob("*/*.yaml"):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert all(isinstance(key, str) for key in data), path.name
