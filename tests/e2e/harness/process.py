"""One Home Assistant process: start, wait, kill, stop. Only a process started here is ever ended."""

from collections.abc import Mapping
import contextlib
import os
from pathlib import Path
import signal
import subprocess
import time
from typing import Final
import urllib.error
import urllib.request

from .places import LOOPBACK, home_assistant_python

START_SECONDS: Final = 180
STOP_SECONDS: Final = 30

# -P: the integrations of the folder that we are started in are not those of the home.
_MODULE: Final = ("-P", "-m", "homeassistant", "--log-no-color")

# These belong to our own Python; the last one would make each start compile everything anew.
_FOREIGN: Final = (
    "PYTHONPATH",
    "PYTHONHOME",
    "VIRTUAL_ENV",
    "PYTHONDONTWRITEBYTECODE",
)


class BootError(Exception):
    """Home Assistant did not come up."""


class HomeAssistantProcess:
    """A Home Assistant on a configuration folder; it can be started again after its end."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of the web server."""
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def running(self) -> bool:
        """Whether the process lives."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the process and return once the web server answers; raise BootError after a limit."""
        if self.running:
            raise BootError("it runs already")
        with (self.folder / "console.log").open("ab") as console:
            self._process = subprocess.Popen(
                [home_assistant_python(), *_MODULE, "--config", self.folder],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env=_environment(os.environ),
                start_new_session=True,
            )
        self._wait_until_answering()

    def kill(self) -> None:
        """End the process at once, as a power cut does."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask the process to end; kill it when it does not."""
        self._end(signal.SIGTERM)

    def wait(self) -> None:
        """Return once the process has ended, by whatever."""
        if self._process is not None:
            self._process.wait()

    def log(self) -> str:
        """Return the whole log over all starts."""
        # Home Assistant renames the log of the start before, once.
        logs = (self.folder / "console.log", *self.folder.glob("home-assistant.log*"))
        return "\n".join(
            path.read_text(encoding="utf-8", errors="replace")
            for path in logs
            if path.exists()
        )

    def _wait_until_answering(self) -> None:
        """Poll the web server within the limit."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if not self.running:
                raise BootError(f"it ended while it started:\n{self.log()[-3000:]}")
            if _answers(f"{self.url}/manifest.json"):
                return
            time.sleep(0.2)
        self.kill()
        raise BootError(f"no answer within {START_SECONDS} s:\n{self.log()[-3000:]}")

    def _end(self, number: signal.Signals) -> None:
        """Send a signal to our own process group and wait for the end."""
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(STOP_SECONDS)


def _environment(ours: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for the child."""
    return {name: value for name, value in ours.items() if name not in _FOREIGN}


def _answers(url: str) -> bool:
    """Tell whether a web server gives a page."""
    try:
        with urllib.request.urlopen(url, timeout=2) as response:  # noqa: S310  # our own address
            return bool(response.status == 200)
    except OSError, urllib.error.URLError:
        return False
