"""Adds Assist Memory to a home through its config flow, and changes it later as its owner would."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from .client import Client
from .flows import ENTRY_FLOWS, OPTION_FLOWS, SUBENTRY_FLOWS, FlowError, Form, walk
from .house import House
from .waiting import wait_until

DOMAIN: Final = "assist_memory"
AGENT_SECONDS: Final = 60


@dataclass(frozen=True, kw_only=True)
class Installed:
    """The entry that was made, by ids."""

    entry: str
    agent: str
    """Entity id of the conversation agent."""
    subentries: Mapping[str, str]
    """Title → id: speakers and agents."""
    forms: tuple[Form, ...]
    """What the person was shown."""


async def install(
    house: House,
    *,
    url: str,
    model: str | None = None,
    agent: Mapping[str, Any] | None = None,
) -> Installed:
    """Add the integration: all persons as speakers, an agent, both pipelines.

    A server that does not answer is passed over ("without a model yet"). `agent` is what
    is filled in on the agent's form beside the model.
    """
    chosen = {"model": model} if model else {}

    def server(form: Form) -> Mapping[str, Any]:
        failed = bool(form.get("errors"))
        return {"url": url, "go_on": True} if failed else {"url": url}

    done, forms = await walk(
        house.anna,
        ENTRY_FLOWS,
        {"handler": DOMAIN},
        {
            "user": server,
            "agent": {**chosen, **(agent or {})},
            "pipeline": {
                "new_pipeline": False,
                "pipelines": list(house.pipelines.values()),
            },
        },
    )
    if done["type"] != "create_entry":
        raise FlowError(f"no entry was made: {done}")
    entry = done["result"]["entry_id"]
    return Installed(
        entry=entry,
        agent=await _agent(house.anna, config_entry_id=entry),
        subentries=await subentries(house.anna, entry),
        forms=tuple(forms),
    )


async def subentries(client: Client, entry: str) -> dict[str, str]:
    """Return the ids of an entry's subentries by title."""
    listed = await client.command("config_entries/subentries/list", entry_id=entry)
    return {subentry["title"]: subentry["subentry_id"] for subentry in listed}


async def add_agent(client: Client, entry: str, name: str, **data: Any) -> str:
    """Add another agent; return its entity id."""
    done, _ = await walk(
        client,
        SUBENTRY_FLOWS,
        {"handler": [entry, "conversation"]},
        {"user": {"name": name, **data}},
    )
    if done["type"] != "create_entry":
        raise FlowError(f"{name} was not added: {done}")
    subentry = (await subentries(client, entry))[name]
    return await _agent(client, config_subentry_id=subentry)


async def add_speaker(client: Client, entry: str, name: str) -> str:
    """Add somebody who is no person of Home Assistant; return the subentry's id."""
    done, _ = await walk(
        client,
        SUBENTRY_FLOWS,
        {"handler": [entry, "speaker"]},
        {"user": {"name": name}},
    )
    if done["type"] != "create_entry":
        raise FlowError(f"{name} was not added: {done}")
    return (await subentries(client, entry))[name]


async def change_speaker(
    client: Client, installed: Installed, name: str, **data: Any
) -> None:
    """Change what a speaker's form shows."""
    done, _ = await walk(
        client,
        SUBENTRY_FLOWS,
        {
            "handler": [installed.entry, "speaker"],
            "subentry_id": installed.subentries[name],
        },
        {"reconfigure": data},
    )
    if done["type"] != "abort" or "success" not in done["reason"]:
        raise FlowError(f"{name} was not changed: {done}")


async def change_options(client: Client, installed: Installed, **data: Any) -> None:
    """Change the household's options."""
    done, _ = await walk(
        client, OPTION_FLOWS, {"handler": installed.entry}, {"init": data}
    )
    if done["type"] != "create_entry":
        raise FlowError(f"the options were not changed: {done}")


async def _agent(client: Client, **of: str) -> str:
    """Return an agent's entity id once it is there."""

    async def look() -> str:
        for entity in await client.command("config/entity_registry/list"):
            is_agent = entity["entity_id"].startswith("conversation.")
            if is_agent and all(entity[key] == value for key, value in of.items()):
                return str(entity["entity_id"])
        return ""

    return await wait_until(look, "the agent's entity is there", seconds=AGENT_SECONDS)
