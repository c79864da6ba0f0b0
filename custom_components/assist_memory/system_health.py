"""What the system page says: whether the server answers, and counts."""

from typing import Any

from homeassistant.components import system_health
from homeassistant.const import CONF_URL
from homeassistant.core import HomeAssistant, callback

from .const import DOMAIN, SUBENTRY_CONVERSATION, SUBENTRY_SPEAKER


@callback
def async_register(
    hass: HomeAssistant, register: system_health.SystemHealthRegistration
) -> None:
    """Register what is shown."""
    register.async_register_info(async_info)


async def async_info(hass: HomeAssistant) -> dict[str, Any]:
    """Return what is shown; the server is asked while the page is open."""
    entries = hass.config_entries.async_entries(DOMAIN)
    if not entries:
        return {}
    entry = entries[0]
    url = f"{entry.data[CONF_URL]}/api/version"
    return {
        "server": system_health.async_check_can_reach_url(hass, url),
        "agents": len(entry.get_subentries_of_type(SUBENTRY_CONVERSATION)),
        "speakers": len(entry.get_subentries_of_type(SUBENTRY_SPEAKER)),
    }
