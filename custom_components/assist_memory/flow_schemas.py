"""The forms of the flows, and what is done with what they return."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import (
    CONF_LLM_HASS_API,
    CONF_MODEL,
    CONF_NAME,
    CONF_PROMPT,
    CONF_URL,
)
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import llm, selector
from homeassistant.helpers.aiohttp_client import async_get_clientsession
import voluptuous as vol

from .const import (
    CONF_EVERYONE_IS,
    CONF_KEEP_ALIVE,
    CONF_LASTS,
    CONF_LATE_HOURS,
    CONF_LOCAL_INTENTS,
    CONF_MIN_CONFIDENCE,
    CONF_MORNING,
    CONF_NUM_CTX,
    CONF_PERSON,
    CONF_SATELLITES,
    CONF_SHARED_USERS,
    CONF_SHOW,
    CONF_SPEAKER,
    CONF_TRUST_NAMES,
    DEFAULT_KEEP_ALIVE,
    DEFAULT_LASTS,
    DEFAULT_LATE_HOURS,
    DEFAULT_LOCAL_INTENTS,
    DEFAULT_MIN_CONFIDENCE,
    DEFAULT_MORNING,
    DEFAULT_NUM_CTX,
    DEFAULT_SHOW,
    LASTS_CHOICES,
    MAX_NUM_CTX,
    MIN_NUM_CTX,
    SHOW_CHOICES,
    SUBENTRY_SPEAKER,
)
from .ollama import OllamaClient, OllamaError

CONF_GO_ON: Final = "go_on"
SERVER_ERRORS: Final = ("unreachable", "timeout", "refused", "cut_off")
MAX_KEEP_ALIVE: Final = 7 * 24 * 3600
MAX_LATE_HOURS: Final = 48
AGENT_DEFAULTS: Final[Mapping[str, Any]] = {
    CONF_PROMPT: llm.DEFAULT_INSTRUCTIONS_PROMPT,
    CONF_LLM_HASS_API: [],
    CONF_NUM_CTX: DEFAULT_NUM_CTX,
    CONF_KEEP_ALIVE: DEFAULT_KEEP_ALIVE,
    CONF_LOCAL_INTENTS: DEFAULT_LOCAL_INTENTS,
}
SPEAKER_DEFAULTS: Final[Mapping[str, Any]] = {
    CONF_SATELLITES: [],
    CONF_SHOW: DEFAULT_SHOW,
    CONF_LASTS: DEFAULT_LASTS,
}
HOUSEHOLD_DEFAULTS: Final[Mapping[str, Any]] = {
    CONF_MORNING: DEFAULT_MORNING,
    CONF_LATE_HOURS: DEFAULT_LATE_HOURS,
}
SPEAKING_DEFAULTS: Final[Mapping[str, Any]] = {
    CONF_SHARED_USERS: [],
    CONF_TRUST_NAMES: False,
    CONF_MIN_CONFIDENCE: DEFAULT_MIN_CONFIDENCE,
}
_URL: Final = selector.TextSelector(
    selector.TextSelectorConfig(type=selector.TextSelectorType.URL)
)


def server_schema(*, may_go_on: bool) -> vol.Schema:
    """Return the form for the server; after a failure one may go on without it."""
    fields: dict[vol.Marker, Any] = {vol.Required(CONF_URL): _URL}
    if may_go_on:
        fields[vol.Optional(CONF_GO_ON, default=False)] = selector.BooleanSelector()
    return vol.Schema(fields)


def agent_schema(
    hass: HomeAssistant,
    models: Iterable[str],
    *,
    new: bool,
    speakers: Mapping[str, str] | None = None,
) -> vol.Schema:
    """Return the form for an agent, with the models that the server has.

    `speakers`: whose it may be, once there are any.
    """
    apis = _options({api.id: api.name for api in llm.async_get_apis(hass)})
    fields: dict[vol.Marker, Any] = {
        vol.Optional(CONF_MODEL): _choice(list(models), custom_value=True),
        vol.Optional(CONF_PROMPT): selector.TemplateSelector(),
        vol.Optional(CONF_LLM_HASS_API): _choice(apis, multiple=True),
        vol.Required(CONF_NUM_CTX): _number(MIN_NUM_CTX, MAX_NUM_CTX),
        vol.Required(CONF_KEEP_ALIVE): _number(-1, MAX_KEEP_ALIVE),
        vol.Required(CONF_LOCAL_INTENTS): selector.BooleanSelector(),
        vol.Optional(CONF_URL): _URL,
    }
    if speakers:
        fields[vol.Optional(CONF_SPEAKER)] = _choice(_options(speakers))
    name = {vol.Required(CONF_NAME): selector.TextSelector()} if new else {}
    return vol.Schema(name | fields)


def speaker_schema(persons: Mapping[str, str]) -> vol.Schema:
    """Return the form for a speaker, with the persons that may be chosen."""
    return vol.Schema(
        {
            vol.Required(CONF_NAME): selector.TextSelector(),
            vol.Optional(CONF_PERSON): _choice(_options(persons)),
            vol.Optional(CONF_SATELLITES): selector.EntitySelector(
                selector.EntitySelectorConfig(domain="assist_satellite", multiple=True)
            ),
            vol.Required(CONF_SHOW): _choice(
                list(SHOW_CHOICES), translation_key=CONF_SHOW
            ),
            vol.Required(CONF_LASTS): _choice(
                list(LASTS_CHOICES), translation_key=CONF_LASTS
            ),
        }
    )


def household_schema(entry: ConfigEntry, users: Mapping[str, str]) -> vol.Schema:
    """Return the form for the options of the household, with Home Assistant's users."""
    return vol.Schema(
        {
            vol.Optional(CONF_EVERYONE_IS): _choice(_options(speakers_of(entry))),
            vol.Optional(CONF_SHARED_USERS): _choice(_options(users), multiple=True),
            vol.Optional(CONF_TRUST_NAMES): selector.BooleanSelector(),
            vol.Optional(CONF_MIN_CONFIDENCE): _number(0, 100),
            vol.Required(CONF_MORNING): selector.TimeSelector(),
            vol.Required(CONF_LATE_HOURS): _number(0, MAX_LATE_HOURS),
        }
    )


def choices_schema(key: str, choices: Mapping[str, str]) -> dict[vol.Marker, Any]:
    """Return a field where any of the choices may be ticked."""
    return {vol.Optional(key): _choice(_options(choices), multiple=True)}


def whole_numbers(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data with whole numbers; the frontend sends fractions."""
    return {
        key: int(value) if isinstance(value, float) else value
        for key, value in data.items()
    }


def speakers_of(entry: ConfigEntry) -> dict[str, str]:
    """Return the names of the speakers, by their id."""
    speakers = entry.get_subentries_of_type(SUBENTRY_SPEAKER)
    return {speaker.subentry_id: speaker.title for speaker in speakers}


async def users_of(hass: HomeAssistant) -> dict[str, str]:
    """Return the names of those who can sign in, by their id."""
    users = await hass.auth.async_get_users()
    return {u.id: u.name or u.id for u in users if not u.system_generated}


def persons_of(hass: HomeAssistant) -> dict[str, str]:
    """Return the names of Home Assistant's persons, by their storage id."""
    persons: list[State] = hass.states.async_all("person")
    return {
        person.attributes["id"]: person.name
        for person in persons
        if person.attributes.get("id")
    }


def persons_for(
    hass: HomeAssistant, entry: ConfigEntry, speaker: ConfigSubentry | None
) -> dict[str, str]:
    """Return the persons that are no speaker yet, apart from this speaker's own."""
    taken = {
        other.data.get(CONF_PERSON)
        for other in entry.get_subentries_of_type(SUBENTRY_SPEAKER)
        if speaker is None or other.subentry_id != speaker.subentry_id
    }
    persons = persons_of(hass)
    return {key: name for key, name in persons.items() if key not in taken}


def is_web_address(url: str) -> bool:
    """Tell whether this can be the address of a server."""
    try:
        parsed = urlsplit(url)
    except ValueError:
        return False
    return parsed.scheme in ("http", "https") and bool(parsed.hostname)


async def models_of(hass: HomeAssistant, url: str) -> tuple[list[str], str | None]:
    """Return the models of a server and, if it can't be used, the error's key."""
    if not is_web_address(url):
        return [], "invalid_url"
    client = OllamaClient(async_get_clientsession(hass), url)
    try:
        await client.version()
        return await client.tags(), None
    except OllamaError as err:
        return [], err.code if err.code in SERVER_ERRORS else "bad_answer"


async def lacks_tools(hass: HomeAssistant, url: str, agent: Mapping[str, Any]) -> bool:
    """Tell whether an agent wants tools of a model that has none; unknown is no."""
    if not agent.get(CONF_LLM_HASS_API) or not agent.get(CONF_MODEL):
        return False
    client = OllamaClient(async_get_clientsession(hass), agent.get(CONF_URL) or url)
    try:
        info = await client.show(agent[CONF_MODEL])
    except OllamaError:
        return False
    return bool(info.capabilities) and "tools" not in info.capabilities


def _choice(
    options: Sequence[str] | Sequence[selector.SelectOptionDict],
    *,
    multiple: bool = False,
    custom_value: bool = False,
    translation_key: str | None = None,
) -> selector.SelectSelector:
    modes = selector.SelectSelectorMode
    config = selector.SelectSelectorConfig(
        options=options,
        multiple=multiple,
        custom_value=custom_value,
        mode=modes.LIST if multiple else modes.DROPDOWN,
    )
    if translation_key:
        config["translation_key"] = translation_key
    return selector.SelectSelector(config)


def _options(choices: Mapping[str, str]) -> list[selector.SelectOptionDict]:
    return [
        selector.SelectOptionDict(value=value, label=label)
        for value, label in choices.items()
    ]


def _number(least: int, most: int) -> selector.NumberSelector:
    return selector.NumberSelector(
        selector.NumberSelectorConfig(
            min=least, max=most, step=1, mode=selector.NumberSelectorMode.BOX
        )
    )
