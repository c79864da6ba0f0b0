"""What is known of who stands where: voices that were recognised, names that were stated.

In RAM only, and short-lived: a recognised voice expires, a stated name ends with its talk.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

MAX_STATED = 256
"""Talks whose stated name is kept; the oldest goes first."""

type Place = tuple[str, str | None]
"""A conversation's id and the satellite, None where one types."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """A voice that a recogniser has heard."""

    speaker: str | None
    """None: it is nobody's that we know."""
    expires: datetime


class Presence:
    """Who was recognised or named, by place; and how often each rung decided."""

    def __init__(self) -> None:
        """Start with nobody known anywhere."""
        self.rungs: Counter[str] = Counter()
        """How many turns each rung of the ladder has decided: codes, no words."""
        self._voices: dict[str, Voice] = {}
        self._stated: dict[Place, str | None] = {}

    def hear_voice(self, where: str, voice: Voice | None) -> None:
        """Note whose voice was heard at a satellite or device; None: that is not clear."""
        self._voices.pop(where, None)
        if voice is not None:
            self._voices[where] = voice

    def voice(self, places: Iterable[str | None], now: datetime) -> Voice | None:
        """Return whose voice was heard at the first of the places that has one."""
        for where in places:
            if where is None or (voice := self._voices.get(where)) is None:
                continue
            if now < voice.expires:
                return voice
            del self._voices[where]
        return None

    def state_name(self, place: Place, speaker: str | None) -> None:
        """Note that somebody gave a name; None: it is that of no speaker."""
        self._stated.pop(place, None)
        self._stated[place] = speaker
        while len(self._stated) > MAX_STATED:
            del self._stated[next(iter(self._stated))]

    def is_stated(self, place: Place) -> bool:
        """Tell whether somebody gave a name there."""
        return place in self._stated

    def stated(self, place: Place) -> str | None:
        """Return who gave a name there, if that is a speaker's."""
        return self._stated.get(place)

    def end_conversation(self, conversation_id: str) -> None:
        """Let go of the names that were stated in a talk."""
        for place in [p for p in self._stated if p[0] == conversation_id]:
            del self._stated[place]

    def forget_speaker(self, speaker: str) -> None:
        """Let go of a speaker who is gone: whoever stands there is nobody known."""
        self._stated = {p: s for p, s in self._stated.items() if s != speaker}
        self._voices = {w: v for w, v in self._voices.items() if v.speaker != speaker}
