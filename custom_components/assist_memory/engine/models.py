"""Values that travel between the rooms of the engine: what was said, what was found, what is kept, what changed.

All values are frozen. Every datetime is aware. Spans index into `Reading.text`, the normalised text.
"""

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
    INTRODUCE = "introduce"
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
    """Instant, first occurrence, start of an interval, or a date's morning moment. Aware, in the speaker's zone."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A pronoun or description and the entity it stands for (A5)."""

    mention: str
    entity: str
    span: Span
