"""The working memory of one person: sentence in, proposed changes out, brief and answers from what is held (A9)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal
from uuid import uuid4

from . import codec, context, pending, proposals, state as states, talk as talks
from .changes import (
    Change,
    FactReplaced,
    FactStated,
    ForgetScope,
    Forgotten,
    OpenQuestion,
    ReminderCancelled,
    ReminderDone,
    ReminderSet,
    SpeakerMet,
)
from .errors import StateFormatError
from .facts import traces
from .joining import joined, joined_talk
from .kept import Fact, PendingItem, Topic, TrackedEntity
from .language import pack_of
from .models import HOUSEHOLD, CommandKind, Home, Reading, Reference, Utterance
from .outcome import Outcome, View
from .picking import at_hand, called_up
from .reading import read
from .references import resolve
from .settings import Settings
from .state import MemoryState
from .talk import Talk
from .times import DayMoments

FORMAT = 1

_UNHEARD = frozenset(
    {CommandKind.FORGET_LAST, CommandKind.FORGET_ABOUT, CommandKind.FORGET_ALL}
)
"""What is said to be forgotten is not itself kept."""

_REFUSED = frozenset({"remember_nobody", "word_not_enough"})
"""Nor is what was told to somebody who keeps nothing personal of whoever speaks."""

type Lasts = Literal["session", "hour", "night", "restart"]


class MemoryManager:
    """One person's working memory, in RAM only (A1). Not thread-safe: one turn at a time."""

    def __init__(
        self,
        max_topics: int = 5,
        decay_rate: float = 0.95,
        *,
        owner: str | None = None,
        new_id: Callable[[], str] | None = None,
        lasts: Lasts = "restart",
        moments: DayMoments | None = None,
        claimed: str | None = None,
    ) -> None:
        """Take the settings; `owner` None is nobody known. Raises SettingsError (A20).

        `claimed`: with `owner` None, who the person says to be: their reminders may be added and heard.
        `lasts`: how long what is remembered is held, for the answer that says so.
        """
        self.owner = owner
        self.lasts: Lasts = lasts
        self.moments = moments or DayMoments()
        self.claimed = claimed
        self.may_share = True
        self.speakers: frozenset[str] = frozenset()
        self._shared: tuple[Fact, ...] = ()
        self.settings = Settings(max_topics=max_topics, decay_rate=decay_rate)
        self._new_id = new_id or (lambda: uuid4().hex)
        self._start(MemoryState())

    def _start(self, state: MemoryState, talk: Talk | None = None) -> None:
        self._state = state
        self._talk = talk or Talk()
        self._outcome: Outcome | None = None
        self._reading: Reading | None = None
        self._references: tuple[Reference, ...] = ()
        self._turn = ""

    # --- a turn --------------------------------------------------------------------------------

    def filter_input(self, utterance: Utterance, home: Home | None = None) -> Reading:
        """Return what a sentence says (layer 1). The memory is not changed."""
        return read(
            utterance, home or Home(), pack_of(utterance.language), self.moments
        )

    def update_state(self, reading: Reading) -> tuple[Change, ...]:
        """Take in a sentence and its changes at once, where nothing has to be stored first (A9)."""
        return self.apply(self.propose(reading))

    def propose(self, reading: Reading) -> tuple[Change, ...]:
        """Take in a sentence (layer 2) and return the changes that it asks for; they are not made yet."""
        pack = pack_of(reading.utterance.language)
        self._turn = self._new_id()
        self._talk = talks.begun(self._talk, reading)
        self._outcome = proposals.propose(reading, self._view(reading))
        heard = self._heard(reading)
        self._talk = talks.went_on(self._talk, self._outcome, heard, self._turn)
        self._references = resolve(
            *(heard.text, heard.mentions, self._state, pack),
            attitude=heard.attitude.value,
        )
        self._state = states.advance(
            self._state, heard, self._references, self.settings, self._turn, pack
        )
        if reading.text and not heard.text:
            self._state = states.forget(self._state, (self._turn,), ())
        self._go_back()
        self._call_up(heard)
        self._reading = heard
        return self._outcome.changes if self._outcome else ()

    def apply(self, changes: Iterable[Change]) -> tuple[Change, ...]:
        """Make committed changes in the memory; a forgetting comes back with its counts."""
        return tuple(self._applied(change) for change in changes)

    def generate_context_prompt(self, now: datetime | None = None) -> str:
        """Return the brief for the model's next answer (layer 3), at most 220 characters."""
        moment = now or self.now
        if moment is None or self._reading is None:
            return ""
        pack = pack_of(self._reading.utterance.language)
        return context.render(self._state, self._reading, pack, moment, self.settings)

    def note_reply(self, text: str, now: datetime) -> None:
        """Note what was answered: text and time only, never read for facts (A2)."""
        self._state = states.note_reply(self._state, text, now)

    def replace_pending(self, items: Sequence[PendingItem]) -> None:
        """Take over the reminders of a host's store, which is the truth."""
        self._state = replace(self._state, pending_items=tuple(items))

    def replace_shared(self, facts: Sequence[Fact]) -> None:
        """Take over what a host remembers for everyone of the household."""
        self._shared = tuple(facts)

    def absorb(self, other: MemoryManager) -> None:
        """Take over what another memory holds: the two speakers are one person."""
        self._state = joined(self._state, other.state, self.settings)
        self._talk = joined_talk(self._talk, other._talk)

    def forget(self, forgotten: Forgotten) -> Mapping[str, int]:
        """Forget what is covered, everywhere in this memory, and return how many of each kind went."""
        before = self._state
        if forgotten.scope is ForgetScope.ALL:
            # The household's reminders are not a guest's to forget.
            kept = () if self.owner is not None else before.pending_items
            self._state = MemoryState(pending_items=kept)
            self._talk = Talk()
        else:
            self._state = states.forget(before, forgotten.ids, forgotten.entities)
            self._talk = talks.forget(self._talk, forgotten.ids)
            self._shared = tuple(f for f in self._shared if f.id not in forgotten.ids)
        return {
            "facts": len(before.facts) - len(self._state.facts),
            "reminders": len(before.pending_items) - len(self._state.pending_items),
            "turns": len(before.turns) - len(self._state.turns),
            "entities": len(before.entity_map) - len(self._state.entity_map),
        }

    def dump(self) -> dict[str, Any]:
        """Return all that is held as readable JSON data (A11)."""
        deeds = [codec.to_plain(deed) for deed in self._talk.done]
        return {"format": FORMAT, "state": states.to_dict(self._state), "done": deeds}

    def load(self, data: Mapping[str, Any]) -> None:
        """Take over what `dump` gave. Raises StateFormatError, and nothing is changed then."""
        if data.get("format") != FORMAT:
            raise StateFormatError("unknown format of a memory")
        state = states.from_dict(data.get("state", {}))
        deeds = tuple(codec.from_plain(Fact, deed) for deed in data.get("done", ()))
        self._start(state, Talk(done=deeds))

    # --- what is held --------------------------------------------------------------------------

    @property
    def state(self) -> MemoryState:
        """Return the whole working memory, a frozen value."""
        return self._state

    @property
    def topic_chain(self) -> tuple[Topic, ...]:
        """Return the threads of the talk, in order (A3)."""
        return self._state.topic_chain

    @property
    def entity_map(self) -> Mapping[str, TrackedEntity]:
        """Return what was spoken of, by name (A4)."""
        return self._state.entity_map

    @property
    def pending_items(self) -> tuple[PendingItem, ...]:
        """Return the reminders (A6)."""
        return self._state.pending_items

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Return what was asked to be remembered."""
        return self._state.facts

    @property
    def shared_facts(self) -> tuple[Fact, ...]:
        """Return what was asked to be remembered for everyone of the household."""
        return self._shared

    @property
    def weights(self) -> Mapping[str, float]:
        """Return how present each entity is, 0 to 1 (A7)."""
        return {
            name: states.weight(entity, self._state.round, self.settings.decay_rate)
            for name, entity in self._state.entity_map.items()
        }

    @property
    def last_references(self) -> tuple[Reference, ...]:
        """Return what the pronouns of the last sentence stand for (A5)."""
        return self._references

    @property
    def last_conflicts(self) -> tuple[str, ...]:
        """Return what the last sentence contradicts (B4)."""
        return self._state.snapshots[-1].conflicts if self._state.snapshots else ()

    @property
    def open_question(self) -> OpenQuestion | None:
        """Return what was asked back and not answered yet."""
        return self._talk.question

    @property
    def waiting(self) -> PendingItem | None:
        """Return the reminder that still waits for its time, or None; it is in no store."""
        question = self._talk.question
        if question is None or question.command is not CommandKind.REMIND:
            return None
        return talks.waiting(question, self.language or "")

    @property
    def outcome(self) -> Outcome | None:
        """Return what the last sentence came to; None: the model talks."""
        return self._outcome

    @property
    def rounds(self) -> int:
        """Return how many sentences were taken in."""
        return self._state.round

    @property
    def now(self) -> datetime | None:
        """Return the moment of the last sentence."""
        return self._reading.utterance.now if self._reading else None

    @property
    def language(self) -> str | None:
        """Return the language tag of the last sentence."""
        return self._reading.utterance.language if self._reading else None

    # --- steps of a turn -----------------------------------------------------------------------

    def _view(self, reading: Reading) -> View:
        now = reading.utterance.now
        items = tuple(
            item for item in self._state.pending_items if pending.is_open(item, now)
        )
        return View(
            owner=self.owner,
            state=self._state,
            items=items,
            facts=self._state.facts,
            done=self._talk.done,
            question=talks.question_for(self._talk, reading, self._keeper),
            focus=talks.focused(self._talk, items, now),
            statement=talks.statement_at(self._talk, now),
            pack=pack_of(reading.utterance.language),
            now=now,
            turn=self._turn,
            made=self._talk.made,
            new_id=self._new_id,
            shared=self._shared,
            may_share=self.may_share,
            claimed=self.claimed,
            speakers=self.speakers,
        )

    @property
    def _keeper(self) -> str:
        return self.owner or self.claimed or HOUSEHOLD

    def _heard(self, reading: Reading) -> Reading:
        """Return the sentence as the memory takes it in: without what only looked like a command."""
        if not self._outcome:
            sure = tuple(command for command in reading.commands if command.sure)
            return replace(reading, commands=sure)
        kinds = {command.kind for command in reading.commands}
        if kinds & _UNHEARD or self._outcome.code in _REFUSED:
            return replace(reading, text="", commands=(), mentions=())
        return reading

    def _go_back(self) -> None:
        """Make the former topic the newest one."""
        if self._outcome is None or self._outcome.code != "back":
            return
        chain = tuple(
            replace(topic, last_round=self._state.round)
            if topic.text == self._outcome.text
            else topic
            for topic in self._state.topic_chain
        )
        self._state = replace(self._state, topic_chain=chain)

    def _call_up(self, heard: Reading) -> None:
        """Mark what a sentence says it is time for; a host's store still says it at its due."""
        pack, now = pack_of(heard.utterance.language), heard.utterance.now
        called = called_up(self._state.pending_items, heard, pack)
        if not called:
            return
        items = tuple(
            at_hand(item, now) if item in called else item
            for item in self._state.pending_items
        )
        self._state = replace(self._state, pending_items=items)

    def _applied(self, change: Change) -> Change:
        match change:
            case Forgotten():
                counts = self.forget(change)
                return change if change.counts else replace(change, counts=counts)
            case SpeakerMet():
                pass
            case FactStated(shared=True) | FactReplaced(shared=True):
                self._share(change)
            case FactStated(fact=fact):
                self._add_fact(fact)
            case FactReplaced(fact=fact, before=before):
                old = traces(before, (fact,), self._state.entity_map)
                ids = (before.id, before.source_ref)
                self._state = states.forget(self._state, ids, old)
                self._add_fact(fact)
            case ReminderCancelled(item=item):
                left = (
                    other for other in self._state.pending_items if other.id != item.id
                )
                self._state = replace(self._state, pending_items=tuple(left))
            case _:
                self._put(change.item)
                if isinstance(change, ReminderSet):
                    self._talk = talks.with_made(self._talk, self._turn, change.item.id)
                if isinstance(change, ReminderDone):
                    self._note_done(change.item)
        return change

    def _share(self, change: FactStated | FactReplaced) -> None:
        before = change.before.id if isinstance(change, FactReplaced) else None
        facts = (*(f for f in self._shared if f.id != before), change.fact)
        self._shared = facts[-self.settings.max_facts :]

    def _add_fact(self, fact: Fact) -> None:
        facts = (*self._state.facts, fact)[-self.settings.max_facts :]
        self._state = replace(self._state, facts=facts)

    def _put(self, item: PendingItem) -> None:
        """Put a reminder in its place, a new one at the end; one that is over leaves."""
        now = self.now or item.created
        items = [
            item if other.id == item.id else other
            for other in self._state.pending_items
        ]
        if all(other.id != item.id for other in items):
            items.append(item)
        open_items = tuple(one for one in items if pending.is_open(one, now))
        self._state = replace(self._state, pending_items=open_items)
        self._talk = talks.with_focus(self._talk, item.id, now)

    def _note_done(self, item: PendingItem) -> None:
        pack = pack_of(item.language)
        now = self.now or item.created
        self._talk = talks.with_done(self._talk, item, self._turn, now, pack)
