"""What is kept of a turn instead of its text, and where turns contradict each other (B3, B4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

import regex

from .distill import unit_of
from .kept import TrackedEntity
from .language import LanguagePack
from .models import EntityKind, Intent, Reading, Reference
from .text import fold_in

MAX_PREVIEW = 50
MAX_NAMES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticSnapshot:
    """The gist of one turn, at most some 300 bytes."""

    round: int
    time: datetime
    entities: tuple[str, ...]
    intent: Intent
    attitude: float
    preview: str
    """At most MAX_PREVIEW characters of what was said."""
    stated: bool = True
    """Not a question, a request or a supposition: the preview may be told as said by the person."""
    conflicts: tuple[str, ...] = ()
    source_ref: str = ""


def take_snapshot(
    reading: Reading,
    references: Sequence[Reference],
    round_: int,
    conflicts: tuple[str, ...],
    source_ref: str,
) -> SemanticSnapshot:
    """Return the snapshot of a turn."""
    names = dict.fromkeys(
        [*(one.entity for one in references), *(one.name for one in reading.mentions)]
    )
    return SemanticSnapshot(
        round=round_,
        time=reading.utterance.now,
        entities=tuple(names)[:MAX_NAMES],
        intent=reading.intent,
        attitude=reading.attitude.value,
        preview=_preview(reading.text),
        stated=not (reading.question or reading.hypothetical or reading.commands),
        conflicts=conflicts[:2],
        source_ref=source_ref,
    )


def prune(
    snapshots: tuple[SemanticSnapshot, ...], most: int, kept: int
) -> tuple[SemanticSnapshot, ...]:
    """Return the newest snapshots: `kept` of them once there are more than `most`."""
    return snapshots if len(snapshots) <= most else snapshots[-kept:]


@cache
def _changes(pack: LanguagePack) -> tuple[regex.Pattern[str], ...]:
    """Return how people say that something has changed."""
    texts = pack.file("context").texts("changes")
    return tuple(regex.compile(text, regex.VERSION1) for text in texts)


def conflicts(
    reading: Reading,
    references: Sequence[Reference],
    entities: Mapping[str, TrackedEntity],
    snapshots: Sequence[SemanticSnapshot],
    pack: LanguagePack,
) -> tuple[str, ...]:
    """Return what a sentence contradicts, as short texts; a stated change is an update and no conflict."""
    names = dict.fromkeys(
        [*(one.entity for one in references), *(one.name for one in reading.mentions)]
    )
    found = [] if reading.question else _doses(reading, names, entities)
    found += _intents(reading, names, snapshots)
    folded = fold_in(reading.text, pack)
    if not found or any(pattern.search(folded) for pattern in _changes(pack)):
        return ()
    return tuple(found)


def _doses(
    reading: Reading, names: Mapping[str, None], entities: Mapping[str, TrackedEntity]
) -> list[str]:
    """Return medicines whose dose is given otherwise than before."""
    said = [
        m.name
        for m in reading.mentions
        if m.kind is EntityKind.NUMBER and unit_of(m.name)
    ]
    found = []
    for name in names:
        entity = entities.get(name)
        if entity is None or entity.kind is not EntityKind.MEDICINE:
            continue
        for dose in said:
            others = [one for one in entity.attributes if unit_of(one) == unit_of(dose)]
            if others and dose not in others:
                found.append(f"{name} {others[-1]} / {dose}")
    return found


def _intents(
    reading: Reading, names: Mapping[str, None], snapshots: Sequence[SemanticSnapshot]
) -> list[str]:
    """Return entities that are corrected now and were asked about before, or the other way round."""
    other = {Intent.CORRECT: Intent.CLARIFY, Intent.CLARIFY: Intent.CORRECT}.get(
        reading.intent
    )
    if other is None:
        return []
    earlier = {
        name
        for snapshot in snapshots
        if snapshot.intent is other
        for name in snapshot.entities
    }
    return [name for name in names if name in earlier][:1]


def _preview(text: str) -> str:
    return text if len(text) <= MAX_PREVIEW else text[: MAX_PREVIEW - 1] + "…"
