"""The satellites themselves."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final, override

import aiohttp
from homeassistant.components.assist_pipeline import PipelineEvent, PipelineEventType
from homeassistant.components.assist_satellite import (
    AssistSatelliteAnnouncement,
    AssistSatelliteConfiguration,
    AssistSatelliteEntity,
    AssistSatelliteEntityFeature,
)
from homeassistant.components.assist_satellite.entity import AssistSatelliteState
from homeassistant.const import MATCH_ALL, Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.network import get_url
from homeassistant.util import dt as dt_util

from .audio import from_wav, to_stream
from .const import DOMAIN
from .device import DemoConfigEntry, SatelliteDevice

PARALLEL_UPDATES = 0

PLAY_SECONDS: Final = 0.5
"""How long a sentence takes to be said."""
FETCH_SECONDS: Final = 30
KEPT: Final = 30


async def async_setup_entry(
    hass: HomeAssistant,
    entry: DemoConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add the satellites."""
    async_add_entities(DemoSatellite(device) for device in entry.runtime_data.values())


class DemoSatellite(AssistSatelliteEntity):
    """Hears by HTTP; fetches what it has to say as a device does, and writes it down."""

    _attr_has_entity_name = True
    _attr_name = None
    _attr_supported_features = AssistSatelliteEntityFeature.ANNOUNCE
    # What was said is for the eye of the demo, never for the recorder.
    _unrecorded_attributes = frozenset({MATCH_ALL})

    def __init__(self, device: SatelliteDevice) -> None:
        """Belong to a device."""
        self._device = device
        self._said: list[dict[str, Any]] = []
        self._attr_unique_id = device.key
        self._attr_device_info = device.info

    @override
    async def async_added_to_hass(self) -> None:
        """Follow the busy switch."""
        await super().async_added_to_hass()
        self._device.listeners.append(self._async_busy_changed)
        self.async_on_remove(
            lambda: self._device.listeners.remove(self._async_busy_changed)
        )

    @property
    @override
    def pipeline_entity_id(self) -> str | None:
        """The select entity of this satellite."""
        return er.async_get(self.hass).async_get_entity_id(
            Platform.SELECT, DOMAIN, f"{self._device.key}-pipeline"
        )

    @property
    @override
    def extra_state_attributes(self) -> dict[str, Any]:
        """What it said, newest last: kind, text, time, whether somebody was interrupted."""
        return {"said": list(self._said)}

    @callback
    @override
    def async_get_configuration(self) -> AssistSatelliteConfiguration:
        """Return a configuration without wake words."""
        return AssistSatelliteConfiguration([], [], 0)

    @override
    async def async_set_configuration(
        self, config: AssistSatelliteConfiguration
    ) -> None:
        """Take nothing over: there are no wake words to choose."""

    async def async_hear(self, text: str) -> None:
        """Run the pipeline as if somebody had said this in the room; return when the run is over."""
        await self.async_accept_pipeline_from_satellite(_audio(text))

    @override
    async def async_announce(self, announcement: AssistSatelliteAnnouncement) -> None:
        """Fetch the announcement, "play" it and write it down."""
        interrupted = self._device.busy
        text = await self._async_fetch(announcement.media_id)
        await asyncio.sleep(PLAY_SECONDS)
        self._write_down("announcement", text, interrupted=interrupted)

    @callback
    @override
    def on_pipeline_event(self, event: PipelineEvent) -> None:
        """Say the answer of a run."""
        if event.type is PipelineEventType.TTS_END and event.data:
            url = event.data["tts_output"].get("url", "")
            self.platform.config_entry.async_create_background_task(  # type: ignore[union-attr]
                self.hass, self._async_answer(url), f"{self.entity_id} answers"
            )

    async def _async_answer(self, url: str) -> None:
        """Fetch and "play" an answer, then be idle again."""
        try:
            text = await self._async_fetch(url)
            await asyncio.sleep(PLAY_SECONDS)
            self._write_down("answer", text)
        finally:
            self.tts_response_finished()
            self._async_busy_changed()

    async def _async_fetch(self, url: str) -> str:
        """Return the words of the audio at an address."""
        if url.startswith("/"):
            url = get_url(self.hass) + url
        timeout = aiohttp.ClientTimeout(total=FETCH_SECONDS)
        session = async_get_clientsession(self.hass)
        async with session.get(url, timeout=timeout) as response:
            response.raise_for_status()
            return from_wav(await response.read())

    @callback
    def _write_down(self, kind: str, text: str, *, interrupted: bool = False) -> None:
        """Keep what was said."""
        self._said.append(
            {
                "kind": kind,
                "text": text,
                "at": dt_util.now().isoformat(),
                "interrupted": interrupted,
            }
        )
        del self._said[:-KEPT]
        self.async_write_ha_state()

    @callback
    def _async_busy_changed(self) -> None:
        """Show as state what the switch says."""
        busy = self._device.busy
        self._set_state(
            AssistSatelliteState.LISTENING if busy else AssistSatelliteState.IDLE
        )


async def _audio(text: str) -> AsyncIterator[bytes]:
    """Yield a sentence as audio."""
    yield to_stream(text)
