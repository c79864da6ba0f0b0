"""Diagnostics: counts, sizes and versions; never a word that anybody said."""

from collections import Counter
from pathlib import Path
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import __version__ as ha_version
from homeassistant.core import HomeAssistant
from homeassistant.loader import async_get_integration

from .const import CONF_EVERYONE_IS, CONF_SHARED_USERS, DOMAIN
from .engine import MemoryManager
from .household import Household, async_get_household
from .owners import async_speakers
from .storage import STORAGE_MINOR_VERSION, STORAGE_VERSION


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant, entry: ConfigEntry
) -> dict[str, Any]:
    """Return what helps to find a fault, safe to be posted in public."""
    household = async_get_household(hass)
    integration = await async_get_integration(hass, DOMAIN)
    path = Path(household.reminders.path)
    return {
        "versions": {
            "home_assistant": ha_version,
            "integration": str(integration.version),
            "storage": f"{STORAGE_VERSION}.{STORAGE_MINOR_VERSION}",
        },
        "time_zone": hass.config.time_zone,
        "language": hass.config.language,
        "options": dict(entry.options)
        | {
            CONF_EVERYONE_IS: CONF_EVERYONE_IS in entry.options,
            CONF_SHARED_USERS: len(entry.options.get(CONF_SHARED_USERS, ())),
        },
        "subentries": Counter(s.subentry_type for s in entry.subentries.values()),
        "speakers": [
            {
                "show": owner.show,
                "lasts": owner.lasts,
                "satellites": len(owner.satellites),
            }
            for owner in async_speakers(entry).values()
        ],
        "known_by": dict(household.presence.rungs),
        "memories": [_size(memory) for memory in household.memories.all()],
        "stores": household.store_names,
        "reminders": _reminders(household)
        | {"file_bytes": await hass.async_add_executor_job(_bytes_of, path)},
    }


def _size(memory: MemoryManager) -> dict[str, int]:
    return {
        "rounds": memory.rounds,
        "topics": len(memory.topic_chain),
        "entities": len(memory.entity_map),
        "facts": len(memory.facts),
        "pending": len(memory.pending_items),
    }


def _reminders(household: Household) -> dict[str, Any]:
    items = household.reminders.items.values()
    return {
        "loaded": household.reminders.loaded,
        "status": Counter(item.status.value for item in items),
        "series": sum(item.rule is not None for item in items),
        "owners": len({item.owner for item in items}),
        "languages": Counter(item.language for item in items),
        "being_said": household.scheduler.under_way,
    }


def _bytes_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
