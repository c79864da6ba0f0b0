"""What code says: in the speaker's language, with weekday or date and part of day, and never more than is true."""

from datetime import datetime, timedelta
import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from assist_memory import (
    MemoryManager,
    PendingItem,
    Utterance,
    announcement,
    answer,
    load_language,
    model_unreachable,
    store_failed,
    trouble,
)
from assist_memory.language import available_languages, read_pack
from assist_memory.speech import Speaker, phrasebook, script_words

NOW = datetime(2026, 6, 9, 10, 0, tzinfo=ZoneInfo("Europe/London"))
SLOT = re.compile(r"\{\w*\}")


def said(text: str, language: str = "en", **settings: Any) -> str:
    """Return what code answers to one sentence."""
    memory = MemoryManager(owner="anna", **settings)
    reading = memory.filter_input(Utterance(text=text, language=language, now=NOW))
    spoken = answer(reading, memory.update_state(reading), memory)
    return spoken.text if spoken else ""


def item(**fields: Any) -> PendingItem:
    """Return a reminder that is due at six."""
    due = NOW.replace(hour=18)
    return PendingItem(
        id="a", owner="anna", text="take your pills", created=NOW, due=due, **fields
    )


@pytest.mark.parametrize("code", sorted(available_languages() - {"en"}))
def test_all_languages_say_the_same_sentences(code: str) -> None:
    """Every sentence of English, with the same slots where they are needed."""
    english, other = phrasebook(read_pack("en")), phrasebook(read_pack(code))
    assert english.plain.keys() == other.plain.keys()
    assert english.counted.keys() == other.counted.keys()
    assert english.trouble.keys() == other.trouble.keys()
    for key, text in english.plain.items():
        assert set(SLOT.findall(text)) == set(SLOT.findall(other.plain[key])), key


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("remind me at six to feed the fish", ["today", "evening", "feed the fish"]),
        ("remind me tomorrow at nine to feed the fish", ["tomorrow", "morning"]),
        ("remind me on June 20 at noon to feed the fish", ["June 20"]),
        ("remind me on friday to feed the fish", ["Friday", "morning"]),
        (
            "every tuesday and friday at nine remind me to swim",
            ["Tuesday", "Friday", "first time"],
        ),
        (
            "on the 31st of every month at ten remind me to send the invoice",
            ["last day"],
        ),
    ],
)
def test_a_confirmation_names_day_and_part_of_day(text: str, parts: list[str]) -> None:
    """So that a wrong reading can be heard (DESIGN section 5)."""
    spoken = said(text)
    for part in parts:
        assert part in spoken
    assert not re.search(r"\d{4}-\d\d|T\d\d:|RRULE|FREQ", spoken)


@pytest.mark.parametrize(
    ("lasts", "words"),
    [
        ("session", "talk ends"),
        ("hour", "an hour"),
        ("night", "tonight"),
        ("restart", "restarted"),
    ],
)
def test_remembering_says_how_long(lasts: str, words: str) -> None:
    """RAM only, and that is said."""
    assert words in said("remember that my code is 6120", lasts=lasts)


def test_an_announcement_says_the_words_as_written() -> None:
    """A carer's "your pills" stays; late and repeated are said."""
    pack = load_language("en")
    assert announcement(item(), NOW, pack) == "Reminder: take your pills."
    late = announcement(item(), NOW.replace(hour=20), pack, late=timedelta(hours=2))
    assert "late" in late
    assert "6 in the evening" in late
    assert "once more" in announcement(item(), NOW, pack, repeat=True)


def test_an_announcement_is_in_the_items_script() -> None:
    """Traditional for who speaks it; the person's words stay."""
    pack = load_language("zh")
    spoken = announcement(item(language="zh-TW"), NOW, pack, late=timedelta(hours=1))
    assert "運行" in spoken
    assert "take your pills" in spoken


@pytest.mark.parametrize("tag", ["zh-TW", "zh_HK", "zh-Hant-CN", "yue"])
def test_traditional_readers_get_traditional_characters(tag: str) -> None:
    """No simplified character is left in our own sentences."""
    tags, characters = script_words(load_language("zh"))
    assert tags
    spoken = said("三分鐘後提醒我餵魚", tag)
    assert spoken
    assert not set(spoken) & {chr(one) for one in characters}


def test_simplified_readers_get_simplified_ones() -> None:
    """Hans wins nothing but itself."""
    assert "今天" in said("三分钟后提醒我喂鱼", "zh-Hans-CN")
    assert "个" in said("我有哪些提醒", "zh") + Speaker(
        load_language("zh"), "zh", NOW
    ).say("cancelled_all", count=2)


def test_every_simplified_character_of_our_sentences_has_its_counterpart() -> None:
    """Spoken times and responses alike."""
    pack = load_language("zh")
    _, characters = script_words(pack)
    book = phrasebook(pack)
    texts = [*book.plain.values(), *book.trouble.values()]
    texts += [text for forms in book.counted.values() for text in forms.values()]
    simplified = (
        "们个这时间钟点设为经过没说话记听还会请确关于条录数认谁号账备诉启动谈结后语"
    )
    simplified += "运来试务选给对长题断问别让连现农历忆内两误错处发换变"
    used = set("".join(texts)) & set(simplified)
    assert {chr(one) for one in characters} >= used


def test_the_model_is_out_of_reach() -> None:
    """One honest sentence, and what is known and pending."""
    memory = MemoryManager(owner="anna")
    for text in ("I take amlodipine", "remind me at six to feed the fish"):
        memory.update_state(
            memory.filter_input(Utterance(text=text, language="en", now=NOW))
        )
    spoken = model_unreachable(memory, load_language("en"))
    assert "can't reach" in spoken
    assert "amlodipine" in spoken
    assert "feed the fish, today at 6 in the evening" in spoken
    assert spoken.count(".") == 1
    assert "can't reach" in model_unreachable(MemoryManager(), load_language("en"))


def test_what_could_not_be_answered_is_not_told_as_known() -> None:
    """The topic of the very sentence that needed the model is no knowledge."""
    memory = MemoryManager(owner="anna")
    asked = Utterance(text="Why is amlodipine white?", language="en", now=NOW)
    memory.update_state(memory.filter_input(asked))
    spoken = model_unreachable(memory, load_language("en"), NOW, "no_model")
    assert "No language model has been chosen" in spoken
    assert "amlodipine" not in spoken


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_trouble_has_a_sentence(language: str) -> None:
    """Unknown codes, too."""
    pack = load_language(language)
    spoken = {trouble(code, pack) for code in phrasebook(pack).trouble}
    assert len(spoken) > 5
    assert trouble("never heard of", pack) == trouble("other", pack)
    assert store_failed(pack) == trouble("store", pack)


def test_long_lists_are_cut() -> None:
    """The first five, and how many more."""
    memory = MemoryManager(owner="anna")
    for hour in ("one", "two", "three", "four", "five", "six", "seven"):
        text = f"remind me at {hour} to water plant {hour}"
        memory.update_state(
            memory.filter_input(Utterance(text=text, language="en", now=NOW))
        )
    reading = memory.filter_input(
        Utterance(text="what's on my list?", language="en", now=NOW)
    )
    spoken = answer(reading, memory.update_state(reading), memory)
    assert spoken is not None
    assert "7 reminders" in spoken.text
    assert "2 more" in spoken.text
