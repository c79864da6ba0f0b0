"""What the model says, made fit to be said: stream in, stream out (X4, DESIGN section 8).

Reasoning and format marks are taken out, wherever the stream is cut. A sentence that claims a
reminder, a memory, a deletion or an action that did not happen is replaced by an honest one.
Text leaves sentence by sentence.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
import re

from .changes import Change, FactReplaced, FactStated, Forgotten, ReminderCancelled
from .language import LanguagePack, Section
from .phrases import Rules, compile_phrases
from .text import fold_in

MAX_SENTENCE = 300
"""A longer one leaves in parts."""
MIN_ECHO = 15
"""A shorter sentence of the brief may be the model's own."""


class Deed(StrEnum):
    """What a model may claim to have done."""

    REMINDER = "reminder"
    MEMORY = "memory"
    DELETION = "deletion"
    ACTION = "action"


def deeds_of(committed: Iterable[Change]) -> frozenset[Deed]:
    """Return what was really done, so that it may be said."""
    return frozenset(_deed_of(change) for change in committed)


class Guard:
    """Takes an answer piece by piece and hands on what may be said.

    Where tools are at hand (`may_act`), a claim waits for the end of its message: only then
    is it known whether the model calls the tool that would make it true. A small model may
    repeat the `brief` that it was given instead of answering; that is dropped.
    """

    def __init__(
        self,
        pack: LanguagePack,
        done: frozenset[Deed] = frozenset(),
        *,
        may_act: bool = False,
        brief: str = "",
    ) -> None:
        self._pack = pack
        self._brief = fold_in(brief, pack)
        self._claims = claim_words(pack)
        self._done = set(done)
        self._may_act = may_act
        self._corrected = False
        self._reasoning = _Reasoning()
        self._held = ""
        self._waiting: list[str] = []
        self._begun = False
        self._wrapped = False

    @property
    def corrected(self) -> bool:
        """Tell whether a false claim was replaced."""
        return self._corrected

    def tool_ran(self) -> None:
        """Note that a tool has done something; what it did is for the model to say."""
        self._done.update(Deed)

    def feed(self, piece: str) -> str:
        """Return what may be said now."""
        text, restarted = self._reasoning.feed(piece)
        if restarted:
            # A lone closing tag: what was held before it was reasoning.
            self._held = ""
            self._waiting.clear()
        self._held += text
        return self._release(at_end=False)

    def finish(self, *, acting: bool = False) -> str:
        """Return what is left to be said at the end of a message.

        `acting`: the message calls tools, so that its claims come too early. They are left
        to the next message.
        """
        self._held += self._reasoning.finish()
        said = self._release(at_end=True)
        waiting, self._waiting = self._waiting, []
        return said + "".join(self._settled(each, acting=acting) for each in waiting)

    def _release(self, *, at_end: bool) -> str:
        sentences, self._held = _sentences(self._held, at_end=at_end)
        said = ""
        for sentence in sentences:
            clean = self._clean(sentence)
            if self._may_act and (self._waiting or self._false_claim(clean)):
                self._waiting.append(clean)
            else:
                said += self._settled(clean)
        return said

    def _clean(self, sentence: str) -> str:
        """Return a sentence without what is not for ears: marks, an echo, space before all."""
        clean = _MARKUP.sub("", sentence)
        clean = clean if self._begun else clean.lstrip()
        words = clean.strip(" \t\n[]()")
        if len(words) >= MIN_ECHO and fold_in(words, self._pack) in self._brief:
            return ""
        clean = self._unwrapped(clean)
        self._begun = self._begun or bool(clean)
        return clean

    def _unwrapped(self, sentence: str) -> str:
        """Return a sentence without the brackets that a model copies from its brief."""
        closed = sentence.find("]")
        if sentence.startswith("[") and closed < 0 and not self._begun:
            self._wrapped = True
            return sentence[1:]
        if sentence.startswith("[") and closed == len(sentence.rstrip()) - 1:
            return sentence[1:].replace("]", "")
        if self._wrapped and "[" not in sentence and "]" in sentence:
            self._wrapped = False
            return sentence.replace("]", "", 1)
        return sentence

    def _settled(self, sentence: str, *, acting: bool = False) -> str:
        """Return what is said instead of a sentence: itself, if it claims nothing false."""
        claim = self._false_claim(sentence)
        if claim is None:
            return sentence
        if acting or self._corrected:
            return ""
        self._corrected = True
        return claim.honest + sentence[len(sentence.rstrip()) :]

    def _false_claim(self, sentence: str) -> Claim | None:
        claim = self._claims.found_in(sentence, self._pack)
        return claim if claim and claim.deed not in self._done else None


def briefing(pack: LanguagePack) -> str:
    """Return what a model is told once: what the brief is, and what is not its business."""
    return pack.file("claims").text("briefing")


def notice(code: str, pack: LanguagePack) -> str:
    """Return what is said of a turn that the model had no say in: busy, not_allowed, failed, done."""
    return pack.file("claims").section("notices").text(code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """How a language claims a deed, and what is said where it is not true."""

    deed: Deed
    pattern: re.Pattern[str]
    honest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimWords:
    """The claims of a language."""

    claims: tuple[Claim, ...]
    unmade: re.Pattern[str]
    """What makes no claim of what follows it in the sentence: a condition, an offer."""

    def found_in(self, sentence: str, pack: LanguagePack) -> Claim | None:
        """Return what a sentence claims."""
        text = fold_in(sentence, pack)
        for claim in self.claims:
            if match := claim.pattern.search(text):
                unmade = self.unmade.search(text, 0, match.start())
                return None if unmade else claim
        return None


@cache
def claim_words(pack: LanguagePack) -> ClaimWords:
    """Return the claims of a pack, from claims.yaml. Raises LanguagePackError."""
    file = pack.file("claims").only("briefing", "claims", "notices", "rules", "unmade")
    rules = Rules(file.section("rules").texts_map())
    claims = file.section("claims").only(*Deed)
    return ClaimWords(
        claims=tuple(_claim(deed, claims.section(deed), rules) for deed in Deed),
        unmade=compile_phrases(file.texts("unmade"), rules),
    )


def _claim(deed: Deed, section: Section, rules: Rules) -> Claim:
    section.only("phrases", "honest")
    return Claim(
        deed=deed,
        pattern=compile_phrases(section.texts("phrases"), rules),
        honest=section.text("honest"),
    )


def _deed_of(change: Change) -> Deed:
    if isinstance(change, Forgotten | ReminderCancelled):
        return Deed.DELETION
    if isinstance(change, FactStated | FactReplaced):
        return Deed.MEMORY
    return Deed.REMINDER


# --- reasoning ---------------------------------------------------------------------------------

_OPENING = ("<think>", "<thinking>", "<thought>", "<reasoning>", "<|begin_of_thought|>")
_CLOSING = (
    "</think>",
    "</thinking>",
    "</thought>",
    "</reasoning>",
    "<|end_of_thought|>",
)


class _Reasoning:
    """Takes out what stands between think tags; a tag may be split over pieces."""

    def __init__(self) -> None:
        self._rest = ""
        self._inside = False

    def feed(self, piece: str) -> tuple[str, bool]:
        """Return the text outside, and whether all text before it was reasoning."""
        text, restarted = self._rest + piece, False
        outside = ""
        while found := _first_tag(text, inside=self._inside):
            tag, start = found
            if not self._inside:
                outside += text[:start]
                if tag in _CLOSING:
                    outside, restarted = "", True
            self._inside = tag in _OPENING
            text = text[start + len(tag) :]
        text, self._rest = _split_at_partial_tag(text)
        return outside if self._inside else outside + text, restarted

    def finish(self) -> str:
        """Return what was held back as a possible tag."""
        rest, self._rest = self._rest, ""
        return "" if self._inside else rest


def _first_tag(text: str, *, inside: bool) -> tuple[str, int] | None:
    tags = _CLOSING if inside else _OPENING + _CLOSING
    lowered = text.lower()
    found = [(start, tag) for tag in tags if (start := lowered.find(tag)) >= 0]
    return (min(found)[1], min(found)[0]) if found else None


def _split_at_partial_tag(text: str) -> tuple[str, str]:
    """Return the text and what at its end may become a tag."""
    start = text.rfind("<")
    rest = text[start:].lower()
    if start >= 0 and any(tag.startswith(rest) for tag in _OPENING + _CLOSING):
        return text[:start], text[start:]
    return text, ""


# --- sentences ---------------------------------------------------------------------------------

# A dot ends a sentence only before a space, since 3.5 has one too, and not in "10 a.m. tomorrow";
# a full-width mark always does.
_END = re.compile(
    r"(?:(?<![.\s][A-Za-z])\.|[!?…])+[\"'”’)\]]*\s+|[。！？]+[”’」』）]*\s*|\n+\s*"
)
# What a voice would read out: emphasis, code, headings, bullets, turn tokens of chat templates.
_MARKUP = re.compile(
    r"\*\*|__|`+|^[ \t]*#{1,6}[ \t]+|^[ \t]*[*+-][ \t]+"
    r"|<\|[a-z_]{1,30}\|>|<(?:start|end)_of_turn>",
    re.MULTILINE,
)


def _sentences(text: str, *, at_end: bool) -> tuple[list[str], str]:
    """Return the whole sentences and the unfinished rest."""
    sentences = []
    while match := _END.search(text):
        if match.end() == len(text) and not at_end and not text[-1].isspace():
            # A closing quotation mark may follow.
            break
        sentences.append(text[: match.end()])
        text = text[match.end() :]
    while len(text) > MAX_SENTENCE:
        cut = text.rfind(" ", 0, MAX_SENTENCE) + 1 or MAX_SENTENCE
        sentences.append(text[:cut])
        text = text[cut:]
    if at_end and text:
        sentences.append(text)
        text = ""
    return sentences, text
