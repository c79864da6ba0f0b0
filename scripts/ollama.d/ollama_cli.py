"""A real Ollama for the demo and the end-to-end tests.

Exit codes: 0 done, 1 not running (status) or already running (run), 3 cannot be had here.
"""

import argparse
from collections.abc import Iterator
import contextlib
import fcntl
from pathlib import Path
import signal
import sys
import time
from types import FrameType

from ollama_api import address, answers, models, post
from ollama_build import VERSION, ensure_binary
from ollama_common import UnavailableError, cache_folder, say, wait_until
from ollama_models import MODELS, ensure_models
from ollama_server import Server, running_server, start_server, stop_server

NOT_RUNNING = 1
UNAVAILABLE = 3
LOCK_SECONDS = 5400
WARM_UP_SECONDS = 180


def main() -> int:
    """Run one command and return its exit code."""
    parser = argparse.ArgumentParser(prog="scripts/ollama", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("up", help="start it in the background, print its address")
    commands.add_parser("down", help="end the server that `up` started")
    commands.add_parser("status", help="tell whether it runs and with which models")
    commands.add_parser("run", help="start it in the foreground, until Ctrl-C")
    signal.signal(signal.SIGTERM, _leave)
    command = {"up": up, "down": down, "status": status, "run": run}
    try:
        return command[parser.parse_args().command]()
    except UnavailableError as err:
        say(f"{err}.")
        return UNAVAILABLE
    except KeyboardInterrupt:
        return 130


def up() -> int:
    """Have a server with its models in the background; print its address and nothing else."""
    with _alone():
        server = _ready_server()
    sys.stdout.write(address(server.port) + "\n")
    return 0


def down() -> int:
    """End the server if it runs."""
    server = running_server()
    if server is None:
        say("not running")
        return 0
    stop_server(server)
    say("ended")
    return 0


def status() -> int:
    """Print address, version and models; exit code 1 when it does not run."""
    server = running_server()
    if server is None or not answers(server.port):
        say("not running")
        return NOT_RUNNING
    names = ", ".join(sorted(models(server.port)))
    sys.stdout.write(f"{address(server.port)}  {VERSION}  {names}\n")
    return 0


def run() -> int:
    """Have the server run until it ends or we are told to."""
    with _alone():
        if (server := running_server()) is not None:
            say(
                f"already running at {address(server.port)}; end it with: scripts/ollama down"
            )
            return NOT_RUNNING
        server = _ready_server()
    sys.stdout.write(address(server.port) + "\n")
    sys.stdout.flush()
    try:
        while running_server() == server:
            time.sleep(1)
    finally:
        stop_server(server)
    return 0


def _ready_server() -> Server:
    """Return a server that answers and has its models, the running one if it will do."""
    binary = ensure_binary()
    server = running_server()
    if server is not None and not _will_do(server, binary):
        say("the running server is of another version or stuck; starting anew")
        stop_server(server)
        server = None
    if server is not None:
        ensure_models(server.port)
        return server
    server = start_server(binary)
    ensure_models(server.port)
    _warm_up(server)
    return server


def _will_do(server: Server, binary: Path) -> bool:
    """Return whether the server is the build that we want and answers."""
    return server.binary == str(binary) and wait_until(
        lambda: answers(server.port), seconds=10
    )


def _warm_up(server: Server) -> None:
    """Make the model say one word, so that a build which cannot compute is found out here."""
    body = {
        "model": min(MODELS),
        "messages": [{"role": "user", "content": "Hello"}],
        "options": {"num_predict": 1},
    }
    try:
        post(server.port, "/api/chat", body, seconds=WARM_UP_SECONDS)
    except UnavailableError:
        stop_server(server)
        raise


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Keep two runs from building or starting at once; the later one waits."""
    with (cache_folder() / "lock").open("w", encoding="utf-8") as lock:

        def taken() -> bool:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

        if not taken():
            say("waiting for another run to finish …")
            if not wait_until(taken, seconds=LOCK_SECONDS, step=1):
                raise UnavailableError("another run of this script does not finish")
        yield


def _leave(_number: int, _frame: FrameType | None) -> None:
    """Turn SIGTERM into an orderly end, so that nothing half-started stays behind."""
    raise SystemExit(143)


if __name__ == "__main__":
    sys.exit(main())
