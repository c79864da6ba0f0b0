"""What the engine promises: its public names and signatures. A change here is a change for everyone who uses it."""

from annotationlib import Format
import inspect
from pathlib import Path

import assist_memory

FILE = Path(__file__).parent / "dialogue" / "public_surface.txt"


def surface() -> str:
    """Return all public names, with the signatures of functions and of the manager's methods."""
    lines = []
    for name in sorted(assist_memory.__all__):
        value = getattr(assist_memory, name)
        lines.append(f"{name}{signature(value)}")
    for name, value in inspect.getmembers(assist_memory.MemoryManager):
        if not name.startswith("_"):
            lines.append(f"MemoryManager.{name}{signature(value)}")
    return "\n".join(lines) + "\n"


def signature(value: object) -> str:
    """Return the signature of a function, as it is written."""
    if not inspect.isfunction(value):
        return ""
    return str(inspect.signature(value, annotation_format=Format.STRING))


def test_the_public_surface_is_as_it_was() -> None:
    """Meant to change? Then write the file anew and say so in the changelog."""
    assert surface() == FILE.read_text(encoding="utf-8")


def test_all_public_names_exist_once() -> None:
    """`__all__` is complete and has no doubles."""
    assert len(set(assist_memory.__all__)) == len(assist_memory.__all__)
    assert all(hasattr(assist_memory, name) for name in assist_memory.__all__)
