"""Tools of Home Assistant for the model: how they are described, called and bounded."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, override

from homeassistant.components.conversation import (
    AssistantContent,
    Content,
    ToolResultContent,
)
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.helpers.json import json_dumps
from homeassistant.util.json import json_loads
import probatio

from .ollama import Message, ToolCall

MAX_SAME_CALLS: Final = 2
"""How often a turn may call a tool with the same arguments."""
MAX_RESULT: Final = 4000
"""Characters of a tool's result that the model is shown."""

# What a faulty tool of another integration may raise. It must not take the turn with it.
_FAULTS: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


class BoundedAPI(llm.APIInstance):
    """An API whose tools can neither run in circles nor break a turn."""

    calls: Counter[str]

    @classmethod
    def of(cls, api: llm.APIInstance) -> BoundedAPI:
        """Return an API instance, bounded."""
        bounded = cls(
            api.api, api.api_prompt, api.llm_context, api.tools, api.custom_serializer
        )
        bounded.calls = Counter()
        return bounded

    @callback
    def async_begin_turn(self, llm_context: llm.LLMContext) -> None:
        """Let tools run for whoever speaks in this turn."""
        self.llm_context = llm_context
        self.calls.clear()

    @override
    async def async_call_tool(self, tool_input: llm.ToolInput) -> llm.ToolResult:
        """Call a tool. Raises HomeAssistantError, which the model is told."""
        call = f"{tool_input.tool_name} {json_dumps(tool_input.tool_args)}"
        self.calls[call] += 1
        if self.calls[call] > MAX_SAME_CALLS:
            raise HomeAssistantError("This was called before, with the same arguments")
        try:
            return await super().async_call_tool(tool_input)
        except _FAULTS as err:
            raise HomeAssistantError(f"The tool failed: {type(err).__name__}") from err


async def async_api(
    hass: HomeAssistant, api_ids: Iterable[str], llm_context: llm.LLMContext
) -> BoundedAPI | None:
    """Return the APIs as one; those that have gone or may not be used are left out."""
    known = {api.id for api in llm.async_get_apis(hass)}
    wanted = [api_id for api_id in api_ids if api_id in known]
    if not wanted:
        return None
    try:
        return BoundedAPI.of(await llm.async_get_api(hass, wanted, llm_context))
    except HomeAssistantError:
        # An API for administrators, and somebody else speaks.
        return None


def described(api: llm.APIInstance) -> tuple[Mapping[str, Any], ...]:
    """Return the tools of an API as the model is told of them."""
    return tuple(_described(tool, api.custom_serializer) for tool in api.tools)


def called(call: ToolCall) -> llm.ToolInput:
    """Return a model's call as Home Assistant takes it, with slips of small models mended.

    Empty arguments are left out, and JSON in a text is read: both would be refused.
    """
    arguments = {
        key: _mended(value)
        for key, value in call.arguments.items()
        if value is not None and value != ""
    }
    return llm.ToolInput(tool_name=call.name, tool_args=arguments)


def as_messages(contents: Iterable[Content]) -> list[Message]:
    """Return what was added to the chat log as the model is shown it later."""
    messages: list[Message] = []
    for content in contents:
        if isinstance(content, AssistantContent):
            messages.append(_spoken(content))
        elif isinstance(content, ToolResultContent):
            messages.append(_result(content))
    return messages


class WrittenCalls:
    """Finds tool calls that a model writes out as text, and keeps them from being said.

    Text passes through unless the message begins like a call; then it is held to its end.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = set(names)
        self._held = ""
        self._passing = not self._names

    def feed(self, piece: str) -> str:
        """Return what is plain text."""
        if self._passing:
            return piece
        self._held += piece
        start = self._held.lstrip()
        if any(start.startswith(mark) or mark.startswith(start) for mark in _MARKS):
            return ""
        held, self._held, self._passing = self._held, "", True
        return held

    def finish(self) -> tuple[list[ToolCall], str]:
        """Return the calls, or the held text if it was none; ready for a next message."""
        held, self._held, self._passing = self._held, "", not self._names
        calls = _written_calls(held, self._names)
        return calls, "" if calls else held


_MARKS: Final = ("{", "[{", "[TOOL_CALLS]", "<tool_call>", "```json", "```tool")
_WRAPPING: Final = ("[TOOL_CALLS]", "<tool_call>", "</tool_call>", "```json", "```")


def _written_calls(text: str, names: set[str]) -> list[ToolCall]:
    for mark in _WRAPPING:
        text = text.replace(mark, "\n")
    try:
        data = json_loads(text)
    except ValueError:
        return []
    calls = [_written_call(call, names) for call in _list(data)]
    return [call for call in calls if call]


def _written_call(data: Any, names: set[str]) -> ToolCall | None:
    if not isinstance(data, dict):
        return None
    function = data.get("function")
    if isinstance(function, dict):
        data = function
    name, arguments = data.get("name"), data.get("arguments", data.get("parameters"))
    if name not in names or not isinstance(arguments, dict | None):
        return None
    return ToolCall(name=name, arguments=arguments or {})


def _list(data: object) -> list[Any]:
    return data if isinstance(data, list) else [data]


def _mended(value: Any) -> Any:
    if isinstance(value, str) and value[:1] + value[-1:] in ("{}", "[]"):
        try:
            return json_loads(value)
        except ValueError:
            return value
    return value


def _described(
    tool: llm.Tool, serializer: Callable[[Any], Any] | None
) -> Mapping[str, Any]:
    parameters = probatio.to_openapi(
        tool.parameters, custom_serializer=serializer, openapi_version="3.1.0"
    )
    function: dict[str, Any] = {"name": tool.name, "parameters": parameters}
    if tool.description:
        function["description"] = tool.description
    return {"type": "function", "function": function}


def _spoken(content: AssistantContent) -> Message:
    message: dict[str, Any] = {"role": "assistant", "content": content.content or ""}
    if content.tool_calls:
        message["tool_calls"] = [
            {"function": {"name": call.tool_name, "arguments": call.tool_args}}
            for call in content.tool_calls
        ]
    return message


def _result(content: ToolResultContent) -> Message:
    result = {"data": content.result.data, "error": content.result.error}
    return {
        "role": "tool",
        "tool_name": content.tool_name,
        "content": json_dumps(result)[:MAX_RESULT],
    }
