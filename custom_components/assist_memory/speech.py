"""How words become sound on a satellite, without leaving a file behind.

What was found on 2026.10.4 and 2026.11.0: `assist_satellite.announce` with a message
makes its own TTS stream, which follows the `cache` setting of `tts:` (on by default) and
so leaves the audio of every reminder in `<config>/tts`, where it survives forgetting and
goes into backups. Neither the action nor a satellite's `tts_options` has a switch for it.
A media id `media-source://tts/<engine>?message=…&cache=false` works, but only where
`media_source` is set up. So the stream is made here as core makes it, with its file cache
switched off before it gets its words, and the satellite is given its address to play:
the audio is in memory for some minutes, and nowhere else.

The action also puts its arguments on the event bus (`call_service`), where the recorder
and every admin can read them. The entity's method, which the action calls, does not.
"""

import asyncio
from typing import Any

from homeassistant.components import tts
from homeassistant.components.assist_pipeline.pipeline import (
    Pipeline,
    async_get_pipeline,
    async_get_pipelines,
)
from homeassistant.components.assist_satellite import (
    AssistSatelliteEntity,
    AssistSatelliteEntityFeature,
)
from homeassistant.components.assist_satellite.const import DATA_COMPONENT
from homeassistant.const import STATE_IDLE, STATE_UNAVAILABLE
from homeassistant.core import (
    Event,
    EventStateChangedData,
    HomeAssistant,
    State,
    callback,
)
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_track_state_change_event

from .engine import language_code

SPEAK_LIMIT = 120
"""Seconds after which a satellite that has not finished is given up."""

_PHONE_PLATFORM = "voip"
"""It rings instead of speaking, and plays no media: not for what nobody asked for."""


@callback
def async_can_announce(hass: HomeAssistant, satellite: str) -> bool:
    """Tell whether a satellite exists and can speak unasked."""
    if (state := hass.states.get(satellite)) is None:
        return False
    entry = er.async_get(hass).async_get(satellite)
    if entry and entry.platform == _PHONE_PLATFORM:
        return False
    features = state.attributes.get("supported_features", 0)
    return bool(features & AssistSatelliteEntityFeature.ANNOUNCE)


async def async_wait_idle(hass: HomeAssistant, satellite: str, patience: float) -> bool:
    """Wait until a satellite is idle, at most `patience` seconds; tell whether it is."""
    if _is_idle(hass.states.get(satellite)):
        return True
    idle = asyncio.Event()

    @callback
    def changed(event: Event[EventStateChangedData]) -> None:
        if _is_idle(event.data["new_state"]):
            idle.set()

    stop = async_track_state_change_event(hass, satellite, changed)
    try:
        async with asyncio.timeout(patience):
            await idle.wait()
    except TimeoutError:
        return False
    finally:
        stop()
    return True


@callback
def async_is_reachable(hass: HomeAssistant, satellite: str) -> bool:
    """Tell whether a satellite is there, busy or not."""
    state = hass.states.get(satellite)
    return state is not None and state.state != STATE_UNAVAILABLE


async def async_speak(
    hass: HomeAssistant, satellite: str, text: str, language: str
) -> bool:
    """Speak on an idle satellite and tell whether that went well.

    Never call it inside a turn of that satellite: announcing ends the running turn.
    """
    component = hass.data.get(DATA_COMPONENT)
    entity = component.get_entity(satellite) if component else None
    if entity is None:
        return False
    try:
        media_id = _sound_of(hass, entity, text, language)
    except HomeAssistantError:
        return False
    # A task of its own: platforms raise whatever they like, and one that hangs can't
    # be left by a timeout around it.
    task = hass.async_create_background_task(
        entity.async_internal_announce(message=text, media_id=media_id),
        "assist_memory announcement",
    )
    try:
        await asyncio.wait({task}, timeout=SPEAK_LIMIT)
    finally:
        if not task.done():
            task.cancel()
    return task.done() and not task.cancelled() and task.exception() is None


def _sound_of(
    hass: HomeAssistant, entity: AssistSatelliteEntity, text: str, language: str
) -> str:
    """Return where a text can be heard. Raises HomeAssistantError without a voice."""
    pipeline = _pipeline(hass, entity, language)
    engine = tts.async_resolve_engine(hass, pipeline.tts_engine)
    if engine is None:
        raise HomeAssistantError("no text-to-speech engine")
    options: dict[str, Any] = dict(entity.tts_options or {})
    if pipeline.tts_voice is not None:
        options.setdefault(tts.ATTR_VOICE, pipeline.tts_voice)
    stream = tts.async_create_stream(
        hass, engine=engine, language=pipeline.tts_language, options=options
    )
    stream.use_file_cache = False
    stream.async_set_message(text)
    return stream.url


def _pipeline(
    hass: HomeAssistant, entity: AssistSatelliteEntity, language: str
) -> Pipeline:
    """Return the satellite's pipeline, or the first one that speaks the language."""
    pipelines = async_get_pipelines(hass)
    chosen = hass.states.get(entity.pipeline_entity_id or "")
    own = next(
        (entry for entry in pipelines if chosen and entry.name == chosen.state), None
    ) or async_get_pipeline(hass)
    if _speaks(own, language):
        return own
    return next((entry for entry in pipelines if _speaks(entry, language)), own)


def _speaks(pipeline: Pipeline, language: str) -> bool:
    spoken = pipeline.tts_language or pipeline.language
    return pipeline.tts_engine is not None and language_code(spoken) == language_code(
        language
    )


def _is_idle(state: State | None) -> bool:
    return state is not None and state.state == STATE_IDLE
