"""A signed-in websocket of Home Assistant: commands, subscriptions, pipeline runs."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import aiohttp

COMMAND_SECONDS: Final = 60
RUN_SECONDS: Final = 300


class SocketError(Exception):
    """A command failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineRun:
    """What a pipeline told while it ran, in order."""

    events: tuple[Mapping[str, Any], ...]
    pieces: tuple[str, ...] = field(default=())
    """The answer as it came in."""

    def data_of(self, kind: str) -> Mapping[str, Any]:
        """Return the data of the first event of a kind; empty when there was none."""
        for event in self.events:
            if event["type"] == kind:
                data: Mapping[str, Any] = event["data"] or {}
                return data
        return {}

    @property
    def seconds_of_stream(self) -> float:
        """How long before the end the first piece of the answer was there; 0 without pieces."""
        pieces = [event for event in self.events if _piece(event)]
        last = next(event for event in self.events if event["type"] == "intent-end")
        return _moment(last) - _moment(pieces[0]) if pieces else 0.0

    @property
    def error(self) -> str:
        """The code of the error, or empty."""
        return str(self.data_of("error").get("code", ""))

    @property
    def result(self) -> Mapping[str, Any]:
        """The conversation result, as the REST API would give it."""
        result: Mapping[str, Any] = self.data_of("intent-end")["intent_output"]
        return result


class Socket:
    """One connection; commands one after the other."""

    def __init__(self, connection: aiohttp.ClientWebSocketResponse) -> None:
        self._connection = connection
        self._last_id = 0

    async def sign_in(self, token: str) -> None:
        """Answer the question for a token."""
        await self._receive(COMMAND_SECONDS)
        await self._connection.send_json({"type": "auth", "access_token": token})
        answer = await self._receive(COMMAND_SECONDS)
        if answer["type"] != "auth_ok":
            raise SocketError(f"not signed in: {answer.get('message')}")

    async def command(self, kind: str, **fields: Any) -> Any:
        """Send a command and return its result; raise SocketError when it fails."""
        number = await self._send(kind, fields)
        while True:
            message = await self._receive(COMMAND_SECONDS)
            if message.get("id") == number and message["type"] == "result":
                if not message["success"]:
                    raise SocketError(f"{kind}: {message['error']}")
                return message["result"]

    async def run_pipeline(
        self, text: str, *, pipeline: str, conversation: str | None = None
    ) -> PipelineRun:
        """Run a pipeline from a typed sentence to the agent's answer."""
        number = await self._send(
            "assist_pipeline/run",
            {
                "start_stage": "intent",
                "end_stage": "intent",
                "input": {"text": text},
                "pipeline": pipeline,
                "conversation_id": conversation,
                "timeout": RUN_SECONDS,
            },
        )
        events: list[Mapping[str, Any]] = []
        async with asyncio.timeout(RUN_SECONDS):
            while not events or events[-1]["type"] != "run-end":
                message = await self._receive(RUN_SECONDS)
                if message.get("id") != number:
                    continue
                if message["type"] == "result" and not message["success"]:
                    raise SocketError(f"pipeline: {message['error']}")
                if message["type"] == "event":
                    events.append(message["event"])
        return PipelineRun(
            events=tuple(events),
            pieces=tuple(piece for event in events if (piece := _piece(event))),
        )

    async def _send(self, kind: str, fields: Mapping[str, Any]) -> int:
        """Send a command and return its number."""
        self._last_id += 1
        await self._connection.send_json({"id": self._last_id, "type": kind, **fields})
        return self._last_id

    async def _receive(self, seconds: float) -> dict[str, Any]:
        """Return the next message."""
        message: dict[str, Any] = await self._connection.receive_json(timeout=seconds)
        return message


def _piece(event: Mapping[str, Any]) -> str:
    """Return the piece of the answer that an event brings, or nothing."""
    if event["type"] != "intent-progress":
        return ""
    return ((event["data"] or {}).get("chat_log_delta") or {}).get("content") or ""


def _moment(event: Mapping[str, Any]) -> float:
    """Return when something happened, in seconds."""
    return datetime.fromisoformat(event["timestamp"]).timestamp()
