"""`say`: one sentence explained, or a talk on the console with what memory holds (B15)."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from datetime import datetime
import json
import time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..answers import answer
from ..manager import MemoryManager
from ..models import Reading, Span, Utterance
from ..pending import elapsed

PROMPT = "> "
COMMANDS = "show: what memory holds · prompt: the brief · quit"


def say(arguments: list[str]) -> int:
    """Explain one sentence, or talk until "quit" or the end of the input."""
    options = _parsed(arguments)
    try:
        zone = ZoneInfo(options.timezone) if options.timezone else None
        fixed = datetime.fromisoformat(options.now) if options.now else None
    except (ZoneInfoNotFoundError, ValueError) as error:
        print(error)
        return 2
    console = Console(options.lang, zone, fixed)
    if options.sentence:
        console.explain(" ".join(options.sentence))
        return 0
    return console.talk()


def _parsed(arguments: list[str]) -> Namespace:
    parser = ArgumentParser(prog="assist-memory say", description=__doc__)
    parser.add_argument("sentence", nargs="*")
    parser.add_argument("--lang", default="en", help="language tag, en by default")
    parser.add_argument("--timezone", help="IANA name, this machine's by default")
    parser.add_argument("--now", help="ISO time instead of the clock")
    parser.add_argument("--explain", action="store_true", help="taken for granted")
    return parser.parse_args(arguments)


class Console:
    """One memory and the person in front of it."""

    def __init__(
        self, language: str, zone: ZoneInfo | None, fixed: datetime | None
    ) -> None:
        """Take the language, the zone (None: this machine's) and a moment instead of the clock."""
        self.memory = MemoryManager(owner="console")
        self._language = language
        self._zone = zone
        self._fixed = fixed

    def explain(self, text: str) -> None:
        """Print what a sentence says and comes to."""
        reading, said, spent = self._turn(text)
        for name, value in _findings(reading, self.memory):
            print(f"{name:>10}  {value}")
        print(f"{'changes':>10}  {self._changes() or '-'}")
        print(f"{'answer':>10}  {said or '- (the model talks)'}")
        self._print_prompt(spent)

    def talk(self) -> int:
        """Talk line by line."""
        print(COMMANDS)
        while (text := self._line()) is not None:
            if text == "quit":
                break
            if text == "show":
                print(json.dumps(self.memory.dump(), ensure_ascii=False, indent=1))
            elif text == "prompt":
                print(self.memory.generate_context_prompt(self._now()) or "-")
            elif text:
                _, said, spent = self._turn(text)
                print(said or "- (the model talks)")
                self._print_prompt(spent)
        return 0

    def _line(self) -> str | None:
        try:
            return input(PROMPT).strip()
        except EOFError, KeyboardInterrupt:
            return None

    def _now(self) -> datetime:
        now = self._fixed or datetime.now().astimezone()
        return now.astimezone(self._zone) if self._zone else now.astimezone()

    def _turn(self, text: str) -> tuple[Reading, str, float]:
        now = self._now()
        self.memory.replace_pending(elapsed(self.memory.pending_items, now))
        begun = time.perf_counter()
        reading = self.memory.filter_input(
            Utterance(text=text, language=self._language, now=now)
        )
        self._committed = self.memory.update_state(reading)
        said = answer(reading, self._committed, self.memory)
        return reading, said.text if said else "", time.perf_counter() - begun

    def _changes(self) -> str:
        return ", ".join(type(change).__name__ for change in self._committed)

    def _print_prompt(self, spent: float) -> None:
        prompt = self.memory.generate_context_prompt(self._now())
        print(f"{'context':>10}  {prompt or '-'}")
        print(f"{'':>10}  {len(prompt)} characters, {1000 * spent:.1f} ms")


def _findings(reading: Reading, memory: MemoryManager) -> list[tuple[str, str]]:
    """Return all that was found, each with its span."""
    feeling = f"{reading.attitude.value:+.2f} {reading.attitude.reason}"
    chain = " > ".join(topic.text for topic in memory.topic_chain)
    references = (f"{one.mention} is {one.entity}" for one in memory.last_references)
    return [
        ("text", reading.text),
        *(
            ("command", f"{one.kind.value} {_place(one.span)} about {one.object!r}")
            for one in reading.commands
        ),
        *(
            ("entity", f"{one.name} ({one.kind.value}) {_place(one.span)}")
            for one in reading.mentions
        ),
        *(("time", text) for text in _times(reading)),
        ("attitude", feeling.rstrip()),
        ("intent", reading.intent.value),
        *(("reference", text) for text in references),
        ("topics", chain or "-"),
    ]


def _times(reading: Reading) -> Iterator[str]:
    when = reading.time
    if when.spans:
        words = ", ".join(
            f"{one.of(reading.text)!r} {_place(one)}" for one in when.spans
        )
        meant = [when.kind.value, when.due, when.rule, when.unclear]
        yield f"{' '.join(str(part) for part in meant if part)} from {words}"


def _place(span: Span) -> str:
    return f"[{span.start}:{span.end}]"
