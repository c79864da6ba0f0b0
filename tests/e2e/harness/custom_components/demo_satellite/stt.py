"""Speech-to-text for audio that carries its words."""

from collections.abc import AsyncIterable
from typing import override

from homeassistant.components.stt import (
    AudioBitRates,
    AudioChannels,
    AudioCodecs,
    AudioFormats,
    AudioSampleRates,
    SpeechMetadata,
    SpeechResult,
    SpeechResultState,
    SpeechToTextEntity,
)
from homeassistant.components.stt.models import SpeechAudioProcessing
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .audio import from_stream
from .const import LANGUAGES
from .device import DemoConfigEntry

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: DemoConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add the engine."""
    async_add_entities([DemoSpeechToText(entry.entry_id)])


class DemoSpeechToText(SpeechToTextEntity):
    """Reads the words out of the stream."""

    _attr_name = "Demo speech to text"

    def __init__(self, entry_id: str) -> None:
        """Keep an id of its own."""
        self._attr_unique_id = f"{entry_id}_stt"

    @property
    @override
    def supported_languages(self) -> list[str]:
        """The languages of the demo."""
        return LANGUAGES

    @property
    @override
    def supported_formats(self) -> list[AudioFormats]:
        """What satellites send."""
        return [AudioFormats.WAV]

    @property
    @override
    def supported_codecs(self) -> list[AudioCodecs]:
        """What satellites send."""
        return [AudioCodecs.PCM]

    @property
    @override
    def supported_bit_rates(self) -> list[AudioBitRates]:
        """What satellites send."""
        return [AudioBitRates.BITRATE_16]

    @property
    @override
    def supported_sample_rates(self) -> list[AudioSampleRates]:
        """What satellites send."""
        return [AudioSampleRates.SAMPLERATE_16000]

    @property
    @override
    def supported_channels(self) -> list[AudioChannels]:
        """What satellites send."""
        return [AudioChannels.CHANNEL_MONO]

    @property
    @override
    def audio_processing(self) -> SpeechAudioProcessing:
        """Words must pass unchanged: nothing may cut or filter them."""
        return SpeechAudioProcessing(
            requires_external_vad=False,
            prefers_auto_gain_enabled=False,
            prefers_noise_reduction_enabled=False,
        )

    @override
    async def async_process_audio_stream(
        self, metadata: SpeechMetadata, stream: AsyncIterable[bytes]
    ) -> SpeechResult:
        """Return the words."""
        text = from_stream(b"".join([chunk async for chunk in stream]))
        return SpeechResult(text, SpeechResultState.SUCCESS)
