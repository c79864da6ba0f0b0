"""Who may import whom: glue, then the engine's front door, then nothing outside."""

from pathlib import Path

import pytest

from tests.source_tree import (
    ENGINE,
    ROOT,
    declared_import_names,
    glue_files,
    imports_of,
    is_standard,
    name_of,
    python_files,
)

# Of the standard library, what would give the engine a clock, a network or a life of its own.
_NOT_FOR_THE_ENGINE = {
    "asyncio",
    "http",
    "multiprocessing",
    "socket",
    "subprocess",
    "threading",
}
# Schemas of tools are written out by probatio alone; Home Assistant brings it on both releases.
_GLUE_MAY_IMPORT = {"aiohttp", "homeassistant", "probatio", "voluptuous"}

ENGINE_FILES = python_files(ENGINE)
GLUE_FILES = glue_files()
ENGINE_TESTS = python_files(ROOT / "tests" / "engine")


@pytest.mark.parametrize("path", ENGINE_FILES, ids=name_of)
def test_engine_imports_only_itself_the_standard_library_and_what_is_declared(
    path: Path,
) -> None:
    """The engine can be lifted out on any day."""
    allowed = declared_import_names()
    foreign = [
        f"line {found.line}: {found.module}"
        for found in imports_of(path)
        if found.level == 0
        and (
            found.top in _NOT_FOR_THE_ENGINE
            or not (is_standard(found) or found.top in allowed)
        )
    ]
    assert foreign == []


@pytest.mark.parametrize("path", ENGINE_FILES, ids=name_of)
def test_engine_never_reaches_above_its_own_folder(path: Path) -> None:
    """A relative import of the engine ends inside the engine."""
    depth = len(path.relative_to(ENGINE).parts)
    too_far = [found.line for found in imports_of(path) if found.level > depth]
    assert too_far == []


@pytest.mark.parametrize("path", GLUE_FILES, ids=name_of)
def test_glue_uses_the_engine_through_its_front_door(path: Path) -> None:
    """`from .engine import ...` is the only way in."""
    past_the_door = [
        f"line {found.line}: {'.' * found.level}{found.module}"
        for found in imports_of(path)
        if found.module.startswith("engine.")
        or found.top == "assist_memory"
        or ".engine" in found.module
    ]
    assert past_the_door == []


@pytest.mark.parametrize("path", GLUE_FILES, ids=name_of)
def test_glue_leaves_patterns_to_the_engine(path: Path) -> None:
    """The glue reads no language: it needs neither `re` nor `regex`, only Home Assistant."""
    foreign = [
        f"line {found.line}: {found.module}"
        for found in imports_of(path)
        if found.level == 0
        and (
            found.top in {"re", "regex"}
            or not (is_standard(found) or found.top in _GLUE_MAY_IMPORT)
        )
    ]
    assert foreign == []


@pytest.mark.parametrize("path", ENGINE_TESTS, ids=name_of)
def test_engine_tests_run_without_home_assistant(path: Path) -> None:
    """Tests of the engine import it by its own name, so that they start in a moment."""
    loading = [
        f"line {found.line}: {found.module}"
        for found in imports_of(path)
        if found.top in {"homeassistant", "custom_components"}
    ]
    assert loading == []
