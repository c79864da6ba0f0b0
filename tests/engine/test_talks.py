"""Whole talks as sentences, through the command line's own session: what is asked, changed, kept and said.

talks/*.yaml: each talk has turns; a turn has `say` and what must hold after it. Talks start on Tuesday, 9 June 2026,
10:00 in London, ten seconds pass from turn to turn unless `at` says otherwise.
"""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from assist_memory.cli.turns import Session

FOLDER = Path(__file__).parent / "talks"
START = datetime.fromisoformat("2026-06-09T10:00:00")
SENT = ("speaker", "conversation", "satellite", "announced", "home", "reply")
CHECKED = {
    *("say", "at", "language", *SENT),
    *(
        "answer",
        "never",
        "question",
        "changes",
        "pending",
        "commands",
        "silent",
        "context",
        "unsaid",
    ),
}


def talks() -> list[Any]:
    """Return all talks, named by file and name."""
    return [
        pytest.param(talk, id=f"{path.stem}/{talk['name']}")
        for path in sorted(FOLDER.glob("*.yaml"))
        for talk in yaml.safe_load(path.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("talk", talks())
def test_a_talk_goes_as_it_is_written(talk: dict[str, Any]) -> None:
    """X1, X2, DESIGN section 5."""
    session, now = Session(), START
    ids: dict[str, str] = {}
    for number, turn in enumerate(talk["turns"]):
        assert turn.keys() <= CHECKED
        now = moment(turn.get("at"), now)
        result = session.turn(line(talk, turn, now, ids))
        where = f"turn {number + 1}: {turn['say']!r} → {result['answer']!r} {result['pending']}"
        check(turn, result, where)
        ids |= {item["text"]: item["id"] for item in result["pending"]}
        now += timedelta(seconds=10)


def moment(at: str | None, now: datetime) -> datetime:
    """Return when a turn is: a clock of the same day, or a whole ISO time."""
    if at is None:
        return now
    return datetime.fromisoformat(at if "T" in at else f"{now:%Y-%m-%d}T{at}")


def line(
    talk: dict[str, Any], turn: dict[str, Any], now: datetime, ids: dict[str, str]
) -> dict[str, Any]:
    """Return the input of a turn; `announced` names reminders by their text."""
    row = {
        "text": turn["say"],
        "language": turn.get("language", talk["language"]),
        "now": now.isoformat(),
        "timezone": talk.get("timezone", "Europe/London"),
        "speaker": talk.get("speaker", "anna"),
    }
    row |= {key: turn[key] for key in SENT if key in turn}
    row["announced"] = [ids[text] for text in turn.get("announced", [])]
    return row


def check(turn: dict[str, Any], result: dict[str, Any], where: str) -> None:
    """Compare one turn with what is written of it."""
    answer = (result["answer"] or "").casefold()
    assert result["question"] == turn.get("question"), where
    for part in turn.get("answer", []):
        assert part.casefold() in answer, where
    for part in turn.get("never", []):
        assert part.casefold() not in answer, where
    for part in turn.get("unsaid", []):
        assert part.casefold() not in str(result).casefold(), where
    for part in turn.get("context", []):
        assert part.casefold() in result["context"].casefold(), where
    if turn.get("silent"):
        assert result["answer"] is None, where
    if "commands" in turn:
        assert result["commands"] == turn["commands"], where
    assert [change["kind"] for change in result["changes"]] == turn.get(
        "changes", []
    ), where
    if "pending" in turn:
        assert [shown(item, turn["pending"]) for item in result["pending"]] == turn[
            "pending"
        ], where
    assert_claims_what_changed(result, where)


def shown(item: dict[str, Any], wanted: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the fields of a reminder that a talk is written with; times to the minute."""
    keys = {key for row in wanted for key in row} or {"text"}
    plain = {**item, "due": item["due"][:16] if item["due"] else None}
    return {key: plain[key] for key in plain if key in keys}


def assert_claims_what_changed(result: dict[str, Any], where: str) -> None:
    """Check that a turn that changes something says so, and that a question changes nothing."""
    if result["changes"]:
        assert result["answer"], where
        assert result["question"] is None, where
