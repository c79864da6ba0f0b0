"""Values that travel between the rooms of the engine: what was said, what was found, what is kept, what changed.

All values are frozen. Every datetime is aware. Spans index into `Reading.text`, the normalised text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

HOUSEHOLD = "household"
"""The owner of what belongs to everyone, and of reminders that somebody unknown has set."""

# --- what was said -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """What a person said, and when."""

    text: str
    language: str
    """Any BCP 47 tag, also with an underscore."""
    now: datetime
    """Aware; its zone (a ZoneInfo) is the speaker's."""
    satellite: str | None = None
    """The id of the satellite that heard it, None when it was typed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeEntity:
    """A thing of the home that can be named."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    area: str | None = None
    """Id of an area."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeArea:
    """A room or floor."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePerson:
    """Somebody of the household."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """The names that this home knows."""

    entities: tuple[HomeEntity, ...] = ()
    areas: tuple[HomeArea, ...] = ()
    persons: tuple[HomePerson, ...] = ()


# --- what was found ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of characters of `Reading.text`."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the words of the span."""
        return text[self.start : self.end]

    def overlaps(self, other: Span) -> bool:
        """Tell whether the two share a character."""
        return self.start < other.end and other.start < self.end


class EntityKind(StrEnum):
    """What kind of thing an anchor names (A2)."""

    PERSON = "person"
    PET = "pet"
    PLACE = "place"
    ORGANISATION = "organisation"
    DATE = "date"
    NUMBER = "number"
    MEDICINE = "medicine"
    SYMPTOM = "symptom"
    CONDITION = "condition"
    DEVICE = "device"
    AREA = "area"
    WORK = "work"
    FORMULA = "formula"
    FOOD = "food"
    EVENT = "event"
    """An appointment, a meeting, an examination."""
    ABBREVIATION = "abbreviation"
    THING = "thing"
    """A named or quoted thing of no other kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An entity as one sentence names it."""

    name: str
    """The canonical name: brand, slip and alias forms are folded into it (A18)."""
    kind: EntityKind
    span: Span
    ref: str | None = None
    """The home's own id for it, if the home knows it."""
    role: str = ""
    """The word for kin, work or animal that stands beside a name ("my sister Anna": sister)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attitude:
    """How the speaker feels about what is said, -1 to 1; below -0.3 negative, above 0.3 positive."""

    value: float = 0.0
    reason: str = ""
    """The words that decided."""


class Intent(StrEnum):
    """What a sentence is for (B3)."""

    CLARIFY = "clarify"
    STEPS = "steps"
    CORRECT = "correct"
    CONFIRM = "confirm"
    GENERAL = "general"


class CommandKind(StrEnum):
    """What code itself does for a person, without the model (X1)."""

    REMIND = "remind"
    LIST = "list"
    CANCEL = "cancel"
    MOVE = "move"
    SNOOZE = "snooze"
    DONE = "done"
    SKIP = "skip"
    REMEMBER = "remember"
    RECALL = "recall"
    FORGET_LAST = "forget_last"
    FORGET_ABOUT = "forget_about"
    FORGET_ALL = "forget_all"
    BACK = "back"
    NEVER_MIND = "never_mind"
    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command that a sentence gives; negated, hypothetical and reported ones are none."""

    kind: CommandKind
    span: Span
    """The trigger words, to be cut from the text."""
    object: str = ""
    """What it is about, without trigger and time words: the reminder's text, the fact, the thing to forget."""
    sure: bool = True
    """False: it counts only if what it names exists; else the sentence is ordinary talk."""
    everything: bool = False
    """It is about all there is ("all my reminders"), not about one thing."""
    keep: str | None = None
    """What is excepted from `everything`; an empty text: the sentence was cut off after "except"."""
    untimed: bool = False
    """The person wants no time for it."""
    when: str = ""
    """The words for a new time where they are no time by themselves ("make it seven")."""
    target: Span | None = None
    """Where `object` stands, with the time words in it ("my one o'clock reminder")."""


class TimeKind(StrEnum):
    """What kind of time a sentence names (DESIGN section 6)."""

    INSTANT = "instant"
    DATE = "date"
    INTERVAL = "interval"
    DURATION = "duration"
    RECURRENCE = "recurrence"
    NONE = "none"


class Unclear(StrEnum):
    """What must be asked back (DESIGN section 5)."""

    TIME = "time"
    DAY = "day"
    PAST = "past"
    HALF = "half"
    WHICH = "which"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeReading:
    """All time words of a sentence, resolved together against the moment it was said (A10)."""

    kind: TimeKind = TimeKind.NONE
    due: datetime | None = None
    """Instant, first occurrence, start of an interval, or the day's morning moment for a date. Aware, speaker's zone."""
    end: datetime | None = None
    """End of an interval."""
    duration: timedelta | None = None
    rule: str | None = None
    """A bare RRULE value (RFC 5545, RFC 7529) that gives the series when `due` is DTSTART."""
    spans: tuple[Span, ...] = ()
    """Exactly the time words, in order; the rest of the sentence survives."""
    unclear: Unclear | None = None
    """Why `due` is None although time words were found; PAST comes with a `due` where the words themselves are of the
    past ("yesterday"): good for a fact, never for a reminder."""
    lead: timedelta | None = None
    """How long before an event `due` lies, when the person said so ("15 minutes before")."""
    said: object = field(default=None, repr=False, compare=False)
    """What was named, for `times.merge_answer` alone; never stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one sentence says, each finding with its span (layer 1, A2)."""

    utterance: Utterance
    text: str
    """The normalised text that all spans index into; bounded."""
    commands: tuple[Command, ...] = ()
    mentions: tuple[Mention, ...] = ()
    attitude: Attitude = field(default_factory=Attitude)
    intent: Intent = Intent.GENERAL
    time: TimeReading = field(default_factory=TimeReading)
    stated_name: str | None = None
    """The name from "this is <name>", if any."""
    question: bool = False
    """The sentence asks; nothing in it is stated."""
    hypothetical: bool = False
    """The sentence supposes, jokes or reports; nothing in it is stated."""


# --- what is kept ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitySnapshot:
    """How an entity was spoken of once (A4)."""

    context: str
    """15 characters on either side of the mention."""
    time: datetime
    attitude: float
    action: str = ""
    """The related action, as verb and object, or empty."""
    source_ref: str = ""
    """The id of the turn it is from."""
    attributes: tuple[str, ...] = ()
    """What this turn said to be true of it; with the turn it is forgotten."""
    reason: str = ""
    """The words that decided the attitude."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedEntity:
    """An entity that memory holds, with its last three snapshots, oldest first (A4)."""

    name: str
    kind: EntityKind
    snapshots: tuple[EntitySnapshot, ...]
    first_round: int
    last_round: int
    """The round of its last mention; its weight is rate ** (round - last_round) (A7)."""
    attributes: tuple[str, ...] = ()
    """What was said to be true of it ("blue", "twice a day"), newest last (A5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A thread of the talk (A3)."""

    text: str
    keywords: frozenset[str]
    last_round: int
    rounds: int = 1
    """In how many rounds it was spoken of: a side topic does not push out a main one."""
    source_ref: str = ""
    """The id of the turn that opened it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something the person asked to be remembered, or stated of themselves."""

    id: str
    text: str
    """As stated, with relative times made absolute."""
    time: datetime
    """When it was stated."""
    keywords: frozenset[str] = frozenset()
    subject: str = ""
    """What it is about, folded ("my parking space"); a later fact of the same subject replaces it."""
    source_ref: str = ""


class Status(StrEnum):
    """Where an occurrence of a reminder stands (DESIGN section 4)."""

    PENDING = "pending"
    ANNOUNCING = "announcing"
    ANNOUNCED = "announced"
    ACKNOWLEDGED = "acknowledged"
    SNOOZED = "snoozed"
    MISSED = "missed"
    CANCELLED = "cancelled"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingItem:
    """Something a person asked to be done or to be reminded of (A6); "reminder" in everything a person sees."""

    id: str
    owner: str
    """A speaker's id, or HOUSEHOLD."""
    text: str
    """Without time and command words; one line, bounded."""
    created: datetime
    due: datetime | None = None
    """The next occurrence, aware; None while it waits for a time or for a condition."""
    rule: str | None = None
    """Bare RRULE value; None for one-shots."""
    anchor: datetime | None = None
    """DTSTART of the rule, aware, in the zone it was said in."""
    condition: str | None = None
    date_only: bool = False
    """The person named a day and no time; `due` is that day's morning moment."""
    status: Status = Status.PENDING
    language: str = "en"
    """The language it was said in and will be spoken in."""
    satellite: str | None = None
    """Where it was set."""
    announced_at: datetime | None = None
    """When the last occurrence was said."""
    last_due: datetime | None = None
    """The due time of the occurrence that `status` speaks of, where `due` has moved on."""


# --- what changed ------------------------------------------------------------------------------


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


@dataclass(frozen=True, slots=True, kw_only=True)
class FactReplaced:
    """A fact took the place of an older one with the same subject."""

    fact: Fact
    before: Fact


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
type Change = ReminderChange | FactStated | FactReplaced | Forgotten


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A pronoun or description and the entity it stands for (A5)."""

    mention: str
    entity: str
    span: Span
