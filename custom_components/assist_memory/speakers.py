"""Who is speaking: resolved once in a turn, to a speaker's id or to nobody known (X3).

A ladder, from evidence to guess; the first rung that knows decides. What only a person's
own word says may add and hear reminders, but neither tells nor forgets what is personal.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant, State, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from .const import (
    CONF_EVERYONE_IS,
    CONF_GUEST_MODE,
    CONF_LASTS,
    CONF_PERSON,
    CONF_SATELLITES,
    CONF_SHARED_USERS,
    CONF_SHOW,
    CONF_TRUST_NAMES,
    DEFAULT_LASTS,
    DEFAULT_SHOW,
    SUBENTRY_SPEAKER,
)
from .household import async_get_household

PERSON = "person"
SATELLITE = "assist_satellite"


class Rung(StrEnum):
    """What decided who speaks; shown in diagnostics."""

    SIGNAL = "signal"
    USER = "user"
    STATED = "stated"
    SATELLITE = "satellite"
    AGENT = "agent"
    EVERYONE = "everyone"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a turn brings along."""

    conversation_id: str
    user_id: str | None = None
    satellite_id: str | None = None
    device_id: str | None = None
    stated_name: str | None = None
    """The name that this very sentence states, if it is one of the home."""
    agent_speaker: str | None = None
    """Whom the agent belongs to (a wake word for each person)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaking:
    """Who speaks in this turn, and how that is known."""

    speaker: str | None = None
    """The speaker's id; None is nobody known."""
    rung: Rung = field(default=Rung.NOBODY)
    by_word: bool = False
    """Only the person's own word says so: reminders, and nothing personal."""
    person: str | None = None
    """The storage id of the signed-in user's person, who may be no speaker yet."""


async def async_identify(
    hass: HomeAssistant, entry: ConfigEntry, evidence: Evidence
) -> Speaking:
    """Return who is speaking, by the first rung that knows.

    A recognised voice; the signed-in user's person; a stated name; the satellite's
    default speaker; the agent's own; "everyone is". A signed-in person who is no speaker
    is nobody known, and so is somebody who states the name of no speaker: what others
    told us is not for them. In guest mode only evidence counts, no guess. At a satellite
    an account is no proof of the voice, but where it speaks against the guess, nobody is known.
    """
    satellite = async_satellite(hass, evidence.satellite_id, evidence.device_id)
    account = await _by_user(hass, entry, evidence)
    speaking = (
        _by_voice(hass, entry, evidence, satellite)
        or (None if satellite else account)
        or _by_name(hass, entry, evidence, satellite)
        or _by_default(entry, evidence, satellite, account)
        or Speaking()
    )
    async_get_household(hass).presence.rungs[speaking.rung] += 1
    return speaking


@callback
def async_satellite(
    hass: HomeAssistant, satellite_id: str | None, device_id: str | None
) -> str | None:
    """Return the satellite of a turn, also where only its device is told."""
    if satellite_id or not device_id:
        return satellite_id
    entities = er.async_entries_for_device(er.async_get(hass), device_id)
    return next((e.entity_id for e in entities if e.domain == SATELLITE), None)


@callback
def async_add_speaker(
    hass: HomeAssistant, entry: ConfigEntry, name: str, person: str | None
) -> str:
    """Add a speaker in place and return the id; `person`: whose account is signed in.

    Somebody of that name who was added in the meantime is that speaker.
    """
    if known := _named(hass, entry, name):
        return known
    data: dict[str, Any] = {
        CONF_SATELLITES: [],
        CONF_SHOW: DEFAULT_SHOW,
        CONF_LASTS: DEFAULT_LASTS,
    }
    speaker = ConfigSubentry(
        data=MappingProxyType(data | ({CONF_PERSON: person} if person else {})),
        subentry_type=SUBENTRY_SPEAKER,
        title=name,
        unique_id=None,
    )
    hass.config_entries.async_add_subentry(entry, speaker)
    return speaker.subentry_id


@callback
def _by_voice(
    hass: HomeAssistant, entry: ConfigEntry, evidence: Evidence, satellite: str | None
) -> Speaking | None:
    presence = async_get_household(hass).presence
    places = (satellite, evidence.device_id)
    voice = presence.voice(places, dt_util.utcnow())
    if voice is None:
        return None
    return Speaking(speaker=_known(entry, voice.speaker), rung=Rung.SIGNAL)


async def _by_user(
    hass: HomeAssistant, entry: ConfigEntry, evidence: Evidence
) -> Speaking | None:
    """Return the signed-in person, who may be no speaker; None for accounts of several."""
    if evidence.user_id in entry.options.get(CONF_SHARED_USERS, ()):
        return None
    person = await _person_of(hass, evidence.user_id)
    if person is None:
        return None
    person_id = person.attributes.get("id")
    speaker = _speaker_of_person(entry, person_id)
    return Speaking(
        speaker=speaker, rung=Rung.USER if speaker else Rung.NOBODY, person=person_id
    )


@callback
def _by_name(
    hass: HomeAssistant, entry: ConfigEntry, evidence: Evidence, satellite: str | None
) -> Speaking | None:
    presence = async_get_household(hass).presence
    place = (evidence.conversation_id, satellite)
    if evidence.stated_name:
        presence.state_name(place, _named(hass, entry, evidence.stated_name))
    if not presence.is_stated(place):
        return None
    speaker = _known(entry, presence.stated(place))
    return Speaking(
        speaker=speaker,
        rung=Rung.STATED if speaker else Rung.NOBODY,
        by_word=bool(speaker) and not entry.options.get(CONF_TRUST_NAMES, False),
    )


@callback
def _by_default(
    entry: ConfigEntry,
    evidence: Evidence,
    satellite: str | None,
    account: Speaking | None,
) -> Speaking | None:
    """Return who is meant where nothing says who it is; guests are never guessed.

    Nor is anybody whom the account that came along is not: else whoever names a
    satellite in a request would be its speaker.
    """
    if entry.options.get(CONF_GUEST_MODE, False):
        return None
    guesses = (
        (Rung.SATELLITE, _speaker_of_satellite(entry, satellite)),
        (Rung.AGENT, _known(entry, evidence.agent_speaker)),
        (Rung.EVERYONE, _known(entry, entry.options.get(CONF_EVERYONE_IS))),
    )
    guess = next((Speaking(speaker=s, rung=rung) for rung, s in guesses if s), None)
    if guess and account and account.speaker != guess.speaker:
        return None
    return guess


async def _person_of(hass: HomeAssistant, user_id: str | None) -> State | None:
    """Return the person that a user is linked to; system users are no person."""
    user = await hass.auth.async_get_user(user_id) if user_id else None
    if user is None or user.system_generated:
        return None
    persons = hass.states.async_all(PERSON)
    return next((p for p in persons if p.attributes.get("user_id") == user.id), None)


@callback
def _named(hass: HomeAssistant, entry: ConfigEntry, name: str) -> str | None:
    """Return the speaker of a name: the speaker's own, or the linked person's."""
    for speaker in _speakers(entry):
        if speaker.title == name:
            return speaker.subentry_id
    persons = [p for p in hass.states.async_all(PERSON) if p.name == name]
    found = (_speaker_of_person(entry, p.attributes.get("id")) for p in persons)
    return next((speaker for speaker in found if speaker), None)


@callback
def _speaker_of_person(entry: ConfigEntry, person_id: str | None) -> str | None:
    return next(
        (
            speaker.subentry_id
            for speaker in _speakers(entry)
            if person_id and speaker.data.get(CONF_PERSON) == person_id
        ),
        None,
    )


@callback
def _speaker_of_satellite(entry: ConfigEntry, satellite: str | None) -> str | None:
    return next(
        (
            speaker.subentry_id
            for speaker in _speakers(entry)
            if satellite and satellite in speaker.data.get(CONF_SATELLITES, ())
        ),
        None,
    )


@callback
def _known(entry: ConfigEntry, speaker_id: str | None) -> str | None:
    """Return the id if there is such a speaker (any more)."""
    known = {speaker.subentry_id for speaker in _speakers(entry)}
    return speaker_id if speaker_id in known else None


def _speakers(entry: ConfigEntry) -> list[ConfigSubentry]:
    return list(entry.get_subentries_of_type(SUBENTRY_SPEAKER))
