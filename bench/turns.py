"""Time and memory of whole turns of the engine: read, update, brief, answer (A17)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
import resource
import statistics
import time
from zoneinfo import ZoneInfo

import yaml

TALKS = Path(__file__).parent / "talks.yaml"
TURNS = 500
RUNS = 3
NOISE = (
    "noise: CPU time of this process is measured, so that waiting for other work does not count; other work still\n"
    f"costs cache and clock: of {RUNS} runs the one with the smallest median stands beside all; no turn is left out"
)
START = datetime(2026, 6, 9, 9, 0, tzinfo=ZoneInfo("Europe/Berlin"))


def main() -> None:
    """Print mean, median, p99 and maximum of turns per language, and dateparser beside it on the same sentences."""
    bare = peak_megabytes()
    started = time.perf_counter()
    from assist_memory import load_language  # noqa: PLC0415 - its import is part of what is measured

    for language in ("en", "zh"):
        load_language(language)
    print(
        f"engine import and both packs: {1000 * (time.perf_counter() - started):.0f} ms"
    )
    print(NOISE)
    for language in ("en", "zh"):
        report_runs(
            f"engine, {language}", [list(turn_times(language)) for _ in range(RUNS)]
        )
    print(f"peak memory above bare Python: {peak_megabytes() - bare:.1f} MB")
    for language in ("en", "zh"):
        report(
            f"dateparser's search on the same sentences, {language}",
            dateparser_times(language),
        )


def turn_times(language: str) -> Iterator[float]:
    """Run one talk of TURNS turns with one manager and yield the CPU seconds of each turn."""
    from assist_memory import Home, MemoryManager, Utterance, answer  # noqa: PLC0415

    memory = MemoryManager()
    now = START
    for text in islice(cycle(sentences(language)), TURNS):
        now += timedelta(minutes=1)
        begun = time.process_time()
        reading = memory.filter_input(
            Utterance(text=text, language=language, now=now), Home()
        )
        changes = memory.update_state(reading)
        memory.generate_context_prompt()
        answer(reading, changes, memory)
        yield time.process_time() - begun


def report_runs(title: str, runs: list[list[float]]) -> None:
    """Print the figures of all turns of all runs, and the least disturbed run beside them."""
    report(
        f"{title}, {len(runs)} x {TURNS} turns", [one for run in runs for one in run]
    )
    report(f"{title}, the quietest run", min(runs, key=statistics.median))


def dateparser_times(language: str) -> list[float]:
    """Return the CPU seconds that dateparser's search takes for each sentence."""
    from dateparser.search import search_dates  # noqa: PLC0415

    spent = []
    for text in islice(cycle(sentences(language)), 100):
        begun = time.process_time()
        search_dates(
            text,
            languages=[language],
            settings={"RELATIVE_BASE": START.replace(tzinfo=None)},
        )
        spent.append(time.process_time() - begun)
    return spent


def sentences(language: str) -> list[str]:
    """Return the sentences of the talk in one language."""
    talks: dict[str, list[str]] = yaml.safe_load(TALKS.read_text(encoding="utf-8"))
    return talks[language]


def report(title: str, spent: list[float]) -> None:
    """Print one line of figures, in milliseconds of CPU time."""
    ordered = sorted(1000 * one for one in spent)
    p99 = ordered[int(0.99 * (len(ordered) - 1))]
    print(
        f"{title}: mean {statistics.mean(ordered):.3f} ms, median {statistics.median(ordered):.3f} ms, "
        f"p99 {p99:.3f} ms, max {ordered[-1]:.3f} ms"
    )


def peak_megabytes() -> float:
    """Return the largest resident size of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
