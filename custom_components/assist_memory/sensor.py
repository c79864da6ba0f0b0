"""What memory holds, in numbers and times; words only where the speaker shows them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, override

from homeassistant.components.sensor import (
    SensorDeviceClass,
    SensorEntity,
    SensorEntityDescription,
)
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import MATCH_ALL, PERCENTAGE
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .const import SHOW_EVERYTHING
from .engine import MemoryManager, PendingItem, pending
from .entity import AssistMemoryEntity, async_follow_owners
from .household import Household, async_get_household
from .owners import Owner

PARALLEL_UPDATES = 0

MAX_STATE = 255
MAX_SHOWN = 50
"""How many words an attribute lists at most."""


@dataclass(frozen=True, kw_only=True)
class MemorySensorDescription(SensorEntityDescription):
    """A sensor that reads a speaker's working memory."""

    value: Callable[[MemoryManager], float | str | None]
    empty: int | None = 0
    """The state while there is no memory."""
    words: Callable[[MemoryManager], Mapping[str, Any]] | None = None
    """Attributes with the speaker's words."""
    state_is_words: bool = False


@dataclass(frozen=True, kw_only=True)
class ReminderSensorDescription(SensorEntityDescription):
    """A sensor that reads an owner's reminders."""

    value: Callable[[tuple[PendingItem, ...], datetime], int | datetime | None]


def _topic_words(memory: MemoryManager) -> str | None:
    chain = memory.topic_chain
    return chain[-1].text[:MAX_STATE] if chain else None


def _strength(memory: MemoryManager) -> float | None:
    """Return how fresh what is remembered is, on the average, in percent."""
    weights = memory.weights.values()
    return round(100 * sum(weights) / len(weights)) if weights else None


def _attitude(memory: MemoryManager) -> float | None:
    """Return the attitude of what was said last of anything."""
    snapshots = [s for thing in memory.entity_map.values() for s in thing.snapshots]
    newest = max(snapshots, key=lambda snapshot: snapshot.time, default=None)
    return round(newest.attitude, 2) if newest else None


def _things(memory: MemoryManager) -> Mapping[str, Any]:
    things = list(memory.entity_map.items())[-MAX_SHOWN:]
    facts = memory.facts[-MAX_SHOWN:]
    return {
        "things": {
            name: round(thing.snapshots[-1].attitude, 2) if thing.snapshots else 0.0
            for name, thing in things
        },
        "facts": [fact.text for fact in facts],
    }


def _open_count(items: tuple[PendingItem, ...], now: datetime) -> int:
    return sum(pending.is_open(item, now) for item in items)


def _next_due(items: tuple[PendingItem, ...], now: datetime) -> datetime | None:
    waiting = [item for item in items if item.due and not pending.is_due(item, now)]
    following = pending.next_due(waiting)
    return following.due if following else None


MEMORY_SENSORS = (
    MemorySensorDescription(
        key="topics",
        value=lambda memory: len(memory.topic_chain),
        words=lambda memory: {"chain": [topic.text for topic in memory.topic_chain]},
    ),
    MemorySensorDescription(
        key="remembered",
        value=lambda memory: len(memory.entity_map) + len(memory.facts),
        words=_things,
    ),
    MemorySensorDescription(key="rounds", value=lambda memory: memory.rounds),
    MemorySensorDescription(
        key="strength",
        native_unit_of_measurement=PERCENTAGE,
        empty=None,
        value=_strength,
    ),
    # No state class: nobody wants a curve of moods to be kept for ever.
    MemorySensorDescription(
        key="attitude",
        entity_registry_enabled_default=False,
        empty=None,
        value=_attitude,
    ),
    MemorySensorDescription(
        key="topic_words",
        entity_registry_enabled_default=False,
        empty=None,
        value=_topic_words,
        state_is_words=True,
    ),
)

REMINDER_SENSORS = (
    ReminderSensorDescription(key="pending", value=_open_count),
    ReminderSensorDescription(
        key="next_reminder",
        device_class=SensorDeviceClass.TIMESTAMP,
        value=_next_due,
    ),
)


async def async_setup_entry(
    hass: HomeAssistant,
    entry: ConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Set up the sensors of the household and of each speaker."""
    household = async_get_household(hass)

    def build(owner: Owner) -> list[SensorEntity]:
        sensors: list[SensorEntity] = [
            ReminderSensor(household, entry, owner, description)
            for description in REMINDER_SENSORS
        ]
        if not owner.is_household:
            sensors += [
                MemorySensor(household, entry, owner, description)
                for description in MEMORY_SENSORS
            ]
        return sensors

    async_follow_owners(hass, entry, async_add_entities, build)


class MemorySensor(AssistMemoryEntity, SensorEntity):
    """A figure of a speaker's working memory."""

    # Words may be looked at where the speaker allows it, but are never recorded.
    _unrecorded_attributes = frozenset({MATCH_ALL})
    entity_description: MemorySensorDescription

    def __init__(
        self,
        household: Household,
        entry: ConfigEntry,
        owner: Owner,
        description: MemorySensorDescription,
    ) -> None:
        """Take what to read from the memory."""
        super().__init__(household, entry, owner, description.key)
        self.entity_description = description

    @property
    @override
    def native_value(self) -> float | str | None:
        """Return the figure; words only if the speaker shows everything."""
        if self.memory is None:
            return self.entity_description.empty
        if self.entity_description.state_is_words and not self._shows_words:
            return None
        return self.entity_description.value(self.memory)

    @property
    @override
    def extra_state_attributes(self) -> Mapping[str, Any] | None:
        """Return the words behind the figure, if the speaker shows everything."""
        words = self.entity_description.words
        if words is None or self.memory is None or not self._shows_words:
            return None
        return words(self.memory)

    @property
    def _shows_words(self) -> bool:
        return self.owner.show == SHOW_EVERYTHING


class ReminderSensor(AssistMemoryEntity, SensorEntity):
    """A figure of an owner's reminders."""

    entity_description: ReminderSensorDescription

    def __init__(
        self,
        household: Household,
        entry: ConfigEntry,
        owner: Owner,
        description: ReminderSensorDescription,
    ) -> None:
        """Take what to read from the reminders."""
        super().__init__(household, entry, owner, description.key)
        self.entity_description = description

    @property
    @override
    def native_value(self) -> int | datetime | None:
        """Return the figure."""
        items = self.household.reminders.async_items(self.owner_id)
        return self.entity_description.value(items, dt_util.now())
