"""Writes the configuration folder of a Home Assistant that has never been started."""

import json
from pathlib import Path
import shutil
from typing import Any

from .places import INTEGRATION, LOOPBACK, STAND_INS

CONFIGURATION = """\
homeassistant:
  name: Demo home
  language: en
  country: DE
  currency: EUR
  unit_system: metric
  time_zone: {time_zone}
  internal_url: http://{host}:{port}

frontend:
config:
person:
conversation:
assist_pipeline:
system_health:
history:
logbook:
todo:
calendar:

recorder:
  commit_interval: 1

# Our own path is logged in full: what the log must not hold is looked for in there.
logger:
  default: warning
  logs:
    custom_components.assist_memory: debug

automation: []

template:
  - light:
{lights}
"""

LIGHTS = ("Living room light", "Kitchen light", "Bedroom light")

LIGHT = """\
      - name: {name}
        unique_id: demo_{key}
        turn_on: []
        turn_off: []
        set_level: []
"""


def prepare(folder: Path, *, port: int, time_zone: str) -> None:
    """Fill an empty folder: loopback only, template lights, our integration and the stand-ins."""
    lights = "".join(
        LIGHT.format(name=name, key=name.lower().replace(" ", "_")) for name in LIGHTS
    )
    (folder / "configuration.yaml").write_text(
        CONFIGURATION.format(
            host=LOOPBACK, port=port, time_zone=time_zone, lights=lights
        ),
        encoding="utf-8",
    )
    _store(folder, "http", version=3, data=_http(port))
    # The other steps are done already: they would install integrations from the internet.
    _store(
        folder,
        "onboarding",
        version=4,
        data={"done": ["core_config", "analytics", "integration"]},
    )
    _copy_integrations(folder / "custom_components")


def _http(port: int) -> dict[str, Any]:
    """Return the web server's settings: `http:` in YAML would be a trial that restarts."""
    return {
        "stable": {
            "server_host": [LOOPBACK],
            "server_port": port,
            "cors_allowed_origins": [],
            "login_attempts_threshold": -1,
            "ip_ban_enabled": True,
            "ssl_profile": "intermediate_v6",
            "use_x_frame_options": True,
            "created_at": "2026-11-01T00:00:00+00:00",
            "error": None,
            "error_message": None,
        },
        "pending": None,
        "yaml_migration_done": True,
    }


def _store(folder: Path, key: str, *, version: int, data: dict[str, Any]) -> None:
    """Write one file of the storage."""
    storage = folder / ".storage"
    storage.mkdir(exist_ok=True)
    content = {"version": version, "minor_version": 1, "key": key, "data": data}
    (storage / key).write_text(json.dumps(content), encoding="utf-8")


def _copy_integrations(target: Path) -> None:
    """Copy what Home Assistant is to load, compiled files too: the first start is quicker."""
    for source in (
        INTEGRATION,
        *(path for path in STAND_INS.iterdir() if path.is_dir()),
    ):
        shutil.copytree(source, target / source.name)
