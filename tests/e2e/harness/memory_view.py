"""What a person can see of a speaker's memory: the entities of the speaker's device."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .client import Client
from .install import DOMAIN


@dataclass(frozen=True, kw_only=True)
class MemoryView:
    """The states of one speaker's entities, by the key that ends their unique id."""

    entities: Mapping[str, str]
    """Key → entity id."""
    names: Mapping[str, str]
    """Key → the entity's name, without its device's."""
    states: Mapping[str, Mapping[str, Any]]
    """Key → state object."""

    def state(self, key: str) -> str:
        """Return the state behind a key."""
        return str(self.states[key]["state"])

    def attribute(self, key: str, name: str) -> Any:
        """Return an attribute, None where it is not shown."""
        return self.states[key]["attributes"].get(name)


async def view(client: Client, subentry: str) -> MemoryView:
    """Return a speaker's entities as they are now; the disabled ones have no state."""
    states = await client.states()
    own = {
        entity["unique_id"].removeprefix(f"{subentry}_"): entity
        for entity in await client.command("config/entity_registry/list")
        if entity["platform"] == DOMAIN and entity["config_subentry_id"] == subentry
    }
    entities = {key: entity["entity_id"] for key, entity in own.items()}
    return MemoryView(
        entities=entities,
        names={key: entity["original_name"] or key for key, entity in own.items()},
        states={
            key: states[entity_id]
            for key, entity_id in entities.items()
            if entity_id in states
        },
    )


async def todo_items(client: Client, entity_id: str) -> list[dict[str, Any]]:
    """Return the items of a to-do list."""
    result = await client.call(
        "todo.get_items", {"entity_id": entity_id}, response=True
    )
    items: list[dict[str, Any]] = result["service_response"][entity_id]["items"]
    return items
