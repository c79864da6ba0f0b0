"""Finds the Ollama that answers in the demo."""

from collections.abc import Callable
from dataclasses import dataclass
import os
from pathlib import Path
from typing import Final

from tests.e2e.harness.model_server import Server, own_address, probe, run_script
from tests.e2e.harness.places import LOOPBACK, free_port

PREFERRED: Final = "gemma3:270m"
STATUS_SECONDS: Final = 30
START_SECONDS: Final = 120
BUILD_SECONDS: Final = 5400


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The server to set up, and its model."""

    url: str
    """Where a server would be, if there is none."""
    model: str | None = None
    """None: there is no server, or it has no model yet."""


async def choose_server(progress: Callable[[str], None], *, build: bool) -> Choice:
    """Return the person's own Ollama, else the one of scripts/ollama, else none.

    `build` allows scripts/ollama the minutes that a first build takes.
    """
    if (server := await probe(own_address())) is None:
        server = await _ours(progress, build=build)
    if server is None:
        progress("No Ollama is at hand: the engine's own abilities have to do")
        return Choice(url=own_address())
    wanted = os.environ.get("AM_MODEL", PREFERRED)
    model = wanted if wanted in server.models else next(iter(server.models), None)
    progress(f"Ollama answers at {server.url}, model {model or 'none yet'}")
    return Choice(url=server.url, model=model)


def no_server() -> Choice:
    """Return an address where nobody answers."""
    return Choice(url=f"http://{LOOPBACK}:{free_port()}")


async def _ours(progress: Callable[[str], None], *, build: bool) -> Server | None:
    """Return the server of scripts/ollama; start it where that takes no build."""
    url = await run_script("status", seconds=STATUS_SECONDS)
    if not url and (build or _was_built()):
        progress("Starting Ollama with scripts/ollama")
        seconds = BUILD_SECONDS if build else START_SECONDS
        url = await run_script("up", seconds=seconds)
    return await probe(url) if url else None


def _was_built() -> bool:
    """Tell whether scripts/ollama has a program to start."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return any(base.glob("assist-memory/ollama/*/bin/ollama"))
