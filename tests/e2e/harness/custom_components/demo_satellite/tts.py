"""Text-to-speech whose audio carries its words."""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.components.tts import (
    ATTR_PREFERRED_FORMAT,
    TextToSpeechEntity,
    TtsAudioType,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .audio import to_wav
from .const import LANGUAGES
from .device import DemoConfigEntry

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: DemoConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add the engine."""
    async_add_entities([DemoTextToSpeech(entry.entry_id)])


class DemoTextToSpeech(TextToSpeechEntity):
    """Writes the words into a silent wave file."""

    _attr_name = "Demo text to speech"
    _attr_default_language = "en"
    # Another format would be converted, which needs ffmpeg and loses the words.
    _attr_default_options: Mapping[str, Any] = {ATTR_PREFERRED_FORMAT: "wav"}
    _attr_supported_languages = LANGUAGES

    def __init__(self, entry_id: str) -> None:
        """Keep an id of its own."""
        self._attr_unique_id = f"{entry_id}_tts"

    @override
    async def async_get_tts_audio(
        self, message: str, language: str, options: dict[str, Any]
    ) -> TtsAudioType:
        """Return the file."""
        return "wav", to_wav(message)
