"""What code itself answers: composed only of what was really committed, asked or found (X1, X4)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from .changes import Answer, Change, FactReplaced, FactStated, Forgotten, SpeakerMet
from .kept import PendingItem
from .language import LanguagePack, pack_of
from .models import Reading
from .outcome import Outcome
from .pending import next_due
from .speech import Speaker

if TYPE_CHECKING:
    from .manager import MemoryManager

_MONTH_END = ("BYMONTHDAY=28,29,30,31;BYSETPOS=-1", "SKIP=BACKWARD", "BYSETPOS=-1")
_MOST_FACTS = 5
_NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)
"""For sentences that name no time."""


def answer(
    reading: Reading,
    committed: Sequence[Change],
    memory: MemoryManager,
    *,
    failed: bool = False,
) -> Answer | None:
    """Return what code says to a sentence; None: the model talks.

    `committed`: the changes that were stored; `failed`: they could not be stored.
    """
    outcome = memory.outcome
    if outcome is None:
        return None
    utterance = reading.utterance
    speaker = Speaker(pack_of(utterance.language), utterance.language, utterance.now)
    if failed or (outcome.changes and not committed):
        return Answer(text=speaker.say("store_failed"))
    text = _sentence(outcome, committed, speaker, memory)
    return Answer(
        text=_capital(text),
        question=outcome.question.kind if outcome.question else None,
    )


def announcement(
    item: PendingItem,
    now: datetime,
    pack: LanguagePack,
    *,
    late: timedelta | None = None,
    repeat: bool = False,
) -> str:
    """Return what is said when a reminder falls due, in the item's language; its words as they were given."""
    speaker = Speaker(pack, item.language, now)
    text = speaker.words(item.text)
    due = item.last_due or item.due
    if repeat:
        return speaker.say("announcement_repeat", text=text)
    if late is not None and due is not None:
        return speaker.say("announcement_late", text=text, when=speaker.time(due))
    return speaker.say("announcement", text=text)


def model_unreachable(
    memory: MemoryManager,
    pack: LanguagePack,
    now: datetime | None = None,
    code: str = "unreachable",
) -> str:
    """Return one honest sentence: no model answers, and why (a code of `trouble`), with what is known and pending."""
    moment = now or memory.now
    if moment is None:
        return trouble(code, pack)
    speaker = Speaker(pack, memory.language or pack.code, moment)
    sentence = speaker.trouble(code)
    known = ""
    # The sentence that could not be answered has made its topic itself: that is nothing known.
    if before := [one for one in memory.topic_chain if one.last_round < memory.rounds]:
        newest = max(before, key=lambda topic: topic.last_round)
        known += speaker.say("known_topic", text=speaker.words(newest.text))
    following = next_due(memory.pending_items)
    if following is not None:
        known += speaker.say("known_pending", item=speaker.listed([following]))
    return sentence[:-1] + known + sentence[-1]


def store_failed(pack: LanguagePack) -> str:
    """Return the sentence for what could not be stored."""
    return trouble("store", pack)


def trouble(code: str, pack: LanguagePack, tag: str = "") -> str:
    """Return the sentence for what keeps the model from answering, by its code; unknown codes have one, too."""
    return Speaker(pack, tag, _NO_TIME).trouble(code)


def _sentence(
    outcome: Outcome,
    committed: Sequence[Change],
    speaker: Speaker,
    memory: MemoryManager,
) -> str:
    """Return the sentence of an outcome; of a change it tells the committed value."""
    forgotten = [change for change in committed if isinstance(change, Forgotten)]
    if forgotten:
        return _forgotten(outcome, forgotten[0], speaker)
    facts = [
        change for change in committed if isinstance(change, FactStated | FactReplaced)
    ]
    if facts:
        return _remembered(facts[0], speaker, memory)
    items = _committed_items(committed) or outcome.items
    if outcome.code == "set" and items:
        return _set(items[0], speaker)
    return _told(outcome, items, speaker)


def _committed_items(committed: Sequence[Change]) -> tuple[PendingItem, ...]:
    kinds = (FactStated, FactReplaced, Forgotten, SpeakerMet)
    return tuple(change.item for change in committed if not isinstance(change, kinds))


def _set(item: PendingItem, speaker: Speaker) -> str:
    text = speaker.words(item.text)
    if item.due is None:
        return speaker.say("set_untimed", text=text)
    if not item.rule:
        return speaker.say("set", text=text, when=speaker.when(item))
    said = speaker.say(
        "set_series", text=text, when=speaker.when(item), first=speaker.next_time(item)
    )
    if any(part in item.rule for part in _MONTH_END) and item.due.day > 28:
        said = f"{said}{_gap(speaker)}{speaker.say('short_month')}"
    return said


def _told(outcome: Outcome, items: Sequence[PendingItem], speaker: Speaker) -> str:
    first = items[0] if items else None
    by_rule = outcome.code in {"cancelled", "set_same", "moved"}
    when = (
        (speaker.when(first) if by_rule else speaker.next_time(first)) if first else ""
    )
    facts = [speaker.words(fact.text) for fact in outcome.facts[:_MOST_FACTS]]
    words = {
        "text": speaker.words(first.text)
        if first and not outcome.text
        else speaker.words(outcome.text),
        "when": when,
        "items": speaker.listed(items),
        "facts": speaker.spoken(speaker.say("fact_joiner")).join(facts),
    }
    if outcome.code in {"was_done", "remember_same"}:
        words |= {"text": facts[0], "when": speaker.time(outcome.facts[0].time)}
    code = outcome.code
    if code == "cancelled" and not when:
        code = "cancelled_all"
    return speaker.say(code, count=outcome.count or len(items), **words)


def _remembered(
    change: FactStated | FactReplaced, speaker: Speaker, memory: MemoryManager
) -> str:
    until = speaker.say(f"until_{'restart' if change.shared else memory.lasts}")
    text = speaker.words(change.fact.text)
    if change.shared:
        return speaker.say("remembered_for_all", text=text, until=until)
    if isinstance(change, FactReplaced):
        return speaker.say(
            "replaced", text=text, until=until, before=speaker.words(change.before.text)
        )
    return speaker.say("remembered", text=text, until=until)


def _forgotten(outcome: Outcome, change: Forgotten, speaker: Speaker) -> str:
    said = speaker.say(outcome.code, text=outcome.text, count=outcome.count)
    counts = [
        speaker.say(f"count_{kind}", count=change.counts[kind])
        for kind in ("facts", "reminders")
        if change.counts.get(kind)
    ]
    if not counts:
        return said
    gone = speaker.say("forgot_counts", counts=speaker.say("count_joiner").join(counts))
    return f"{said}{_gap(speaker)}{gone}"


def _gap(speaker: Speaker) -> str:
    return speaker.say("gap")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
