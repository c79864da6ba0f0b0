"""A loopback server that speaks Ollama's protocol: scripted answers, recorded bodies, failures.

In tests a fixture starts it; alone it serves a demo: `tests/ollama_server.py --port 11434`.
"""

import argparse
import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
import json
from typing import Any, Self

from aiohttp import web

MODEL = "small:latest"
TOOLLESS = "toolless:latest"


@dataclass
class Answer:
    """What the model says next."""

    chunks: Sequence[str] = ("Hello", " there.")
    """Pieces of text, one line of the stream each."""
    thinking: str = ""
    tool_calls: Sequence[dict[str, Any]] = ()
    """Each {"name": …, "arguments": …}."""
    error: str | None = None
    """An error object in mid-stream, after the chunks."""
    status: int = 200
    """Another status is answered with `error` and no stream."""
    length: bool = False
    """The answer was stopped because it became too long."""
    cut: bool = False
    """The stream ends after the chunks, without its last line."""
    drop: bool = False
    """The connection breaks after the chunks."""
    wait: float = 0.0
    """Seconds of silence before the first line."""
    pause: float = 0.0
    """Seconds of silence after the first line."""
    split: int | None = None
    """Bytes a network chunk, whatever the lines are; None: a line a chunk."""
    raw: bytes | None = None
    """Sent instead of any stream."""
    raw_error: bytes | None = None
    """Sent with another status instead of an error object."""


@dataclass
class OllamaServer:
    """The server: its script, and what it was sent."""

    models: list[str] = field(default_factory=lambda: [MODEL, TOOLLESS])
    script: deque[Answer] = field(default_factory=deque)
    default: Answer = field(default_factory=Answer)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    """The chat requests with messages, as they were sent."""
    loads: list[dict[str, Any]] = field(default_factory=list)
    """The chat requests without messages: a model is to be loaded."""
    requests: list[str] = field(default_factory=list)
    """All paths that were asked for."""
    lists: bool = True
    """False: the list of models is null, as with old servers that have none."""
    key: str | None = None
    """A key that a proxy would want; without it the answer is 401."""
    url: str = ""
    _runner: web.AppRunner | None = None

    async def start(self, port: int = 0) -> Self:
        """Listen on loopback; port 0 takes a free one."""
        app = web.Application(middlewares=[self._gate])
        app.router.add_get("/api/version", self._version)
        app.router.add_get("/api/tags", self._tags)
        app.router.add_post("/api/show", self._show)
        app.router.add_post("/api/chat", self._chat)
        self._runner = web.AppRunner(
            app, shutdown_timeout=0.1, handler_cancellation=True
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        host, bound = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{bound}"
        return self

    async def stop(self) -> None:
        """Stop listening; open streams break."""
        if self._runner:
            await self._runner.cleanup()
            self._runner = None

    def say(self, *chunks: str, **more: Any) -> None:
        """Put an answer at the end of the script."""
        self.script.append(Answer(chunks=chunks, **more))

    @property
    def talks(self) -> list[list[dict[str, Any]]]:
        """The messages of each chat request."""
        return [body["messages"] for body in self.bodies]

    @web.middleware
    async def _gate(self, request: web.Request, handler: Any) -> web.StreamResponse:
        self.requests.append(request.path)
        wanted = f"Bearer {self.key}"
        if self.key and request.headers.get("Authorization") != wanted:
            return web.json_response({"error": "unauthorized"}, status=401)
        response: web.StreamResponse = await handler(request)
        return response

    async def _version(self, _request: web.Request) -> web.Response:
        return web.json_response({"version": "0.12.11"})

    async def _tags(self, _request: web.Request) -> web.Response:
        models = [{"name": name, "model": name, "size": 1} for name in self.models]
        return web.json_response({"models": models if self.lists else None})

    async def _show(self, request: web.Request) -> web.Response:
        model = _full((await request.json()).get("model", ""))
        if model not in self.models:
            return _error(f"model '{model}' not found", 404)
        tools = [] if model == TOOLLESS else ["tools"]
        return web.json_response({"capabilities": ["completion", *tools]})

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        model = _full(body.get("model", ""))
        if model not in self.models:
            return _error(f"model '{model}' not found", 404)
        if not body["messages"]:
            self.loads.append(body)
            return web.json_response(_line(model, done=True, done_reason="load"))
        if body.get("tools") and model == TOOLLESS:
            return _error(f"registry.local/{model} does not support tools", 400)
        self.bodies.append(body)
        answer = self.script.popleft() if self.script else self.default
        return await _play(request, answer, model)


async def _play(request: web.Request, answer: Answer, model: str) -> web.StreamResponse:
    await asyncio.sleep(answer.wait)
    if answer.raw_error is not None:
        return web.Response(status=answer.status, body=answer.raw_error)
    if answer.status != 200:
        return _error(answer.error or "trouble", answer.status)
    response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
    await response.prepare(request)
    if answer.raw is not None:
        await response.write(answer.raw)
        return response
    for index, data in enumerate(_stream(answer, model)):
        await response.write(data)
        if index == 0 and answer.pause:
            await asyncio.sleep(answer.pause)
    if answer.drop and request.transport:
        request.transport.abort()
    return response


def _stream(answer: Answer, model: str) -> list[bytes]:
    """Return the network chunks of an answer."""
    lines = []
    if answer.thinking:
        lines.append(_line(model, thinking=answer.thinking))
    lines += [_line(model, content=chunk) for chunk in answer.chunks]
    if answer.tool_calls:
        calls = [{"function": call} for call in answer.tool_calls]
        lines.append(_line(model, tool_calls=calls))
    if answer.error:
        lines.append({"error": answer.error})
    elif not answer.cut and not answer.drop:
        reason = "length" if answer.length else "stop"
        lines.append(
            _line(model, done=True, done_reason=reason) | {"prompt_eval_count": 42}
        )
    chunks = [json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines]
    if answer.split is None:
        return chunks
    whole, size = b"".join(chunks), answer.split
    return [whole[start : start + size] for start in range(0, len(whole), size)]


def _line(
    model: str, *, done: bool = False, done_reason: str | None = None, **message: Any
) -> dict[str, Any]:
    line = {
        "model": model,
        "created_at": "2026-11-30T10:00:00.000000000Z",
        "message": {"role": "assistant", "content": "", **message},
        "done": done,
    }
    return line | ({"done_reason": done_reason} if done_reason else {})


def _error(text: str, status: int) -> web.Response:
    return web.json_response({"error": text}, status=status)


def _full(model: str) -> str:
    return model if ":" in model else f"{model}:latest"


async def _serve(port: int, say: str) -> None:
    server = OllamaServer(default=Answer(chunks=[f"{word} " for word in say.split()]))
    await server.start(port)
    print(server.url, flush=True)  # noqa: T201 - who starts it wants to know
    await asyncio.Event().wait()


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--say", default="I am a stand-in and always say this.")
    arguments = parser.parse_args()
    asyncio.run(_serve(arguments.port, arguments.say))


if __name__ == "__main__":
    main()
