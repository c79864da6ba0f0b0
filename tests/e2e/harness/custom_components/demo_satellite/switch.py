"""The switch that makes a satellite busy."""

from typing import Any, override

from homeassistant.components.switch import SwitchEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .device import DemoConfigEntry, SatelliteDevice

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: DemoConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add a switch for each satellite."""
    async_add_entities(BusySwitch(device) for device in entry.runtime_data.values())


class BusySwitch(SwitchEntity):
    """On: somebody is talking to the satellite."""

    _attr_has_entity_name = True
    _attr_translation_key = "busy"
    _attr_should_poll = False

    def __init__(self, device: SatelliteDevice) -> None:
        """Belong to a satellite."""
        self._device = device
        self._attr_unique_id = f"{device.key}_busy"
        self._attr_device_info = device.info

    @property
    @override
    def is_on(self) -> bool:
        """Whether it is busy."""
        return self._device.busy

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        """Make it busy."""
        self._device.async_set_busy(busy=True)
        self.async_write_ha_state()

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        """Let it be idle."""
        self._device.async_set_busy(busy=False)
        self.async_write_ha_state()
