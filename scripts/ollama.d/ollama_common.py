"""What every part of `scripts/ollama` shares: the cache, words to the person, bounded commands."""

from collections.abc import Callable, Mapping, Sequence
import contextlib
import os
from pathlib import Path
import re
import signal
import subprocess
import sys
import time

HEARTBEAT_SECONDS = 30


class UnavailableError(Exception):
    """Ollama cannot be had on this machine; the text says why."""


def cache_folder() -> Path:
    """Return the folder outside the clone that all clones of this person share."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "assist-memory" / "ollama"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def say(text: str) -> None:
    """Tell the person at the terminal; stdout is kept for the address."""
    sys.stderr.write(f"ollama: {text}\n")
    sys.stderr.flush()


def run_bounded(
    command: Sequence[str],
    *,
    seconds: float,
    log: Path,
    doing: str,
    env: Mapping[str, str] | None = None,
) -> None:
    """Run a command to its end with its output in `log`; raise UnavailableError when it fails.

    Says every half minute that it is still at it, and ends the whole process group when
    `seconds` are over or when we are interrupted ourselves.
    """
    say(f"{doing} …")
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            command,
            cwd=cache_folder(),
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = _wait_with_heartbeat(process, seconds, doing)
        finally:
            end_group(process.pid)
    if code is None:
        raise UnavailableError(
            f"{doing} took more than {seconds:.0f} s and was ended; see {log}"
        )
    if code != 0:
        raise UnavailableError(f"{doing} failed: {_last_line(log)} (all of it: {log})")


def wait_until(
    condition: Callable[[], bool], *, seconds: float, step: float = 0.2
) -> bool:
    """Return whether the condition came true within the time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(step)
    return True


def end_group(leader: int) -> None:
    """Kill what is left of a process group that we started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _wait_with_heartbeat(
    process: subprocess.Popen[bytes], seconds: float, doing: str
) -> int | None:
    """Return the exit code, or None when the time is over."""
    start = time.monotonic()
    while (left := start + seconds - time.monotonic()) > 0:
        try:
            return process.wait(timeout=min(left, HEARTBEAT_SECONDS))
        except subprocess.TimeoutExpired:
            say(f"{doing}: still at it after {time.monotonic() - start:.0f} s")
    return None


def _last_line(log: Path) -> str:
    """Return the last line of a log with a word in it."""
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    wordy = (line.strip() for line in reversed(lines) if re.search(r"\w", line))
    return next(wordy, "no output")
