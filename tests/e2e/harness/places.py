"""Where things lie: this clone, the Home Assistant that is booted, free ports."""

from pathlib import Path
import socket
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
INTEGRATION: Final = ROOT / "custom_components" / "assist_memory"
STAND_INS: Final = Path(__file__).resolve().parent / "custom_components"
"""Custom integrations that take the place of hardware."""
LOOPBACK: Final = "127.0.0.1"


def home_assistant_python() -> Path:
    """Return the Python that Home Assistant 2026.11 is installed for."""
    python = ROOT / ".venv-next" / "bin" / "python"
    if not python.exists():
        raise FileNotFoundError("Home Assistant is not set up: run scripts/setup next")
    return python


def free_port() -> int:
    """Return a loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port
