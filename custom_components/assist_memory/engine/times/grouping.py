"""Which time expressions of a sentence stand side by side, which were taken back, which bare numbers are times."""

from collections.abc import Sequence

from ..models import Span
from .atoms import Atom, Clock, ClockRange, Clocks, Day, Duration, Every, Offset, Part
from .build import build
from .grammar import END, OTHER, START
from .scanner import Token
from .words import TimeWords

WEAK = frozenset({"weak_part", "weak_day"})
"""Families that count only beside another time word ("morning", "sun")."""

MOST_LINKS = 3
"""So many linking words may stand between two expressions of one breath."""

type Kinds = tuple[type[Atom], ...]

_DAYS: Kinds = (Day, Part)
_MOMENTS: Kinds = (Offset, Clock, Clocks, ClockRange)


def groups_of(tokens: Sequence[Token]) -> list[list[int]]:
    """Return the indices of expressions that stand side by side, the weightiest group first; lengths are left out."""
    items = [index for index, token in enumerate(tokens) if token.atom is not None]
    groups: list[list[int]] = []
    for index in items:
        if groups and _linked(tokens, groups[-1][-1], index):
            groups[-1].append(index)
        else:
            groups.append([index])
    alone = len(items) == 1 and all(_is_bare(token) for token in tokens)
    kept = [
        group
        for group in groups
        if alone or any(_is_strong(tokens[index]) for index in group)
    ]
    named = [
        [index for index in group if not isinstance(tokens[index].atom, Duration)]
        for group in kept
    ]
    return sorted(
        filter(None, named), key=lambda group: (-_weight(group, tokens), group[0])
    )


def without_repairs(tokens: Sequence[Token]) -> tuple[list[Token], list[Span]]:
    """Drop what was taken back in the same breath ("at five, no, at six"); return also its words, to be cut."""
    kept = list(tokens)
    spans: list[Span] = []
    for index, token in enumerate(tokens):
        if "repair" not in token.roles:
            continue
        before, after = _next_atom(tokens, index, -1), _next_atom(tokens, index, 1)
        if before is None or after is None:
            continue
        old, new = tokens[before].atom, tokens[after].atom
        if isinstance(old, Offset) and isinstance(new, Duration):
            kept[after] = kept[after]._replace(atom=Offset(delta=new.delta))
        elif type(old) is not type(new):
            continue
        kept[before] = kept[before]._replace(atom=None, roles={}, letter=OTHER)
        spans.append(Span(tokens[before].start, tokens[after].start))
    return kept, spans


def with_bare_numbers(tokens: Sequence[Token], words: TimeWords) -> list[Token]:
    """Make "9" beside a day its time, where the language does so, "4/25" beside a time a date, a year behind it one."""
    result = list(tokens)
    for index, token in enumerate(tokens):
        if (
            token.atom is None
            and token.roles
            and (found := _bare(tokens, index, words))
        ):
            role, family = found
            atom = build(
                "clock" if family == "clock" else "date",
                [(role, token.roles[role])],
                {},
            )
            result[index] = token._replace(atom=atom, family=family)
    return result


def _bare(
    tokens: Sequence[Token], index: int, words: TimeWords
) -> tuple[str, str] | None:
    """Return as what a number may be taken, and the family that then makes its atom."""
    roles = tokens[index].roles
    if "short_date" in roles:
        return (
            ("short_date", "date") if _beside(tokens, index, (Clock, *_DAYS)) else None
        )
    if "ordinal_day" in roles and isinstance(tokens[index - 1].atom, Every):
        return "ordinal_day", "date"
    if "year" in roles and "hour" not in roles and _ends_date(tokens, index):
        return "year", "weak_day"
    for role in ("military", "hour"):
        if (
            role in roles
            and "bare_hours" in words.options
            and _beside(tokens, index, _DAYS)
        ):
            return role, "clock"
    return None


def _ends_date(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a year stands behind a time and its date; without a date it may be a title, a room or a call."""
    before = tokens[_unlinked(tokens, index, -1)]
    return isinstance(before.atom, Clock) and any(
        isinstance(token.atom, Day) and token.atom.month is not None for token in tokens
    )


def _beside(tokens: Sequence[Token], index: int, kinds: Kinds) -> bool:
    """Tell whether an expression of these kinds stands before the number, or after it where no other word follows."""
    after = _unlinked(tokens, index, 1)
    if _is_a(tokens[after], kinds) and after - index <= MOST_LINKS:
        return True
    before = _unlinked(tokens, index, -1)
    return (
        _is_a(tokens[before], kinds)
        and index - before <= MOST_LINKS
        and tokens[index + 1].letter != OTHER
    )


def _unlinked(tokens: Sequence[Token], index: int, step: int) -> int:
    index += step
    while 0 < index < len(tokens) - 1 and "link" in tokens[index].roles:
        index += step
    return index


def _is_a(token: Token, kinds: Kinds) -> bool:
    return isinstance(token.atom, kinds) and token.family not in WEAK


def _is_bare(token: Token) -> bool:
    return (
        token.letter in {START, END} or token.atom is not None or "link" in token.roles
    )


def _is_strong(token: Token) -> bool:
    return token.family not in WEAK and not isinstance(token.atom, Duration)


def _linked(tokens: Sequence[Token], first: int, second: int) -> bool:
    between = tokens[first + 1 : second]
    return len(between) <= MOST_LINKS and all(
        "link" in token.roles for token in between
    )


def _weight(group: Sequence[int], tokens: Sequence[Token]) -> int:
    """Rank groups: repetitions, then moments, then days; at the edge of the sentence before in the middle."""
    atoms = [tokens[index].atom for index in group]
    weight = sum(
        8 if isinstance(atom, Every) else 6 if isinstance(atom, _MOMENTS) else 3
        for atom in atoms
    )
    return weight + (
        tokens[group[0] - 1].letter == START or tokens[group[-1] + 1].letter == END
    )


def _next_atom(tokens: Sequence[Token], index: int, step: int) -> int | None:
    """Return the time expression beside a token, with nothing but linking words between."""
    index += step
    while 0 < index < len(tokens) - 1 and tokens[index].atom is None:
        if not tokens[index].roles.keys() & {"link", "repair"}:
            return None
        index += step
    return index if tokens[index].atom is not None else None
