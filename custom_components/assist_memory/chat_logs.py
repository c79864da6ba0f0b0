"""Home Assistant's own logs of conversations: whose words are in them, and forgetting them.

A log is kept for as long as its session, some minutes. Within a turn the agent has a copy,
which replaces the log at the end; so what is forgotten meanwhile goes when the turn is over.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from homeassistant.components.conversation import (
    AssistantContent,
    ChatLog,
    SystemContent,
    UserContent,
)
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

from .const import DOMAIN
from .engine import HOUSEHOLD, Forgotten

MAX_LOGS: Final = 1024
"""Conversations whose speakers are known; the longest unused goes first."""
GAP: Final = "…"
"""Stands where something was that is forgotten."""

DATA_LOGS: HassKey[ChatLogs] = HassKey(f"{DOMAIN}_chat_logs")


class ChatLogs:
    """Knows who has spoken in which conversation, and forgets there."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._spoken: OrderedDict[str, set[str | None]] = OrderedDict()
        self._talking: set[str] = set()
        self._touched: set[str] = set()

    @callback
    def async_begin(self, conversation_id: str) -> bool:
        """Note that a turn begins; False if the conversation is in another one."""
        if conversation_id in self._talking:
            return False
        self._talking.add(conversation_id)
        self._touched.discard(conversation_id)
        return True

    @callback
    def async_speaks(self, conversation_id: str, speaker: str | None) -> None:
        """Note who speaks in a turn; None is nobody known."""
        self._spoken.setdefault(conversation_id, set()).add(speaker)
        self._spoken.move_to_end(conversation_id)
        while len(self._spoken) > MAX_LOGS:
            self._spoken.popitem(last=False)

    @callback
    def async_is_forgotten(self, conversation_id: str) -> bool:
        """Tell whether a turn's speaker was forgotten since the turn began."""
        return conversation_id in self._touched

    @callback
    def async_keep_redacted(
        self, chat_log: ChatLog, words: str, objects: Iterable[str]
    ) -> None:
        """Let a turn that forgets stay: `words` are without their object."""
        self._touched.discard(chat_log.conversation_id)
        start = turn_start(chat_log)
        for index, content in enumerate(chat_log.content[start:], start):
            if isinstance(content, UserContent):
                chat_log.content[index] = replace(content, content=words)
            elif isinstance(content, AssistantContent) and content.content:
                text = without(content.content, objects)
                chat_log.content[index] = replace(content, content=text)

    @callback
    def async_close(self, chat_log: ChatLog) -> None:
        """Note that a turn is over: what was forgotten meanwhile has no words left."""
        conversation_id = chat_log.conversation_id
        if conversation_id in self._touched:
            _empty(chat_log)
            if stored := self._hass.data.get(DATA_CHAT_LOGS, {}).get(conversation_id):
                _empty(stored)
        self._touched.discard(conversation_id)
        self._talking.discard(conversation_id)

    @callback
    def async_end(self, conversation_id: str) -> None:
        """Let go of a conversation: Home Assistant's session is over."""
        self._spoken.pop(conversation_id, None)

    @callback
    def async_forget(self, owner: str, _forgotten: Forgotten) -> Mapping[str, int]:
        """Empty every log that has words of the owner."""
        speaker = None if owner == HOUSEHOLD else owner
        logs = self._hass.data.get(DATA_CHAT_LOGS, {})
        for conversation_id, speakers in self._spoken.items():
            if speaker not in speakers:
                continue
            if conversation_id in self._talking:
                self._touched.add(conversation_id)
            elif log := logs.get(conversation_id):
                _empty(log)
        return {}


@callback
def async_get_chat_logs(hass: HomeAssistant) -> ChatLogs:
    """Return what is known of the logs; like all memory it outlives a reload."""
    if DATA_LOGS not in hass.data:
        hass.data[DATA_LOGS] = ChatLogs(hass)
    return hass.data[DATA_LOGS]


@callback
def scrub(chat_log: ChatLog) -> None:
    """Take what was said before this turn out of Home Assistant's own log."""
    start = turn_start(chat_log)
    chat_log.content[:] = [SystemContent(content=""), *chat_log.content[start:]]


def turn_start(chat_log: ChatLog) -> int:
    """Return where the person's words of this turn stand in the chat log."""
    return max(
        index
        for index, content in enumerate(chat_log.content)
        if isinstance(content, UserContent)
    )


def without(text: str, objects: Iterable[str]) -> str:
    """Return a text with gaps where it names one of the objects."""
    for name in filter(None, objects):
        wanted, start = name.lower(), 0
        while (start := text.lower().find(wanted, start)) >= 0:
            text = text[:start] + GAP + text[start + len(wanted) :]
            start += len(GAP)
    return text


def _empty(chat_log: ChatLog) -> None:
    chat_log.content[:] = [SystemContent(content="")]
