"""Working memories: in RAM only, one for each speaker, one for each talk of nobody known.

What ends a memory is an option of the speaker (DESIGN section 2): the session, an idle
hour, the night, or nothing. A memory whose lock is held is in a turn and never ends.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta

from .const import LASTS_HOUR, LASTS_NIGHT, LASTS_SESSION
from .engine import HOUSEHOLD, ForgetScope, Forgotten, MemoryManager, is_after, since

MAX_CONVERSATIONS = 64
"""How many talks of nobody known are kept; the longest unused goes first."""
NIGHT = time(4)
"""When a memory that lasts until the night ends, local time."""
_HOUR = timedelta(hours=1)

type Key = tuple[str | None, str, str]
"""A speaker's id; or None, the conversation's id and the agent's.

Who is known by a stated name alone has a memory for the talk: all three."""


@dataclass(slots=True)
class _Mind:
    memory: MemoryManager
    used: datetime
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    conversations: set[str] = field(default_factory=set)


class Memories:
    """All working memories of the household."""

    def __init__(self, new_memory: Callable[[Key], MemoryManager]) -> None:
        """Take a maker of empty memories."""
        self._new_memory = new_memory
        self._minds: dict[Key, _Mind] = {}

    def __len__(self) -> int:
        return len(self._minds)

    def of(self, key: Key, conversation_id: str, now: datetime) -> MemoryManager:
        """Return the memory for a turn, a new one if there is none."""
        return self._mind(key, conversation_id, now).memory

    def lock(self, key: Key, conversation_id: str, now: datetime) -> asyncio.Lock:
        """Return the lock that a turn holds while it uses the memory."""
        return self._mind(key, conversation_id, now).lock

    def peek(self, speaker: str) -> MemoryManager | None:
        """Return a speaker's memory if there is one."""
        mind = self._minds.get((speaker, "", ""))
        return mind.memory if mind else None

    def all(self) -> Iterable[MemoryManager]:
        """Return every memory, whoever's."""
        return [mind.memory for mind in self._minds.values()]

    def end_conversation(
        self, conversation_id: str, lasts: Callable[[str], str]
    ) -> set[str]:
        """Drop what ends with a conversation; return the speakers it was dropped of."""
        for key in [key for key in self._minds if key[1] == conversation_id]:
            del self._minds[key]
        for mind in self._minds.values():
            mind.conversations.discard(conversation_id)
        return self._drop(
            speaker
            for (speaker, talk, _), mind in self._minds.items()
            if speaker
            and not talk
            and not mind.conversations
            and not mind.lock.locked()
            and lasts(speaker) == LASTS_SESSION
        )

    def forget_idle(self, now: datetime, lasts: Callable[[str], str]) -> set[str]:
        """Drop what has lasted long enough; return the speakers it was dropped of."""
        return self._drop(
            speaker
            for (speaker, talk, _), mind in self._minds.items()
            if speaker
            and not talk
            and not mind.lock.locked()
            and _is_over(lasts(speaker), mind.used, now)
        )

    def forget(self, owner: str, forgotten: Forgotten) -> Mapping[str, int]:
        """Forget in the owner's memory, or in those of nobody known; return counts.

        Ids may also be of what is remembered for everyone: that is a memory of its own.
        """
        counts: dict[str, int] = {}
        for (speaker, *_), mind in self._minds.items():
            shared = speaker == HOUSEHOLD and forgotten.scope is not ForgetScope.ALL
            if (speaker or HOUSEHOLD) != owner and not shared:
                continue
            for kind, count in mind.memory.forget(forgotten).items():
                counts[kind] = counts.get(kind, 0) + count
        return counts

    def hand_over(self, speaker: str, to: str, now: datetime) -> None:
        """Let another speaker's memory take in a speaker's, which is then gone."""
        if (memory := self.peek(speaker)) is not None:
            self.of((to, "", ""), "", now).absorb(memory)
        self.drop(speaker)

    def drop(self, speaker: str) -> None:
        """Drop a speaker's memories: the speaker is gone."""
        for key in [key for key in self._minds if key[0] == speaker]:
            del self._minds[key]

    def _drop(self, speakers: Iterable[str]) -> set[str]:
        dropped = set(speakers)
        for speaker in dropped:
            del self._minds[speaker, "", ""]
        return dropped

    def _mind(self, key: Key, conversation_id: str, now: datetime) -> _Mind:
        mind = self._minds.pop(key, None) or _Mind(self._new_memory(key), now)
        self._minds[key] = mind  # the newest comes last
        mind.used = now
        mind.conversations.add(conversation_id)
        while len(mind.conversations) > MAX_CONVERSATIONS:
            mind.conversations.pop()
        self._keep_bounds()
        return mind

    def _keep_bounds(self) -> None:
        strangers = [key for key in self._minds if key[1]]
        for key in strangers[: max(0, len(strangers) - MAX_CONVERSATIONS)]:
            if not self._minds[key].lock.locked():
                del self._minds[key]


def _is_over(lasts: str, used: datetime, now: datetime) -> bool:
    if lasts == LASTS_HOUR:
        return since(used, now) >= _HOUR
    if lasts == LASTS_NIGHT:
        return not is_after(_next_night(used), now)
    return False


def _next_night(used: datetime) -> datetime:
    night = datetime.combine(used.date(), NIGHT, used.tzinfo)
    return night if is_after(night, used) else night + timedelta(days=1)
