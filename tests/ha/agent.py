"""What tests of the agent share: its entity, and what it says when something goes wrong."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_component import DATA_INSTANCES

from custom_components.assist_memory.engine import guard, load_language, trouble
from tests.ha.conftest import AGENT


def sentence(code: str, language: str = "en") -> str:
    """Return what is said of a trouble."""
    return trouble(code, load_language(language))


def notice(code: str) -> str:
    """Return what is said of a turn that did not take place."""
    return guard.notice(code, load_language("en"))


def agent_of(hass: HomeAssistant) -> Any:
    """Return the agent's entity."""
    return hass.data[DATA_INSTANCES]["conversation"].get_entity(AGENT)
