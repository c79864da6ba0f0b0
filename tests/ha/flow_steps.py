"""The forms of the flows, and a hand that fills them in."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import SOURCE_USER, ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType

from custom_components.assist_memory.const import (
    CONF_KEEP_ALIVE,
    CONF_LASTS,
    CONF_LOCAL_INTENTS,
    CONF_NUM_CTX,
    CONF_SHOW,
    DOMAIN,
    SUBENTRY_SPEAKER,
)
from tests.ollama_server import MODEL

AGENT_FORM = {
    "name": "Olly",
    "model": MODEL,
    "prompt": "Be kind.",
    CONF_NUM_CTX: 4096.0,
    CONF_KEEP_ALIVE: -1.0,
    CONF_LOCAL_INTENTS: True,
}
SPEAKER_FORM = {"name": "Cleo", CONF_SHOW: "nothing", CONF_LASTS: "hour"}


class Flow:
    """The flow of a new household, step by step."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.result: Mapping[str, Any] = {}

    async def start(self) -> None:
        """Open the first form."""
        self.result = await self.hass.config_entries.flow.async_init(
            DOMAIN, context={"source": SOURCE_USER}
        )

    async def fill(self, **form: Any) -> None:
        """Send the form."""
        self.result = await self.hass.config_entries.flow.async_configure(
            self.result["flow_id"], form
        )
        await self.hass.async_block_till_done()

    @property
    def step(self) -> str | None:
        """Return the form that is shown."""
        return self.result.get("step_id")

    @property
    def entry(self) -> ConfigEntry:
        """Return what was created."""
        assert self.result["type"] is FlowResultType.CREATE_ENTRY
        (entry,) = self.hass.config_entries.async_entries(DOMAIN)
        return entry

    def options_of(self, field: str) -> list[str]:
        """Return what may be chosen in a field."""
        selector = self.result["data_schema"].schema[field]
        return [
            option if isinstance(option, str) else option["value"]
            for option in selector.config["options"]
        ]

    def suggestion(self, field: str) -> Any:
        """Return what the form proposes for a field."""
        marker = next(key for key in self.result["data_schema"].schema if key == field)
        return marker.description["suggested_value"]


def titles(entry: ConfigEntry, kind: str) -> list[str]:
    """Return the titles of the subentries of a kind."""
    return [subentry.title for subentry in entry.get_subentries_of_type(kind)]


def speakers_of(entry: ConfigEntry) -> list[Any]:
    """Return the speakers of a household."""
    return list(entry.get_subentries_of_type(SUBENTRY_SPEAKER))
