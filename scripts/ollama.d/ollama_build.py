"""Builds Ollama for the CPU with `go install`, once per version and machine type."""

from collections.abc import Mapping
import hashlib
import json
import os
from pathlib import Path
import platform
import shutil
import subprocess
import tempfile

from ollama_common import UnavailableError, cache_folder, run_bounded

MODULE = "github.com/ollama/ollama"
VERSION = "v0.12.11"
"""The newest v0.12.x."""

HEADERS = (
    (MODULE, "v0.6.5", "llama/llama.cpp/common/json.hpp", "nlohmann/json.hpp"),
    (MODULE, "v0.6.5", "llama/llama.cpp/common/stb_image.h", "stb/stb_image.h"),
    ("github.com/gen2brain/malgo", "v0.11.24", "miniaudio.h", "miniaudio/miniaudio.h"),
)
"""Module, version, file in it, name to include it by.

Go leaves folders called `vendor` out of a module, and Ollama keeps three C++ headers in one.
An older Ollama and a Go binding of miniaudio carry the same headers elsewhere.
"""

FETCH_SECONDS = 600
BUILD_SECONDS = 3600
_X86_64_FEATURES = ("avx2", "bmi2", "f16c", "fma")


def ensure_binary() -> Path:
    """Return the built Ollama; raise UnavailableError when it cannot be had here."""
    flags = _compiler_flags()
    recipe = repr((VERSION, HEADERS, flags, platform.machine()))
    folder = (
        cache_folder() / f"{VERSION}-{hashlib.sha256(recipe.encode()).hexdigest()[:10]}"
    )
    binary = folder / "bin" / "ollama"
    if not binary.exists():
        _build(binary, flags)
    return binary


def _build(binary: Path, flags: str) -> None:
    """Build in a folder of its own and move the result to its place when it is whole."""
    go = _find_go()
    _check_compilers(go)
    with tempfile.TemporaryDirectory(dir=cache_folder(), prefix="build.") as name:
        work = Path(name)
        env = _go_environment(work, flags)
        _fetch_headers(go, env, work / "include")
        run_bounded(
            [
                *_nicely(),
                go,
                "install",
                "-trimpath",
                "-ldflags=-s -w",
                f"{MODULE}@{VERSION}",
            ],
            seconds=BUILD_SECONDS,
            log=cache_folder() / "build.log",
            doing=f"building Ollama {VERSION} (minutes, this once)",
            env=env,
        )
        binary.parent.mkdir(parents=True, exist_ok=True)
        (work / "bin" / "ollama").replace(binary)


def _find_go() -> str:
    """Return the path of the go command."""
    go = shutil.which("go") or shutil.which("go", path="/usr/local/go/bin")
    if go is None:
        raise UnavailableError("Go is not installed, and Ollama is built with it")
    return go


def _check_compilers(go: str) -> None:
    """Raise UnavailableError when Go would not find a C and a C++ compiler."""
    found = subprocess.run(
        [go, "env", "CC", "CXX"],
        cwd=cache_folder(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    for compiler in found.stdout.split("\n"):
        if compiler and shutil.which(compiler.split()[0]) is None:
            raise UnavailableError(
                f"the compiler {compiler} is not installed, and Ollama needs it"
            )


def _go_environment(work: Path, flags: str) -> Mapping[str, str]:
    """Return the environment of the build, free of the person's own Go settings for a module."""
    return os.environ | {
        "CGO_ENABLED": "1",
        "CGO_CPPFLAGS": f"-I{work / 'include'}",
        "CGO_CFLAGS": flags,
        "CGO_CXXFLAGS": flags,
        "GOBIN": str(work / "bin"),
        "GOFLAGS": f"-p={min(2, os.cpu_count() or 1)}",
        "GOWORK": "off",
    }


def _fetch_headers(go: str, env: Mapping[str, str], include: Path) -> None:
    """Fetch Ollama's source and lay out the headers that it lacks."""
    modules = sorted({f"{module}@{version}" for module, version, _, _ in HEADERS})
    log = cache_folder() / "fetch.log"
    run_bounded(
        [go, "mod", "download", "-json", f"{MODULE}@{VERSION}", *modules],
        seconds=FETCH_SECONDS,
        log=log,
        doing=f"fetching the source of Ollama {VERSION}",
        env=env,
    )
    folders = _downloaded_folders(log.read_text(encoding="utf-8"))
    for module, version, source, name in HEADERS:
        target = include / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folders[f"{module}@{version}"] / source, target)
    # The older copy has no forward declarations of its own; the whole header serves as well.
    (include / "nlohmann" / "json_fwd.hpp").write_text(
        '#include "json.hpp"\n', encoding="utf-8"
    )


def _downloaded_folders(output: str) -> Mapping[str, Path]:
    """Return module@version → folder from the objects that `go mod download -json` printed."""
    decoder = json.JSONDecoder()
    folders: dict[str, Path] = {}
    start = output.find("{")
    while start != -1:
        module, end = decoder.raw_decode(output, start)
        folders[f"{module['Path']}@{module['Version']}"] = Path(module["Dir"])
        start = output.find("{", end)
    return folders


def _compiler_flags() -> str:
    """Return flags for C and C++: no warnings, and the vector units that this CPU has."""
    cpuinfo = Path("/proc/cpuinfo")
    features = (
        set(cpuinfo.read_text(encoding="utf-8").split()) if cpuinfo.exists() else set()
    )
    vector = [f"-m{feature}" for feature in _X86_64_FEATURES if feature in features]
    return " ".join(["-O3", "-w", *vector])


def _nicely() -> list[str]:
    """Return the prefix that keeps the machine usable during the build."""
    nice = shutil.which("nice")
    return [nice, "-n", "10"] if nice else []
