"""The household's switch for guests: while it is on, nobody is guessed."""

from typing import Any, override

from homeassistant.components.switch import SwitchEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .const import CONF_GUEST_MODE
from .entity import AssistMemoryEntity, async_follow_owners
from .household import async_get_household

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: ConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Set up the switch of the household."""
    household = async_get_household(hass)
    async_follow_owners(
        hass,
        entry,
        async_add_entities,
        lambda owner: (
            [GuestSwitch(household, entry, owner, CONF_GUEST_MODE)]
            if owner.is_household
            else []
        ),
    )


class GuestSwitch(AssistMemoryEntity, SwitchEntity):
    """While it is on, a satellite has no default speaker, and what nobody known says is kept for nobody.

    It is an option of the entry, so that a restart does not end it.
    """

    _attr_entity_category = EntityCategory.CONFIG

    @property
    @override
    def is_on(self) -> bool:
        """Tell whether there are guests."""
        return self.household.guests

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        """Guess nobody any more."""
        self._keep(on=True)

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        """Let satellites and agents have their speakers again."""
        self._keep(on=False)

    def _keep(self, *, on: bool) -> None:
        if entry := self.platform.config_entry:
            options = {**entry.options, CONF_GUEST_MODE: on}
            self.hass.config_entries.async_update_entry(entry, options=options)
