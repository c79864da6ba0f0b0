"""What a person can mend about an agent's model, shown among the repairs."""

import logging
from typing import Final

from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.util.hass_dict import HassKey

from .const import DOMAIN
from .ollama import OllamaAuthError, OllamaError, OllamaModelMissingError

DATA_LOST: HassKey[set[str]] = HassKey(f"{DOMAIN}_lost")
_ISSUES: Final[dict[str, type[OllamaError]]] = {
    "model_missing": OllamaModelMissingError,
    "server_auth": OllamaAuthError,
}

_LOGGER = logging.getLogger(__name__)


@callback
def async_note_trouble(
    hass: HomeAssistant, agent: ConfigSubentry, error: OllamaError | None
) -> None:
    """Open or close the agent's issues, and log once that it is lost or back."""
    for key, kind in _ISSUES.items():
        issue_id = f"{key}_{agent.subentry_id}"
        if isinstance(error, kind):
            ir.async_create_issue(
                hass,
                DOMAIN,
                issue_id,
                is_fixable=False,
                severity=ir.IssueSeverity.ERROR,
                translation_key=key,
                translation_placeholders={
                    "agent": agent.title,
                    "model": str(agent.data.get(CONF_MODEL)),
                },
            )
        else:
            ir.async_delete_issue(hass, DOMAIN, issue_id)
    _log_once(hass, agent, error)


@callback
def async_clear_trouble(hass: HomeAssistant, agent: ConfigSubentry) -> None:
    """Close the agent's issues: it is gone, or about to be loaded anew."""
    for key in _ISSUES:
        ir.async_delete_issue(hass, DOMAIN, f"{key}_{agent.subentry_id}")
    hass.data.get(DATA_LOST, set()).discard(agent.subentry_id)


def _log_once(
    hass: HomeAssistant, agent: ConfigSubentry, error: OllamaError | None
) -> None:
    lost = hass.data.setdefault(DATA_LOST, set())
    if error and agent.subentry_id not in lost:
        lost.add(agent.subentry_id)
        _LOGGER.warning("The model of %s does not answer: %s", agent.title, error.code)
    elif not error and agent.subentry_id in lost:
        lost.discard(agent.subentry_id)
        _LOGGER.warning("The model of %s answers again", agent.title)
