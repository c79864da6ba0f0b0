"""What came of a sentence before anything is stored: changes that are proposed, a question, or something to tell."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from .changes import Change, OpenQuestion, QuestionKind
from .kept import Fact, PendingItem
from .language import LanguagePack
from .models import HOUSEHOLD, CommandKind, Reading, TimeReading
from .state import MemoryState
from .times import elapsed

QUESTION_LASTS = timedelta(minutes=2)
"""An answer that comes later is a sentence of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What code has to say to a sentence, once the changes are committed."""

    code: str
    """Key of responses.yaml."""
    changes: tuple[Change, ...] = ()
    question: OpenQuestion | None = None
    """What is asked back."""
    items: tuple[PendingItem, ...] = ()
    facts: tuple[Fact, ...] = ()
    text: str = ""
    """The words that it is about."""
    count: int = 0
    dropped: bool = False
    """The question that was open is settled without an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a proposal may look at; nothing in it is changed by one."""

    owner: str | None
    """None: nobody known is speaking."""
    state: MemoryState
    items: tuple[PendingItem, ...]
    """Open reminders, oldest first."""
    facts: tuple[Fact, ...]
    done: tuple[Fact, ...]
    """What was said to be done, newest last."""
    question: OpenQuestion | None
    focus: str | None
    """Id of the reminder that "it" means: just set, changed, said or named."""
    statement: str
    """The last sentence that stated something, if it is recent."""
    pack: LanguagePack
    now: datetime
    turn: str
    """Id of this turn."""
    made: Mapping[str, tuple[str, ...]]
    """Turn → ids of the reminders that it set."""
    new_id: Callable[[], str] = field(repr=False)
    shared: tuple[Fact, ...] = ()
    """What is remembered for everyone of the household."""
    may_share: bool = True
    """Something may be remembered for everyone; a guest's words may not."""
    claimed: str | None = None
    """With `owner` None: who the person says to be. That is enough for reminders alone."""
    speakers: frozenset[str] = frozenset()
    """Folded names of those who are known by now."""

    @property
    def keeper(self) -> str:
        """Return who a reminder belongs to; one of nobody known is the household's."""
        return self.owner or self.claimed or HOUSEHOLD

    def item(self, id_: str | None) -> PendingItem | None:
        """Return an open reminder by its id."""
        return next((item for item in self.items if item.id == id_), None)


def asked(
    view: View,
    reading: Reading,
    kind: QuestionKind,
    command: CommandKind,
    *,
    text: str = "",
    candidates: tuple[str, ...] = (),
    time: TimeReading | None = None,
) -> OpenQuestion:
    """Return the question that is open from now on (DESIGN section 5)."""
    return OpenQuestion(
        kind=kind,
        owner=view.keeper,
        satellite=reading.utterance.satellite,
        asked=view.now,
        expires=elapsed(view.now, QUESTION_LASTS.total_seconds()),
        command=command,
        text=text,
        candidates=candidates,
        time=time,
    )
