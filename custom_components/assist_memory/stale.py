"""Options that name a speaker who was removed: they are cleared."""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback

from .const import CONF_EVERYONE_IS, CONF_SPEAKER, SUBENTRY_CONVERSATION
from .owners import async_speakers


@callback
def async_clear_removed_speakers(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Let "everyone is" and agents belong to nobody who is gone."""
    present = async_speakers(entry)
    for agent in list(entry.get_subentries_of_type(SUBENTRY_CONVERSATION)):
        if agent.data.get(CONF_SPEAKER) not in (None, *present):
            data = {k: v for k, v in agent.data.items() if k != CONF_SPEAKER}
            hass.config_entries.async_update_subentry(entry, agent, data=data)
    if entry.options.get(CONF_EVERYONE_IS) not in (None, *present):
        options = {k: v for k, v in entry.options.items() if k != CONF_EVERYONE_IS}
        hass.config_entries.async_update_entry(entry, options=options)
