"""A new reminder: set where its time is clear, else asked back for what is missing (DESIGN section 5)."""

from .changes import QuestionKind, ReminderSet
from .kept import PendingItem
from .models import CommandKind, Reading, TimeKind, TimeReading, Unclear
from .outcome import Outcome, View, asked
from .pending import same, timed

_QUESTIONS: dict[Unclear | None, tuple[QuestionKind, str]] = {
    Unclear.DAY: (QuestionKind.DAY, "ask_day"),
    Unclear.HALF: (QuestionKind.HALF, "ask_half"),
    Unclear.PAST: (QuestionKind.TIME, "ask_past"),
    Unclear.WHICH: (QuestionKind.WHICH, "ask_which_time"),
}


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
    usable = time.due is not None and time.kind is not TimeKind.DURATION
    if usable and time.unclear is None:
        return None, ""
    if time.unclear is Unclear.DAY and _is_refused(time):
        return QuestionKind.DAY, "ask_unsupported"
    return _QUESTIONS.get(time.unclear, (QuestionKind.TIME, "ask_time"))


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


def _is_refused(time: TimeReading) -> bool:
    """Tell whether a date or repetition was named that is not supported, as lunar ones are."""
    day, every = getattr(time.said, "day", None), getattr(time.said, "every", ())
    return any(getattr(one, "refused", None) for one in (day, *every))
