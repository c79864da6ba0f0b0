"""The time atoms of a sentence, gathered into one request: what belongs together, what is only mentioned."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..models import Span
from .atoms import (
    Atom,
    Clock,
    ClockRange,
    Clocks,
    Day,
    DayRange,
    Duration,
    Every,
    Except,
    Lead,
    Offset,
    Part,
    Until,
)
from .grouping import groups_of, with_bare_numbers, without_repairs
from .scanner import Token
from .words import TimeWords

_PLACES: dict[type, str] = {
    Clock: "clock",
    Clocks: "clocks",
    ClockRange: "clock_range",
    DayRange: "day_range",
    Offset: "offset",
    Lead: "lead",
    Until: "until",
    Except: "leave_out",
}
"""Where a request keeps the kinds of atoms of which it has one at most."""


@dataclass(slots=True, kw_only=True)
class Request:
    """What a sentence says about time; each kind at most once. Filled by `gather`, then only read."""

    day: Day | None = None
    clock: Clock | None = None
    clocks: Clocks | None = None
    clock_range: ClockRange | None = None
    day_range: DayRange | None = None
    part: Part | None = None
    offset: Offset | None = None
    duration: Duration | None = None
    lead: Lead | None = None
    every: list[Every] = field(default_factory=list)
    until: Until | None = None
    leave_out: Except | None = None
    many: bool = False
    """More than one day was named where one is needed."""
    spans: list[Span] = field(default_factory=list)

    @property
    def timed(self) -> bool:
        """Whether a time of day was said."""
        return bool(self.clock or self.clocks or self.clock_range)

    @property
    def anchored(self) -> bool:
        """Whether anything but a length was said."""
        return bool(
            self.timed
            or self.day
            or self.part
            or self.offset
            or self.every
            or self.day_range
        )


def gather(tokens: Sequence[Token], words: TimeWords) -> Request:
    """Return what all time words of the sentence say together; contradicting ones are left in the text."""
    said, repaired = without_repairs(with_bare_numbers(tokens, words))
    request = Request(spans=repaired)
    for group in groups_of(said):
        first = said[group[0]].atom
        if first is not None and _fits(request, first):
            _take_group(request, group, said)
    _take_lengths(request, said)
    if not request.every:
        request.until = request.leave_out = None
    found = request.anchored or request.duration or request.lead
    request.spans = _joined(request.spans) if found else []
    return request


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Return the spans in order, touching ones as one."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(span.end, joined[-1].end))
        else:
            joined.append(span)
    return joined


def _take_group(
    request: Request, group: Sequence[int], tokens: Sequence[Token]
) -> None:
    """Take what stands side by side, with the words that link it; two days in one breath are too many."""
    last: Token | None = None
    for token in (tokens[index] for index in group):
        if token.atom is None:
            continue
        if not _fits(request, token.atom):
            too_many = Day | Clock | Clocks if request.timed else Day
            request.many = request.many or isinstance(token.atom, too_many)
            continue
        _take(request, token.atom)
        # Without an effect the words stay: an end needs a repetition.
        if not isinstance(token.atom, Until | Except) or request.every:
            request.spans.append(Span(token.start, token.end))
        if last is not None and last.end < token.start:
            request.spans.append(Span(last.end, token.start))
        last = token


def _fits(request: Request, atom: Atom) -> bool:
    """Tell whether an atom may join what was said so far."""
    match atom:
        case Day():
            counted = request.offset is not None and not _names_weekday(
                request.offset, atom
            )
            return not counted and (
                request.day is None or request.day.joined(atom) is not None
            )
        case Clock() | Clocks() | ClockRange():
            return not request.timed and not (
                request.offset and request.offset.delta.exact
            )
        case Part():
            return request.part is None or request.part.name == atom.name
        case Offset():
            named = request.day is not None and not _names_weekday(atom, request.day)
            return (
                not named
                and request.offset is None
                and not (atom.delta.exact and request.timed)
            )
        case _:
            return not isinstance(atom, Lead) or request.lead is None


def _names_weekday(offset: Offset, day: Day) -> bool:
    """Tell whether the day may be said beside a number of weeks or years: "Thursday, two weeks from now"."""
    return not offset.delta.exact and day == Day(weekdays=day.weekdays)


def _take(request: Request, atom: Atom) -> None:
    match atom:
        case Day():
            request.day = (
                (request.day.joined(atom) or request.day) if request.day else atom
            )
        case Part():
            request.part = Part(
                name=atom.name,
                here=atom.here or bool(request.part and request.part.here),
            )
        case Every():
            request.every.append(atom)
        case _:
            if place := _PLACES.get(type(atom)):
                setattr(request, place, atom)


def _take_lengths(request: Request, tokens: Sequence[Token]) -> None:
    """Take a length as the extent of a repetition, or if nothing else was said."""
    for token in tokens:
        if isinstance(token.atom, Duration) and _is_wanted(request, token.atom):
            request.duration = token.atom
            request.spans.append(Span(token.start, token.end))
            return


def _is_wanted(request: Request, duration: Duration) -> bool:
    return duration.limits if request.every else not (request.anchored or request.lead)
