"""The names of this home, from the registries, for the engine."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final

from homeassistant.components.homeassistant.exposed_entities import (
    async_listen_entity_updates,
    async_should_expose,
)
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Event, HomeAssistant, State, callback
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
)
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.util import dt as dt_util
from homeassistant.util.event_type import EventType

from .const import SIGNAL_SPEAKERS, SUBENTRY_SPEAKER
from .engine import Home, HomeArea, HomeEntity, HomePerson

MAX_NAMES: Final = 500
"""Of each kind; a home with more is cut, so that a sentence stays quick to read."""
STALE: Final = timedelta(minutes=5)
"""Entities without a registry entry change their names without an event of a registry."""
ASSISTANT: Final = "conversation"
PERSON: Final = "person"

_EVENTS: Final[tuple[EventType[Any], ...]] = (
    er.EVENT_ENTITY_REGISTRY_UPDATED,
    dr.EVENT_DEVICE_REGISTRY_UPDATED,
    ar.EVENT_AREA_REGISTRY_UPDATED,
    fr.EVENT_FLOOR_REGISTRY_UPDATED,
)


class HomeReader:
    """Reads the home once and again when its names may have changed."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry) -> None:
        self._hass = hass
        self._entry = entry
        self._home: Home | None = None
        self._read_at = dt_util.utcnow()

    @callback
    def async_start(self) -> Callable[[], None]:
        """Listen for changes; return what ends that."""
        unsubscribe = [
            self._hass.bus.async_listen(event, self._async_changed) for event in _EVENTS
        ]
        unsubscribe += [
            async_listen_entity_updates(self._hass, ASSISTANT, self._forget),
            async_dispatcher_connect(self._hass, SIGNAL_SPEAKERS, self._forget),
        ]

        @callback
        def stop() -> None:
            for cancel in unsubscribe:
                cancel()

        return stop

    @callback
    def async_home(self) -> Home:
        """Return the home's names."""
        now = dt_util.utcnow()
        if self._home is None or now - self._read_at > STALE:
            self._home = async_read_home(self._hass, self._entry)
            self._read_at = now
        return self._home

    @callback
    def _async_changed(self, _event: Event) -> None:
        self._forget()

    @callback
    def _forget(self) -> None:
        self._home = None


@callback
def async_read_home(hass: HomeAssistant, entry: ConfigEntry) -> Home:
    """Return what is exposed to Assist, rooms and floors, persons and speakers."""
    return Home(
        entities=tuple(_first(_entities(hass))),
        areas=tuple(_first(_areas(hass))),
        persons=tuple(_first(_persons(hass, entry))),
    )


def _first[T](names: Iterator[T]) -> Iterator[T]:
    for _, name in zip(range(MAX_NAMES), names, strict=False):
        yield name


def _entities(hass: HomeAssistant) -> Iterator[HomeEntity]:
    entities = er.async_get(hass)
    for state in hass.states.async_all():
        if state.domain == PERSON or not async_should_expose(
            hass, ASSISTANT, state.entity_id
        ):
            continue
        entry = entities.async_get(state.entity_id)
        yield HomeEntity(
            id=state.entity_id,
            name=state.name,
            aliases=_aliases(hass, entry, state),
            area=_area_of(hass, entry),
        )


def _aliases(
    hass: HomeAssistant, entry: er.RegistryEntry | None, state: State
) -> tuple[str, ...]:
    if entry is None:
        return ()
    aliases = er.async_get_entity_aliases(hass, entry)
    return tuple(alias for alias in aliases if alias and alias != state.name)


def _area_of(hass: HomeAssistant, entry: er.RegistryEntry | None) -> str | None:
    if entry is None or entry.area_id or not entry.device_id:
        return entry.area_id if entry else None
    device = dr.async_get(hass).async_get(entry.device_id)
    return dr.async_get_effective_area_id(hass, device) if device else None


def _areas(hass: HomeAssistant) -> Iterator[HomeArea]:
    for area in ar.async_get(hass).async_list_areas():
        yield HomeArea(id=area.id, name=area.name, aliases=_sorted(area.aliases))
    for floor in fr.async_get(hass).async_list_floors():
        yield HomeArea(
            id=floor.floor_id, name=floor.name, aliases=_sorted(floor.aliases)
        )


def _sorted(aliases: set[str]) -> tuple[str, ...]:
    return tuple(sorted(aliases))


def _persons(hass: HomeAssistant, entry: ConfigEntry) -> Iterator[HomePerson]:
    names = set()
    for state in hass.states.async_all(PERSON):
        names.add(state.name)
        yield HomePerson(id=state.entity_id, name=state.name)
    for speaker in entry.get_subentries_of_type(SUBENTRY_SPEAKER):
        if speaker.title not in names:
            yield HomePerson(id=speaker.subentry_id, name=speaker.title)
