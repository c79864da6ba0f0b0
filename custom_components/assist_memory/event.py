"""What happens to reminders, for automations: which one and when, never its words."""

from typing import override

from homeassistant.components.event import EventEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .const import REMINDER_EVENTS, SIGNAL_REMINDER_EVENT
from .engine import PendingItem
from .entity import AssistMemoryEntity, async_follow_owners
from .household import async_get_household

PARALLEL_UPDATES = 0

_OF_THE_LAST = ("announced", "acknowledged", "done", "missed")
"""Events that speak of the occurrence before the one that is due next."""


async def async_setup_entry(
    hass: HomeAssistant,
    entry: ConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Set up the event entity of the household and of each speaker."""
    household = async_get_household(hass)
    async_follow_owners(
        hass,
        entry,
        async_add_entities,
        lambda owner: [ReminderEvent(household, entry, owner, "reminder")],
    )


class ReminderEvent(AssistMemoryEntity, EventEntity):
    """Fires for each step in the life of an owner's reminders."""

    _attr_event_types = [*REMINDER_EVENTS]  # noqa: RUF012 - as Home Assistant declares it

    @override
    async def async_added_to_hass(self) -> None:
        """Follow the reminders."""
        await super().async_added_to_hass()
        self.async_on_remove(
            async_dispatcher_connect(
                self.hass, SIGNAL_REMINDER_EVENT, self._async_reminder_event
            )
        )

    @callback
    def _async_reminder_event(self, event: str, item: PendingItem) -> None:
        if item.owner != self.owner_id:
            return
        # A series has moved on by the time that this is told.
        past = item.last_due if event in _OF_THE_LAST else None
        due = past or item.due
        self._trigger_event(
            event,
            {"reminder_id": item.id, "due": due.isoformat() if due else None},
        )
        self.async_write_ha_state()

    @callback
    @override
    def _async_refresh(self) -> None:
        """Memory and options change nothing here."""
