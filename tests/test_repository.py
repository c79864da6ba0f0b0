"""What a linter cannot know: copies that must agree, sizes, and where words may stand."""

import ast
from collections.abc import Iterator
import json
from pathlib import Path
import re
from typing import Any

import pytest

from tests.source_tree import (
    ENGINE,
    INTEGRATION,
    ROOT,
    declared_import_names,
    glue_files,
    imports_of,
    is_standard,
    manifest,
    name_of,
    project,
    python_files,
    tree_of,
)

_LONGEST_FILE = 400
_LONGEST_FUNCTION = 40

OWN_FILES = python_files(ROOT / "custom_components", ROOT / "scripts", ROOT / "tests")
INTEGRATION_FILES = python_files(INTEGRATION)
TRANSLATIONS = sorted((INTEGRATION / "translations").glob("*.json"))


def test_manifest_keys_are_in_the_order_that_home_assistant_asks_for() -> None:
    """Domain and name first, the rest by alphabet."""
    keys = list(manifest())
    assert keys == ["domain", "name", *sorted(set(keys) - {"domain", "name"})]


def test_version_is_the_same_everywhere() -> None:
    """The version stands in pyproject.toml; manifest and changelog follow it."""
    version = project()["project"]["version"]
    assert manifest()["version"] == version
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_address_and_code_owner_are_the_ones_of_pyproject() -> None:
    """One place says where the project lives and, by that, whose it is."""
    urls = project()["project"]["urls"]
    repository = urls["Repository"]
    owner = repository.rsplit("/", 2)[1]
    assert urls["Issues"] == f"{repository}/issues"
    assert urls["Documentation"] == manifest()["documentation"] == repository
    assert manifest()["issue_tracker"] == urls["Issues"]
    assert manifest()["codeowners"] == [f"@{owner}"]


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_documents_name_no_other_address(document: str) -> None:
    """A link to our own repository is spelled as in pyproject.toml."""
    repository = project()["project"]["urls"]["Repository"]
    text = (ROOT / document).read_text(encoding="utf-8")
    ours = re.findall(r"https://github\.com/[\w.-]+/assist[-_]memory\b", text)
    assert set(ours) <= {repository}


def test_manifest_declares_what_pyproject_declares() -> None:
    """Home Assistant installs for the integration what pip installs for the wheel."""
    assert manifest()["requirements"] == project()["project"]["dependencies"]


def test_requirements_are_ranges() -> None:
    """A pin would fight over versions with Home Assistant, and lose."""
    pinned = [
        requirement
        for requirement in manifest()["requirements"]
        if "==" in requirement or ">=" not in requirement
    ]
    assert pinned == []


def test_requirements_are_the_direct_imports() -> None:
    """Nothing is declared that is not imported, and the other way round."""
    imported = {
        found.top
        for path in python_files(ENGINE)
        for found in imports_of(path)
        if found.level == 0 and not is_standard(found)
    }
    assert imported == declared_import_names()


def test_floor_of_hacs_is_the_home_assistant_that_tests_run_on() -> None:
    """What hacs.json promises is what uv.lock tests."""
    floor = json.loads((ROOT / "hacs.json").read_text("utf-8"))["homeassistant"]
    lock = (ROOT / "uv.lock").read_text(encoding="utf-8")
    locked = re.search(
        r'^name = "homeassistant"\nversion = "([\d.]+)"', lock, re.MULTILINE
    )
    assert locked is not None
    assert locked[1].split(".")[:2] == floor.split(".")[:2]


@pytest.mark.parametrize("path", OWN_FILES, ids=name_of)
def test_file_is_short_enough_to_read(path: Path) -> None:
    """A file that grows past 400 lines is two files."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= _LONGEST_FILE


@pytest.mark.parametrize("path", OWN_FILES, ids=name_of)
def test_functions_fit_a_screen(path: Path) -> None:
    """A function that grows past 40 lines is a list of steps."""
    long = [
        f"{node.name}: {(node.end_lineno or node.lineno) - node.lineno + 1} lines"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno + 1 > _LONGEST_FUNCTION
    ]
    assert long == []


@pytest.mark.parametrize("path", INTEGRATION_FILES, ids=name_of)
def test_words_of_a_language_are_data(path: Path) -> None:
    """Chinese in Python code, outside docstrings and comments, belongs into a pack."""
    source = path.read_text(encoding="utf-8")
    docstrings = set(_docstrings(tree_of(path)))
    words = [
        f"line {node.lineno}: {text}"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node not in docstrings
        and (text := ast.get_source_segment(source, node) or "")
        and re.search(r"[\u4e00-\u9fff]", text)
    ]
    assert words == []


def _docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield each string that stands alone as a statement: docstrings of anything."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


@pytest.mark.parametrize("path", TRANSLATIONS, ids=name_of)
def test_translation_has_the_keys_and_placeholders_of_the_english_one(
    path: Path,
) -> None:
    """Nobody sees a key or another language in between."""
    english = _texts(
        json.loads((INTEGRATION / "translations/en.json").read_text("utf-8"))
    )
    translated = _texts(json.loads(path.read_text(encoding="utf-8")))
    assert translated.keys() == english.keys()
    differing = [
        key
        for key, text in translated.items()
        if _placeholders(text) != _placeholders(english[key])
    ]
    assert differing == []


@pytest.mark.skipif(not TRANSLATIONS, reason="there are no translations")
def test_every_translation_key_in_the_code_has_a_text() -> None:
    """Home Assistant shows the bare key where a text is missing; nothing else would notice."""
    english = _texts(
        json.loads((INTEGRATION / "translations/en.json").read_text("utf-8"))
    )
    known = {part for key in english for part in key.split(".")}
    used = {
        f"{key} ({name_of(path)})": key
        for path in glue_files()
        for key in _translation_keys(tree_of(path))
    }
    assert [place for place, key in used.items() if key not in known] == []


def _translation_keys(tree: ast.Module) -> Iterator[str]:
    """Yield the literals given as `translation_key=` or `_attr_translation_key =`."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.keyword(arg="translation_key", value=ast.Constant(value=str(key)))
                | ast.Assign(
                    targets=[ast.Name(id="_attr_translation_key")],
                    value=ast.Constant(value=str(key)),
                )
            ):
                yield key


def _texts(node: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """Return the texts of a translation by their dotted keys."""
    texts: dict[str, str] = {}
    for key, value in node.items():
        if isinstance(value, dict):
            texts |= _texts(value, f"{prefix}{key}.")
        else:
            texts[f"{prefix}{key}"] = value
    return texts


def _placeholders(text: str) -> set[str]:
    """Return the names in braces."""
    return set(re.findall(r"\{(\w+)\}", text))
