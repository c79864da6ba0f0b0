"""Waits until Home Assistant has written to disk what a power cut must not take.

Home Assistant itself saves accounts and registries up to ten seconds late. What is tested by
killing it is Assist Memory, so everything else has to be on the disk before.
"""

import asyncio
import base64
from collections.abc import Mapping, Sequence
import json
from pathlib import Path
from typing import Final

from .client import Client
from .house import House
from .install import Installed
from .people import ROOMS
from .waiting import wait_until

SAVE_SECONDS: Final = 60


async def until_saved(house: House, installed: Installed) -> None:
    """Return once accounts, persons, entries, entities and pipelines are on the disk."""
    ids = list(installed.subentries.values())
    expected = {
        "auth": [await _token_id(house.anna), await _token_id(house.li_ming)],
        "auth_provider.homeassistant": ["anna", "liming"],
        "person": [house.anna.name, house.li_ming.name],
        "core.area_registry": list(ROOMS.values()),
        "core.config_entries": [installed.entry, *ids],
        "core.entity_registry": [installed.agent, *ids],
        "core.device_registry": ids,
        "assist_pipeline.pipelines": [*house.pipelines.values(), installed.agent],
    }
    storage = house.process.folder / ".storage"

    async def look() -> bool:
        return await asyncio.to_thread(_holds, storage, expected)

    await wait_until(look, "everything is saved", seconds=SAVE_SECONDS, step=0.5)


async def _token_id(client: Client) -> str:
    """Return the id of the token by which somebody stays signed in."""
    payload = (await client.token()).split(".")[1]
    padded = payload + "=" * (-len(payload) % 4)
    return str(json.loads(base64.urlsafe_b64decode(padded))["iss"])


def _holds(storage: Path, expected: Mapping[str, Sequence[str]]) -> bool:
    """Tell whether each file has all that is expected in it."""
    for name, words in expected.items():
        path = storage / name
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if not all(word in text for word in words):
            return False
    return True
