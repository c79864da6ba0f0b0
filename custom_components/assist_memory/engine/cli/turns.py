"""`turns`: whole turns, with a memory for each speaker kept over the lines."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from typing import Any

from ..answers import answer
from ..changes import (
    Answer,
    Change,
    FactReplaced,
    FactStated,
    ForgetScope,
    Forgotten,
    ReminderCancelled,
    ReminderDone,
    ReminderMoved,
    ReminderSet,
    ReminderSnoozed,
    SpeakerMet,
)
from ..kept import Fact, PendingItem, Status
from ..language import pack_of
from ..manager import MemoryManager
from ..models import Home, Reading
from ..pending import announced, elapsed, is_open, is_said
from ..reading import reread
from .lines import LineError, Row, home_of, optional_text, utterance_of

_KINDS: dict[type, str] = {
    ReminderSet: "reminder_set",
    ReminderMoved: "reminder_moved",
    ReminderCancelled: "reminder_cancelled",
    ReminderDone: "reminder_done",
    ReminderSnoozed: "reminder_snoozed",
    FactStated: "fact_stated",
    SpeakerMet: "speaker_met",
    FactReplaced: "fact_replaced",
    Forgotten: "forgotten",
}


def _counted() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"i{next(numbers)}"


@dataclass(slots=True)
class Session:
    """All memories of one run, and the household's reminders, which those of nobody known share."""

    home: Home = field(default_factory=Home)
    memories: dict[tuple[str | None, str], MemoryManager] = field(default_factory=dict)
    household: tuple[PendingItem, ...] = ()
    shared: tuple[Fact, ...] = ()
    """What is remembered for everyone."""
    ids: Callable[[], str] = field(default_factory=_counted)

    def turn(self, row: Row) -> dict[str, Any]:
        """Take one line and return what came of it. Raises LineError."""
        utterance = utterance_of(row)
        speaker = optional_text(row, "speaker")
        if row.get("home") is not None:
            self.home = home_of(row["home"])
        memory = self._memory(speaker, optional_text(row, "conversation") or "")
        memory.replace_shared(self.shared)
        self._pass_time(memory, utterance.now, _announced(row))
        pack = pack_of(utterance.language)
        reading = reread(memory.filter_input(utterance, self.home), pack)
        committed = memory.update_state(reading)
        said = answer(reading, committed, memory)
        self._share(memory)
        result = _result(reading, memory, committed, said)
        if reply := optional_text(row, "reply"):
            memory.note_reply(reply, utterance.now)
        return result

    def _memory(self, speaker: str | None, conversation: str) -> MemoryManager:
        key = (speaker, "" if speaker else conversation)
        if key not in self.memories:
            self.memories[key] = MemoryManager(owner=speaker, new_id=self.ids)
        return self.memories[key]

    def _pass_time(
        self, memory: MemoryManager, now: datetime, said: frozenset[str]
    ) -> None:
        """Bring the reminders to now: what fell due since the last line counts as announced."""
        items = self.household if memory.owner is None else memory.pending_items
        told = (
            _told(item, now) if item.id in said else item
            for item in elapsed(items, now)
        )
        memory.replace_pending([item for item in told if is_open(item, now)])

    def _share(self, memory: MemoryManager) -> None:
        self.shared = memory.shared_facts
        if memory.owner is None:
            self.household = memory.pending_items


def _told(item: PendingItem, now: datetime) -> PendingItem:
    """Return a reminder that was said aloud just now; one occurrence is announced once, however often it is said."""
    return replace(item, announced_at=now) if is_said(item) else announced(item, now)


def _announced(row: Row) -> frozenset[str]:
    ids = row.get("announced") or []
    if not isinstance(ids, list) or not all(isinstance(id_, str) for id_ in ids):
        raise LineError("bad_announced")
    return frozenset(ids)


def _result(
    reading: Reading,
    memory: MemoryManager,
    committed: tuple[Change, ...],
    said: Answer | None,
) -> dict[str, Any]:
    zone = reading.utterance.now.tzinfo
    took = [command for command in reading.commands if command.sure or memory.outcome]
    return {
        "commands": [command.kind.value for command in took],
        "entities": [
            {"name": one.name, "kind": one.kind.value} for one in reading.mentions
        ],
        "attitude": round(reading.attitude.value, 3),
        "intent": reading.intent.value,
        "references": [
            {"mention": one.mention, "entity": one.entity}
            for one in memory.last_references
        ],
        "conflicts": list(memory.last_conflicts),
        "changes": [_change(change, zone) for change in committed],
        "answer": said.text if said else None,
        "question": said.question.value if said and said.question else None,
        "pending": [_item(item, zone) for item in _open(memory)],
        "topic_chain": [topic.text for topic in memory.topic_chain],
        "entity_map": {
            name: [
                {
                    "context": shot.context,
                    "time": shot.time.isoformat(),
                    "attitude": round(shot.attitude, 3),
                    "action": shot.action,
                }
                for shot in entity.snapshots
            ]
            for name, entity in memory.entity_map.items()
        },
        "weights": {name: round(weight, 4) for name, weight in memory.weights.items()},
        "context": memory.generate_context_prompt(reading.utterance.now),
    }


def _open(memory: MemoryManager) -> tuple[PendingItem, ...]:
    waiting = memory.waiting
    return (*memory.pending_items, *((waiting,) if waiting else ()))


def _item(item: PendingItem, zone: Any) -> dict[str, Any]:
    return {
        "id": item.id,
        "text": item.text,
        "due": _iso(item.due, zone),
        "rule": item.rule,
        "condition": item.condition,
        "status": _status(item),
    }


def _status(item: PendingItem) -> str:
    if is_said(item):
        return "triggered"
    return "snoozed" if item.status is Status.SNOOZED else "pending"


def _change(change: Change, zone: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "kind": _KINDS[type(change)],
        "id": None,
        "text": "",
        "due": None,
        "rule": None,
    }
    match change:
        case FactStated(fact=fact) | FactReplaced(fact=fact):
            return {**row, "id": fact.id, "text": fact.text}
        case SpeakerMet(name=name):
            return {**row, "text": name}
        case Forgotten(scope=scope, about=about):
            shown = about if scope is ForgetScope.ABOUT else ""
            return {
                **row,
                "text": shown,
                "scope": scope.value,
                "counts": dict(change.counts),
            }
        case _:
            item = change.item
            return {
                **row,
                "id": item.id,
                "text": item.text,
                "due": _iso(item.due, zone),
                "rule": item.rule,
            }


def _iso(when: datetime | None, zone: Any) -> str | None:
    return when.astimezone(zone).isoformat() if when is not None else None
