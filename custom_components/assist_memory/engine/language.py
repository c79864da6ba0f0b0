"""Language packs: folders of YAML under `languages/`, read and checked here (X7).

A pack is data only. Every rule that needs words has a function `…_words(pack)` that turns its file of the pack into
typed values with a `Section`, so that a wrong key or value is reported with file and key when the pack is loaded.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from .errors import LanguagePackError

LANGUAGES = Path(__file__).parent / "languages"
FALLBACK = "en"

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, eq=False, slots=True)
class Section:
    """A mapping of a pack's file that knows where it stands, so that complaints name file and key."""

    place: str
    data: Mapping[str, Any]

    def text(self, key: str) -> str:
        """Return the text at a key. Raises LanguagePackError if it is missing or no text."""
        return _as_text(self._value(key), f"{self.place}: {key}")

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the list of texts at a key; a missing key is an empty list."""
        return _as_texts(self.data.get(key, []), f"{self.place}: {key}")

    def number(self, key: str) -> float:
        """Return the number at a key."""
        value = self._value(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise LanguagePackError(f"{self.place}: {key} is {value!r}, not a number")
        return value

    def section(self, key: str) -> Section:
        """Return the mapping at a key; a missing key is an empty one."""
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            raise LanguagePackError(f"{self.place}: {key} is {value!r}, not a mapping")
        return Section(f"{self.place}: {key}", value)

    def text_map(self) -> dict[str, str]:
        """Return the section as a mapping of text to text."""
        return {_as_text(key, self.place): self.text(key) for key in self.data}

    def texts_map(self) -> dict[str, tuple[str, ...]]:
        """Return the section as a mapping of text to lists of text."""
        return {_as_text(key, self.place): self.texts(key) for key in self.data}

    def number_map(self) -> dict[str, float]:
        """Return the section as a mapping of text to number."""
        return {_as_text(key, self.place): self.number(key) for key in self.data}

    def only(self, *keys: str) -> Section:
        """Return the section itself. Raises LanguagePackError if it has any key but these."""
        if unknown := sorted(map(str, self.data.keys() - set(keys))):
            raise LanguagePackError(f"{self.place}: unknown key {unknown[0]!r}")
        return self

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys, as texts."""
        return (_as_text(key, self.place) for key in self.data)

    def _value(self, key: str) -> Any:
        if key not in self.data:
            raise LanguagePackError(f"{self.place}: {key} is missing")
        return self.data[key]


def _as_text(value: object, place: str) -> str:
    # YAML reads `on`, `no`, `12:30` and bare numbers as something else than text.
    if not isinstance(value, str):
        raise LanguagePackError(f"{place} is {value!r}, not text; quote it")
    return value


def _as_texts(value: object, place: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise LanguagePackError(f"{place} is {value!r}, not a list")
    return tuple(
        _as_text(item, f"{place}[{index}]") for index, item in enumerate(value)
    )


@dataclass(frozen=True, eq=False, slots=True)
class LanguagePack:
    """One language: its code and its files. Compared by identity, so that rules may cache what they derive from it."""

    code: str
    files: Mapping[str, Section]

    def file(self, name: str) -> Section:
        """Return a file of the pack by its name without ending."""
        if name not in self.files:
            raise LanguagePackError(f"{self.code}/{name}.yaml is missing")
        return self.files[name]


@cache
def available_languages() -> frozenset[str]:
    """Return the codes of all packs. Reads the package's own folder."""
    return frozenset(
        path.name
        for path in LANGUAGES.iterdir()
        if path.is_dir() and not path.name.startswith("_")
    )


def language_code(tag: str) -> str:
    """Return the code of the pack that serves a BCP 47 tag, also one with an underscore; English if none does."""
    primary = tag.strip().replace("_", "-").split("-")[0].lower()
    primary = {"cmn": "zh", "yue": "zh"}.get(primary, primary)
    return primary if primary in available_languages() else FALLBACK


@lru_cache(maxsize=64)
def pack_of(tag: str) -> LanguagePack:
    """Return the pack for a BCP 47 tag as it is read, nothing of it compiled. Blocking at first use."""
    return read_pack(language_code(tag))


@cache
def read_pack(code: str) -> LanguagePack:
    """Read all files of a pack. Blocking: call it outside the event loop. Raises LanguagePackError."""
    folder = LANGUAGES / code
    if not folder.is_dir():
        raise LanguagePackError(f"no language pack {code!r}")
    return LanguagePack(
        code, {path.stem: _read(path) for path in sorted(folder.glob("*.yaml"))}
    )


def _read(path: Path) -> Section:
    place = f"{path.parent.name}/{path.name}"
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506 - a safe loader
    except (OSError, yaml.YAMLError) as error:
        raise LanguagePackError(f"{place}: {error}") from error
    if not isinstance(data, dict):
        raise LanguagePackError(f"{place} is no mapping")
    return Section(place, data)
