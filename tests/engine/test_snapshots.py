"""What is kept of a turn, and where turns contradict each other."""

from dataclasses import replace
from datetime import UTC, datetime
import json

from assist_memory import codec
from assist_memory.entities import find_mentions
from assist_memory.kept import TrackedEntity
from assist_memory.language import read_pack
from assist_memory.models import EntityKind, Home, Intent, Reading, Utterance
from assist_memory.snapshots import MAX_PREVIEW, conflicts, prune, take_snapshot

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
PACK = read_pack("en")
MEDICINE = TrackedEntity(
    name="warfarin",
    kind=EntityKind.MEDICINE,
    snapshots=(),
    first_round=1,
    last_round=1,
    attributes=("3 mg",),
)


def heard(text: str, **found: object) -> Reading:
    """Return a reading with its mentions and what else is given."""
    reading = Reading(
        utterance=Utterance(text=text, language="en", now=NOW),
        text=text,
        mentions=find_mentions(text, Home(), PACK),
    )
    return replace(reading, **found)  # type: ignore[arg-type]


def found_in(reading: Reading) -> tuple[str, ...]:
    """Return the conflicts of a sentence with what is known of warfarin."""
    return conflicts(reading, (), {"warfarin": MEDICINE}, (), PACK)


def test_a_snapshot_is_small() -> None:
    """B3: at most some 300 bytes, with a preview of 50 characters."""
    snapshot = take_snapshot(heard("the ladder in Porto " * 20), (), 7, (), "t7")
    assert len(snapshot.preview) == MAX_PREVIEW
    assert snapshot.entities == ("ladder", "Porto")
    assert len(json.dumps(codec.to_plain(snapshot)).encode()) < 330


def test_a_question_is_not_stated() -> None:
    """What is asked is not told as said."""
    assert take_snapshot(heard("the ladder is here"), (), 1, (), "t").stated
    assert not take_snapshot(heard("is it here", question=True), (), 1, (), "t").stated


def test_too_many_are_cut_at_once() -> None:
    """B3: cut to 15 when over 20."""
    snapshots = tuple(
        take_snapshot(heard("a kayak"), (), n, (), "t") for n in range(21)
    )
    assert prune(snapshots[:20], 20, 15) == snapshots[:20]
    assert prune(snapshots, 20, 15) == snapshots[6:]


def test_another_dose_is_a_conflict() -> None:
    """B4: unexplained it is asked about; a stated change is an update; a question claims nothing."""
    assert found_in(heard("my warfarin is 5 mg")) == ("warfarin 3 mg / 5 mg",)
    assert found_in(heard("my warfarin is 3 mg")) == ()
    assert found_in(heard("the doctor changed warfarin to 5 mg")) == ()
    assert found_in(heard("is warfarin 5 mg too much", question=True)) == ()
    assert found_in(heard("warfarin costs 5 euros")) == ()


def test_correcting_what_was_asked_about_is_a_conflict() -> None:
    """B4: the same entity under "clarify" and "correct an error"."""
    asked = take_snapshot(
        heard("what is warfarin", intent=Intent.CLARIFY), (), 1, (), "t"
    )
    wrong = heard("no, warfarin is wrong", intent=Intent.CORRECT)
    assert conflicts(wrong, (), {}, (asked,), PACK) == ("warfarin",)
    assert conflicts(wrong, (), {}, (), PACK) == ()
    assert (
        conflicts(replace(wrong, intent=Intent.GENERAL), (), {}, (asked,), PACK) == ()
    )
