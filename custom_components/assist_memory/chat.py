"""One answer of the model: request, stream, tools, guard. Never an exception to the person."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
import logging
from typing import Any, Final

from homeassistant.components.conversation import (
    AssistantContentDeltaDict,
    ChatLog,
    Content,
    ConversationInput,
    SystemContent,
    ToolResultContent,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_PROMPT
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import TemplateError
from homeassistant.helpers import llm, template

from .const import (
    CONF_KEEP_ALIVE,
    CONF_NUM_CTX,
    DEFAULT_KEEP_ALIVE,
    DEFAULT_NUM_CTX,
    DOMAIN,
)
from .engine import guard as guards
from .ollama import (
    ChatRequest,
    OllamaClient,
    OllamaCutOffError,
    OllamaError,
    OllamaUnsupportedError,
    Piece,
    ToolCall,
)
from .tools import WrittenCalls, as_messages, async_api, called, described
from .transcript import Thread

MAX_ROUNDS: Final = 10
"""How often a turn may go back to the model with results of tools."""
MAX_REPLY: Final = 8000
"""Characters of one message; a model that does not stop is stopped."""
LOOP: Final = 400
"""Characters at the end of an answer in which a small model may be caught in a loop."""
MAX_THOUGHT: Final = 40_000
"""Characters of reasoning before one message."""

_LOGGER = logging.getLogger(__name__)

type Sentence = Callable[[str], str]
"""Returns what is said of a trouble, by its code."""


class TroubleError(Exception):
    """The model can't be asked at all; the code names what is said of it."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(slots=True, kw_only=True)
class Reply:
    """What came of asking the model."""

    text: str = ""
    """All that was said."""
    trouble: str | None = None
    """The code of what went wrong."""
    error: OllamaError | None = None
    """The error of the server, if that was it."""
    by_model: bool = False
    """The model itself said something that could be said, or a tool has run."""


async def async_open_thread(
    hass: HomeAssistant,
    thread: Thread,
    agent: Mapping[str, Any],
    user_input: ConversationInput,
    *,
    name: str | None,
    briefing: str,
) -> None:
    """Give a new thread its system message and tools, which stay as they are.

    There is no clock in it, so that the model has read it before. Changed options, a new
    name and a satellite's question are heeded at once, and cost one long reading. Raises
    TroubleError.
    """
    apis = tuple(agent.get(CONF_LLM_HASS_API, ()))
    wanted = (agent.get(CONF_PROMPT), apis, name, thread.extra)
    if thread.system is not None and thread.rendered_for == wanted:
        return
    llm_context = user_input.as_llm_context(DOMAIN)
    api = await async_api(hass, apis, llm_context)
    parts = [
        _rendered(hass, agent.get(CONF_PROMPT), llm_context, name),
        briefing,
        api.api_prompt if api else "",
        thread.extra,
    ]
    thread.system = "\n".join(part.strip() for part in parts if part.strip())
    thread.rendered_for = wanted
    thread.api = api
    thread.tools = described(api) if api else ()


class Chat:
    """Asks the model of one agent, in one turn."""

    def __init__(
        self,
        client: OllamaClient,
        agent: Mapping[str, Any],
        thread: Thread,
        guard: guards.Guard,
        *,
        without_tools: set[str],
        sentence: Sentence,
    ) -> None:
        self._client = client
        self._agent = agent
        self._thread = thread
        self._guard = guard
        self._without_tools = without_tools
        self._sentence = sentence
        self._think: bool | None = False
        self._reply = Reply()
        self._acted = False
        self.said = ""
        """What was said in the message that is under way."""

    async def async_reply(
        self, chat_log: ChatLog, user_input: ConversationInput, agent_id: str
    ) -> Reply:
        """Stream the answer into the chat log, running tools, until it is whole."""
        self._open(chat_log, user_input)
        for rounds_left in range(MAX_ROUNDS, -1, -1):
            stream = chat_log.async_add_delta_content_stream(
                agent_id, self._deltas(may_act=rounds_left > 0 and self._has_room)
            )
            self._note([content async for content in stream])
            if not chat_log.unresponded_tool_results:
                break
        return self._reply

    @property
    def _num_ctx(self) -> int:
        return int(self._agent.get(CONF_NUM_CTX, DEFAULT_NUM_CTX))

    @property
    def _has_room(self) -> bool:
        """Tell whether the results of another tool could be sent."""
        return self._thread.left(self._num_ctx) > 0

    def _open(self, chat_log: ChatLog, user_input: ConversationInput) -> None:
        """Let Home Assistant's log show the same system message, and run our tools."""
        chat_log.content[0] = SystemContent(content=self._thread.system or "")
        chat_log.llm_input_provided_index = len(chat_log.content)
        chat_log.llm_api = self._thread.api
        if self._thread.api:
            self._thread.api.async_begin_turn(user_input.as_llm_context(DOMAIN))

    def _note(self, contents: Sequence[Content]) -> None:
        self._thread.add_within(as_messages(contents), self._num_ctx)
        self.said = ""
        results = [item for item in contents if isinstance(item, ToolResultContent)]
        if any(not item.result.error for item in results):
            self._acted = self._reply.by_model = True
            self._guard.tool_ran()

    async def _deltas(
        self, *, may_act: bool
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        """Yield one message of the model; a failure becomes a sentence of it."""
        yield {"role": "assistant"}
        written = WrittenCalls(tool["function"]["name"] for tool in self._thread.tools)
        calls: list[ToolCall] = []
        try:
            async with aclosing(self._pieces()) as pieces:
                async for piece in _bounded(pieces):
                    calls += piece.tool_calls
                    if said := self._guard.feed(written.feed(piece.content)):
                        yield self._say(said)
        except OllamaError as err:
            self._fail(err)
        found, held = written.finish()
        acting = may_act and self._thread.api is not None and not self._reply.trouble
        calls = [*calls, *found] if acting else []
        said = self._guard.feed(held) + self._guard.finish(acting=bool(calls))
        if said:
            yield self._say(said)
        if calls:
            yield {"tool_calls": [called(call) for call in calls]}
        elif apology := self._apology():
            yield {"content": apology}

    async def _pieces(self) -> AsyncGenerator[Piece]:
        """Yield the model's answer; what it can't do is left out, once for each thing."""
        request = self._request()
        while True:
            try:
                async with aclosing(self._client.chat(request)) as pieces:
                    async for piece in pieces:
                        yield piece
            except OllamaUnsupportedError as err:
                if err.what == "tools" and request.tools:
                    self._without_tools.add(request.model)
                elif err.what == "think" and self._think is not None:
                    self._think = None
                else:
                    raise
                request = self._request()
            else:
                return

    def _request(self) -> ChatRequest:
        """Return the request; all but the new messages is the same as in the last one."""
        model = self._agent[CONF_MODEL]
        return ChatRequest(
            model=model,
            messages=self._thread.request(),
            num_ctx=self._num_ctx,
            keep_alive=self._agent.get(CONF_KEEP_ALIVE, DEFAULT_KEEP_ALIVE),
            tools=() if model in self._without_tools else self._thread.tools,
            think=self._think,
        )

    def _say(self, text: str) -> AssistantContentDeltaDict:
        self._reply.text += text
        self.said += text
        self._reply.by_model = True
        return {"content": text}

    def _fail(self, error: OllamaError) -> None:
        _LOGGER.debug("The model could not answer: %s", error.code)
        self._reply.error = error
        self._reply.trouble = error.code

    def _apology(self) -> str:
        """Return what code adds to an answer that is missing or incomplete."""
        reply = self._reply
        if not reply.trouble:
            if reply.text.strip():
                return ""
            reply.trouble = "done" if self._acted else "empty"
        gap = " " if reply.text and not reply.text[-1].isspace() else ""
        apology = gap + self._sentence(reply.trouble)
        reply.text += apology
        return apology


async def _bounded(pieces: AsyncIterator[Piece]) -> AsyncGenerator[Piece]:
    """Yield pieces until there are too many words, or always the same.

    Raises OllamaCutOffError where the server has stopped an answer for its length.
    """
    said, thought = "", 0
    async for piece in pieces:
        yield piece
        said += piece.content
        thought += len(piece.thinking)
        if len(said) > MAX_REPLY or thought > MAX_THOUGHT or _loops(said):
            return
        if piece.done_reason == "length":
            raise OllamaCutOffError("too long")


def _loops(text: str) -> bool:
    """Tell whether a text ends with the same words again and again."""
    end = text[-LOOP:]
    return len(end) == LOOP and end.count(text[-LOOP // 10 :]) >= 4


def _rendered(
    hass: HomeAssistant,
    prompt: str | None,
    llm_context: llm.LLMContext,
    name: str | None,
) -> str:
    """Return the owner's prompt with what Home Assistant gives to prompts."""
    variables = {
        "ha_name": hass.config.location_name,
        "user_name": name,
        "llm_context": llm_context,
    }
    wanted = template.Template(prompt or llm.DEFAULT_INSTRUCTIONS_PROMPT, hass)
    try:
        return str(wanted.async_render(variables, parse_result=False))
    except TemplateError as err:
        raise TroubleError("template") from err
