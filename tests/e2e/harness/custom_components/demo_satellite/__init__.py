"""Satellites without hardware: they hear what they are sent and write down what they are given to say.

A kitchen and a bedroom satellite, each with a switch that makes it busy, and a speech-to-text and
a text-to-speech engine whose audio carries the words themselves, so that a pipeline is complete.
"""

from homeassistant.core import HomeAssistant
from homeassistant.helpers.device_registry import DeviceInfo

from .const import DOMAIN, PLATFORMS, ROOMS
from .device import DemoConfigEntry, SatelliteDevice
from .hear import HearView


async def async_setup_entry(hass: HomeAssistant, entry: DemoConfigEntry) -> bool:
    """Make the devices and their entities."""
    entry.runtime_data = {
        key: SatelliteDevice(
            key=key,
            info=DeviceInfo(
                identifiers={(DOMAIN, key)},
                name="Satellite",
                manufacturer="Assist Memory",
                model="Stand-in",
                suggested_area=area,
            ),
        )
        for key, area in ROOMS.items()
    }
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    hass.http.register_view(HearView)
    return True


async def async_unload_entry(hass: HomeAssistant, entry: DemoConfigEntry) -> bool:
    """Take the entities away."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
