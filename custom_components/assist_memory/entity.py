"""What all entities share: an owner, its device, and the signals that they follow."""

from collections.abc import Callable, Sequence
from typing import override

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .const import DOMAIN, SIGNAL_REMINDERS, SIGNAL_SPEAKERS, signal_memory
from .engine import HOUSEHOLD, MemoryManager
from .household import Household
from .owners import Owner, async_owner, async_speakers


class AssistMemoryEntity(Entity):
    """An entity of a speaker or of the household."""

    _attr_has_entity_name = True
    _attr_should_poll = False

    def __init__(
        self, household: Household, entry: ConfigEntry, owner: Owner, key: str
    ) -> None:
        """Take the owner and the key that unique id and name are made of."""
        self.household = household
        self.owner_id = owner.id
        self._attr_translation_key = key
        self._attr_unique_id = f"{_prefix(entry, owner)}_{key}"
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, _prefix(entry, owner))},
            entry_type=DeviceEntryType.SERVICE,
            translation_key="household" if owner.is_household else "speaker",
            translation_placeholders={"name": owner.name},
        )

    @property
    def owner(self) -> Owner:
        """Return the owner with the options of this moment."""
        return self.household.owner(self.owner_id)

    @property
    def memory(self) -> MemoryManager | None:
        """Return the owner's working memory if there is one."""
        return self.household.memories.peek(self.owner_id)

    @override
    async def async_added_to_hass(self) -> None:
        """Follow memory, reminders and options."""
        await super().async_added_to_hass()
        for signal, update in (
            (signal_memory(self.owner_id), self._async_refresh),
            (SIGNAL_SPEAKERS, self._async_refresh),
            (SIGNAL_REMINDERS, self._async_reminders_changed),
        ):
            self.async_on_remove(async_dispatcher_connect(self.hass, signal, update))

    @callback
    def _async_reminders_changed(self, owner_id: str) -> None:
        if owner_id == self.owner_id:
            self._async_refresh()

    @callback
    def _async_refresh(self) -> None:
        """Show what is true now."""
        self.async_write_ha_state()


@callback
def async_follow_owners(
    hass: HomeAssistant,
    entry: ConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
    build: Callable[[Owner], Sequence[Entity]],
) -> None:
    """Add the household's entities, and each speaker's as soon as there is one.

    Home Assistant takes the entities and the device of a removed speaker away itself.
    """
    async_add_entities(build(async_owner(entry, HOUSEHOLD)))
    present: set[str] = set()

    @callback
    def update() -> None:
        speakers = async_speakers(entry)
        present.intersection_update(speakers)
        for speaker_id, owner in speakers.items():
            if speaker_id in present:
                _rename_device(hass, entry, owner)
                continue
            present.add(speaker_id)
            async_add_entities(build(owner), config_subentry_id=speaker_id)

    update()
    entry.async_on_unload(async_dispatcher_connect(hass, SIGNAL_SPEAKERS, update))


def _rename_device(hass: HomeAssistant, entry: ConfigEntry, owner: Owner) -> None:
    """Give the device the speaker's present name; a name of the user's own stays."""
    dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id,
        config_subentry_id=owner.id,
        identifiers={(DOMAIN, _prefix(entry, owner))},
        translation_key="speaker",
        translation_placeholders={"name": owner.name},
    )


def _prefix(entry: ConfigEntry, owner: Owner) -> str:
    return f"{entry.entry_id}_{HOUSEHOLD}" if owner.is_household else owner.id
