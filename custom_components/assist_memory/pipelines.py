"""Puts an agent to use: in Assist pipelines, and on satellites (last step of the flow)."""

from collections.abc import Iterable, Mapping
import logging
from typing import Any, Final

from homeassistant.components.assist_pipeline import (
    DOMAIN as PIPELINE_DOMAIN,
    Pipeline,
    async_get_pipelines,
    async_update_pipeline,
)
from homeassistant.components.assist_pipeline.pipeline import (
    KEY_ASSIST_PIPELINE,
    async_get_pipeline,
)
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import ATTR_ENTITY_ID, ATTR_OPTION, MATCH_ALL, Platform
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er

from .const import (
    CONF_SATELLITES,
    CONF_USE_IN_PIPELINES,
    DOMAIN,
    SUBENTRY_CONVERSATION,
)

CONF_PIPELINES: Final = "pipelines"
CONF_NEW_PIPELINE: Final = "new_pipeline"

_LOGGER = logging.getLogger(__name__)


async def async_use_in_pipelines(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Do once what the flow was asked for, now that the agent has an entity."""
    use = entry.data.get(CONF_USE_IN_PIPELINES)
    if use is None:
        return
    data = {key: val for key, val in entry.data.items() if key != CONF_USE_IN_PIPELINES}
    hass.config_entries.async_update_entry(entry, data=data)
    agent = er.async_get(hass).async_get_entity_id(
        Platform.CONVERSATION, DOMAIN, use[SUBENTRY_CONVERSATION]
    )
    if agent is None or PIPELINE_DOMAIN not in hass.config.components:
        return
    pipelines = await _pipelines(hass, entry, agent, use)
    if pipelines:
        await _use_on_satellites(hass, pipelines[0], use.get(CONF_SATELLITES, []))


async def _pipelines(
    hass: HomeAssistant, entry: ConfigEntry, agent: str, use: Mapping[str, Any]
) -> list[Pipeline]:
    """Return the pipelines that use the agent now, a new one first."""
    changed = []
    if use.get(CONF_NEW_PIPELINE):
        title = entry.subentries[use[SUBENTRY_CONVERSATION]].title
        changed.append(await _new_pipeline(hass, agent, title))
    chosen = set(use.get(CONF_PIPELINES, ()))
    for pipeline in async_get_pipelines(hass):
        if pipeline.id in chosen:
            await async_update_pipeline(hass, pipeline, **_settings(agent))
            changed.append(pipeline)
    return changed


async def _new_pipeline(hass: HomeAssistant, agent: str, name: str) -> Pipeline:
    """Create a pipeline that hears and speaks like the preferred one."""
    names = {pipeline.name for pipeline in async_get_pipelines(hass)}
    settings = async_get_pipeline(hass).to_json() | _settings(agent)
    settings["name"] = _free_name(name, names)
    del settings["id"]
    store = hass.data[KEY_ASSIST_PIPELINE].pipeline_store
    return await store.async_create_item(settings)


def _settings(agent: str) -> dict[str, Any]:
    """Return what makes a pipeline use the agent, which tries local commands by itself."""
    return {
        "conversation_engine": agent,
        "conversation_language": MATCH_ALL,
        "prefer_local_intents": False,
    }


def _free_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number if needed: satellites choose pipelines by name."""
    names, number, free = set(taken), 1, name
    while free in names:
        number += 1
        free = f"{name} {number}"
    return free


async def _use_on_satellites(
    hass: HomeAssistant, pipeline: Pipeline, satellites: Iterable[str]
) -> None:
    for satellite in satellites:
        if (select := _pipeline_select(hass, satellite)) is None:
            _LOGGER.warning("%s has no setting for its pipeline", satellite)
            continue
        try:
            await hass.services.async_call(
                Platform.SELECT,
                "select_option",
                {ATTR_ENTITY_ID: select, ATTR_OPTION: pipeline.name},
                blocking=True,
            )
        except HomeAssistantError as err:
            _LOGGER.warning("Could not set the pipeline of %s: %s", satellite, err)


def _pipeline_select(hass: HomeAssistant, satellite: str) -> str | None:
    """Return the entity that chooses a satellite's pipeline."""
    entities = er.async_get(hass)
    entry = entities.async_get(satellite)
    if entry is None or entry.device_id is None:
        return None
    return next(
        (
            other.entity_id
            for other in er.async_entries_for_device(entities, entry.device_id)
            if other.domain == Platform.SELECT and other.translation_key == "pipeline"
        ),
        None,
    )
