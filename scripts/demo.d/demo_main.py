"""Boots a real Home Assistant with Assist Memory, holds a talk, and stays up for a browser."""

import argparse
import asyncio
import contextlib
from pathlib import Path
import signal
import sys

from demo_dashboard import add_dashboard
from demo_model import Choice, choose_server, no_server
from demo_screen import Screen
from demo_show import Show

from tests.e2e.harness.client import ClientError
from tests.e2e.harness.flows import FlowError
from tests.e2e.harness.house import BEDROOM, KITCHEN, House, open_house
from tests.e2e.harness.install import Installed, change_speaker, install
from tests.e2e.harness.log_check import faults
from tests.e2e.harness.people import PASSWORD, USERNAMES
from tests.e2e.harness.process import BootError
from tests.e2e.harness.socket import SocketError
from tests.e2e.harness.waiting import WaitError

BROKEN = (BootError, ClientError, FlowError, SocketError, WaitError, TimeoutError)
"""What ends the show early; the reason is printed."""


def main() -> int:
    """Return 0 when everything that was expected held."""
    arguments = _arguments()
    screen = Screen()
    try:
        asyncio.run(_run(screen, arguments))
    except KeyboardInterrupt, asyncio.CancelledError:
        screen.progress("Ended")
    except BROKEN as err:
        screen.expect("the show goes on", holds=False, seen=str(err))
    return 1 if screen.failures else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/demo", description=__doc__)
    parser.add_argument("--exit", action="store_true", help="end after the show")
    parser.add_argument(
        "--ollama", action="store_true", help="build Ollama if there is none (minutes)"
    )
    parser.add_argument(
        "--no-ollama",
        action="store_true",
        help="do without a model, even if there is one",
    )
    parser.add_argument("--port", type=int, help="of Home Assistant; else a free one")
    parser.add_argument(
        "--time-zone", default="Europe/Berlin", help="of the home (%(default)s)"
    )
    parser.add_argument(
        "--pictures", type=Path, metavar="FOLDER", help="take screenshots with Chromium"
    )
    parser.add_argument(
        "--keep", action="store_true", help="leave the configuration folder behind"
    )
    return parser.parse_args()


async def _run(screen: Screen, arguments: argparse.Namespace) -> None:
    """Find a model, boot a home, and show what it can do."""
    _end_on_signals()
    screen.act("Setting up")
    server = (
        no_server()
        if arguments.no_ollama
        else await choose_server(screen.progress, build=arguments.ollama)
    )
    async with open_house(
        screen.progress,
        port=arguments.port,
        time_zone=arguments.time_zone,
        keep=arguments.keep,
    ) as house:
        try:
            await _show(screen, house, server, arguments)
        except BROKEN:
            for fault in await asyncio.to_thread(faults, house.process.log()):
                screen.note(fault)
            raise


async def _show(
    screen: Screen, house: House, server: Choice, arguments: argparse.Namespace
) -> None:
    """Add the integration, play, and stay up until somebody ends it."""
    if arguments.keep:
        screen.progress(f"Its configuration is in {house.process.folder}")
    installed = await _install(screen, house, server)
    show = Show(screen, house, installed, has_model=server.model is not None)
    await _play(show, pictures=arguments.pictures)
    screen.summary()
    if not arguments.exit:
        await _stay(screen, house)


async def _install(screen: Screen, house: House, server: Choice) -> Installed:
    """Go through the config flow, give each person a room, and make the dashboard."""
    screen.progress("Adding Assist Memory through its config flow")
    installed = await install(house, url=server.url, model=server.model)
    for form in installed.forms:
        errors = ", ".join((form.get("errors") or {}).values())
        screen.note(f"form “{form['step_id']}”" + (f": {errors}" if errors else ""))
    screen.note(f"agent {installed.agent}, model {server.model or 'none yet'}")
    for name, satellite in ((house.anna.name, KITCHEN), (house.li_ming.name, BEDROOM)):
        await change_speaker(
            house.anna, installed, name, satellites=[satellite], show="everything"
        )
    await house.anna.call(
        "select.select_option",
        {"entity_id": "select.bedroom_satellite_assistant", "option": "Chinese"},
    )
    screen.note(f"dashboard {await add_dashboard(house, installed)}")
    return installed


async def _play(show: Show, *, pictures: Path | None) -> None:
    """Play all acts; the pictures are taken while memory is full."""
    await show.talk_by_api()
    await show.talk_by_pipeline()
    await show.reminders_fire()
    if pictures is not None:
        await show.be_photographed(pictures)
    await show.power_cut()
    await show.look_at_log()


async def _stay(screen: Screen, house: House) -> None:
    """Print how to look at it, and wait."""
    anna, li_ming = USERNAMES[house.anna.name], USERNAMES[house.li_ming.name]
    screen.box(
        [
            f"Home Assistant: {house.process.url}/assist-memory",
            f"Login: {anna} / {PASSWORD} or {li_ming} / {PASSWORD}",
            "Ctrl-C ends it and deletes its folder.",
        ]
    )
    await asyncio.to_thread(house.process.wait)
    screen.expect("Home Assistant stays up", holds=False)


def _end_on_signals() -> None:
    """Let a request to end close everything in order."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, task.cancel if task else sys.exit)


if __name__ == "__main__":
    sys.exit(main())
