"""What a sentence asks code itself to do: remind, list, cancel, remember, recall, forget … (A2, X1).

A command stands at the start of a clause, after words of politeness only. So "don't remind me", "if I asked you to
remind me", "she told me to remember" and "that song reminds me of you" give none. All words are in commands.yaml.
"""

from collections.abc import Sequence
import re

from .command_words import BREAKS, command_words
from .language import LanguagePack
from .models import Command, CommandKind, EntityKind, Mention, Span, TimeReading
from .phrases import BLANK, PhraseIndex, blanked, captured
from .text import fold_in, tokens
from .times import cut

_MARKS = ' .,;:!?…，。；：！？、~～"“”'
_MOST_REPAIR = 7
"""A longer sentence is not just another time for what was just set."""

_TIMELESS = frozenset({CommandKind.YES, CommandKind.NO, CommandKind.NEVER_MIND})
"""With a time beside them these are something else ("no, tomorrow")."""


def read_commands(
    text: str, time: TimeReading, mentions: Sequence[Mention], pack: LanguagePack
) -> tuple[Command, ...]:
    """Return the command that a sentence gives, as a tuple of none or one."""
    if not text:
        return ()
    sentence = _Sentence(text, time, mentions, pack)
    if sentence.is_none():
        return ()
    command = sentence.whole() or sentence.clause() or sentence.maybe()
    return (command,) if command else ()


class _Sentence:
    """One sentence with its time words blanked out."""

    def __init__(
        self,
        text: str,
        time: TimeReading,
        mentions: Sequence[Mention],
        pack: LanguagePack,
    ) -> None:
        self.text = text
        self.words = command_words(pack)
        self.pack = pack
        self.folded = fold_in(text, pack)
        self.untimed = self.words.untimed.search(self.folded)
        self.spans = (*time.spans, *self._untimed_spans())
        self.blank = blanked(self.folded, self.spans)
        self.persons = [m.span for m in mentions if m.kind is EntityKind.PERSON]
        match = self.words.lead.match(self.blank)
        self.start = match.end() if match else 0
        self.end = self._end()
        self.ranges = self._ranges()

    def _untimed_spans(self) -> tuple[Span, ...]:
        return (Span(self.untimed.start(), self.untimed.end()),) if self.untimed else ()

    def _end(self) -> int:
        end = len(self.blank.rstrip(_MARKS))
        while (
            match := self.words.tail.search(self.blank, 0, end)
        ) and match.start() < end:
            if not match.start():
                break
            end = match.start()
        return end

    def is_none(self) -> bool:
        """Tell whether the sentence only sounds like a command ("you needn't remember that")."""
        return any(
            phrase.pattern.fullmatch(self.blank, start, end)
            for start, end in self.ranges
            for _, phrase in self.words.none.starting_at(self.blank, start)
        )

    def whole(self) -> Command | None:
        """Return the command that the whole sentence is."""
        return self._whole(self.words.whole)

    def maybe(self) -> Command | None:
        """Return the command that the whole sentence is if what it names exists."""
        repair = self.words.repair.match(self.blank)
        if repair and len(tokens(self.text[repair.end() :])) <= _MOST_REPAIR:
            return Command(
                kind=CommandKind.MOVE, span=Span(0, repair.end()), sure=False
            )
        return self._whole(self.words.maybe)

    def _whole(self, index: PhraseIndex[tuple[CommandKind, str]]) -> Command | None:
        for start, end in self.ranges:
            for (kind, key), phrase in index.starting_at(self.blank, start):
                if match := phrase.pattern.fullmatch(self.blank, start, end):
                    if kind in _TIMELESS and BLANK in self.blank:
                        continue
                    return self._of_whole(kind, key, match)
        return None

    def _ranges(self) -> dict[tuple[int, int], None]:
        """Return what may be the sentence proper: with and without politeness, and times at its ends."""
        full = len(self.blank.rstrip(_MARKS))
        timeless = len(self.blank[: self.end].rstrip(f"{BLANK}{_MARKS}"))
        time = self.words.clause.match(self.blank)
        led = self.words.lead.match(self.blank, time.end()) if time else None
        after_time = led.end() if led else 0
        starts, ends = (0, self.start, after_time), (self.end, full, timeless)
        return dict.fromkeys(
            (start, end) for end in ends for start in starts if start < end
        )

    def _of_whole(self, kind: CommandKind, key: str, match: re.Match[str]) -> Command:
        keep = captured(match, "keep")
        target = captured(match, "object") or captured(match, "filter")
        cut_off = keep is None and self.words.excepting.search(match[0]) is not None
        return Command(
            kind=kind,
            span=Span(match.start(), match.end()),
            object=self._plain(target) if target else "",
            sure=key != "whole_soft",
            everything=key == "all" or kind is CommandKind.FORGET_ALL,
            keep=self._plain(keep) if keep else ("" if cut_off else None),
            untimed=self.untimed is not None,
            target=target,
            when=self._raw(captured(match, "when")),
        )

    def _raw(self, span: Span | None) -> str:
        return span.of(self.text) if span else ""

    def clause(self) -> Command | None:
        """Return the command that a clause begins with."""
        for clause, start in self._starts():
            for (kind, key), phrase in self.words.start.starting_at(self.blank, start):
                match = phrase.pattern.match(self.blank, start)
                if match and (command := self._of_clause(kind, key, match, clause)):
                    return command
        return None

    def _starts(self) -> list[tuple[int, int]]:
        """Return where clauses begin, each also after its words of politeness."""
        clauses = [0, *(mark.end() for mark in self.words.clause.finditer(self.blank))]
        clauses += [
            found.end()
            for clause in clauses
            if (found := self.words.condition.match(self.blank, clause))
        ]
        starts: dict[tuple[int, int], None] = {}
        for clause in clauses:
            led = self.words.lead.match(self.blank, clause)
            starts |= dict.fromkeys(
                [(clause, clause), (clause, led.end() if led else clause)]
            )
        return [(clause, start) for clause, start in starts if start < len(self.blank)]

    def _of_clause(
        self, kind: CommandKind, key: str, match: re.Match[str], clause: int
    ) -> Command | None:
        span = Span(match.start("phrase"), match.end("phrase"))
        if kind is CommandKind.REMIND:
            return self._reminder(key, span, match, clause)
        if kind is CommandKind.REMEMBER:
            return self._fact(span, clause)
        target = captured(match, "object")
        # A slot at the end of a phrase takes the rest of the sentence.
        target = (
            Span(target.start, self.end)
            if target and target.end == match.end()
            else target
        )
        return Command(
            kind=kind,
            span=span,
            object=self._plain(target) if target else "",
            target=target,
        )

    def _fact(self, span: Span, clause: int) -> Command:
        after = self.text[span.end : max(span.end, self.end)].strip(_MARKS)
        said = after or self.text[:clause].strip(_MARKS)
        return Command(kind=CommandKind.REMEMBER, span=span, object=said)

    def _reminder(
        self, key: str, span: Span, match: re.Match[str], clause: int
    ) -> Command | None:
        if key == "wrapped":
            target = captured(match, "object")
            return self._remind(span, self._plain(target) if target else "")
        whose = self._other(span, match) if key == "other" else Span(span.end, span.end)
        if whose is None or (key == "start_soft" and not self.spans):
            return None
        rest = self.words.after.match(self.blank, whose.end)
        start = rest.end() if rest else whose.end
        if (again := self._again(start)) is not None:
            return again
        said = self._plain(Span(start, max(start, self.end)))
        before = self._before(clause)
        if before and said and not self._stands_free(clause):
            # "He told me at five to remind me to …": somebody else's words.
            return None
        name = whose.of(self.text)
        woken = self.words.wake.fullmatch(span.of(self.folded))
        told = said or before or (self.words.wake_text if woken else "")
        if key == "start_soft" and not told and not self._is_only(span):
            return None
        return self._remind(
            span, f"{name}{': ' if name.isascii() else ''}{told}" if name else told
        )

    def _is_only(self, span: Span) -> bool:
        """Tell whether a sentence is the trigger and its time alone ("ping me in ten minutes")."""
        left = f"{self.blank[self.start : span.start]}{self.blank[span.end : self.end]}"
        return not left.strip(f"{BLANK}{_MARKS}")

    def _again(self, start: int) -> Command | None:
        """Return the reminder that follows in "don't forget to remind me to …"."""
        for (kind, key), phrase in self.words.start.starting_at(self.blank, start):
            if (kind, key) == (CommandKind.REMIND, "start") and (
                match := phrase.pattern.match(self.blank, start)
            ):
                span = Span(match.start("phrase"), match.end("phrase"))
                return self._reminder(key, span, match, 0)
        return None

    def _remind(self, span: Span, said: str) -> Command:
        said = "" if fold_in(said, self.pack) in self.words.pronouns else said
        return Command(
            kind=CommandKind.REMIND,
            span=span,
            object=said,
            untimed=self.untimed is not None,
        )

    def _other(self, span: Span, match: re.Match[str]) -> Span | None:
        """Return the name of somebody else who is to be reminded."""
        person = captured(match, "person")
        start = person.start if person else span.end
        named = [other for other in self.persons if other.start == start]
        return named[0] if named else None

    def _before(self, end: int) -> str:
        """Return what is said before the command, without politeness and times."""
        before = self._plain(Span(min(self.start, end), end))
        return without_obligation(before, self.pack)

    def _stands_free(self, clause: int) -> bool:
        """Tell whether a clause does not go on with what stands before it: a mark, or "when …" is before it."""
        if self.blank[:clause].rstrip(f" {BLANK}")[-1:] in BREAKS:
            return True
        return any(
            found.end() == clause and not self.words.reporting.search(found["phrase"])
            for found in self.words.condition.finditer(self.blank)
        )

    def _plain(self, span: Span) -> str:
        """Return the words of a span without the times in it."""
        inner = [
            Span(
                max(s.start, span.start) - span.start, min(s.end, span.end) - span.start
            )
            for s in self.spans
            if s.overlaps(span)
        ]
        return cut(span.of(self.text), inner).strip(_MARKS)


def without_obligation(text: str, pack: LanguagePack) -> str:
    """Return what is to be done, of a statement that it is ("I have to …", "the meeting is …")."""
    words = command_words(pack)
    match = words.obligations.match(fold_in(text, pack))
    plain = text[match.end() :] if match else text
    tail = words.dangling.search(fold_in(plain, pack))
    return (plain[: tail.start()] if tail else plain).strip(_MARKS)
