"""What a sentence changes, what is asked back, and what code says. All frozen, nothing done yet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from .kept import Fact, PendingItem
from .models import CommandKind, TimeReading


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderSet:
    """A reminder was asked for."""

    item: PendingItem


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderMoved:
    """A reminder was given another time or text, in place."""

    item: PendingItem
    before: PendingItem


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderCancelled:
    """A reminder was called off."""

    item: PendingItem


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderDone:
    """What the reminder was for has been done; a series goes on with its next occurrence in `item`."""

    item: PendingItem
    before: PendingItem


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderSnoozed:
    """A reminder that was said is to be said again at `item.due`."""

    item: PendingItem
    before: PendingItem


@dataclass(frozen=True, slots=True, kw_only=True)
class FactStated:
    """A fact was stated."""

    fact: Fact
    shared: bool = False
    """It is for everyone of the household."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactReplaced:
    """A fact took the place of an older one with the same subject."""

    fact: Fact
    before: Fact
    shared: bool = False
    """Both are for everyone of the household."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakerMet:
    """Somebody asked to be known from now on."""

    name: str


class ForgetScope(StrEnum):
    """How far a request to forget reaches."""

    LAST = "last"
    ABOUT = "about"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """Things are to be forgotten, everywhere where they are kept."""

    scope: ForgetScope
    about: str = ""
    """The person's words for it, for scope ABOUT."""
    ids: tuple[str, ...] = ()
    """Facts, reminders and turns (source_ref) that are covered; for ALL whatever the owner has."""
    entities: tuple[str, ...] = ()
    """Names that leave the entity map."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many of each kind are gone: known only once it is committed."""


type ReminderChange = (
    ReminderSet | ReminderMoved | ReminderCancelled | ReminderDone | ReminderSnoozed
)
type Change = ReminderChange | FactStated | FactReplaced | Forgotten | SpeakerMet


# --- what is asked and said --------------------------------------------------------------------


class QuestionKind(StrEnum):
    """What an open question asks for (DESIGN section 6)."""

    TIME = "time"
    DAY = "day"
    HALF = "half"
    WHICH = "which"
    CONFIRM = "confirm"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """A question that code has asked and that the next sentence may answer (DESIGN section 5)."""

    kind: QuestionKind
    owner: str
    satellite: str | None
    asked: datetime
    expires: datetime
    command: CommandKind
    """What goes on when the answer comes."""
    text: str = ""
    """The object of that command."""
    candidates: tuple[str, ...] = ()
    """Ids that WHICH chooses between, or that CONFIRM covers."""
    time: TimeReading | None = None
    """What is known of the time, when the rest of it is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What code itself says."""

    text: str
    question: QuestionKind | None = None
    """What is being asked back; the microphone stays open then."""
