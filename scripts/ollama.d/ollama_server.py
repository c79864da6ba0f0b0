"""The one server of this cache: starts it, finds it again, ends it."""

from collections.abc import Mapping
import contextlib
from dataclasses import asdict, dataclass
import json
import os
from pathlib import Path
import signal
import socket
import subprocess

import ollama_api
from ollama_common import (
    UnavailableError,
    cache_folder,
    end_group,
    say,
    wait_until,
)

START_SECONDS = 60
STOP_SECONDS = 15
_UNREADABLE = (OSError, ValueError, TypeError)


@dataclass(frozen=True, kw_only=True)
class Server:
    """A server that we started."""

    pid: int
    started: str
    """When the process began, as the system tells it; a reused pid has another."""
    port: int
    binary: str


def running_server() -> Server | None:
    """Return the server that we started earlier, if the process still is that one.

    When it was killed, the model runners that it left behind are ended.
    """
    try:
        server = Server(**json.loads(_record().read_text(encoding="utf-8")))
    except _UNREADABLE:
        return None
    if _started(server.pid) == server.started:
        return server
    _end_orphans(server)
    _record().unlink(missing_ok=True)
    return None


def start_server(binary: Path) -> Server:
    """Start the server in the background and return it when it answers."""
    port = _free_port()
    log = cache_folder() / "server.log"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            [str(binary), "serve"],
            cwd=cache_folder(),
            env=_environment(port),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    server = Server(
        pid=process.pid, started=_started(process.pid), port=port, binary=str(binary)
    )
    _record().write_text(json.dumps(asdict(server)), encoding="utf-8")

    def settled() -> bool:
        return process.poll() is not None or ollama_api.answers(port)

    if not wait_until(settled, seconds=START_SECONDS) or process.poll() is not None:
        stop_server(server)
        raise UnavailableError(f"the server did not start; see {log}")
    say(f"the server is up, its log is {log}")
    return server


def stop_server(server: Server) -> None:
    """End the server and its model runners; harmless when it has already ended."""
    if _started(server.pid) == server.started:
        _signal(server.pid, signal.SIGTERM)
        wait_until(lambda: _has_ended(server), seconds=STOP_SECONDS)
        # It leads a process group of its own, so this reaches runners that outlived it.
        end_group(server.pid)
        wait_until(lambda: _has_ended(server), seconds=STOP_SECONDS)
    _record().unlink(missing_ok=True)


def _record() -> Path:
    """Return the file that says which server is ours."""
    return cache_folder() / "server.json"


def _environment(port: int) -> Mapping[str, str]:
    """Return all that the server sees: its own folders, loopback, and no way to the outside."""
    nowhere = "http://127.0.0.1:9"
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        # It writes a key pair to the home folder when it starts.
        "HOME": str(cache_folder() / "home"),
        "OLLAMA_HOST": f"127.0.0.1:{port}",
        "OLLAMA_MODELS": str(cache_folder() / "models"),
        "OLLAMA_KEEP_ALIVE": "30m",
        "OLLAMA_NUM_PARALLEL": "1",
        "OLLAMA_MAX_LOADED_MODELS": "1",
        "OLLAMA_NOHISTORY": "1",
        "HTTP_PROXY": nowhere,
        "HTTPS_PROXY": nowhere,
        "NO_PROXY": "127.0.0.1,localhost",
    }


def _free_port() -> int:
    """Return a loopback port that nobody uses at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _has_ended(server: Server) -> bool:
    """Return whether the process is gone; takes its exit code when it is our child."""
    # It is no child of ours when an earlier run of the script started it.
    with contextlib.suppress(ChildProcessError):
        os.waitpid(server.pid, os.WNOHANG)
    return _started(server.pid) != server.started


def _end_orphans(server: Server) -> None:
    """End processes of the server's program and process group (Linux only)."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            group = int(_stat_fields(stat)[2])
            program = str((stat.parent / "exe").readlink())
        except _UNREADABLE:
            continue
        if group == server.pid and program == server.binary:
            _signal(int(stat.parent.name), signal.SIGKILL)


def _stat_fields(stat: Path) -> list[str]:
    """Return what /proc tells of a process, from its state on."""
    return stat.read_text(encoding="utf-8").rpartition(")")[2].split()


def _started(pid: int) -> str:
    """Return a mark of the process that no later one with this pid shares; empty without it."""
    stat = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        try:
            fields = _stat_fields(stat)
        except _UNREADABLE:
            return ""
        state, start_ticks = fields[0], fields[19]
        return "" if state == "Z" else start_ticks
    command = ["ps", "-o", "lstart=", "-p", str(pid)]
    asked = subprocess.run(
        command, capture_output=True, text=True, timeout=30, check=False
    )
    return asked.stdout.strip()


def _signal(pid: int, number: int) -> None:
    """Send a signal to a process that may just have ended."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
