"""Looks through what a Home Assistant has written: its log and its files."""

from collections.abc import Iterable, Iterator
from pathlib import Path
import re
from typing import Final

_RECORD: Final = re.compile(
    r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+\S* "
    r"(?P<level>[A-Z]+) \([^)]*\) \[(?P<logger>[^\]]+)\] "
)
_OURS: Final = "custom_components.assist_memory"
_REPORTED: Final = ("Detected blocking call", "Detected that custom integration")
"""How Home Assistant words what an integration must not do."""

_REMINDERS: Final = re.compile(r"^assist_memory\.")
"""The file of the reminders, the one place where the household's words may lie."""


def faults(log: str) -> list[str]:
    """Return the log records that should not be there, whole."""
    return [record for record in _records(log) if _is_fault(record)]


def _is_fault(record: str) -> bool:
    """Tell whether a record is an error of ours, or a complaint about us."""
    found = _RECORD.match(record)
    if not found:
        return False
    if any(words in record for words in _REPORTED):
        return True
    return found["level"] in ("ERROR", "CRITICAL") and _OURS in record


def _records(log: str) -> Iterator[str]:
    """Yield the log's records, each with the lines that follow it."""
    record: list[str] = []
    for line in log.splitlines():
        if _RECORD.match(line) and record:
            yield "\n".join(record)
            record = []
        record.append(line)
    if record:
        yield "\n".join(record)


def places_of(folder: Path, words: Iterable[str]) -> list[str]:
    """Return the files of a configuration folder that hold any of the words, apart from the reminders' own."""
    wanted = [(word, form) for word in words for form in _forms(word)]
    found = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or _REMINDERS.match(path.name) or _is_code(path, folder):
            continue
        data = path.read_bytes()
        found += [
            f"{path.relative_to(folder)}: {word}"
            for word, form in wanted
            if form in data
        ]
    return found


def _is_code(path: Path, folder: Path) -> bool:
    """Tell whether a file is part of an integration."""
    return path.relative_to(folder).parts[0] == "custom_components"


def _forms(word: str) -> tuple[bytes, ...]:
    """Return how a file may spell a word: as it is, or escaped as JSON."""
    plain = word.encode()
    escaped = word.encode("ascii", "backslashreplace")
    return (plain,) if plain == escaped else (plain, escaped)
