"""The few calls of Ollama's HTTP API that set-up needs."""

from collections.abc import Mapping
import http.client
import json
from pathlib import Path
from typing import Any

from ollama_common import UnavailableError

_BROKEN = (OSError, http.client.HTTPException)
"""Nobody listens, or what answers does not speak HTTP."""


def address(port: int) -> str:
    """Return the address that clients are given."""
    return f"http://127.0.0.1:{port}"


def answers(port: int) -> bool:
    """Return whether an Ollama answers on the port within a few seconds."""
    try:
        status, reply = _request(port, "GET", "/api/version", seconds=5)
    except _BROKEN:
        return False
    return status == http.client.OK and b"version" in reply


def has_blob(port: int, sha256: str) -> bool:
    """Return whether the server keeps a file with this digest."""
    status, _ = _request(port, "HEAD", f"/api/blobs/sha256:{sha256}", seconds=30)
    return status == http.client.OK


def send_blob(port: int, sha256: str, file: Path) -> None:
    """Hand a file to the server, which checks the digest."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    length = {"Content-Length": str(file.stat().st_size)}
    try:
        with file.open("rb") as content:
            path = f"/api/blobs/sha256:{sha256}"
            connection.request("POST", path, body=content, headers=length)
            reply = connection.getresponse()
            text = reply.read()
    finally:
        connection.close()
    if reply.status not in {http.client.OK, http.client.CREATED}:
        raise UnavailableError(f"Ollama refused the model's file: {text[:200]!r}")


def post(port: int, path: str, body: Mapping[str, Any], *, seconds: float) -> Any:
    """Return the JSON reply to a request; raise UnavailableError when it is an error."""
    payload = json.dumps({**body, "stream": False}).encode()
    try:
        status, reply = _request(port, "POST", path, seconds=seconds, body=payload)
    except _BROKEN as err:
        raise UnavailableError(f"Ollama broke off at {path}: {err}") from err
    if status != http.client.OK:
        raise UnavailableError(f"Ollama answered {status} at {path}: {reply[:200]!r}")
    return json.loads(reply)


def models(port: int) -> frozenset[str]:
    """Return the names of the models that the server has."""
    _, reply = _request(port, "GET", "/api/tags", seconds=30)
    return frozenset(model["name"] for model in json.loads(reply)["models"])


def _request(
    port: int, method: str, path: str, *, seconds: float, body: bytes | None = None
) -> tuple[int, bytes]:
    """Return status and body; `seconds` bounds each wait for the server."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        connection.request(method, path, body=body)
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()
