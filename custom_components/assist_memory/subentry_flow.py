"""The flows for agents and speakers: to add one and to change one."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigEntryState,
    ConfigSubentry,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_NAME, CONF_URL
from homeassistant.core import callback
from homeassistant.helpers import llm
import voluptuous as vol

from .const import (
    CONF_PERSON,
    CONF_SATELLITES,
    CONF_SPEAKER,
    DEFAULT_URL,
    SUBENTRY_SPEAKER,
)
from .flow_schemas import (
    AGENT_DEFAULTS,
    SPEAKER_DEFAULTS,
    agent_schema,
    is_web_address,
    lacks_tools,
    models_of,
    persons_for,
    speaker_schema,
    speakers_of,
    whole_numbers,
)


class _Flow(ConfigSubentryFlow):
    """What both have in common: a form that adds one or changes one."""

    @property
    def _own(self) -> ConfigSubentry | None:
        """Return the subentry that is being changed, None for a new one."""
        if self.source == SOURCE_RECONFIGURE:
            return self._get_reconfigure_subentry()
        return None

    @callback
    def _keep(self, title: str, data: Mapping[str, Any]) -> SubentryFlowResult:
        if own := self._own:
            return self.async_update_and_abort(
                self._get_entry(), own, title=title, data=data
            )
        return self.async_create_entry(title=title, data=data)

    @callback
    def _form(
        self, schema: vol.Schema, values: Mapping[str, Any], errors: dict[str, str]
    ) -> SubentryFlowResult:
        return self.async_show_form(
            step_id="reconfigure" if self._own else "user",
            data_schema=self.add_suggested_values_to_schema(schema, values),
            errors=errors,
        )


class AgentFlow(_Flow):
    """A conversation agent: a model and how it is asked."""

    _models: list[str] | None = None

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the form or keep what it returned."""
        entry, own = self._get_entry(), self._own
        if entry.state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        errors: dict[str, str] = {}
        if user_input is not None:
            errors = await self._errors(entry.data[CONF_URL], user_input)
            if not errors:
                data = whole_numbers(user_input)
                name = data.pop(CONF_NAME, own.title if own else "")
                return self._keep(name, data)
        values = user_input or {**AGENT_DEFAULTS, **(own.data if own else {})}
        return self._form(await self._schema(values), _available(self, values), errors)

    async_step_reconfigure = async_step_user

    async def _schema(self, values: Mapping[str, Any]) -> vol.Schema:
        if self._models is None:
            url = values.get(CONF_URL) or self._get_entry().data[CONF_URL]
            self._models, _ = await models_of(self.hass, url)
        speakers = speakers_of(self._get_entry())
        return agent_schema(
            self.hass, self._models, new=self._own is None, speakers=speakers
        )

    async def _errors(self, url: str, agent: Mapping[str, Any]) -> dict[str, str]:
        if not is_web_address(agent.get(CONF_URL, DEFAULT_URL)):
            return {CONF_URL: "invalid_url"}
        if await lacks_tools(self.hass, url, agent):
            return {CONF_LLM_HASS_API: "no_tools"}
        return {}


class SpeakerFlow(_Flow):
    """Somebody whose memory is kept apart."""

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the form or keep what it returned."""
        own, errors = self._own, {}
        if user_input is not None:
            if self._is_taken(user_input.get(CONF_SATELLITES, [])):
                errors[CONF_SATELLITES] = "satellite_taken"
            else:
                return self._keep(user_input.pop(CONF_NAME), user_input)
        values = dict(SPEAKER_DEFAULTS)
        if own:
            values |= {**own.data, CONF_NAME: own.title}
        values = user_input or values
        persons = persons_for(self.hass, self._get_entry(), own)
        if values.get(CONF_PERSON) not in persons:
            # The form would refuse a person who is gone.
            values.pop(CONF_PERSON, None)
        return self._form(speaker_schema(persons), values, errors)

    async_step_reconfigure = async_step_user

    def _is_taken(self, satellites: list[str]) -> bool:
        """Tell whether another speaker has one of the satellites."""
        own = self._own
        return any(
            set(satellites) & set(speaker.data.get(CONF_SATELLITES, ()))
            for speaker in self._get_entry().get_subentries_of_type(SUBENTRY_SPEAKER)
            if own is None or speaker.subentry_id != own.subentry_id
        )


def _available(flow: ConfigSubentryFlow, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values without APIs and a speaker that have gone, which the form would refuse."""
    known = {api.id for api in llm.async_get_apis(flow.hass)}
    apis = [api for api in values.get(CONF_LLM_HASS_API, []) if api in known]
    left = {**values, CONF_LLM_HASS_API: apis}
    if values.get(CONF_SPEAKER) not in speakers_of(flow._get_entry()):  # noqa: SLF001
        left.pop(CONF_SPEAKER, None)
    return left
