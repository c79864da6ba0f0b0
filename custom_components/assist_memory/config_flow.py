"""The flows: the household with its server, persons as speakers, an agent, its pipelines."""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.components.assist_pipeline import (
    DOMAIN as PIPELINE_DOMAIN,
    async_get_pipelines,
)
from homeassistant.config_entries import (
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryDataWithId,
    ConfigSubentryFlow,
    OptionsFlow,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_NAME, CONF_URL
from homeassistant.core import callback
from homeassistant.helpers import selector
from homeassistant.util.ulid import ulid_now
import voluptuous as vol

from .const import (
    CONF_EVERYONE_IS,
    CONF_GUEST_MODE,
    CONF_PERSON,
    CONF_SATELLITES,
    CONF_SHARED_USERS,
    CONF_USE_IN_PIPELINES,
    DEFAULT_URL,
    DOMAIN,
    SUBENTRY_CONVERSATION,
    SUBENTRY_SPEAKER,
)
from .flow_schemas import (
    AGENT_DEFAULTS,
    CONF_GO_ON,
    HOUSEHOLD_DEFAULTS,
    SPEAKER_DEFAULTS,
    SPEAKING_DEFAULTS,
    agent_schema,
    choices_schema,
    household_schema,
    is_web_address,
    lacks_tools,
    models_of,
    persons_of,
    server_schema,
    speakers_of,
    users_of,
    whole_numbers,
)
from .pipelines import CONF_NEW_PIPELINE, CONF_PIPELINES
from .subentry_flow import AgentFlow, SpeakerFlow

TITLE = "Assist Memory"
CONF_SPEAKERS = "speakers"
CONF_EVERYONE = "everyone"


class AssistMemoryConfigFlow(ConfigFlow, domain=DOMAIN):
    """Sets up the household, in up to five steps."""

    VERSION = 1
    MINOR_VERSION = 1
    _agent: ConfigSubentryDataWithId

    def __init__(self) -> None:
        self._url = DEFAULT_URL
        self._models: list[str] = []
        self._speakers: list[ConfigSubentryDataWithId] = []
        self._options: dict[str, Any] = dict(HOUSEHOLD_DEFAULTS)

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the server and try it; it may come later."""
        errors = {}
        if user_input is not None:
            if (error := await self._try_server(user_input)) is None:
                return await self.async_step_speakers()
            errors["base"] = error
        return self._server_form("user", self._url, errors)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Let the household have another server."""
        entry = self._get_reconfigure_entry()
        errors = {}
        if user_input is not None:
            if (error := await self._try_server(user_input)) is None:
                return self.async_update_and_abort(
                    entry, data_updates={CONF_URL: self._url}
                )
            errors["base"] = error
        url = user_input[CONF_URL] if user_input else entry.data[CONF_URL]
        return self._server_form("reconfigure", url, errors)

    async def async_step_speakers(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Let persons of Home Assistant be ticked as speakers."""
        persons = persons_of(self.hass)
        if user_input is None and persons:
            schema = vol.Schema(choices_schema(CONF_SPEAKERS, persons))
            return self.async_show_form(
                step_id="speakers",
                data_schema=self.add_suggested_values_to_schema(
                    schema, {CONF_SPEAKERS: list(persons)}
                ),
            )
        chosen = (user_input or {}).get(CONF_SPEAKERS, [])
        self._speakers = [_speaker(persons[person], person) for person in chosen]
        if len(self._speakers) == 1:
            return await self.async_step_everyone()
        return await self.async_step_agent()

    async def async_step_everyone(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask whether the only speaker is meant when nobody is known."""
        speaker = self._speakers[0]
        if user_input is None:
            return self.async_show_form(
                step_id="everyone",
                data_schema=vol.Schema(
                    {
                        vol.Required(
                            CONF_EVERYONE, default=True
                        ): selector.BooleanSelector()
                    }
                ),
                description_placeholders={"name": speaker["title"]},
            )
        if user_input[CONF_EVERYONE]:
            self._options[CONF_EVERYONE_IS] = speaker["subentry_id"]
        return await self.async_step_agent()

    async def async_step_agent(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the agent."""
        errors = {}
        if user_input is not None:
            if not is_web_address(user_input.get(CONF_URL, DEFAULT_URL)):
                errors[CONF_URL] = "invalid_url"
            elif await lacks_tools(self.hass, self._url, user_input):
                errors[CONF_LLM_HASS_API] = "no_tools"
            else:
                self._agent = _agent(whole_numbers(user_input))
                return await self.async_step_pipeline()
        suggested = {**AGENT_DEFAULTS, CONF_NAME: TITLE}
        if self._models:
            suggested[CONF_MODEL] = self._models[0]
        return self.async_show_form(
            step_id="agent",
            data_schema=self.add_suggested_values_to_schema(
                agent_schema(self.hass, self._models, new=True), user_input or suggested
            ),
            errors=errors,
        )

    async def async_step_pipeline(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask where the agent is to be used; the last step."""
        if PIPELINE_DOMAIN not in self.hass.config.components:
            return self._create({})
        if user_input is not None:
            return self._create(user_input)
        pipelines = {p.id: p.name for p in async_get_pipelines(self.hass)}
        fields = {
            vol.Required(CONF_NEW_PIPELINE, default=True): selector.BooleanSelector(),
            **choices_schema(CONF_PIPELINES, pipelines),
        }
        if self.hass.states.async_entity_ids("assist_satellite"):
            fields[vol.Optional(CONF_SATELLITES)] = selector.EntitySelector(
                selector.EntitySelectorConfig(domain="assist_satellite", multiple=True)
            )
        return self.async_show_form(step_id="pipeline", data_schema=vol.Schema(fields))

    @staticmethod
    @callback
    @override
    def async_get_options_flow(config_entry: ConfigEntry) -> HouseholdOptionsFlow:
        """Return the flow for the household's options."""
        return HouseholdOptionsFlow()

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(
        cls, config_entry: ConfigEntry
    ) -> dict[str, type[ConfigSubentryFlow]]:
        """Return what can be added to a household: agents and speakers."""
        return {SUBENTRY_CONVERSATION: AgentFlow, SUBENTRY_SPEAKER: SpeakerFlow}

    async def _try_server(self, user_input: Mapping[str, Any]) -> str | None:
        """Return the error's key, None if the server answers or may come later."""
        self._url = user_input[CONF_URL].strip().rstrip("/")
        self._models, error = await models_of(self.hass, self._url)
        if user_input.get(CONF_GO_ON) and is_web_address(self._url):
            return None
        return error

    @callback
    def _server_form(
        self, step_id: str, url: str, errors: dict[str, str]
    ) -> ConfigFlowResult:
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(
                server_schema(may_go_on=bool(errors)), {CONF_URL: url}
            ),
            errors=errors,
            description_placeholders={"default_url": DEFAULT_URL},
        )

    @callback
    def _create(self, use: Mapping[str, Any]) -> ConfigFlowResult:
        """Create the entry; pipelines are told once the agent's entity exists."""
        data: dict[str, Any] = {CONF_URL: self._url}
        if any(use.values()):
            agent_id = self._agent["subentry_id"]
            data[CONF_USE_IN_PIPELINES] = {**use, SUBENTRY_CONVERSATION: agent_id}
        return self.async_create_entry(
            title=TITLE,
            data=data,
            options=self._options,
            subentries=[self._agent, *self._speakers],
        )


class HouseholdOptionsFlow(OptionsFlow):
    """Options that hold for the whole household."""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Show the options or keep them."""
        if user_input is not None:
            # The household's switch is kept among the options.
            guests = self.config_entry.options.get(CONF_GUEST_MODE)
            kept = {} if guests is None else {CONF_GUEST_MODE: guests}
            return self.async_create_entry(data=kept | whole_numbers(user_input))
        users = await users_of(self.hass)
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(
                household_schema(self.config_entry, users),
                {
                    **HOUSEHOLD_DEFAULTS,
                    **SPEAKING_DEFAULTS,
                    **self._available(users),
                },
            ),
        )

    def _available(self, users: Mapping[str, str]) -> dict[str, Any]:
        """Return the options without whoever is gone, whom the form would refuse."""
        left = dict(self.config_entry.options)
        shared = left.get(CONF_SHARED_USERS, ())
        left[CONF_SHARED_USERS] = [user for user in shared if user in users]
        if left.get(CONF_EVERYONE_IS) not in speakers_of(self.config_entry):
            left.pop(CONF_EVERYONE_IS, None)
        return left


def _speaker(name: str, person: str) -> ConfigSubentryDataWithId:
    return ConfigSubentryDataWithId(
        data={**SPEAKER_DEFAULTS, CONF_PERSON: person},
        subentry_id=ulid_now(),
        subentry_type=SUBENTRY_SPEAKER,
        title=name,
        unique_id=None,
    )


def _agent(data: dict[str, Any]) -> ConfigSubentryDataWithId:
    name = data.pop(CONF_NAME)
    return ConfigSubentryDataWithId(
        data=data,
        subentry_id=ulid_now(),
        subentry_type=SUBENTRY_CONVERSATION,
        title=name,
        unique_id=None,
    )
