"""Where reminders lie on the disk."""

from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.storage import Store
from homeassistant.util.file import WriteError
from homeassistant.util.json import SerializationError

from .const import DOMAIN

STORAGE_KEY = f"{DOMAIN}.reminders"
STORAGE_VERSION = 1
STORAGE_MINOR_VERSION = 1


class StorageError(HomeAssistantError):
    """The file could not be written; what is on the disk is what was there before."""


class ReminderStorage(Store[dict[str, Any]]):
    """A file that tells when it could not be written.

    Home Assistant's Store logs a failed write and goes on. A reminder must be on the
    disk before it is confirmed, so the failure has to reach the caller.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Fix key and version; serialised outside the loop: what is given is frozen."""
        super().__init__(
            hass,
            STORAGE_VERSION,
            STORAGE_KEY,
            private=True,
            atomic_writes=True,
            minor_version=STORAGE_MINOR_VERSION,
            serialize_in_event_loop=False,
        )
        self._failure: Exception | None = None

    async def async_write(self, data: dict[str, Any]) -> None:
        """Write now. Raises StorageError if it did not reach the disk."""
        self._failure = None
        await self.async_save(data)
        if self._failure:
            raise StorageError("reminders could not be written") from self._failure

    @override
    async def _async_write_data(self, data: dict[str, Any]) -> None:
        try:
            await super()._async_write_data(data)
        except (SerializationError, WriteError) as err:
            self._failure = err
            raise
        except OSError as err:
            self._failure = err
            raise WriteError(str(err)) from err
