"""What the integration's modules share while an entry is loaded."""

from dataclasses import dataclass, field

from homeassistant.config_entries import ConfigEntry

from .home import HomeReader
from .ollama import OllamaClient

type AssistMemoryConfigEntry = ConfigEntry[Runtime]


@dataclass(slots=True, kw_only=True)
class Runtime:
    """Nothing of a household's words is in here: it goes when the entry is reloaded."""

    client: OllamaClient
    """The household's server; an agent may name another one."""
    home: HomeReader
    without_tools: set[str] = field(default_factory=set)
    """Models that have refused tools."""
