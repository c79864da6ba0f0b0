"""The client of Ollama: streams however they are cut, and every failure with its name."""

import asyncio
from collections.abc import AsyncGenerator
from unittest.mock import MagicMock, patch

import aiohttp
import pytest

from custom_components.assist_memory.ollama import (
    MAX_LINE,
    MAX_TOKENS,
    ChatRequest,
    ModelInfo,
    OllamaAuthError,
    OllamaBadAnswerError,
    OllamaClient,
    OllamaCutOffError,
    OllamaError,
    OllamaModelMissingError,
    OllamaTimeoutError,
    OllamaUnreachableError,
    OllamaUnsupportedError,
    Piece,
    ToolCall,
)
from tests.ollama_server import MODEL, TOOLLESS, Answer, OllamaServer

WORDS = ({"role": "user", "content": "Good morning"},)


def request(model: str = MODEL, **more: object) -> ChatRequest:
    """Return a request."""
    fields = {"messages": WORDS, "num_ctx": 2048, "keep_alive": -1} | more
    return ChatRequest(model=model, **fields)  # type: ignore[arg-type]


async def pieces_of(client: OllamaClient, **more: object) -> list[Piece]:
    """Return all pieces of an answer."""
    return [piece async for piece in client.chat(request(**more))]  # type: ignore[arg-type]


async def said_by(client: OllamaClient) -> str:
    """Return the words of an answer."""
    return "".join([piece.content for piece in await pieces_of(client)])


@pytest.fixture
async def session(socket_enabled: None) -> AsyncGenerator[aiohttp.ClientSession]:
    """Return a session of our own."""
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
def client(session: aiohttp.ClientSession, server: OllamaServer) -> OllamaClient:
    """Return a client that does not wait for long."""
    return OllamaClient(session, server.url + "/", first=0.3, idle=0.3)


async def test_it_knows_version_models_and_what_they_can(client: OllamaClient) -> None:
    """What the flow asks for."""
    assert await client.version() == "0.12.11"
    assert await client.tags() == [MODEL, TOOLLESS]
    assert await client.show(MODEL) == ModelInfo(
        capabilities=frozenset({"completion", "tools"})
    )
    with pytest.raises(OllamaModelMissingError):
        await client.show("nobody")


@pytest.mark.parametrize("split", [None, 1, 7, 64, 100_000])
async def test_a_stream_is_the_same_wherever_it_is_cut(
    client: OllamaClient, server: OllamaServer, split: int | None
) -> None:
    """Chunks of the network are no lines, and no characters."""
    server.say("早上", "好！", " Grüße", split=split)
    assert await said_by(client) == "早上好！ Grüße"


async def test_thinking_tools_and_counts_are_told_apart(
    client: OllamaClient, server: OllamaServer
) -> None:
    """Each piece says what it is."""
    server.say(
        "Hi",
        thinking="hm",
        tool_calls=[
            {"name": "light", "arguments": {"on": True}},
            {"name": "fan", "arguments": '{"on": false}'},
            {"name": "odd", "arguments": None},
            {"arguments": {}},
        ],
    )
    thought, word, calls, end = await pieces_of(client)
    assert thought.thinking == "hm"
    assert word.content == "Hi"
    assert calls.tool_calls == (
        ToolCall(name="light", arguments={"on": True}),
        ToolCall(name="fan", arguments={"on": False}),
        ToolCall(name="odd", arguments={}),
    )
    assert end == Piece(done=True, done_reason="stop", prompt_tokens=42)


async def test_a_request_says_everything_each_time(
    client: OllamaClient, server: OllamaServer
) -> None:
    """One kind of request, so that the server never reloads the model."""
    tool = {"type": "function", "function": {"name": "light"}}
    await pieces_of(client, tools=[tool], think=False)
    await client.load(MODEL, num_ctx=2048, keep_alive=-1)
    assert server.bodies == [
        {
            "model": MODEL,
            "messages": list(WORDS),
            "stream": True,
            "keep_alive": -1,
            "options": {"num_ctx": 2048, "num_predict": MAX_TOKENS},
            "tools": [tool],
            "think": False,
        }
    ]
    (load,) = server.loads
    assert load["options"] == {"num_ctx": 2048, "num_predict": MAX_TOKENS}
    assert load["keep_alive"] == -1


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Answer(chunks=["a"], cut=True), OllamaCutOffError),
        (Answer(chunks=["a"], drop=True), OllamaCutOffError),
        (Answer(chunks=["a"], error="out of memory"), OllamaBadAnswerError),
        (Answer(chunks=[], error="model 'x' not found"), OllamaModelMissingError),
        (Answer(status=500, error="boom"), OllamaBadAnswerError),
        (Answer(status=503, error=None), OllamaBadAnswerError),
        (Answer(status=400, error="m does not support thinking"), OllamaUnsupportedError),
        (Answer(status=502, raw_error=b"<html>"), OllamaBadAnswerError),
        (Answer(status=403), OllamaAuthError),
        (Answer(raw=b"<html>hello</html>\n"), OllamaBadAnswerError),
        (Answer(raw=b"[1, 2]\n"), OllamaBadAnswerError),
        (Answer(raw=b""), OllamaCutOffError),
        (Answer(raw=b"x" * (MAX_LINE + 1)), OllamaBadAnswerError),
        (Answer(wait=0.6), OllamaTimeoutError),
        (Answer(pause=0.6), OllamaTimeoutError),
    ],
)  # fmt: skip
async def test_every_failure_has_a_name(
    client: OllamaClient,
    server: OllamaServer,
    answer: Answer,
    error: type[OllamaError],
) -> None:
    """Nothing else is ever raised, and the next answer is as good as ever."""
    server.script.append(answer)
    with pytest.raises(error):
        await said_by(client)
    server.say("Fine again.")
    assert await said_by(client) == "Fine again."


async def test_a_model_without_tools_is_named(client: OllamaClient) -> None:
    """The refusal says what to leave out."""
    tool = {"type": "function", "function": {"name": "light"}}
    with pytest.raises(OllamaUnsupportedError) as caught:
        await pieces_of(client, model=TOOLLESS, tools=[tool])
    assert caught.value.what == "tools"


async def test_a_missing_model_is_named(client: OllamaClient) -> None:
    """A person can mend this."""
    with pytest.raises(OllamaModelMissingError):
        await pieces_of(client, model="nobody")


async def test_a_key_is_asked_for(client: OllamaClient, server: OllamaServer) -> None:
    """A proxy before the server."""
    server.key = "secret"
    with pytest.raises(OllamaAuthError):
        await client.tags()


async def test_a_server_that_is_away(
    client: OllamaClient, server: OllamaServer
) -> None:
    """Nobody listens."""
    await server.stop()
    with pytest.raises(OllamaUnreachableError):
        await client.version()
    with pytest.raises(OllamaUnreachableError):
        await said_by(client)


@pytest.mark.parametrize("url", ["http://", "nonsense", "http://[::bad", "ftp://host"])
async def test_an_address_that_is_none(
    session: aiohttp.ClientSession, url: str
) -> None:
    """What a person may type."""
    with pytest.raises(OllamaUnreachableError):
        await OllamaClient(session, url).version()


async def test_something_else_listens(
    client: OllamaClient, server: OllamaServer
) -> None:
    """A web server that is no Ollama."""
    server.models = [""]
    with pytest.raises(OllamaBadAnswerError):
        await client.tags()


async def test_odd_lines_are_read(client: OllamaClient, server: OllamaServer) -> None:
    """Blank lines, a message that is none, a last line without its end."""
    server.script.append(
        Answer(
            raw=b'\n{"message": {"content": "a"}}\n\n{"message": 5}\n'
            b'{"message": {"content": "b", "tool_calls": [7, {"function": 1},'
            b' {"function": {"name": "x", "arguments": "no json"}}]}, "done": true}'
        )
    )
    pieces = await pieces_of(client)
    assert [piece.content for piece in pieces] == ["a", "", "b"]
    assert pieces[-1].tool_calls == (ToolCall(name="x", arguments={}),)


async def test_no_list_of_models(client: OllamaClient, server: OllamaServer) -> None:
    """A server that has no models sends null in old versions."""
    server.lists = False
    with pytest.raises(OllamaBadAnswerError):
        await client.tags()


@pytest.mark.parametrize(
    ("raised", "error"),
    [
        (aiohttp.ConnectionTimeoutError(), OllamaUnreachableError),
        (aiohttp.TooManyRedirects(MagicMock(), ()), OllamaBadAnswerError),
        (OSError("no such device"), OllamaUnreachableError),
    ],
)
async def test_what_the_network_raises_has_a_name(
    client: OllamaClient, raised: Exception, error: type[OllamaError]
) -> None:
    """A host that swallows packets, a proxy that goes in circles, no network at all."""
    with (
        patch.object(client._session, "request", side_effect=raised),
        pytest.raises(error),
    ):
        await client.version()


async def test_who_stops_listening_ends_the_stream(
    client: OllamaClient, server: OllamaServer
) -> None:
    """A cancelled turn is not kept waiting, and not turned into an error."""
    server.say("one", "two", pause=0.2)
    task = asyncio.create_task(said_by(client))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
