"""Which pipeline a satellite uses."""

from homeassistant.components.assist_pipeline import AssistPipelineSelect
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .const import DOMAIN
from .device import DemoConfigEntry, SatelliteDevice

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: DemoConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add a choice for each satellite."""
    async_add_entities(
        PipelineSelect(hass, device) for device in entry.runtime_data.values()
    )


class PipelineSelect(AssistPipelineSelect):
    """The choice of the pipeline."""

    _attr_has_entity_name = True

    def __init__(self, hass: HomeAssistant, device: SatelliteDevice) -> None:
        """Belong to a satellite."""
        super().__init__(hass, DOMAIN, device.key)
        self._attr_device_info = device.info
