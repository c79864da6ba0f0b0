"""A new reminder: set where its time is clear, else asked back for what is missing (DESIGN section 5)."""

from .models import (
    CommandKind,
    PendingItem,
    QuestionKind,
    Reading,
    ReminderSet,
    TimeKind,
    TimeReading,
    Unclear,
)
from .outcome import Outcome, View, asked
from .pending import same, timed


def timed_or_asked(
    text: str, time: TimeReading, reading: Reading, view: View
) -> Outcome:
    """Propose a reminder at a time, or ask back what the time leaves open (DESIGN section 5)."""
    kind, code = _what_to_ask(time)
    if kind is None:
        return set_reminder(text, time, reading, view)
    waiting = (view.new_id(),)
    question = asked(
        view,
        reading,
        kind,
        CommandKind.REMIND,
        text=text,
        candidates=waiting,
        time=time,
    )
    return Outcome(code=code, question=question, text=text)


def _what_to_ask(time: TimeReading) -> tuple[QuestionKind | None, str]:
    if (
        time.due is not None
        and time.unclear is None
        and time.kind is not TimeKind.DURATION
    ):
        return None, ""
    match time.unclear:
        case Unclear.DAY:
            return QuestionKind.DAY, "ask_day"
        case Unclear.HALF:
            return QuestionKind.HALF, "ask_half"
        case Unclear.PAST:
            return QuestionKind.TIME, "ask_past"
        case Unclear.WHICH:
            return QuestionKind.WHICH, "ask_which_time"
        case _:
            return QuestionKind.TIME, "ask_time"


def set_reminder(
    text: str,
    time: TimeReading,
    reading: Reading,
    view: View,
    *,
    id_: str | None = None,
) -> Outcome:
    """Propose the reminder; the same one said twice stays one."""
    blank = PendingItem(
        id=id_ or view.new_id(),
        owner=view.keeper,
        text=text,
        created=view.now,
        language=reading.utterance.language,
        satellite=reading.utterance.satellite,
    )
    item = timed(blank, time)
    if twin := next((old for old in view.items if same(old, item)), None):
        return Outcome(code="set_same", items=(twin,), dropped=True)
    return Outcome(
        code="set", changes=(ReminderSet(item=item),), items=(item,), dropped=True
    )
