"""Assist Memory: a voice assistant that remembers and reminds, on a local model.

Set-up asks no server: reminders, entities and agents are there first, whatever Ollama does.
"""

from homeassistant.const import CONF_URL, Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.dispatcher import async_dispatcher_send
from homeassistant.helpers.typing import ConfigType

from .chat_logs import DATA_LOGS, async_get_chat_logs
from .const import DOMAIN, SIGNAL_AGENTS, SIGNAL_SPEAKERS
from .home import HomeReader
from .household import async_get_household
from .issues import DATA_LOST
from .models import AssistMemoryConfigEntry, Runtime
from .ollama import OllamaClient
from .pipelines import async_use_in_pipelines
from .services import async_register_services
from .stale import async_clear_removed_speakers
from .transcript import DATA_TRANSCRIPTS, async_get_transcripts

PLATFORMS = (
    Platform.BUTTON,
    Platform.CONVERSATION,
    Platform.EVENT,
    Platform.SENSOR,
    Platform.SWITCH,
    Platform.TODO,
)


CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)


async def async_setup(hass: HomeAssistant, _config: ConfigType) -> bool:
    """Register the actions: they are there before there is an entry."""
    async_register_services(hass)
    return True


async def async_setup_entry(
    hass: HomeAssistant, entry: AssistMemoryConfigEntry
) -> bool:
    """Set up the household, its entities and its agents."""
    household = async_get_household(hass)
    await household.async_load(entry)
    household.register("transcript", async_get_transcripts(hass).async_forget)
    household.register("chat_log", async_get_chat_logs(hass).async_forget)
    entry.runtime_data = Runtime(
        client=_client(hass, entry), home=HomeReader(hass, entry)
    )
    entry.async_on_unload(entry.runtime_data.home.async_start())
    entry.async_on_unload(entry.add_update_listener(_async_updated))
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    await async_use_in_pipelines(hass, entry)
    return True


async def async_unload_entry(
    hass: HomeAssistant, entry: AssistMemoryConfigEntry
) -> bool:
    """Stop what runs; what is remembered stays in memory until it is loaded again."""
    if not await hass.config_entries.async_unload_platforms(entry, PLATFORMS):
        return False
    await async_get_household(hass).async_unload()
    return True


async def async_remove_entry(
    hass: HomeAssistant, entry: AssistMemoryConfigEntry
) -> None:
    """Delete all that was remembered, in memory and on the disk."""
    await async_get_household(hass).async_remove()
    hass.data.pop(DATA_TRANSCRIPTS, None)
    hass.data.pop(DATA_LOGS, None)
    hass.data.pop(DATA_LOST, None)


async def _async_updated(hass: HomeAssistant, entry: AssistMemoryConfigEntry) -> None:
    """Take over what was changed, in place: nobody is forgotten in mid-talk."""
    if entry.runtime_data.client.url != entry.data[CONF_URL]:
        entry.runtime_data.client = _client(hass, entry)
        entry.runtime_data.without_tools.clear()
    async_clear_removed_speakers(hass, entry)
    async_dispatcher_send(hass, SIGNAL_SPEAKERS)
    async_dispatcher_send(hass, SIGNAL_AGENTS)


def _client(hass: HomeAssistant, entry: AssistMemoryConfigEntry) -> OllamaClient:
    return OllamaClient(async_get_clientsession(hass), entry.data[CONF_URL])
