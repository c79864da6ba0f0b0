"""The whole: a booted Home Assistant with two persons, lights, satellites and pipelines."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
import shutil
import tempfile
from typing import Any, Final

from .client import Client
from .config_folder import prepare
from .people import ANNA, LI_MING, PASSWORD, USERNAMES, add_person, furnish, move_in
from .pipelines import add_pipelines
from .places import free_port
from .process import HomeAssistantProcess
from .waiting import wait_until

RUNNING_SECONDS: Final = 120
KITCHEN: Final = "assist_satellite.kitchen_satellite"
BEDROOM: Final = "assist_satellite.bedroom_satellite"
BUSY_SWITCH: Final = {
    KITCHEN: "switch.kitchen_satellite_busy",
    BEDROOM: "switch.bedroom_satellite_busy",
}

type Progress = Callable[[str], None]


@dataclass(kw_only=True)
class House:
    """A running home and the people in it."""

    process: HomeAssistantProcess
    anna: Client
    li_ming: Client
    pipelines: dict[str, str]
    """Name → id."""

    async def restart(self) -> None:
        """Start Home Assistant again after its end, and return once everything is loaded."""
        await asyncio.to_thread(self.process.start)
        await wait_until_running(self.anna)

    async def said(self, satellite: str) -> list[dict[str, Any]]:
        """Return what a satellite has said since Home Assistant started, oldest first."""
        state = await self.anna.get(f"/api/states/{satellite}")
        said: list[dict[str, Any]] = state["attributes"].get("said", [])
        return said

    async def hear(self, satellite: str, text: str) -> None:
        """Say something to a satellite; return when its pipeline has run."""
        await self.anna.post(
            "/api/demo_satellite/hear", {"entity_id": satellite, "text": text}
        )

    async def set_busy(self, satellite: str, *, busy: bool) -> None:
        """Make a satellite busy, or idle again."""
        action = "switch.turn_on" if busy else "switch.turn_off"
        await self.anna.call(action, {"entity_id": BUSY_SWITCH[satellite]})


@asynccontextmanager
async def open_house(
    progress: Progress,
    *,
    port: int | None = None,
    time_zone: str = "Europe/Berlin",
    keep: bool = False,
) -> AsyncIterator[House]:
    """Boot a Home Assistant in a folder of its own and make it a home; everything ends with the block."""
    folder = Path(tempfile.mkdtemp(prefix="assist-memory-home-"))
    process = HomeAssistantProcess(folder, port or free_port())
    anna, li_ming = Client(process.url, ANNA), Client(process.url, LI_MING)
    try:
        await asyncio.to_thread(prepare, folder, port=process.port, time_zone=time_zone)
        progress(f"Starting Home Assistant on {process.url}")
        await asyncio.to_thread(process.start)
        pipelines = await _settle(anna, li_ming, progress)
        yield House(process=process, anna=anna, li_ming=li_ming, pipelines=pipelines)
    finally:
        await anna.close()
        await li_ming.close()
        await asyncio.to_thread(process.stop)
        if not keep:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


async def wait_until_running(client: Client) -> None:
    """Wait until Home Assistant has loaded everything."""

    async def running() -> bool:
        config = await client.get("/api/config")
        return bool(config["state"] == "RUNNING")

    await wait_until(running, "Home Assistant is running", seconds=RUNNING_SECONDS)


async def _settle(anna: Client, li_ming: Client, progress: Progress) -> dict[str, str]:
    """Create accounts, persons, rooms, satellites and pipelines."""
    progress(f"Creating {ANNA} and {LI_MING}, each with an account")
    await move_in(anna)
    await wait_until_running(anna)
    await add_person(anna, LI_MING)
    await li_ming.sign_in(USERNAMES[LI_MING], PASSWORD)
    await furnish(anna)
    progress("Adding two satellites and two pipelines")
    await anna.post("/api/config/config_entries/flow", {"handler": "demo_satellite"})
    return await add_pipelines(anna)
