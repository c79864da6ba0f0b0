"""Two speakers who are one person: everything of the second becomes the first's."""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback

from .const import (
    CONF_EVERYONE_IS,
    CONF_PERSON,
    CONF_SATELLITES,
    CONF_SPEAKER,
    SUBENTRY_CONVERSATION,
)
from .household import async_get_household


async def async_merge_speakers(
    hass: HomeAssistant, entry: ConfigEntry, speaker: str, other: str
) -> None:
    """Give all of `other` to `speaker`, and remove `other`. Raises CommitError, and then nothing has changed."""
    await async_get_household(hass).async_hand_over(other, speaker)
    _async_join_options(hass, entry, speaker, other)
    hass.config_entries.async_remove_subentry(entry, other)


@callback
def _async_join_options(
    hass: HomeAssistant, entry: ConfigEntry, speaker: str, other: str
) -> None:
    """Let satellites, person and agents of the second be the first's."""
    first, second = entry.subentries[speaker], entry.subentries[other]
    data = {**second.data, **first.data}
    satellites = [*first.data.get(CONF_SATELLITES, ())]
    data[CONF_SATELLITES] = [
        *satellites,
        *(s for s in second.data.get(CONF_SATELLITES, ()) if s not in satellites),
    ]
    if not data.get(CONF_PERSON):
        data.pop(CONF_PERSON, None)
    update = hass.config_entries.async_update_subentry
    update(entry, first, data=data)
    for agent in entry.get_subentries_of_type(SUBENTRY_CONVERSATION):
        if agent.data.get(CONF_SPEAKER) == other:
            update(entry, agent, data={**agent.data, CONF_SPEAKER: speaker})
    if entry.options.get(CONF_EVERYONE_IS) == other:
        options = {**entry.options, CONF_EVERYONE_IS: speaker}
        hass.config_entries.async_update_entry(entry, options=options)
