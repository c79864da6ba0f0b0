"""Where a reminder is said: the right room, when it is quiet there, else on the screen.

Nothing here calls the model. One queue for each satellite: what is said follows what was
begun before.
"""

import asyncio
from collections.abc import Awaitable, Callable
from enum import Enum, auto

from homeassistant.components import persistent_notification
from homeassistant.components.assist_satellite import DOMAIN as SATELLITE_DOMAIN
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.translation import async_get_translations

from .const import DOMAIN
from .engine import PendingItem
from .owners import Owner
from .speech import (
    async_can_announce,
    async_is_reachable,
    async_speak,
    async_wait_idle,
)

BUSY_PATIENCE = 120
"""Seconds that a busy satellite is waited for, before the next one is tried."""
ABSENT_PATIENCE = 30
"""Seconds that an unavailable one is waited for: after a start they take a while."""
_TRIES = 3
"""How often a satellite that became busy at the last moment is waited for again."""


class Outcome(Enum):
    """What became of an attempt to say something."""

    SAID = auto()
    DROPPED = auto()
    """It was no longer wanted when its turn came."""
    FAILED = auto()


class Delivery:
    """Says reminders aloud, or leaves a note."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start with empty queues."""
        self._hass = hass
        self._queues: dict[str, asyncio.Lock] = {}

    async def async_say(
        self,
        item: PendingItem,
        owner: Owner,
        *,
        begin: Callable[[], Awaitable[bool]],
        text: Callable[[], str],
    ) -> Outcome:
        """Say a reminder on the first of its satellites that is idle in time.

        `begin` is awaited right before the first word and tells whether it is still
        wanted; `text` gives the words at that moment.
        """
        for satellite in self._satellites(item, owner):
            queue = self._queues.setdefault(satellite, asyncio.Lock())
            async with queue:
                outcome = await self._async_say_on(satellite, item, begin, text)
            if outcome is not Outcome.FAILED:
                return outcome
        return Outcome.FAILED

    async def async_leave_note(self, item: PendingItem, owner: Owner) -> None:
        """Show that a reminder is due, without its words: every account reads this."""
        translations = await async_get_translations(
            self._hass, self._hass.config.language, "common", [DOMAIN]
        )
        prefix = f"component.{DOMAIN}.common"
        key = "note_speaker" if owner.name else "note_household"
        persistent_notification.async_create(
            self._hass,
            translations[f"{prefix}.{key}"].format(name=owner.name),
            title=translations[f"{prefix}.note_title"],
            notification_id=note_id(item),
        )

    @callback
    def async_take_back_note(self, item: PendingItem) -> None:
        """Remove the note of a reminder that is settled, if there is one."""
        persistent_notification.async_dismiss(self._hass, note_id(item))

    async def _async_say_on(
        self,
        satellite: str,
        item: PendingItem,
        begin: Callable[[], Awaitable[bool]],
        text: Callable[[], str],
    ) -> Outcome:
        for _ in range(_TRIES):
            reachable = async_is_reachable(self._hass, satellite)
            patience = BUSY_PATIENCE if reachable else ABSENT_PATIENCE
            if not await async_wait_idle(self._hass, satellite, patience):
                return Outcome.FAILED
            if not await begin():
                return Outcome.DROPPED
            # Writing took a moment; whoever has begun to talk meanwhile goes first.
            if await async_wait_idle(self._hass, satellite, 0):
                said = await async_speak(self._hass, satellite, text(), item.language)
                return Outcome.SAID if said else Outcome.FAILED
        return Outcome.FAILED

    def _satellites(self, item: PendingItem, owner: Owner) -> list[str]:
        """Return where to say it, best first; each room once.

        What a person asked for is said where it was asked or where that person is at
        home, never in any other room. What belongs to everyone may be said anywhere.
        """
        wanted = [item.satellite or "", *owner.satellites]
        if owner.is_household:
            wanted += self._hass.states.async_entity_ids(SATELLITE_DOMAIN)
        registry = er.async_get(self._hass)
        return [
            satellite
            for satellite in dict.fromkeys(wanted)
            if async_can_announce(self._hass, satellite)
            and not ((entry := registry.async_get(satellite)) and entry.disabled)
        ]


def note_id(item: PendingItem) -> str:
    """Return the id of the note for a reminder."""
    return f"{DOMAIN}_{item.id}"
