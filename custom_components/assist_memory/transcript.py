"""What was really sent to a model, per conversation, agent and speaker (X5).

The messages only grow, so that a request begins with all of the former one and the model
reads no more than what is new. They live in RAM, end with Home Assistant's session, and
are cut rarely and in one large step. Another person's turns are never among them.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from homeassistant.components.conversation import (
    AssistantContent,
    ChatLog,
    Content,
    UserContent,
)
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.json import json_dumps
from homeassistant.util.hass_dict import HassKey

from .chat_logs import turn_start
from .const import DOMAIN
from .engine import HOUSEHOLD, Forgotten
from .ollama import ANSWER_SHARE, Message
from .tools import BoundedAPI

MAX_CONVERSATIONS: Final = 32
"""Conversations that are kept; the longest unused goes first."""
MAX_EVICTED: Final = 1024
"""Conversations that went before their session ended, by id alone."""
MAX_THREADS: Final = 8
"""Speakers and agents of one conversation."""
MIN_RESULT: Final = 120
"""Bytes of a tool's result that are shown in any case."""
BYTES_A_TOKEN: Final = 3
MARGIN: Final = 40
"""Tokens around a tool's result."""
MAX_WORDS: Final = 4000
"""Characters of one message; a longer one is cut."""
NO_RESPONSE: Final = "(no response)"
ERROR: Final = "Error: "
"""What Home Assistant 2026.11 writes into its log for a turn that failed."""

DATA_TRANSCRIPTS: HassKey[Transcripts] = HassKey(f"{DOMAIN}_transcripts")

type ThreadKey = tuple[str | None, str, bool]
"""The speaker's id, the agent's, and whether only their own word says who it is."""


@dataclass(slots=True, kw_only=True)
class Thread:
    """What one agent was sent of one speaker's talk in one conversation."""

    system: str | None = None
    """Rendered once, None before the first request."""
    rendered_for: object = None
    """The options it was rendered for; others mean a new one at once."""
    api: BoundedAPI | None = None
    tools: tuple[Mapping[str, Any], ...] = ()
    """Taken once, with the API."""
    messages: list[Message] = field(default_factory=list)
    extra: str = ""
    """What Home Assistant adds to the prompt: a satellite's question, for all of its talk."""
    brief: str = ""
    """The brief that was sent last; the next one is sent only if it differs."""

    def hear(self, words: str, reply: str) -> None:
        """Note an exchange that the model had no part in."""
        self.messages.append(_message("user", words))
        self.messages.append(_message("assistant", reply))

    def ask(self, words: str, brief: str) -> None:
        """Append what the person says, with what memory holds if that has changed."""
        if brief and brief != self.brief:
            self.messages.append(_message("user", f"[{brief}]\n{words}"))
        else:
            self.messages.append(_message("user", words))
        self.brief = brief

    def add(self, messages: Iterable[Message]) -> None:
        """Append what the model and its tools said."""
        self.messages.extend(messages)

    def request(self) -> list[Message]:
        """Return all messages of the next request."""
        return [_message("system", self.system or ""), *self.messages]

    def take_back(self, length: int) -> None:
        """Drop what was appended since: the model has not answered it."""
        del self.messages[length:]
        self.brief = ""

    def break_off(self, length: int, said: str) -> None:
        """Keep what was said of an answer that was interrupted, or take the question back."""
        if said.strip():
            self.messages.append(_message("assistant", said))
        elif self.messages[length + 1 :]:
            self.messages.append(_message("assistant", NO_RESPONSE))
        else:
            self.take_back(length)

    def left(self, num_ctx: int) -> int:
        """Return how many tokens of the context are free, beside those of an answer."""
        return self._room(num_ctx) - sum(map(_size, self.messages))

    def add_within(self, messages: Iterable[Message], num_ctx: int) -> None:
        """Append what the model and its tools said, results cut to what is left."""
        for message in messages:
            if message["role"] == "tool":
                room = max(MIN_RESULT, BYTES_A_TOKEN * (self.left(num_ctx) - MARGIN))
                text = message["content"].encode(errors="replace")[:room]
                shown = text.decode(errors="ignore")
                self.messages.append({**message, "content": shown})
            else:
                self.messages.append(message)

    def cut(self, num_ctx: int, coming: int = 0) -> None:
        """Make room in one large step, if there is none: memory's brief has the gist.

        Half of the room stays, beginning with a person's words. To be called before
        `ask`, with the tokens that are `coming`; the next brief is whole again.
        """
        room = self._room(num_ctx) - coming
        sizes = [_size(message) for message in self.messages]
        if sum(sizes) <= room:
            return
        keep, size = len(sizes), 0
        while keep and size + sizes[keep - 1] <= room // 2:
            keep -= 1
            size += sizes[keep]
        while keep < len(sizes) and self.messages[keep]["role"] != "user":
            keep += 1
        del self.messages[:keep]
        self.brief = ""

    def _room(self, num_ctx: int) -> int:
        """Return how many tokens the messages may have."""
        tools = sum(tokens_of(json_dumps(tool)) for tool in self.tools)
        fixed = tokens_of(self.system or "") + tools
        return num_ctx - num_ctx // ANSWER_SHARE - fixed


@dataclass(slots=True, kw_only=True)
class Conversation:
    """The threads of one conversation, and how far its chat log has been heard."""

    threads: OrderedDict[ThreadKey, Thread] = field(default_factory=OrderedDict)
    heard: Content | None = None
    """The last thing of the chat log that is in a thread, or belongs to none."""
    last: ThreadKey | None = None


class Transcripts:
    """All conversations; the household's registry of stores reaches them here."""

    def __init__(self) -> None:
        self._conversations: OrderedDict[str, Conversation] = OrderedDict()
        self._evicted: OrderedDict[str, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._conversations)

    @callback
    def async_begin(self, chat_log: ChatLog) -> None:
        """Note that a turn begins; what was heard in it before is not heard again."""
        conversation_id = chat_log.conversation_id
        conversation = self._conversation(conversation_id)
        if conversation_id in self._evicted:
            del self._evicted[conversation_id]
            conversation.heard = chat_log.content[turn_start(chat_log) - 1]

    @callback
    def async_thread(
        self,
        chat_log: ChatLog,
        speaker: str | None,
        agent_id: str,
        *,
        by_word: bool = False,
    ) -> Thread:
        """Return the thread for a turn, with what Home Assistant answered since.

        What came before the person's words was said to whoever spoke last. A change of
        speaker gets a whole brief.
        """
        conversation = self._conversation(chat_log.conversation_id)
        key = (speaker, agent_id, by_word)
        _catch_up(conversation, chat_log.content[: turn_start(chat_log)], key)
        thread = _thread(conversation, key)
        if conversation.last != key:
            thread.brief = ""
        conversation.last = key
        return thread

    @callback
    def async_heard(self, chat_log: ChatLog) -> None:
        """Note that all of the chat log has been dealt with: the turn is over."""
        if conversation := self._conversations.get(chat_log.conversation_id):
            conversation.heard = chat_log.content[-1]

    @callback
    def async_end(self, conversation_id: str) -> None:
        """Drop a conversation: Home Assistant's session is over."""
        self._conversations.pop(conversation_id, None)
        self._evicted.pop(conversation_id, None)

    @callback
    def async_has(self, conversation_id: str) -> bool:
        """Tell whether a conversation has been seen before."""
        return conversation_id in self._conversations

    @callback
    def async_forget(self, owner: str, _forgotten: Forgotten) -> Mapping[str, int]:
        """Drop all that was sent of an owner's talk; the next request starts afresh."""
        speaker = None if owner == HOUSEHOLD else owner
        for conversation in self._conversations.values():
            for key in [key for key in conversation.threads if key[0] == speaker]:
                del conversation.threads[key]
        return {}

    def _conversation(self, conversation_id: str) -> Conversation:
        conversation = self._conversations.setdefault(conversation_id, Conversation())
        self._conversations.move_to_end(conversation_id)
        while len(self._conversations) > MAX_CONVERSATIONS:
            evicted, _ = self._conversations.popitem(last=False)
            self._evicted[evicted] = None
        while len(self._evicted) > MAX_EVICTED:
            self._evicted.popitem(last=False)
        return conversation


@callback
def async_get_transcripts(hass: HomeAssistant) -> Transcripts:
    """Return the transcripts; like all memory they outlive a reload of the entry."""
    return hass.data.setdefault(DATA_TRANSCRIPTS, Transcripts())


def tokens_of(text: str) -> int:
    """Return about how many tokens a text has, rather too many than too few."""
    return len(text.encode(errors="replace")) // BYTES_A_TOKEN + 4


def _size(message: Message) -> int:
    return tokens_of(json_dumps(message))


def _thread(conversation: Conversation, key: ThreadKey) -> Thread:
    thread = conversation.threads.setdefault(key, Thread())
    conversation.threads.move_to_end(key)
    while len(conversation.threads) > MAX_THREADS:
        conversation.threads.popitem(last=False)
    return thread


def _catch_up(
    conversation: Conversation, content: Sequence[Content], key: ThreadKey
) -> None:
    """Put into the last speaker's thread what was said without our agent."""
    missed = [
        message for item in _unheard(conversation, content) if (message := _plain(item))
    ]
    if missed:
        _thread(conversation, conversation.last or key).add(missed)


def _unheard(
    conversation: Conversation, content: Sequence[Content]
) -> Sequence[Content]:
    for index in range(len(content) - 1, -1, -1):
        if content[index] is conversation.heard:
            return content[index + 1 :]
    # Nothing heard yet: all of it. Lost from the log since: it has been dealt with.
    return content if conversation.heard is None else ()


def _plain(content: Content) -> Message | None:
    """Return what was said aloud; tool calls of others are not the model's own."""
    if isinstance(content, UserContent) and content.content:
        return _message("user", content.content)
    if isinstance(content, AssistantContent) and content.content:
        failed = content.content == NO_RESPONSE or content.content.startswith(ERROR)
        return None if failed else _message("assistant", content.content)
    return None


def _message(role: str, text: str) -> Message:
    # Half of a surrogate pair, as a cut emoji leaves it, can't be sent.
    sendable = text[:MAX_WORDS].encode(errors="replace").decode()
    return {"role": role, "content": sendable}
