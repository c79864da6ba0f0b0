"""The working memory over many sentences: bounded, fading, forgetting, dumped and loaded."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
import json
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given, settings, strategies as st
import pytest

from assist_memory import codec
from assist_memory.attitude import read_attitude
from assist_memory.entities import find_mentions
from assist_memory.errors import SettingsError, StateFormatError
from assist_memory.kept import Fact, PendingItem
from assist_memory.language import read_pack
from assist_memory.models import Home, Reading, Utterance
from assist_memory.references import resolve
from assist_memory.settings import Settings
from assist_memory.state import (
    FADED_PER_KIND,
    MAX_TURNS,
    MemoryState,
    advance,
    cleanup,
    forget,
    from_dict,
    note_reply,
    to_dict,
    weight,
)
from assist_memory.text import normalise
from assist_memory.tracking import KEPT

DEFAULTS = Settings()
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
ITEM = PendingItem(id="r1", owner="o", text="refill the losartan", created=NOW)


def told(
    said: list[str],
    state: MemoryState | None = None,
    settings: Settings = DEFAULTS,
    language: str = "en",
) -> MemoryState:
    """Return the state after these sentences; turn ids count from t1."""
    state = state or MemoryState()
    pack = read_pack(language)
    for text in said:
        plain = normalise(text)
        mentions = find_mentions(plain, Home(), pack)
        reading = Reading(
            utterance=Utterance(text=text, language=language, now=NOW),
            text=plain,
            mentions=mentions,
            attitude=read_attitude(plain, mentions, pack),
        )
        references = resolve(
            plain, mentions, state, pack, attitude=reading.attitude.value
        )
        turn = f"t{state.round + 1}"
        state = advance(state, reading, references, settings, turn, pack)
    return state


def everything(state: MemoryState) -> str:
    """Return all that a state holds, as text."""
    return json.dumps(to_dict(state), ensure_ascii=False)


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_topics": 0},
        {"decay_rate": 0.0},
        {"decay_rate": 1.01},
        {"max_entities": 0},
        {"cleanup_every": 0},
        {"faint": 1.0},
        {"kept_snapshots": 30},
        {"max_facts": 0},
        {"max_brief": 10},
    ],
)
def test_settings_are_checked(wrong: dict[str, Any]) -> None:
    """A20: a value out of range is refused with its name."""
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        Settings(**wrong)


def test_weight_fades_by_rounds() -> None:
    """A7: 10 rounds leave 60 %, 20 leave 36 %."""
    entity = told(["the kayak is blue"]).entity_map["kayak"]
    assert weight(entity, 1, 0.95) == 1
    assert weight(entity, 11, 0.95) == pytest.approx(0.6, abs=0.01)
    assert weight(entity, 21, 0.95) == pytest.approx(0.36, abs=0.01)


def test_three_snapshots_are_kept() -> None:
    """A4: the last three, each with context, time, attitude and action."""
    said = [f"losartan gives me a headache on day {number}" for number in range(5)]
    entity = told(said).entity_map["losartan"]
    assert len(entity.snapshots) == KEPT
    assert {(one.attitude, one.reason) for one in entity.snapshots} == {
        (-0.8, "headache")
    }
    assert [one.source_ref for one in entity.snapshots] == ["t3", "t4", "t5"]


def test_context_is_whole_words_around_the_mention() -> None:
    """A4: some 15 characters on either side, never half a word, never another sentence."""
    state = told(
        ["Nice day. Yesterday my niece moved to Lisbon with her cat. Good night."]
    )
    assert (
        state.entity_map["Lisbon"].snapshots[0].context
        == "niece moved to Lisbon with her cat"
    )


def test_an_action_is_told_of_what_it_is_done_with() -> None:
    """The verb before a mention takes it as object; the verb behind it is its own deed."""
    entities = told(["I borrowed the ladder", "my nephew paints fences"]).entity_map
    assert entities["ladder"].snapshots[0].action == "borrow ladder"
    assert entities["nephew"].snapshots[0].action == "paints fences"
    long = told(["my uncle paints all of the extraordinarily long fences"])
    assert long.entity_map["uncle"].snapshots[0].action == "paints all of the"


def test_a_symptom_leads_back_to_the_blamed_medicine() -> None:
    """A14: once a medicine was blamed for it, the symptom alone counts towards it."""
    state = told(
        ["I take losartan", "losartan makes my hands numb", "my hands are numb again"]
    )
    assert [one.attitude < -0.3 for one in state.entity_map["losartan"].snapshots] == [
        False,
        True,
        True,
    ]
    cured = told(["I take ibuprofen for my sore knee", "my knee hurts"])
    assert len(cured.entity_map["ibuprofen"].snapshots) == 1


def test_a_name_and_a_role_are_one_person() -> None:
    """Who was called "my sister Clara" is also meant by "my sister"."""
    state = told(["my sister Clara plays chess", "my sister won"])
    assert "sister" not in state.entity_map
    assert len(state.entity_map["Clara"].snapshots) == 2


def test_faint_entities_go_and_leave_a_trace() -> None:
    """A7: a cleanup removes below 0.3 what no pending item needs; nothing else."""
    filler = ["good evening to you"] * 39
    held = replace(told(["I take losartan", "I ride a kayak"]), pending_items=(ITEM,))
    state = told(filler, held)
    assert "kayak" not in state.entity_map
    assert [entity.name for entity in state.faded] == ["kayak"]
    assert "losartan" in state.entity_map
    back = told(["the kayak leaks"], state)
    assert len(back.entity_map["kayak"].snapshots) == 2
    assert back.faded == ()


def test_memory_is_bounded() -> None:
    """A1: sizes stay below their limits however long the talk."""
    settings = Settings(max_entities=10)
    said = [
        f"the gadget{number} of Mr Miller{number} fell on 3 May"
        for number in range(120)
    ]
    state = told(said, settings=settings)
    assert len(state.entity_map) <= 10
    assert len(state.faded) <= 2 * FADED_PER_KIND
    assert len(state.topic_chain) <= 5
    assert len(state.snapshots) <= 20
    assert len(state.turns) <= MAX_TURNS
    assert len(everything(state)) < 30_000


def test_above_the_limit_the_faintest_go_first() -> None:
    """What a pending item needs stays longest."""
    state = told(
        ["I take losartan", *(f"the gadget{number} fell" for number in range(4))]
    )
    state = replace(state, pending_items=(ITEM,))
    small = cleanup(state, Settings(max_entities=2))
    assert set(small.entity_map) == {"losartan", "gadget3"}


def test_forgetting_a_turn_forgets_what_it_told() -> None:
    """Entities, topics, snapshots and links that came with the turn go; the rest stays."""
    state = note_reply(
        told(["I take losartan", "the kayak is at the lake house"]), "A kayak!", NOW
    )
    after = forget(state, ["t2"], [])
    assert "kayak" not in everything(after)
    assert "losartan" in after.entity_map
    assert [topic.text for topic in after.topic_chain] == ["losartan"]
    assert after.last_reply is None


def test_forgetting_an_entity_forgets_every_trace() -> None:
    """FAULTS 11: the name is nowhere any more, not even in the context of another."""
    said = [
        "my niece works in Lisbon",
        "she likes it",
        "Lisbon is far",
        "I take losartan",
    ]
    after = forget(told(said), [], ["Lisbon"])
    assert "lisbon" not in everything(after).lower()
    assert set(after.entity_map) == {"niece", "losartan"}


def test_forgetting_a_medicine_forgets_its_links_and_a_name_its_owner() -> None:
    """Links, the own name, faded traces, facts and reminders go by entity and by id."""
    state = told(["my name is Vera Novak", "losartan makes my feet swell"])
    fact = Fact(id="f1", text="x", time=NOW, source_ref="t1")
    state = replace(state, pending_items=(ITEM,), facts=(fact,))
    after = forget(state, ["r1", "f1"], ["losartan", "Vera Novak"])
    assert after.links == {}
    assert after.own_name is None
    assert after.pending_items == ()
    assert after.facts == ()


def test_attributes_go_with_the_turn_that_told_them() -> None:
    """What a forgotten turn said to be true is not kept."""
    state = told(["losartan is the white one", "losartan, twice a day"])
    assert state.entity_map["losartan"].attributes == ("white one", "twice a day")
    after = forget(state, ["t2"], [])
    assert after.entity_map["losartan"].attributes == ("white one",)


def test_a_reply_is_noted_and_never_read() -> None:
    """A2: text and time only, bounded."""
    state = note_reply(told(["hello"]), "Visit the botanical garden! " * 100, NOW)
    assert state.entity_map == {}
    assert state.last_reply is not None
    assert len(state.last_reply.text) <= 400


def test_a_state_survives_json() -> None:
    """A11: dumped as readable data and loaded again, zones included."""
    state = told(["my name is Vera Novak", "losartan makes my feet swell", "*" * 30])
    state = note_reply(replace(state, pending_items=(ITEM,)), "Oh.", NOW)
    again = from_dict(json.loads(json.dumps(to_dict(state))))
    assert again == state
    assert again.pending_items[0].created.tzinfo == NOW.tzinfo


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"format": 99},
        {"format": 1, "round": "three"},
        {"format": 1, "round": True},
        {"format": 1, "turns": {}},
        {
            "format": 1,
            "turns": [{"id": "t", "round": 1, "time": "2026-01-01T00:00:00"}],
        },
        {"format": 1, "turns": [{"id": "t", "round": 1, "time": "x"}]},
        {"format": 1, "turns": [{"id": "t"}]},
        {"format": 1, "entity_map": {"a": {"name": "a", "kind": "ghost"}}},
    ],
)
def test_other_data_is_refused(data: dict[str, Any]) -> None:
    """A wrong format is one named error."""
    with pytest.raises(StateFormatError):
        from_dict(data)


def test_the_codec_reads_what_it_writes() -> None:
    """Lengths of time and whole numbers in place of fractions are understood."""
    assert codec.from_plain(
        timedelta, codec.to_plain(timedelta(minutes=5))
    ) == timedelta(minutes=5)
    assert codec.from_plain(float, 1) == 1.0
    assert (
        codec.from_plain(
            datetime, codec.to_plain(datetime(2026, 1, 1, tzinfo=UTC))
        ).tzinfo
        == UTC
    )


@given(st.lists(st.text(max_size=60), max_size=8), st.sampled_from(["en", "zh"]))
@settings(max_examples=25, deadline=None)
def test_any_talk_can_be_held(said: list[str], language: str) -> None:
    """Nothing raises, each sentence is a round, and the state survives JSON."""
    state = told(said, language=language)
    assert state.round == len(said)
    assert from_dict(json.loads(json.dumps(to_dict(state)))) == state
