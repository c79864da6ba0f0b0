"""What the entities of one satellite share: whether somebody keeps it busy."""

from collections.abc import Callable
from dataclasses import dataclass, field

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import callback
from homeassistant.helpers.device_registry import DeviceInfo


@dataclass(kw_only=True)
class SatelliteDevice:
    """One satellite."""

    key: str
    info: DeviceInfo
    busy: bool = False
    """Somebody is talking to it, says the switch."""
    listeners: list[Callable[[], None]] = field(default_factory=list)

    @callback
    def async_set_busy(self, *, busy: bool) -> None:
        """Change what the switch says, and tell the satellite."""
        self.busy = busy
        for listener in self.listeners:
            listener()


type DemoConfigEntry = ConfigEntry[dict[str, SatelliteDevice]]
"""The entry with its satellites, by key."""
