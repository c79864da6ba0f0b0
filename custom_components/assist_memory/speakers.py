"""Who is speaking: resolved once in a turn, to a speaker's id or to nobody known (X3)."""

from homeassistant.components.conversation import ConversationInput
from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant, State, callback

from .const import CONF_EVERYONE_IS, CONF_PERSON, CONF_SATELLITES, SUBENTRY_SPEAKER

PERSON = "person"


async def async_identify(
    hass: HomeAssistant, entry: ConfigEntry, user_input: ConversationInput
) -> str | None:
    """Return the id of the speaker, None if nobody is known.

    The signed-in user's person comes first, then the satellite's default speaker, then
    the option "everyone is". A signed-in person who is no speaker is nobody known: what
    another person told us is not for them.
    """
    if person := await _person_of(hass, user_input.context.user_id):
        return _speaker_of_person(entry, person)
    return _speaker_of_satellite(entry, user_input.satellite_id) or _everyone(entry)


async def _person_of(hass: HomeAssistant, user_id: str | None) -> State | None:
    """Return the person that a user is linked to; system users are no person."""
    user = await hass.auth.async_get_user(user_id) if user_id else None
    if user is None or user.system_generated:
        return None
    persons = hass.states.async_all(PERSON)
    return next((p for p in persons if p.attributes.get("user_id") == user.id), None)


@callback
def _speaker_of_person(entry: ConfigEntry, person: State) -> str | None:
    person_id = person.attributes.get("id")
    return next(
        (
            speaker.subentry_id
            for speaker in _speakers(entry)
            if person_id and speaker.data.get(CONF_PERSON) == person_id
        ),
        None,
    )


@callback
def _speaker_of_satellite(entry: ConfigEntry, satellite_id: str | None) -> str | None:
    if satellite_id is None:
        return None
    return next(
        (
            speaker.subentry_id
            for speaker in _speakers(entry)
            if satellite_id in speaker.data.get(CONF_SATELLITES, ())
        ),
        None,
    )


@callback
def _everyone(entry: ConfigEntry) -> str | None:
    speaker_id: str | None = entry.options.get(CONF_EVERYONE_IS)
    known = {speaker.subentry_id for speaker in _speakers(entry)}
    return speaker_id if speaker_id in known else None


def _speakers(entry: ConfigEntry) -> list[ConfigSubentry]:
    return list(entry.get_subentries_of_type(SUBENTRY_SPEAKER))
