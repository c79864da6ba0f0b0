"""The engine on the command line: JSON lines in and out, or a talk on the console (DESIGN section 6)."""

import sys

USAGE = """assist-memory turns                  JSON lines in, JSON lines out: whole turns
assist-memory deadlines              JSON lines in, JSON lines out: time expressions
assist-memory say [SENTENCE] [--lang TAG] [--timezone NAME] [--now ISO]
                                     one sentence explained; without one, a talk
"""


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return the exit status."""
    command, *rest = (sys.argv[1:] if arguments is None else arguments) or [""]
    if command in {"turns", "deadlines"}:
        from .lines import serve  # noqa: PLC0415 - each command loads only what it needs

        return serve(command, sys.stdin.buffer, sys.stdout.buffer)
    if command == "say":
        from .say import say  # noqa: PLC0415 - as above

        return say(rest)
    sys.stderr.write(USAGE)
    return 2
