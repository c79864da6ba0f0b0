"""The sentences that code says, from responses.yaml, in the speaker's language and script (X1, X7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from .facts import said_back
from .kept import PendingItem
from .language import LanguagePack, Section
from .pending import is_said
from .times import spoken_rule, spoken_time

MOST_LISTED = 5
"""So many reminders are read out at once."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Phrasebook:
    """The file responses.yaml: sentences by key, some of them with a form for one and for more."""

    plain: Mapping[str, str]
    counted: Mapping[str, Mapping[str, str]]
    trouble: Mapping[str, str]


@cache
def phrasebook(pack: LanguagePack) -> Phrasebook:
    """Return the pack's sentences. Raises LanguagePackError."""
    file = pack.file("responses")
    mappings = [key for key in file if isinstance(file.data[key], dict)]
    counted = [key for key in mappings if key != "trouble"]
    return Phrasebook(
        plain={key: file.text(key) for key in file if key not in mappings},
        counted={key: _forms(file.section(key)) for key in counted},
        trouble=file.section("trouble").text_map(),
    )


def _forms(section: Section) -> Mapping[str, str]:
    return {key: section.only("one", "more").text(key) for key in ("one", "more")}


@cache
def script_words(pack: LanguagePack) -> tuple[frozenset[str], dict[int, str]]:
    """Return the subtags of another script and the map of its characters, from the optional file script.yaml."""
    if "script" not in pack.files:
        return frozenset(), {}
    file = pack.file("script").only("tags", "traditional")
    return frozenset(file.texts("tags")), str.maketrans(
        file.section("traditional").text_map()
    )


class Speaker:
    """Says sentences in one language and script, seen from one moment."""

    def __init__(self, pack: LanguagePack, tag: str, now: datetime) -> None:
        """Take the tag of the person's language and the moment, in the person's time zone."""
        self.pack = pack
        self.now = now
        self._book = phrasebook(pack)
        tags, characters = script_words(pack)
        subtags = set(tag.lower().replace("_", "-").split("-"))
        self._characters = characters if subtags & tags else {}

    def say(self, code: str, *, count: int | None = None, **words: str) -> str:
        """Return the sentence of a key with its slots filled; only our own words change script."""
        if code in self._book.counted:
            template = self._book.counted[code]["one" if count == 1 else "more"]
        else:
            template = self._book.plain[code]
        return template.translate(self._characters).format(count=count, **words)

    def trouble(self, code: str) -> str:
        """Return the sentence for what keeps the model from answering."""
        known = self._book.trouble
        return known.get(code, known["other"]).translate(self._characters)

    def words(self, text: str) -> str:
        """Return the person's words as they are said back."""
        return said_back(text, self.pack)

    def when(self, item: PendingItem) -> str:
        """Return when a reminder is due, a series by its rule; empty for one without a time."""
        if item.due is None:
            return ""
        due = item.due.astimezone(self.now.tzinfo)
        if item.rule and item.anchor is not None:
            return self.spoken(
                spoken_rule(
                    item.rule, item.anchor.astimezone(self.now.tzinfo), self.pack
                )
            )
        return self.time(due)

    def next_time(self, item: PendingItem) -> str:
        """Return the next moment of a reminder."""
        return self.time(item.due) if item.due is not None else ""

    def time(self, when: datetime) -> str:
        """Return a moment in words."""
        return self.spoken(spoken_time(when, self.now, self.pack))

    def spoken(self, text: str) -> str:
        """Return words of ours in the person's script."""
        return text.translate(self._characters)

    def listed(self, items: Sequence[PendingItem]) -> str:
        """Return reminders one after the other, the first few of many."""
        said = [self._item(item) for item in items[:MOST_LISTED]]
        if len(items) > MOST_LISTED:
            said.append(self.say("list_more", count=len(items) - MOST_LISTED))
        joiner = self.spoken(self._book.plain["joiner"])
        if len(said) < 2:
            return "".join(said)
        return f"{joiner.join(said[:-1])}{self.spoken(self._book.plain['last_joiner'])}{said[-1]}"

    def _item(self, item: PendingItem) -> str:
        text = self.words(item.text)
        if item.due is None:
            return self.say("item_untimed", text=text)
        if is_said(item) and not item.rule:
            return self.say(
                "item_said", text=text, when=self.time(item.last_due or item.due)
            )
        when = self.when(item) if item.rule else self.next_time(item)
        return self.say("item", text=text, when=when)
