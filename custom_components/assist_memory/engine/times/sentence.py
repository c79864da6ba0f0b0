"""The time atoms of a sentence, gathered into one request: what belongs together, what is only mentioned."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import UnionType

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
from .build import build
from .grammar import END, OTHER, START
from .scanner import Token
from .words import TimeWords

WEAK = frozenset({"weak_part", "weak_day"})
"""Families that count only beside another time word ("morning", "sun")."""


@dataclass(slots=True)
class Request:
    """What a sentence says about time; each kind at most once."""

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
    def anchored(self) -> bool:
        """Whether anything but a length was said."""
        return bool(
            self.day or self.clock or self.clocks or self.clock_range or self.part or self.offset
            or self.every or self.day_range
        )


def gather(tokens: Sequence[Token], words: TimeWords) -> Request:
    """Return what all time words of the sentence say together; contradicting ones are left in the text."""
    request = Request()
    tokens = _repaired(tokens, request)
    for group in sorted(_groups(tokens, words), key=lambda group: (-_weight(group, tokens), group[0])):
        trial = [tokens[index] for index in group]
        if any(_fits(request, token.atom) for token in trial[:1] if token.atom is not None):
            _take_group(request, group, tokens)
    _take_lengths(request, tokens)
    if not request.every:
        request.until = request.leave_out = None
    request.spans = _joined(request.spans) if request.anchored or request.duration or request.lead else []
    return request


def _repaired(tokens: Sequence[Token], request: Request) -> Sequence[Token]:
    """Drop what was taken back in the same breath ("at five, no, at six"); its words are cut all the same."""
    kept = list(tokens)
    for index, token in enumerate(tokens):
        if "repair" not in token.roles:
            continue
        after = _next_atom(tokens, index, 1)
        before = _next_atom(tokens, index, -1)
        if after is None or before is None:
            continue
        old, new = tokens[before].atom, tokens[after].atom
        if isinstance(old, Offset) and isinstance(new, Duration):
            kept[after] = kept[after]._replace(atom=Offset(delta=new.delta))
        elif type(old) is not type(new):
            continue
        kept[before] = kept[before]._replace(atom=None, roles={}, letter=OTHER)
        request.spans.append(Span(tokens[before].start, tokens[after].start))
    return kept


def _next_atom(tokens: Sequence[Token], index: int, step: int) -> int | None:
    """Return the time expression beside a token, with nothing but linking words between."""
    index += step
    while 0 < index < len(tokens) - 1 and tokens[index].atom is None:
        if not tokens[index].roles.keys() & {"link", "repair"}:
            return None
        index += step
    return index if tokens[index].atom is not None else None


def _joined(spans: list[Span]) -> list[Span]:
    """Return the spans in order, touching ones as one."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(span.end, joined[-1].end))
        else:
            joined.append(span)
    return joined


def _take_group(request: Request, group: Sequence[int], tokens: Sequence[Token]) -> None:
    """Take what stands side by side, with the words that link it; two days in one breath are too many."""
    last = None
    for index in group:
        atom = tokens[index].atom
        if atom is None or not _fits(request, atom):
            request.many = request.many or isinstance(atom, Day)
            continue
        _take(request, tokens[index])
        if last is not None and tokens[last].end < tokens[index].start:
            request.spans.append(Span(tokens[last].end, tokens[index].start))
        last = index


def _groups(tokens: Sequence[Token], words: TimeWords) -> list[list[int]]:
    """Return the indices of time expressions that stand side by side, weak ones only in company."""
    items = [index for index, token in enumerate(tokens) if token.atom is not None]
    groups: list[list[int]] = []
    for index in items:
        if groups and _linked(tokens, groups[-1][-1], index):
            groups[-1].append(index)
        else:
            groups.append([index])
    alone = len(items) == 1 and all(token.letter in {START, END} or token.atom or "link" in token.roles for token in tokens)
    kept = [group for group in groups if alone or any(_is_strong(tokens[index]) for index in group)]
    named = ([index for index in group if not isinstance(tokens[index].atom, Duration)] for group in kept)
    return [group for group in named if group]


def _is_strong(token: Token) -> bool:
    return token.family not in WEAK and not isinstance(token.atom, Duration)


def _linked(tokens: Sequence[Token], first: int, second: int) -> bool:
    between = tokens[first + 1 : second]
    return len(between) <= 3 and all("link" in token.roles for token in between)


def _weight(group: Sequence[int], tokens: Sequence[Token]) -> int:
    """Rank groups: repetitions, then moments, then days; at the edge of the sentence before in the middle."""
    weight = 0
    for index in group:
        atom = tokens[index].atom
        weight += 8 if isinstance(atom, Every) else 6 if isinstance(atom, Offset | Clock | Clocks | ClockRange) else 3
        weight -= 2 * isinstance(atom, Clock) * (tokens[index].end - tokens[index].start < 2)
    edge = tokens[group[0] - 1].letter == START or tokens[group[-1] + 1].letter == END
    return weight + edge


def _fits(request: Request, atom: Atom) -> bool:
    match atom:
        case Day():
            if request.offset is not None and not _names_weekday(request.offset, atom):
                return False
            return request.day is None or request.day.joined(atom) is not None
        case Clock() | Clocks() | ClockRange():
            free = request.clock is None and request.clocks is None and request.clock_range is None
            return free and not (request.offset and request.offset.delta.exact)
        case Part():
            return request.part is None or request.part.name == atom.name
        case Offset():
            if request.day is not None and not _names_weekday(atom, request.day):
                return False
            return request.offset is None and not (atom.delta.exact and request.clock)
        case Lead():
            return request.lead is None
        case _:
            return True


def _names_weekday(offset: Offset, day: Day) -> bool:
    """A weekday may be said beside a number of weeks or years: "Thursday, two weeks from now"."""
    return not offset.delta.exact and day == Day(weekdays=day.weekdays)


def _take(request: Request, token: Token) -> None:
    match token.atom:
        case Day() as day:
            request.day = (request.day.joined(day) or request.day) if request.day else day
        case Clock() as clock:
            request.clock = clock
        case Clocks() as clocks:
            request.clocks = clocks
        case ClockRange() as clock_range:
            request.clock_range = clock_range
        case DayRange() as day_range:
            request.day_range = day_range
        case Part() as part:
            request.part = Part(name=part.name, here=part.here or bool(request.part and request.part.here))
        case Offset() as offset:
            request.offset = offset
        case Lead() as lead:
            request.lead = lead
        case Every() as every:
            request.every.append(every)
        case Until() as until:
            request.until = until
        case Except() as leave_out:
            request.leave_out = leave_out
        case _:
            return
    request.spans.append(Span(token.start, token.end))


def _take_lengths(request: Request, tokens: Sequence[Token]) -> None:
    """A length counts as the extent of a repetition, or if nothing else was said."""
    lengths = [token for token in tokens if isinstance(token.atom, Duration)]
    if request.every:
        lengths = [token for token in lengths if isinstance(token.atom, Duration) and token.atom.limits]
    elif request.anchored or request.lead:
        return
    if lengths and isinstance(lengths[0].atom, Duration):
        request.duration = lengths[0].atom
        request.spans.append(Span(lengths[0].start, lengths[0].end))


def with_bare_numbers(tokens: list[Token], words: TimeWords) -> list[Token]:
    """Make a number beside a day its time ("9 tomorrow"), where the language does so, and "4/25" beside a time a date."""
    result = list(tokens)
    for index, token in enumerate(tokens):
        if token.atom is not None or not token.roles:
            continue
        role = next((role for role in ("short_date", "military", "hour") if role in token.roles), "")
        if role == "short_date" and _beside(tokens, index, Clock | Part | Day):
            atom = build("date", [(role, token.roles[role])], {})
            result[index] = token._replace(atom=atom, family="date")
        elif "year" in token.roles and _beside(tokens, index, Clock) and "hour" not in token.roles:
            # "Oct 26 15:50 2016": the year may stand behind the time.
            result[index] = token._replace(atom=build("date", [("year", token.roles["year"])], {}), family="weak_day")
        elif role and "bare_hours" in words.options and _beside(tokens, index, Day | Part):
            atom = build("clock", [(role, token.roles[role])], {})
            result[index] = token._replace(atom=atom, family="clock")
    return result


def _beside(tokens: Sequence[Token], index: int, kinds: UnionType) -> bool:
    after = next((i for i in range(index + 1, len(tokens)) if "link" not in tokens[i].roles), index)
    if _is_a(tokens[after], kinds) and after - index <= 3:
        return True
    before = next((i for i in range(index - 1, -1, -1) if "link" not in tokens[i].roles), index)
    follows = tokens[index + 1].letter != OTHER if index + 1 < len(tokens) else True
    return _is_a(tokens[before], kinds) and index - before <= 3 and follows


def _is_a(token: Token, kinds: UnionType) -> bool:
    return isinstance(token.atom, kinds) and token.family not in WEAK
