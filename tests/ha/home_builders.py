"""What the tests of household, reminders and entities are built from."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any, override
from unittest.mock import patch
from zlib import crc32

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.assist_satellite import (
    AssistSatelliteAnnouncement,
    AssistSatelliteConfiguration,
    AssistSatelliteEntity,
    AssistSatelliteEntityFeature,
)
from homeassistant.components.assist_satellite.const import (
    DATA_COMPONENT as SATELLITE_COMPONENT,
)
from homeassistant.components.assist_satellite.entity import AssistSatelliteState
from homeassistant.components.tts import TextToSpeechEntity, TtsAudioType
from homeassistant.components.tts.const import DATA_COMPONENT as TTS_COMPONENT
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_fire_time_changed,
)

from custom_components.assist_memory.const import (
    CONF_SATELLITES,
    DOMAIN,
    SIGNAL_REMINDER_EVENT,
    SUBENTRY_SPEAKER,
)
from custom_components.assist_memory.engine import (
    HOUSEHOLD,
    PendingItem,
    Utterance,
    pending,
)
from custom_components.assist_memory.household import Household, async_get_household

ANNA = "anna0"
BEN = "ben00"
KITCHEN = "assist_satellite.kitchen"
BEDROOM = "assist_satellite.bedroom"
STORAGE_KEY = "assist_memory.reminders"
_URL = "http://127.0.0.1:9"


def speaker(speaker_id: str, name: str, **data: Any) -> ConfigSubentry:
    """Return a speaker's subentry."""
    return ConfigSubentry(
        data=MappingProxyType(data),
        subentry_id=speaker_id,
        subentry_type=SUBENTRY_SPEAKER,
        title=name,
        unique_id=None,
    )


def household_entry(*speakers: ConfigSubentry, **options: Any) -> MockConfigEntry:
    """Return the entry of a household; without speakers given, Anna and Ben."""
    known = speakers or (
        speaker(ANNA, "Anna", **{CONF_SATELLITES: [BEDROOM]}),
        speaker(BEN, "Ben"),
    )
    return MockConfigEntry(
        domain=DOMAIN,
        title="Assist Memory",
        entry_id="entry0",
        data={"url": _URL},
        options=options,
        subentries_data=[subentry.as_dict() for subentry in known],
    )


async def start(hass: HomeAssistant, entry: MockConfigEntry) -> Household:
    """Set the entry up and return the household."""
    if hass.config_entries.async_get_entry(entry.entry_id) is None:
        entry.add_to_hass(hass)
    assert await async_setup_component(hass, "homeassistant", {})
    assert await hass.config_entries.async_setup(entry.entry_id)
    await settle(hass)
    return async_get_household(hass)


async def settle(hass: HomeAssistant) -> None:
    """Wait until what was set off is done, background work included."""
    await hass.async_block_till_done(wait_background_tasks=True)


def reminder(text: str = "call the bank", **fields: Any) -> PendingItem:
    """Return a reminder of Anna's that is due in an hour."""
    now = dt_util.now()
    made = PendingItem(
        id=fields.pop("id", f"id{crc32(text.encode())}"),
        owner=ANNA,
        text=text,
        created=now,
        due=now + timedelta(hours=1),
    )
    return replace(made, **fields)


def household_reminder(text: str = "bring the bins out", **fields: Any) -> PendingItem:
    """Return a reminder that belongs to everyone."""
    return reminder(text, owner=HOUSEHOLD, **fields)


def hear(household: Household, speaker_id: str | None, *sentences: str) -> None:
    """Let a speaker's memory take in sentences."""
    memory = household.memory_of(speaker_id, "talk")
    for sentence in sentences:
        utterance = Utterance(text=sentence, language="en", now=dt_util.now())
        memory.update_state(memory.filter_input(utterance))
    household.async_memory_changed(speaker_id)


async def pass_time(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, delta: timedelta
) -> None:
    """Let time pass at once, and what is due happen."""
    freezer.tick(delta)
    async_fire_time_changed(hass, dt_util.utcnow())
    await settle(hass)


def stored(*items: PendingItem, **occurrences: Any) -> dict[str, Any]:
    """Return the file that these reminders make."""
    return {
        STORAGE_KEY: {
            "version": 1,
            "minor_version": 1,
            "key": STORAGE_KEY,
            "data": {
                "items": [pending.to_dict(item) for item in items],
                "occurrences": occurrences,
            },
        }
    }


def on_disk(hass_storage: dict[str, Any]) -> dict[str, PendingItem]:
    """Return the reminders that are on the disk, by id."""
    entries = hass_storage[STORAGE_KEY]["data"]["items"]
    return {entry["id"]: pending.from_dict(entry) for entry in entries}


def watch_events(hass: HomeAssistant) -> list[tuple[str, str]]:
    """Return a list that grows with (event, reminder's id)."""
    seen: list[tuple[str, str]] = []

    @callback
    def note(event: str, item: PendingItem) -> None:
        seen.append((event, item.id))

    async_dispatcher_connect(hass, SIGNAL_REMINDER_EVENT, note)
    return seen


def entity_of(hass: HomeAssistant, domain: str, unique_id: str) -> str:
    """Return the entity id of one of our entities."""
    entity_id = er.async_get(hass).async_get_entity_id(domain, DOMAIN, unique_id)
    assert entity_id is not None
    return entity_id


def notes(hass: HomeAssistant) -> list[dict[str, Any]]:
    """Return the persistent notifications."""
    return list(hass.data.get("persistent_notification", {}).values())


class FakeSatellite(AssistSatelliteEntity):
    """A satellite that keeps what it was given to say."""

    _attr_supported_features = AssistSatelliteEntityFeature.ANNOUNCE

    def __init__(self, name: str) -> None:
        self._attr_name = name
        self._attr_unique_id = name
        self.said: list[str] = []
        self.media: list[AssistSatelliteAnnouncement] = []
        self.before_speaking: Callable[[], None] = lambda: None
        self.failure: Exception | None = None

    @override
    def async_get_configuration(self) -> AssistSatelliteConfiguration:
        return AssistSatelliteConfiguration([], [], 1)

    @override
    async def async_set_configuration(
        self, config: AssistSatelliteConfiguration
    ) -> None:
        raise NotImplementedError

    @override
    def on_pipeline_event(self, event: Any) -> None:
        """Nothing to do."""

    @override
    async def async_announce(self, announcement: AssistSatelliteAnnouncement) -> None:
        if self.failure:
            raise self.failure
        self.before_speaking()
        self.said.append(announcement.message)
        self.media.append(announcement)

    def set_state(self, state: str) -> None:
        """Be idle, listening, processing or responding."""
        self._set_state(AssistSatelliteState(state))


class FakeVoice(TextToSpeechEntity):
    """A TTS engine that makes a short silent sound of everything."""

    _attr_name = "Voice"
    _attr_unique_id = "voice"
    _attr_default_language = "en"
    _attr_supported_languages = ["en", "zh"]  # noqa: RUF012 - as core declares it

    @override
    async def async_get_tts_audio(
        self, message: str, language: str, options: dict[str, Any]
    ) -> TtsAudioType:
        return "mp3", b"\0" * 64


async def set_up_satellites(
    hass: HomeAssistant, cache: Path
) -> dict[str, FakeSatellite]:
    """Set up a voice, a pipeline that speaks with it, and two satellites."""
    satellites = {
        KITCHEN: FakeSatellite("Kitchen"),
        BEDROOM: FakeSatellite("Bedroom"),
    }
    assert await async_setup_component(hass, "homeassistant", {})
    with patch(
        "homeassistant.components.tts._init_tts_cache_dir", return_value=str(cache)
    ):
        assert await async_setup_component(hass, "tts", {})
    await hass.data[TTS_COMPONENT].async_add_entities([FakeVoice()])
    assert await async_setup_component(hass, "assist_satellite", {})
    await hass.data[SATELLITE_COMPONENT].async_add_entities(satellites.values())
    assert await async_setup_component(hass, "assist_pipeline", {})
    await hass.async_block_till_done()
    return satellites
