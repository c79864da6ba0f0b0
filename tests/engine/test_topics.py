"""The chain of topics: what opens one, what refreshes one, which one has to go."""

from datetime import UTC, datetime

import pytest

from assist_memory.entities import find_mentions
from assist_memory.kept import Topic
from assist_memory.language import read_pack
from assist_memory.models import Command, CommandKind, Home, Reading, Span, Utterance
from assist_memory.text import normalise
from assist_memory.topics import MAX_KEYWORDS, advance, keywords

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def heard(text: str, language: str = "en", *commands: CommandKind) -> Reading:
    """Return what a sentence names, with these commands."""
    plain = normalise(text)
    return Reading(
        utterance=Utterance(text=text, language=language, now=NOW),
        text=plain,
        mentions=find_mentions(plain, Home(), read_pack(language)),
        commands=tuple(Command(kind=kind, span=Span(0, 1)) for kind in commands),
    )


def chain_after(
    said: list[str], language: str = "en", max_topics: int = 5
) -> tuple[Topic, ...]:
    """Return the chain after these sentences, references left out."""
    chain: tuple[Topic, ...] = ()
    for round_, text in enumerate(said, 1):
        chain = advance(
            *(chain, heard(text, language), (), read_pack(language)),
            round_=round_,
            max_topics=max_topics,
        )
    return chain


def names(chain: tuple[Topic, ...]) -> list[str]:
    """Return the texts of a chain."""
    return [topic.text for topic in chain]


def test_each_condition_and_medicine_is_a_thread() -> None:
    """What belongs together stands together."""
    said = ["I have asthma", "the boiler is loud", "now they gave me salbutamol"]
    assert names(chain_after(said)) == ["asthma", "salbutamol", "boiler"]


@pytest.mark.parametrize(
    ("language", "said", "topic"),
    [
        ("en", "let's marinate it spicily", "marinate"),
        ("en", "the ladder is in the shed", "ladder"),
        ("en", "my uncle moved to Glasgow", "Glasgow"),
        ("zh", "梯子在车库", "梯子"),
        ("zh", "我想去徒步", "徒步"),
    ],
)
def test_a_sentence_with_content_has_a_topic(
    language: str, said: str, topic: str
) -> None:
    """A20: at least its keyword."""
    assert names(chain_after([said], language)) == [topic]


def test_a_measurement_belongs_to_its_condition() -> None:
    """Blood pressure is no thread beside hypertension."""
    said = ["I have hypertension", "my blood pressure was fine"]
    chain = chain_after(said)
    assert names(chain) == ["hypertension"]
    assert chain[0].rounds == 2


def test_similar_words_refresh_a_topic() -> None:
    """A3: above a Jaccard similarity of 0.6 a sentence belongs to a topic."""
    said = ["polishing copper pans tarnished", "polishing tarnished copper pans"]
    assert len(chain_after(said)) == 1


@pytest.mark.parametrize("rounds", [3, 30, 99])
def test_digressions_do_not_lose_the_main_thread(rounds: int) -> None:
    """A thread that came up in several rounds outlives side topics that came up once."""
    side = [
        f"the neighbour's {thing}{index} broke"
        for index in range(rounds)
        for thing in ("kite",)
    ]
    said = [
        "I take bisoprolol",
        "bisoprolol makes me slow",
        "is bisoprolol safe",
        *side,
    ]
    chain = chain_after(said)
    assert "bisoprolol" in names(chain)
    assert len(chain) <= 5


def test_the_newest_topic_always_stays() -> None:
    """With room for one topic the newest is held."""
    said = ["I take bisoprolol", "bisoprolol makes me slow", "the ladder is broken"]
    assert names(chain_after(said, max_topics=1)) == ["ladder"]


def test_a_command_opens_no_thread_but_refreshes_one() -> None:
    """What code does for a person is not what the talk is about."""
    pack = read_pack("en")
    chain = chain_after(["the orchid is thirsty"])
    reading = heard(
        "remind me to water the orchid and the ferns", "en", CommandKind.REMIND
    )
    after = advance(*(chain, reading, (), pack), round_=2, max_topics=5)
    assert names(after) == names(chain)
    assert after[0].last_round == 2
    remembered = heard(
        "remember that the kayak is in the loft", "en", CommandKind.REMEMBER
    )
    assert "kayak" in names(
        advance(*(after, remembered, (), pack), round_=3, max_topics=5)
    )


def test_keywords_are_bounded_and_without_stops() -> None:
    """A topic gathers no endless list of words, and none without content."""
    text = " ".join(f"word{index}" for index in range(100))
    assert len(chain_after([text])[0].keywords) <= MAX_KEYWORDS
    assert keywords("what is the way to do it", read_pack("en")) == frozenset()
    assert keywords("我的梯子呢", read_pack("zh")) == frozenset({"梯子"})
