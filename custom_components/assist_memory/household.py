"""The household: whose memory is whose, what is kept where, and how it is forgotten.

It lives in `hass.data`, not in the entry's runtime data: a reload, a new speaker or a
changed option forgets nothing. Only a restart, a person or the clock does.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
import inspect
import logging
from typing import Literal

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.dispatcher import (
    async_dispatcher_connect,
    async_dispatcher_send,
)
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.util import dt as dt_util, ulid as ulid_util
from homeassistant.util.hass_dict import HassKey

from .const import (
    CONF_GUEST_MODE,
    CONF_LATE_HOURS,
    CONF_MORNING,
    DEFAULT_LATE_HOURS,
    DEFAULT_MORNING,
    DOMAIN,
    LASTS_HOUR,
    LASTS_NEVER,
    LASTS_NIGHT,
    LASTS_SESSION,
    SIGNAL_REMINDER_EVENT,
    SIGNAL_REMINDERS,
    SIGNAL_SPEAKERS,
    signal_memory,
)
from .delivery import Delivery
from .engine import (
    HOUSEHOLD,
    Change,
    DayMoments,
    Fact,
    FactReplaced,
    FactStated,
    ForgetScope,
    Forgotten,
    LanguagePack,
    MemoryManager,
    PendingItem,
    available_languages,
    language_code,
    load_language,
    pending,
)
from .memories import Key, Memories
from .owners import Owner, async_owner, async_speakers
from .presence import Presence
from .reminders import CommitError, ReminderStore
from .scheduler import ReminderScheduler, SchedulerSettings

__all__ = ["DATA_HOUSEHOLD", "CommitError", "Household", "async_get_household"]

_LOGGER = logging.getLogger(__name__)

IDLE_SWEEP = timedelta(minutes=1)
_REMINDERS = "reminders"
_LASTS: dict[str, Literal["session", "hour", "night"]] = {
    LASTS_SESSION: "session",
    LASTS_HOUR: "hour",
    LASTS_NIGHT: "night",
}
"""The engine's names, for the answer that tells how long something is held."""
_SETTLED = ("acknowledged", "cancelled", "done", "snoozed")

type Counts = Mapping[str, int]
type Forget = Callable[[str, Forgotten], Counts | Awaitable[Counts]]
"""Forgets what an owner's store holds of something, and returns counts by kind."""

DATA_HOUSEHOLD: HassKey[Household] = HassKey(DOMAIN)


@callback
def async_get_household(hass: HomeAssistant) -> Household:
    """Return the household, a new and empty one on first use."""
    if DATA_HOUSEHOLD not in hass.data:
        hass.data[DATA_HOUSEHOLD] = Household(hass)
    return hass.data[DATA_HOUSEHOLD]


class Household:
    """Everything that is remembered, and the registry of where it is kept."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start with nothing remembered and nothing running."""
        self._hass = hass
        self._entry: ConfigEntry | None = None
        self._packs: dict[str, LanguagePack] = {}
        self._speakers: set[str] = set()
        self._open: set[tuple[str, str]] = set()
        self._stop: list[CALLBACK_TYPE] = []
        self._stores: dict[str, Forget] = {}
        self.presence = Presence()
        self.memories = Memories(_new_memory)
        self.reminders = ReminderStore(hass)
        self.delivery = Delivery(hass)
        self.scheduler = ReminderScheduler(
            hass,
            self.reminders,
            self.delivery,
            SchedulerSettings(late=self._late, owner=self.owner, pack=self.pack),
        )
        self.register(_REMINDERS, self.reminders.async_forget)
        self.register("memory", self.memories.forget)

    async def async_load(self, entry: ConfigEntry) -> None:
        """Read packs and reminders, and start what runs by the clock."""
        self._entry = entry
        self._speakers = set(async_speakers(entry))
        self._packs = await self._hass.async_add_executor_job(_load_packs)
        await self.reminders.async_load()
        self._stop += [
            async_track_time_interval(
                self._hass, self._async_sweep, IDLE_SWEEP, cancel_on_shutdown=True
            ),
            async_dispatcher_connect(
                self._hass, SIGNAL_SPEAKERS, self._async_speakers_changed
            ),
            async_dispatcher_connect(
                self._hass, SIGNAL_REMINDER_EVENT, self._async_reminder_event
            ),
        ]
        self.scheduler.async_start()

    async def async_unload(self) -> None:
        """Stop what runs by the clock; everything stays remembered."""
        while self._stop:
            self._stop.pop()()
        await self.scheduler.async_stop()

    async def async_remove(self) -> None:
        """Delete everything: the entry is gone for good."""
        await self.async_unload()
        await self.reminders.async_remove()
        self._hass.data.pop(DATA_HOUSEHOLD, None)

    @callback
    def owner(self, owner_id: str) -> Owner:
        """Return a speaker or the household with its options."""
        return async_owner(self._entry, owner_id)

    @callback
    def pack(self, language: str) -> LanguagePack:
        """Return the language pack for a BCP 47 tag."""
        return self._packs[language_code(language)]

    @property
    def morning(self) -> time:
        """The moment at which what is due on a day without a time is said."""
        return time.fromisoformat(self._option(CONF_MORNING, DEFAULT_MORNING))

    @property
    def moments(self) -> DayMoments:
        """When in the day its parts are meant, where no time is named."""
        return DayMoments(morning=self.morning)

    # --- working memory ---

    @callback
    def memory_of(
        self,
        speaker: str | None,
        conversation_id: str,
        *,
        agent_id: str = "",
        by_word: bool = False,
    ) -> MemoryManager:
        """Return the memory for a turn: the speaker's, or that of nobody's talk with an agent.

        `by_word`: only their own word says who speaks, so the talk has a memory.
        """
        talk = (conversation_id, agent_id)
        key: Key = (speaker, "", "") if speaker and not by_word else (speaker, *talk)
        memory = self.memories.of(key, conversation_id, dt_util.now())
        # Options may have changed since the last turn.
        memory.lasts = _LASTS.get(self._lasts(speaker), "restart")
        memory.moments = self.moments
        memory.may_share = speaker is not None or not self.guests
        memory.speakers = self._speaker_names()
        memory.replace_shared(self.shared_facts)
        return memory

    @callback
    def lock(
        self,
        speaker: str | None,
        conversation_id: str,
        *,
        agent_id: str = "",
        by_word: bool = False,
    ) -> asyncio.Lock:
        """Return the lock that a turn holds around the use of that memory."""
        talk = (conversation_id, agent_id)
        key: Key = (speaker, "", "") if speaker and not by_word else (speaker, *talk)
        return self.memories.lock(key, conversation_id, dt_util.now())

    @property
    def shared_facts(self) -> tuple[Fact, ...]:
        """Return what is remembered for everyone, until a restart."""
        memory = self.memories.peek(HOUSEHOLD)
        return memory.facts if memory else ()

    @property
    def guests(self) -> bool:
        """Tell whether there are guests, so that nobody is guessed."""
        return self._option(CONF_GUEST_MODE, default=False)

    @callback
    def async_memory_changed(self, speaker: str | None) -> None:
        """Tell entities that a speaker's memory has changed."""
        if speaker:
            async_dispatcher_send(self._hass, signal_memory(speaker))

    @callback
    def end_conversation(self, conversation_id: str) -> None:
        """Drop what lasts as long as a conversation."""
        self.presence.end_conversation(conversation_id)
        for speaker in self.memories.end_conversation(conversation_id, self._lasts):
            self.async_memory_changed(speaker)

    @callback
    def forget_idle(self, now: datetime) -> None:
        """Drop what has lasted as long as its speaker wants; `now` is local."""
        for speaker in self.memories.forget_idle(now, self._lasts):
            self.async_memory_changed(speaker)

    # --- the registry of stores ---

    @callback
    def register(self, name: str, forget: Forget) -> CALLBACK_TYPE:
        """Add a store to what is walked when something is forgotten."""
        self._stores[name] = forget

        @callback
        def unregister() -> None:
            if self._stores.get(name) is forget:
                del self._stores[name]

        return unregister

    async def async_commit(
        self, changes: Sequence[Change], owner: str
    ) -> tuple[Change, ...]:
        """Make changes come true, and return those that did, counts included.

        What belongs on the disk is there when this returns. Raises CommitError, and
        then nothing has changed anywhere. The household's reminders are nobody's to
        forget as a whole: "forget everything" of somebody unknown spares them.
        """
        committed = await self.reminders.async_commit(changes, owner)
        self._share(committed)
        return tuple(
            [
                replace(change, counts=await self._async_walk(owner, change))
                if isinstance(change, Forgotten)
                else change
                for change in committed
            ]
        )

    @callback
    def _share(self, committed: Sequence[Change]) -> None:
        """Keep in the household's memory what is for everyone."""
        for change in committed:
            if isinstance(change, FactStated | FactReplaced) and change.shared:
                memory = self.memories.of((HOUSEHOLD, "", ""), "", dt_util.now())
                memory.apply((replace(change, shared=False),))

    async def async_hand_over(self, speaker: str, to: str) -> None:
        """Let another speaker have what a speaker has. Raises CommitError."""
        await self.reminders.async_hand_over(speaker, to)
        self.memories.hand_over(speaker, to, dt_util.now())
        self.async_memory_changed(to)

    async def async_forget_everything(self, owner: str) -> Counts:
        """Forget all that an owner has, also the household's reminders.

        Returns how much of each kind is gone. Raises CommitError.
        """
        ids = tuple(item.id for item in self.reminders.async_items(owner))
        forgotten = Forgotten(scope=ForgetScope.ALL, ids=ids)
        (committed,) = await self.async_commit((forgotten,), owner)
        return committed.counts if isinstance(committed, Forgotten) else {}

    async def _async_walk(self, owner: str, forgotten: Forgotten) -> Counts:
        """Forget in all stores but the reminders, which the commit has dealt with."""
        counts = dict(forgotten.counts)
        for name, forget in list(self._stores.items()):
            if name == _REMINDERS:
                continue
            gone = forget(owner, forgotten)
            for kind, count in (
                await gone if inspect.isawaitable(gone) else gone
            ).items():
                # A memory's reminders are copies of those that are counted already.
                if kind != _REMINDERS:
                    counts[kind] = counts.get(kind, 0) + count
        async_dispatcher_send(self._hass, signal_memory(owner))
        return counts

    @property
    def store_names(self) -> list[str]:
        """Return the names of all stores."""
        return sorted(self._stores)

    # --- what happens by itself ---

    @callback
    def _async_sweep(self, _: datetime) -> None:
        now = dt_util.now()
        self.forget_idle(now)
        # What was announced and not answered is not open for ever.
        still_open = self._open_items(now)
        for owner in {owner for _, owner in self._open - still_open}:
            async_dispatcher_send(self._hass, SIGNAL_REMINDERS, owner)
        self._open = still_open

    def _open_items(self, now: datetime) -> set[tuple[str, str]]:
        """Return id and owner of each reminder that is open."""
        items = self.reminders.items.values()
        return {(item.id, item.owner) for item in items if pending.is_open(item, now)}

    @callback
    def _async_reminder_event(self, event: str, item: PendingItem) -> None:
        if event in _SETTLED:
            self.delivery.async_take_back_note(item)

    @callback
    def _async_speakers_changed(self) -> None:
        """Let go of everything that speakers owned who were removed."""
        if self._entry is None:
            return
        present = set(async_speakers(self._entry))
        for speaker in self._speakers - present:
            self._hass.async_create_task(
                self._async_forget_speaker(speaker), "assist_memory forget speaker"
            )
        self._speakers = present

    async def _async_forget_speaker(self, speaker: str) -> None:
        self.memories.drop(speaker)
        self.presence.forget_speaker(speaker)
        try:
            await self.async_forget_everything(speaker)
        except CommitError:
            # The repair issue of the store says why.
            _LOGGER.warning("Reminders of a removed speaker could not be deleted")

    def _lasts(self, speaker: str | None) -> str:
        if speaker == HOUSEHOLD:
            return LASTS_NEVER
        return self.owner(speaker).lasts if speaker else LASTS_SESSION

    def _speaker_names(self) -> frozenset[str]:
        speakers = async_speakers(self._entry).values() if self._entry else ()
        return frozenset(speaker.name.casefold() for speaker in speakers)

    def _late(self) -> timedelta:
        return timedelta(hours=self._option(CONF_LATE_HOURS, DEFAULT_LATE_HOURS))

    def _option[T](self, key: str, default: T) -> T:
        return self._entry.options.get(key, default) if self._entry else default


def _new_memory(key: Key) -> MemoryManager:
    speaker, talk, _ = key
    owner, claimed = (None, speaker) if talk else (speaker, None)
    return MemoryManager(owner=owner, claimed=claimed, new_id=ulid_util.ulid_now)


def _load_packs() -> dict[str, LanguagePack]:
    return {code: load_language(code) for code in available_languages()}
