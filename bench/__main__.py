"""`scripts/bench [NAME …]`: print the figures; without a name, all of them."""

from collections.abc import Callable
import sys

from . import turns

BENCHES: dict[str, Callable[[], None]] = {"turns": turns.main}


def main(names: list[str]) -> int:
    """Run the named benches. Returns 2 for an unknown name."""
    if unknown := [name for name in names if name not in BENCHES and name != "all"]:
        print(
            f"unknown bench {unknown[0]!r}; there are: {', '.join(BENCHES)}",
            file=sys.stderr,
        )
        return 2
    for name, bench in BENCHES.items():
        if not names or name in names or "all" in names:
            bench()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
