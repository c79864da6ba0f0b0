"""A real Ollama, if there is one: the person's own, or that of scripts/ollama."""

import asyncio
from dataclasses import dataclass
import json
import os
from typing import Final
import urllib.error
import urllib.request

from .places import LOOPBACK, ROOT

PORT: Final = 11434
PROBE_SECONDS: Final = 3
SCRIPT: Final = ROOT / "scripts" / "ollama"


@dataclass(frozen=True, kw_only=True)
class Server:
    """A server that answers."""

    url: str
    models: tuple[str, ...]


def own_address() -> str:
    """Return the address in OLLAMA_HOST as Ollama itself reads it, or the default."""
    scheme, _, rest = (os.environ.get("OLLAMA_HOST") or LOOPBACK).rpartition("://")
    name, _, port = rest.rstrip("/").partition(":")
    # A server may listen on every address; a client has to choose one.
    name = LOOPBACK if name in ("", "0.0.0.0") else name  # noqa: S104
    return f"{scheme or 'http'}://{name}:{port or PORT}"


async def probe(url: str) -> Server | None:
    """Return the server behind an address, None if nobody answers."""
    return await asyncio.to_thread(_probe, url)


async def run_script(command: str, *, seconds: float) -> str:
    """Run scripts/ollama; return the address that it prints, empty when it has none."""
    process = await asyncio.create_subprocess_exec(
        SCRIPT, command, stdout=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(seconds):
            output, _ = await process.communicate()
    except TimeoutError:
        return ""
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()
    words = output.decode().split()
    return words[0] if process.returncode == 0 and words else ""


def _probe(url: str) -> Server | None:
    try:
        with urllib.request.urlopen(  # noqa: S310  # an address that the person gave
            f"{url}/api/tags", timeout=PROBE_SECONDS
        ) as response:
            tags = json.load(response)
    except OSError, ValueError, urllib.error.URLError:
        return None
    return Server(
        url=url, models=tuple(model["name"] for model in tags.get("models", ()))
    )
