"""The sources of this repository, read as syntax trees, for the checks beside this file."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
import json
from pathlib import Path
import re
import sys
import tomllib
from typing import Any

ROOT = Path(__file__).parent.parent
INTEGRATION = ROOT / "custom_components" / "assist_memory"
ENGINE = INTEGRATION / "engine"

# Distributions whose import name differs from their own.
_IMPORT_NAMES = {"pyyaml": "yaml", "python-dateutil": "dateutil"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """One imported module, as it is written."""

    module: str
    names: tuple[str, ...]
    """What a `from` import takes from it; empty for a plain import."""
    level: int
    """The number of leading dots."""
    line: int

    @property
    def top(self) -> str:
        """Return the first part of the module's name."""
        return self.module.partition(".")[0]


def python_files(*folders: Path) -> list[Path]:
    """Return the Python files below some folders, sorted."""
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def glue_files() -> list[Path]:
    """Return the Python files of the integration outside the engine."""
    return [
        path for path in python_files(INTEGRATION) if not path.is_relative_to(ENGINE)
    ]


def name_of(path: Path) -> str:
    """Return a path as test ids and messages show it."""
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=name_of(path))


def imports_of(path: Path) -> Iterator[Import]:
    """Yield each import of a file, also those inside functions."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(module=alias.name, names=(), level=0, line=node.lineno)
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            yield Import(
                module=node.module or "",
                names=names,
                level=node.level,
                line=node.lineno,
            )


def is_standard(module: Import) -> bool:
    """Return whether an absolute import is of the standard library."""
    return module.level == 0 and module.top in sys.stdlib_module_names


@cache
def project() -> dict[str, Any]:
    """Return pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@cache
def manifest() -> dict[str, Any]:
    """Return the integration's manifest, its keys in the order of the file."""
    content: dict[str, Any] = json.loads(
        (INTEGRATION / "manifest.json").read_text("utf-8")
    )
    return content


def declared_import_names() -> set[str]:
    """Return the import names of what pyproject.toml declares as dependencies."""
    distributions = (
        re.split(r"[<>=!~ \[;]", requirement, maxsplit=1)[0].lower()
        for requirement in project()["project"]["dependencies"]
    )
    return {_IMPORT_NAMES.get(name, name) for name in distributions}
