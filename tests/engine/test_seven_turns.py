"""The seven-turn talk that the designs are judged by, in both languages and several phrasings (A12)."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from assist_memory.cli.turns import Session

FILE = Path(__file__).parent / "dialogue" / "seven_turns.yaml"
TALKS: list[dict[str, Any]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))


def hold(talk: dict[str, Any]) -> list[dict[str, Any]]:
    """Hold the talk and return what came of each turn."""
    session = Session()
    return [
        session.turn(
            {
                "text": text,
                "language": talk["language"],
                "now": f"2026-06-09T09:{minute:02}:00",
                "timezone": "Asia/Shanghai",
                "speaker": "w",
            }
        )
        for minute, text in enumerate(talk["turns"])
    ]


@pytest.fixture(
    scope="module",
    params=TALKS,
    ids=lambda talk: f"{talk['language']}: {talk['turns'][0][:24]}",
)
def held(request: pytest.FixtureRequest) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return a talk and its seven results."""
    return request.param, hold(request.param)


type Held = tuple[dict[str, Any], list[dict[str, Any]]]


def test_the_main_topic_is_kept_and_the_side_topic_comes_beside_it(held: Held) -> None:
    """[hypertension], [hypertension, amlodipine], unchanged at 3, with Hangzhou by 6."""
    talk, results = held
    names = talk["names"]
    chains = [result["topic_chain"] for result in results]
    assert chains[0] == [names["condition"]]
    assert chains[1] == chains[2] == [names["condition"], names["medicine"]]
    assert set(chains[5]) >= {names["condition"], names["medicine"], names["place"]}


def test_the_medicine_turns_negative_with_the_complaint(held: Held) -> None:
    """Neutral at 2, negative from 3 on; the person's own name stays neutral."""
    talk, results = held
    medicine, person = talk["names"]["medicine"], talk["names"]["person"]
    assert [shot["attitude"] for shot in results[1]["entity_map"][medicine]] == [0.0]
    for result in results[2:]:
        assert result["entity_map"][medicine][-1]["attitude"] < -0.3
    assert len(results[2]["entity_map"][medicine]) == 2
    assert all(
        shot["attitude"] == 0.0
        for result in results
        for shot in result["entity_map"][person]
    )


def test_places_and_people_are_found_again(held: Held) -> None:
    """The place's snapshot holds the words; "he" is the son, "this medicine" the medicine."""
    talk, results = held
    names = talk["names"]
    assert talk["said"] in results[4]["entity_map"][names["place"]][0]["context"]
    assert {"mention": names["he"], "entity": names["kin"]} in results[5]["references"]
    assert names["medicine"] in [one["entity"] for one in results[2]["references"]]


def test_the_reminder_is_set_and_nothing_else_changes(held: Held) -> None:
    """Tomorrow at ten; the "now" of the last turn triggers nothing."""
    _, results = held
    kinds = [[change["kind"] for change in result["changes"]] for result in results]
    assert kinds == [[], [], [], ["reminder_set"], [], [], []]
    (item,) = results[6]["pending"]
    assert item["due"] == "2026-06-10T10:00:00+08:00"
    assert item["status"] == "pending"


def test_the_brief_tells_what_matters(held: Held) -> None:
    """Condition, medicine with its attitude, and the measurement with its time, in 220 characters."""
    talk, results = held
    brief = results[6]["context"]
    assert len(brief) <= 220
    for part in talk["context"]:
        assert part in brief
