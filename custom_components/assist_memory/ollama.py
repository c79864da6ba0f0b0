"""A small client of Ollama's HTTP API, over Home Assistant's shared aiohttp session."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
from homeassistant.util.json import json_loads

CONNECT_SECONDS: Final = 5.0
ASK_SECONDS: Final = 10.0
"""For requests that need no model."""
FIRST_SECONDS: Final = 180.0
"""Until the first word: a small computer reads a long prompt for minutes."""
IDLE_SECONDS: Final = 30.0
"""Between two words."""
MAX_TOKENS: Final = 512
"""Of an answer: some minutes of speech. A small model that does not stop is stopped."""
ANSWER_SHARE: Final = 4
"""A quarter of the model's context is left for its answer."""
MAX_LINE: Final = 1 << 20
"""A longer line of the stream is no answer of Ollama's."""

type Message = Mapping[str, Any]


class OllamaError(Exception):
    """Base of what can go wrong with a server; the code names the sentence that says so."""

    code = "bad_answer"


class OllamaUnreachableError(OllamaError):
    """Nobody answers at this address."""

    code = "unreachable"


class OllamaTimeoutError(OllamaError):
    """The server is too slow."""

    code = "timeout"


class OllamaModelMissingError(OllamaError):
    """The server does not have the model."""

    code = "model_missing"


class OllamaUnsupportedError(OllamaError):
    """The model can't do something that the request asks for; `what` names it."""

    code = "unsupported"

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class OllamaAuthError(OllamaError):
    """The server, or a proxy before it, wants a key."""

    code = "refused"


class OllamaBadAnswerError(OllamaError):
    """What came back is not Ollama's protocol, or an error of the server."""

    code = "bad_answer"


class OllamaCutOffError(OllamaError):
    """The answer ended before it was done."""

    code = "cut_off"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """What the server says of a model."""

    capabilities: frozenset[str]
    """"completion", "tools", "thinking", "vision", ..."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool that the model wants to be called, as it said it."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece of a streamed answer."""

    content: str = ""
    thinking: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    done: bool = False
    done_reason: str = ""
    prompt_tokens: int | None = None
    """With the last piece: how many tokens the request had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """A whole request; one builder for all kinds, so that the server never reloads a model."""

    model: str
    messages: Sequence[Message]
    num_ctx: int
    keep_alive: int
    """Seconds; -1 is for ever."""
    tools: Sequence[Mapping[str, Any]] = ()
    think: bool | None = None

    def body(self) -> dict[str, Any]:
        """Return the request as the server wants it; equal requests are equal bytes."""
        body: dict[str, Any] = {
            "model": self.model,
            "messages": list(self.messages),
            "stream": True,
            "keep_alive": self.keep_alive,
            "options": {
                "num_ctx": self.num_ctx,
                "num_predict": min(MAX_TOKENS, self.num_ctx // ANSWER_SHARE),
            },
        }
        if self.tools:
            body["tools"] = list(self.tools)
        if self.think is not None:
            body["think"] = self.think
        return body


class OllamaClient:
    """One server. Raises OllamaError and nothing else (and lets a cancellation pass)."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        url: str,
        *,
        first: float = FIRST_SECONDS,
        idle: float = IDLE_SECONDS,
    ) -> None:
        self._session = session
        self._first = first
        self._idle = idle
        self.url = url.rstrip("/")

    async def version(self) -> str:
        """Return the server's version."""
        return _text(await self._ask("GET", "/api/version"), "version")

    async def tags(self) -> list[str]:
        """Return the names of the models that the server has, sorted."""
        models = (await self._ask("GET", "/api/tags")).get("models")
        if not isinstance(models, list):
            raise OllamaBadAnswerError("no list of models")
        return sorted(_text(model, "name") for model in models)

    async def show(self, model: str) -> ModelInfo:
        """Return what the server says of a model."""
        answer = await self._ask("POST", "/api/show", {"model": model})
        capabilities = answer.get("capabilities")
        known = capabilities if isinstance(capabilities, list) else ()
        return ModelInfo(capabilities=frozenset(map(str, known)))

    async def load(self, model: str, *, num_ctx: int, keep_alive: int) -> None:
        """Have the server load a model, with the options that every request has."""
        request = ChatRequest(
            model=model, messages=(), num_ctx=num_ctx, keep_alive=keep_alive
        )
        async for _ in self.chat(request):
            pass

    async def chat(self, request: ChatRequest) -> AsyncGenerator[Piece]:
        """Yield the pieces of an answer as they come; the last one is done."""
        now = asyncio.get_running_loop().time
        limit = now() + self._first
        async with _plain_errors(), asyncio.timeout_at(limit):
            response = await self._open("POST", "/api/chat", request.body())
        async with response, _plain_errors(lost=OllamaCutOffError):
            lines = _lines(response.content.iter_any())
            while True:
                async with asyncio.timeout_at(limit):
                    line = await anext(lines, None)
                if line is None:
                    raise OllamaCutOffError("the stream ended early")
                piece = _piece(line)
                yield piece
                if piece.done:
                    return
                limit = now() + self._idle

    async def _ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> Mapping[str, Any]:
        async with (
            _plain_errors(),
            asyncio.timeout(ASK_SECONDS),
            await self._open(method, path, body) as response,
        ):
            return _mapping(await response.read())

    async def _open(
        self, method: str, path: str, body: Mapping[str, Any] | None
    ) -> aiohttp.ClientResponse:
        response = await self._session.request(
            method,
            f"{self.url}{path}",
            json=body,
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
        )
        if response.status != 200:
            async with response:
                raise _refusal(response.status, await response.read())
        return response


@asynccontextmanager
async def _plain_errors(
    lost: type[OllamaError] = OllamaUnreachableError,
) -> AsyncIterator[None]:
    """Turn what the network raises into an OllamaError; `lost` is for a broken connection."""
    try:
        yield
    except aiohttp.ConnectionTimeoutError as err:
        raise OllamaUnreachableError(str(err)) from err
    except TimeoutError as err:
        raise OllamaTimeoutError(str(err)) from err
    except aiohttp.ClientPayloadError as err:
        raise OllamaCutOffError(str(err)) from err
    except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError) as err:
        raise OllamaUnreachableError(str(err)) from err
    except (aiohttp.ClientConnectionError, OSError) as err:
        raise lost(str(err)) from err
    except aiohttp.ClientError as err:
        raise OllamaBadAnswerError(str(err)) from err


async def _lines(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Yield the lines of a stream, wherever its chunks are cut."""
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > MAX_LINE:
            raise OllamaBadAnswerError("a line without end")
        for line in lines:
            if line.strip():
                yield line
    if rest.strip():
        yield rest


def _piece(line: bytes) -> Piece:
    data = _mapping(line)
    if "error" in data:
        raise _complaint(str(data["error"]))
    message = data.get("message")
    if not isinstance(message, dict):
        message = {}
    tokens = data.get("prompt_eval_count")
    return Piece(
        content=_words(message, "content"),
        thinking=_words(message, "thinking"),
        tool_calls=tuple(_tool_calls(message.get("tool_calls"))),
        done=data.get("done") is True,
        done_reason=_words(data, "done_reason"),
        prompt_tokens=tokens if isinstance(tokens, int) else None,
    )


def _tool_calls(calls: object) -> list[ToolCall]:
    """Return the calls that are well-formed; a model may say anything here."""
    found = []
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not _words(function, "name"):
            continue
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            arguments = _loose_mapping(arguments)
        found.append(
            ToolCall(
                name=_words(function, "name"),
                arguments=arguments if isinstance(arguments, dict) else {},
            )
        )
    return found


def _refusal(status: int, answer: bytes) -> OllamaError:
    """Return the error that a status other than 200 stands for."""
    if status in (401, 403):
        return OllamaAuthError(f"status {status}")
    error = _loose_mapping(answer).get("error")
    if isinstance(error, str):
        return _complaint(error)
    return OllamaBadAnswerError(f"status {status}")


def _complaint(error: str) -> OllamaError:
    """Return the error that Ollama's own words stand for."""
    lowered = error.lower()
    for what, needle in _UNSUPPORTED.items():
        if needle in lowered:
            return OllamaUnsupportedError(what)
    if "model" in lowered and "not found" in lowered:
        return OllamaModelMissingError(error[:200])
    return OllamaBadAnswerError(error[:200])


_UNSUPPORTED: Final = {
    "tools": "does not support tools",
    "think": "does not support thinking",
}


def _mapping(data: bytes) -> Mapping[str, Any]:
    try:
        value = json_loads(data)
    except ValueError as err:
        raise OllamaBadAnswerError("no JSON") from err
    if not isinstance(value, dict):
        raise OllamaBadAnswerError("no JSON object")
    return value


def _loose_mapping(data: bytes | str) -> Mapping[str, Any]:
    try:
        value = json_loads(data)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _text(data: object, key: str) -> str:
    value = data.get(key) if isinstance(data, Mapping) else None
    if not isinstance(value, str) or not value:
        raise OllamaBadAnswerError(f"no {key}")
    return value


def _words(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) else ""
