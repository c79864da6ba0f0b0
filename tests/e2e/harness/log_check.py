"""Looks through what a Home Assistant has written: its log and its files."""

from collections.abc import Iterable, Iterator
from pathlib import Path
import re
from typing import Final

from .custom_components.demo_satellite.audio import from_wav

_RECORD: Final = re.compile(
    r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+\S* "
    r"(?P<level>[A-Z]+) \([^)]*\) \[(?P<logger>[^\]]+)\] "
)
_OURS: Final = "custom_components.assist_memory"
_REPORTED: Final = ("Detected blocking call", "Detected that custom integration")
"""How Home Assistant words what an integration must not do."""

_SPEECH: Final = "tts"
_CODE: Final = "custom_components"
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
    """Return the files of a configuration folder that hold any of the words.

    Left out are the reminders' own file, and the speech that Home Assistant keeps by itself:
    it is the answer of a pipeline, over which an agent has no say. `kept_speech` is for that.
    """
    wanted = [(word, form) for word in words for form in _forms(word)]
    found = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or _is_left_out(path.relative_to(folder)):
            continue
        data = path.read_bytes()
        found += [
            f"{path.relative_to(folder)}: {word}"
            for word, form in wanted
            if form in data
        ]
    return found


def kept_speech(folder: Path, texts: Iterable[str]) -> list[str]:
    """Return which of the texts Home Assistant keeps as audio of the stand-in's voice."""
    kept = {from_wav(path.read_bytes()) for path in (folder / _SPEECH).glob("*.wav")}
    return [text for text in texts if text in kept]


def _is_left_out(path: Path) -> bool:
    """Tell whether words may lie in a file, seen from the folder."""
    return path.parts[0] in (_SPEECH, _CODE) or bool(_REMINDERS.match(path.name))


def _forms(word: str) -> tuple[bytes, ...]:
    """Return how a file may spell a word: as it is, or escaped as JSON."""
    plain = word.encode()
    escaped = word.encode("ascii", "backslashreplace")
    return (plain,) if plain == escaped else (plain, escaped)
