"""Actions: telling who is speaking, and making two speakers one. For admins and automations."""

from datetime import timedelta
from typing import Final

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.const import ATTR_DEVICE_ID
from homeassistant.core import HomeAssistant, ServiceCall, callback
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import (
    config_validation as cv,
    device_registry as dr,
    entity_registry as er,
)
from homeassistant.helpers.service import async_register_admin_service
from homeassistant.util import dt as dt_util
import voluptuous as vol

from .const import (
    CONF_MIN_CONFIDENCE,
    CONF_SPEAKER,
    DEFAULT_MIN_CONFIDENCE,
    DOMAIN,
    SUBENTRY_SPEAKER,
)
from .household import async_get_household
from .merging import async_merge_speakers
from .presence import Voice

SERVICE_SET_SPEAKER: Final = "set_speaker"
SERVICE_MERGE_SPEAKERS: Final = "merge_speakers"
ATTR_SATELLITE: Final = "satellite"
ATTR_CONFIDENCE: Final = "confidence"
ATTR_EXPIRES: Final = "expires"
ATTR_OTHER: Final = "other"
DEFAULT_EXPIRES: Final = 60
MAX_EXPIRES: Final = 3600

_SET_SPEAKER: Final = vol.All(
    vol.Schema(
        {
            vol.Exclusive(ATTR_SATELLITE, "place"): cv.entity_id,
            vol.Exclusive(ATTR_DEVICE_ID, "place"): cv.string,
            vol.Optional(CONF_SPEAKER): cv.string,
            vol.Optional(ATTR_CONFIDENCE, default=1.0): vol.All(
                vol.Coerce(float), vol.Range(min=0, max=1)
            ),
            vol.Optional(ATTR_EXPIRES, default=DEFAULT_EXPIRES): vol.All(
                vol.Coerce(float), vol.Range(min=1, max=MAX_EXPIRES)
            ),
        }
    ),
    cv.has_at_least_one_key(ATTR_SATELLITE, ATTR_DEVICE_ID),
)
_MERGE_SPEAKERS: Final = vol.Schema(
    {vol.Required(CONF_SPEAKER): cv.string, vol.Required(ATTR_OTHER): cv.string}
)


@callback
def async_register_services(hass: HomeAssistant) -> None:
    """Register the actions; users who are no admins may not call them."""

    async def set_speaker(call: ServiceCall) -> None:
        _set_speaker(hass, call)

    async def merge_speakers(call: ServiceCall) -> None:
        await _merge_speakers(hass, call)

    async_register_admin_service(
        hass, DOMAIN, SERVICE_SET_SPEAKER, set_speaker, _SET_SPEAKER
    )
    async_register_admin_service(
        hass, DOMAIN, SERVICE_MERGE_SPEAKERS, merge_speakers, _MERGE_SPEAKERS
    )


@callback
def _set_speaker(hass: HomeAssistant, call: ServiceCall) -> None:
    """Note whose voice was heard; a doubtful one takes back what was noted before."""
    entry = _entry(hass)
    where = _place(hass, call)
    named = call.data.get(CONF_SPEAKER)
    speaker = _speaker(hass, entry, named) if named else None
    least = entry.options.get(CONF_MIN_CONFIDENCE, DEFAULT_MIN_CONFIDENCE) / 100
    expires = dt_util.utcnow() + timedelta(seconds=call.data[ATTR_EXPIRES])
    sure = call.data[ATTR_CONFIDENCE] >= least
    async_get_household(hass).presence.hear_voice(
        where, Voice(speaker=speaker, expires=expires) if sure else None
    )


async def _merge_speakers(hass: HomeAssistant, call: ServiceCall) -> None:
    entry = _entry(hass)
    speaker = _speaker(hass, entry, call.data[CONF_SPEAKER])
    other = _speaker(hass, entry, call.data[ATTR_OTHER])
    if speaker == other:
        raise _invalid("same_speaker")
    await async_merge_speakers(hass, entry, speaker, other)


@callback
def _entry(hass: HomeAssistant) -> ConfigEntry:
    for entry in hass.config_entries.async_entries(DOMAIN):
        if entry.state is ConfigEntryState.LOADED:
            return entry
    raise _invalid("not_loaded")


@callback
def _place(hass: HomeAssistant, call: ServiceCall) -> str:
    """Return the entity id of the satellite or the id of the device."""
    if satellite := call.data.get(ATTR_SATELLITE):
        if hass.states.get(satellite) is None:
            raise _invalid("unknown_place")
        return str(satellite)
    device_id: str = call.data[ATTR_DEVICE_ID]
    if dr.async_get(hass).async_get(device_id) is None:
        raise _invalid("unknown_place")
    return device_id


@callback
def _speaker(hass: HomeAssistant, entry: ConfigEntry, named: str) -> str:
    """Return the speaker's id, from itself, the speaker's device or one of its entities."""
    known = {s.subentry_id for s in entry.get_subentries_of_type(SUBENTRY_SPEAKER)}
    names = {named}
    if device := dr.async_get(hass).async_get(named):
        names |= {key for domain, key in device.identifiers if domain == DOMAIN}
    if entity := er.async_get(hass).async_get(named):
        names.add(entity.config_subentry_id or "")
    if found := names & known:
        return found.pop()
    raise _invalid("unknown_speaker")


def _invalid(key: str) -> ServiceValidationError:
    return ServiceValidationError(translation_domain=DOMAIN, translation_key=key)
