"""The engine from outside (DESIGN section 6): JSON lines in, JSON lines out, one for one."""

from io import BytesIO
import json
from pathlib import Path
import subprocess
import sys
from typing import Any

import pytest

from assist_memory.cli import main
from assist_memory.cli.lines import serve

TURN = {
    "text": "hello",
    "language": "en",
    "now": "2026-06-09T15:00:00",
    "timezone": "Europe/London",
    "speaker": "anna",
}


def served(command: str, *lines: object) -> list[dict[str, Any]]:
    """Return what a command answers to lines: objects, or bytes as they are."""
    raw = [
        line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines
    ]
    out = BytesIO()
    assert serve(command, BytesIO(b"\n".join(raw) + b"\n"), out) == 0
    text = out.getvalue().decode("utf-8")
    assert text.endswith("\n")
    return [json.loads(line) for line in text.removesuffix("\n").split("\n")]


def turn(text: str, **fields: object) -> dict[str, object]:
    """Return one input line."""
    return {**TURN, "text": text, **fields}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"no json", "not_json"),
        (b"", "not_json"),
        (b"\xff\xfe", "not_json"),
        (b"[1]", "not_an_object"),
        (b"[" * 50_000, "not_json"),
        (b'"' + b"x" * 1_000_001 + b'"', "line_too_long"),
        ({"text": "x"}, "bad_now"),
        ({**TURN, "text": 3}, "bad_text"),
        ({key: value for key, value in TURN.items() if key != "text"}, "bad_text"),
        ({**TURN, "now": "soon"}, "bad_now"),
        ({**TURN, "timezone": "Mars/Base"}, "bad_timezone"),
        ({**TURN, "timezone": "../etc/passwd"}, "bad_timezone"),
        ({**TURN, "speaker": 3}, "bad_speaker"),
        ({**TURN, "home": []}, "bad_home"),
        ({**TURN, "home": {"persons": [{"id": "a"}]}}, "bad_home"),
        ({**TURN, "home": {"areas": "kitchen"}}, "bad_home"),
        ({**TURN, "announced": "a"}, "bad_announced"),
    ],
)
def test_an_unreadable_line_has_a_code(line: object, code: str) -> None:
    """And the next line is answered."""
    first, second = served("turns", line, TURN)
    assert first == {"error": code}
    assert second["answer"] is None


def test_a_turn_has_all_its_fields() -> None:
    """Those of the contract."""
    (result,) = served("turns", turn("I take amlodipine", unknown=[1, 2]))
    assert set(result) >= {
        *(
            "commands",
            "entities",
            "attitude",
            "intent",
            "references",
            "conflicts",
            "changes",
            "answer",
        ),
        *("question", "pending", "topic_chain", "entity_map", "weights", "context"),
    }
    assert result["entity_map"]["amlodipine"][0].keys() == {
        "context",
        "time",
        "attitude",
        "action",
    }
    assert result["entities"] == [{"name": "amlodipine", "kind": "medicine"}]


@pytest.mark.parametrize(
    "text", ["", " \t\n ", "\ud83d", "x\x00y", "\u2028", "🐟" * 50]
)
def test_odd_texts_are_valid_lines(text: str) -> None:
    """Empty text, lone surrogates, control characters."""
    first, second = served(
        "turns", turn(text), turn("remember that " + text + " is my word")
    )
    assert "error" not in first
    assert "error" not in second


def test_lines_end_at_line_feeds_only() -> None:
    """Other line ends of Unicode are escaped."""
    out = BytesIO()
    line = json.dumps(turn("remember that a\u2028b\x85c is d")).encode()
    serve("turns", BytesIO(line + b"\n"), out)
    assert len(out.getvalue().decode().splitlines()) == 1


def test_speakers_are_compared_exactly() -> None:
    """Anna is not anna, and null is nobody."""
    results = served(
        "turns",
        turn("remember that my code is 6120"),
        turn("what is my code?", speaker="Anna"),
        turn("what is my code?", speaker=None),
        turn("what is my code?"),
    )
    assert [bool(result["answer"]) for result in results] == [True, False, False, True]


def test_nobody_known_has_a_memory_for_each_conversation() -> None:
    """And the household's reminders in all of them."""
    results = served(
        "turns",
        turn("I take amlodipine", speaker="", conversation="a"),
        turn("remind me at six to feed the fish", speaker="", conversation="a"),
        turn("hello", speaker="", conversation="b"),
    )
    assert results[2]["entity_map"] == {}
    assert [item["text"] for item in results[2]["pending"]] == ["feed the fish"]


def test_the_home_is_kept_until_it_is_given_again() -> None:
    """Its names are entities."""
    home = {
        "entities": [
            {
                "id": "light.lamp",
                "name": "Reading lamp",
                "aliases": ["lamp"],
                "area": "den",
            }
        ],
        "areas": [{"id": "den", "name": "Den", "aliases": []}],
    }
    results = served(
        "turns", turn("hello", home=home), turn("the reading lamp is broken")
    )
    assert "Reading lamp" in [one["name"] for one in results[1]["entities"]]


def test_time_passes_between_lines() -> None:
    """What falls due in between counts as announced at its due; ids are deterministic."""
    rows = [
        turn("remind me at six to feed the fish"),
        turn("hello", now="2026-06-09T18:30:00"),
    ]
    results = served("turns", *rows)
    assert [item["status"] for item in results[1]["pending"]] == ["triggered"]
    assert served("turns", *rows) == results


def test_the_models_reply_is_noted() -> None:
    """And never read for facts."""
    results = served(
        "turns", turn("hello", reply="The ladder is in Leeds."), turn("hello again")
    )
    assert "Leeds" not in json.dumps(results)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "remind me tomorrow at nine to call",
            {
                "kind": "instant",
                "due": "2026-06-10T09:00:00+01:00",
                "text": "remind me to call",
            },
        ),
        ("tomorrow", {"kind": "date", "unclear": None}),
        ("for two hours", {"kind": "duration", "seconds": 7200.0, "due": None}),
        (
            "every day at six in the morning",
            {"kind": "recurrence", "rule": "FREQ=DAILY"},
        ),
        ("yesterday", {"due": "2026-06-08T09:00:00+01:00", "unclear": "past"}),
        ("nothing here", {"kind": "none", "due": None, "text": "nothing here"}),
        (
            "from two to four pm",
            {"kind": "interval", "end": "2026-06-09T16:00:00+01:00"},
        ),
    ],
)
def test_deadlines(text: str, wanted: dict[str, object]) -> None:
    """The time words of a text."""
    (result,) = served(
        "deadlines", {**TURN, "text": text, "now": "2026-06-09T10:00:00"}
    )
    assert result.keys() == {"kind", "due", "end", "seconds", "rule", "text", "unclear"}
    assert {key: result[key] for key in wanted} == wanted


def test_now_may_have_an_offset() -> None:
    """It is read in the zone of the line."""
    (result,) = served(
        "deadlines", {**TURN, "text": "in ten minutes", "now": "2026-06-09T14:00:00Z"}
    )
    assert result["due"] == "2026-06-09T15:10:00+01:00"


def test_a_sentence_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """Every finding with its span."""
    now = ["--now", "2026-06-09T10:00:00", "--timezone", "Europe/London"]
    assert (
        main(["say", "remind me to give Ben his 5 mg amlodipine tomorrow at six", *now])
        == 0
    )
    out = capsys.readouterr().out
    for part in (
        "remind [0:9]",
        "amlodipine",
        "tomorrow at six",
        "ReminderSet",
        "evening",
        "characters",
        "ms",
    ):
        assert part in out


def test_a_talk_on_the_console(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """B15: show, prompt, quit, prompt size and time."""
    lines = iter(["我对核桃过敏", "show", "prompt", "", "quit", "never said"])
    monkeypatch.setattr("builtins.input", lambda _: next(lines))
    assert main(["say", "--lang", "zh"]) == 0
    out = capsys.readouterr().out
    assert "核桃" in out
    assert "ms" in out
    assert next(lines) == "never said"


def test_the_console_ends_with_its_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """End of input is a way to leave."""

    def closed(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", closed)
    assert main(["say"]) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["say", "x", "--timezone", "Mars/Base"],
        ["say", "x", "--now", "soon"],
    ],
)
def test_wrong_arguments_end_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """And say how it is used."""
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out or printed.err


def test_as_a_process() -> None:
    """Status 0 at the end of input, and nothing else is printed."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "assist_memory.cli", "turns"],
        input=json.dumps(turn("remind me at six to feed the fish")).encode() + b"\n",
        capture_output=True,
        check=False,
        cwd=Path(__file__).parent,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["changes"][0]["kind"] == "reminder_set"
