"""Finds the Ollama that answers in the demo."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
import json
import os
from typing import Final
import urllib.error
import urllib.request

from tests.e2e.harness.places import ROOT

DEFAULT_HOST: Final = "127.0.0.1:11434"
NOBODY: Final = "http://127.0.0.1:11434"
"""The address that is set up when there is no server: where one would be."""
OUR_SCRIPT: Final = ROOT / "scripts" / "ollama"
PREFERRED: Final = "gemma3:270m"
PROBE_SECONDS: Final = 3
STATUS_SECONDS: Final = 30
START_SECONDS: Final = 120
BUILD_SECONDS: Final = 5400


@dataclass(frozen=True, kw_only=True)
class Server:
    """An Ollama to be used, or the address of none."""

    url: str
    model: str | None = None
    """None: there is no server, or it has no model yet."""


async def find_server(progress: Callable[[str], None], *, build: bool) -> Server:
    """Return the person's own Ollama, else the one of scripts/ollama, else none.

    `build` allows scripts/ollama the minutes that a first build takes.
    """
    own = own_address()
    if (server := await asyncio.to_thread(_probe, own)) is not None:
        progress(f"Ollama answers at {server.url}")
        return server
    url = await _script("status", seconds=STATUS_SECONDS)
    if not url and (build or _was_built()):
        progress("Starting Ollama with scripts/ollama")
        url = await _script("up", seconds=BUILD_SECONDS if build else START_SECONDS)
    if url and (server := await asyncio.to_thread(_probe, url)) is not None:
        progress(f"Ollama answers at {server.url}")
        return server
    progress("No Ollama is at hand: the engine's own abilities have to do")
    return Server(url=NOBODY if os.environ.get("OLLAMA_HOST") is None else own)


def own_address() -> str:
    """Return the address in OLLAMA_HOST as Ollama itself reads it, or the default."""
    host = os.environ.get("OLLAMA_HOST") or DEFAULT_HOST
    scheme, _, rest = host.rpartition("://")
    name, _, port = rest.rstrip("/").partition(":")
    # A server may listen on every address; a client has to choose one.
    name = "127.0.0.1" if name in ("", "0.0.0.0") else name  # noqa: S104
    return f"{scheme or 'http'}://{name}:{port or '11434'}"


def _probe(url: str) -> Server | None:
    """Return the server behind an address with the model to use, None if nobody answers."""
    try:
        with urllib.request.urlopen(  # noqa: S310  # the person's own address
            f"{url}/api/tags", timeout=PROBE_SECONDS
        ) as response:
            tags = json.load(response)
    except OSError, ValueError, urllib.error.URLError:
        return None
    names = [model["name"] for model in tags.get("models", ())]
    wanted = os.environ.get("AM_MODEL", PREFERRED)
    model = wanted if wanted in names else next(iter(names), None)
    return Server(url=url, model=model)


def _was_built() -> bool:
    """Tell whether scripts/ollama would start at once."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
    pattern = "assist-memory/ollama/*/bin/ollama"
    return any(type(ROOT)(base).glob(pattern))


async def _script(command: str, *, seconds: float) -> str:
    """Run scripts/ollama; return the address that it prints, empty when it has none."""
    process = await asyncio.create_subprocess_exec(
        OUR_SCRIPT, command, stdout=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(seconds):
            output, _ = await process.communicate()
    except TimeoutError:
        process.terminate()
        await process.wait()
        return ""
    words = output.decode().split()
    return words[0] if process.returncode == 0 and words else ""
