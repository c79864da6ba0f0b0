"""A button that forgets everything of a speaker, or of the household."""

from typing import override

from homeassistant.components.button import ButtonEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import AssistMemoryEntity, async_follow_owners
from .household import async_get_household

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: ConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Set up the button of the household and of each speaker."""
    household = async_get_household(hass)
    async_follow_owners(
        hass,
        entry,
        async_add_entities,
        lambda owner: [ForgetButton(household, entry, owner, "forget_everything")],
    )


class ForgetButton(AssistMemoryEntity, ButtonEntity):
    """Forgets memory and reminders of its owner, and of nobody else."""

    _attr_entity_category = EntityCategory.CONFIG

    @override
    async def async_press(self) -> None:
        """Forget everything. Raises CommitError if reminders can't be deleted."""
        await self.household.async_forget_everything(self.owner_id)
