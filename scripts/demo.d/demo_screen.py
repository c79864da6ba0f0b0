"""What the person at the terminal sees, and whether everything that was expected held."""

from collections.abc import Mapping, Sequence
import sys
import time
from typing import Final

BOLD: Final = "1"
DIM: Final = "2"
RED: Final = "31"
GREEN: Final = "32"
CYAN: Final = "36"
INDENT: Final = " " * 12


class Screen:
    """Prints the show line by line and counts what did not hold."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._colours = sys.stdout.isatty()
        self.failures: list[str] = []

    def act(self, title: str) -> None:
        """Announce the next part of the show."""
        self._line("")
        self._line(self._in(BOLD, f"── {title} " + "─" * max(0, 72 - len(title))))

    def progress(self, text: str) -> None:
        """Tell what is being done, with the seconds since the start."""
        seconds = time.monotonic() - self._began
        self._line(f"{self._in(BOLD, '==>')} {seconds:5.1f} s  {text}")

    def note(self, text: str) -> None:
        """Say something beside the show."""
        self._line(self._in(DIM, f"{INDENT}{text}"))

    def said(self, who: str, text: str, remark: str = "") -> None:
        """Show a line of the talk."""
        end = self._in(DIM, f"  ({remark})") if remark else ""
        self._line(f"{self._in(CYAN, f'{who:>10}')}  {text}{end}")

    def memory(self, held: Mapping[str, str]) -> None:
        """Show what memory holds now."""
        for name, value in held.items():
            self._line(self._in(DIM, f"{INDENT}· {name}: {value}"))

    def expect(self, what: str, *, holds: bool, seen: str = "") -> None:
        """Show whether something that had to hold does, and remember when it does not."""
        if holds:
            self._line(f"{self._in(GREEN, f'{chr(0x2713):>10}')}  {what}")
            return
        self.failures.append(what)
        detail = f" — seen: {seen}" if seen else ""
        self._line(f"{self._in(RED, f'{chr(0x2717):>10}')}  {what}{detail}")

    def summary(self) -> None:
        """Tell how the show went."""
        self.act("Result")
        if not self.failures:
            self._line("Everything that was expected held.")
        for failure in self.failures:
            self._line(self._in(RED, f"did not hold: {failure}"))

    def box(self, lines: Sequence[str]) -> None:
        """Show lines that must not be overlooked."""
        self._line("")
        for line in lines:
            self._line(f"    {self._in(BOLD, line)}")
        self._line("")

    def _in(self, code: str, text: str) -> str:
        """Return the text in a colour, where there are colours."""
        return f"\033[{code}m{text}\033[0m" if self._colours else text

    @staticmethod
    def _line(text: str) -> None:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
