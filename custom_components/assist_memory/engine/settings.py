"""Settings of a working memory, checked when they are made (A20)."""

from dataclasses import dataclass

from .errors import SettingsError


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How much a memory holds and how fast it fades. Raises SettingsError when a value is out of range."""

    max_topics: int = 5
    decay_rate: float = 0.95
    """What a round leaves of an entity's weight (A7)."""
    max_entities: int = 80
    """Above this a cleanup comes early, and the faintest go."""
    cleanup_every: int = 20
    """Rounds between two cleanups."""
    faint: float = 0.3
    """Below this weight a cleanup removes an entity that no pending item needs."""
    max_snapshots: int = 20
    kept_snapshots: int = 15
    """To how many the snapshots of turns are cut when there are more than `max_snapshots` (B3)."""
    max_facts: int = 200
    max_brief: int = 220
    """Characters of the brief (A8)."""

    def __post_init__(self) -> None:
        """Check the values."""
        checks = (
            ("max_topics", self.max_topics >= 1),
            ("decay_rate", 0 < self.decay_rate <= 1),
            ("max_entities", self.max_entities >= 1),
            ("cleanup_every", self.cleanup_every >= 1),
            ("faint", 0 <= self.faint < 1),
            ("kept_snapshots", 1 <= self.kept_snapshots <= self.max_snapshots),
            ("max_facts", self.max_facts >= 1),
            ("max_brief", self.max_brief >= 60),
        )
        for name, holds in checks:
            if not holds:
                raise SettingsError(f"{name} is out of range: {getattr(self, name)!r}")
