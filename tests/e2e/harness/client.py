"""One signed-in person: the REST API and a websocket, with bounded waits."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
import time
from typing import Any, Final, Self

import aiohttp

from .socket import Socket

REQUEST_SECONDS: Final = 300
"""More than the agent gives a slow model."""
TOKEN_SECONDS: Final = 1200
"""An access token is renewed after this time; it holds for 30 minutes."""


class ClientError(Exception):
    """Home Assistant refused what was asked."""


class Client:
    """Talks to one Home Assistant as one user. The person stays signed in over its restarts."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self.name = name
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=REQUEST_SECONDS)
        )
        self._refresh_token = ""
        self._access_token = ""
        self._renewed = 0.0

    @property
    def client_id(self) -> str:
        """Who we are to the authentication: the frontend's own address."""
        return f"{self.url}/"

    async def close(self) -> None:
        """Let go of the connections."""
        await self._session.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # --- signing in -----------------------------------------------------------------------

    async def sign_in_with_code(self, code: str) -> None:
        """Exchange an authorisation code for tokens."""
        await self._take_tokens({"grant_type": "authorization_code", "code": code})

    async def sign_in(self, username: str, password: str) -> None:
        """Sign in through the login form, as the frontend does."""
        flow = await self.post(
            "/auth/login_flow",
            {
                "client_id": self.client_id,
                "handler": ["homeassistant", None],
                "redirect_uri": f"{self.url}/?auth_callback=1",
            },
            signed=False,
        )
        done = await self.post(
            f"/auth/login_flow/{flow['flow_id']}",
            {"username": username, "password": password, "client_id": self.client_id},
            signed=False,
        )
        if done["type"] != "create_entry":
            raise ClientError(f"{username} could not sign in: {done.get('errors')}")
        await self.sign_in_with_code(done["result"])

    async def _take_tokens(self, form: Mapping[str, str]) -> None:
        """Ask for tokens and keep them."""
        async with self._session.post(
            f"{self.url}/auth/token", data={**form, "client_id": self.client_id}
        ) as response:
            if response.status != 200:
                raise ClientError(f"no token: {await response.text()}")
            tokens = await response.json()
        self._access_token = tokens["access_token"]
        self._refresh_token = tokens.get("refresh_token", self._refresh_token)
        self._renewed = time.monotonic()

    async def token(self) -> str:
        """Return a token that is valid for a while."""
        if time.monotonic() - self._renewed > TOKEN_SECONDS:
            await self._take_tokens(
                {"grant_type": "refresh_token", "refresh_token": self._refresh_token}
            )
        return self._access_token

    async def tokens(self) -> dict[str, Any]:
        """Return the tokens as the frontend keeps them."""
        return {
            "access_token": await self.token(),
            "refresh_token": self._refresh_token,
            "token_type": "Bearer",
            "expires_in": TOKEN_SECONDS,
            "expires": int((time.time() + TOKEN_SECONDS) * 1000),
        }

    # --- requests -------------------------------------------------------------------------

    async def get(self, path: str) -> Any:
        """Return what an address of the API gives."""
        return await self._request("GET", path)

    async def post(
        self, path: str, body: Mapping[str, Any] | None = None, *, signed: bool = True
    ) -> Any:
        """Send something to an address of the API and return what it gives."""
        return await self._request("POST", path, body or {}, signed=signed)

    async def delete(self, path: str) -> Any:
        """Delete what an address of the API names."""
        return await self._request("DELETE", path)

    async def _request(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        signed: bool = True,
    ) -> Any:
        """Make one request; raise ClientError for a status that is not good."""
        headers = {"Authorization": f"Bearer {await self.token()}"} if signed else {}
        async with self._session.request(
            method, self.url + path, json=body, headers=headers
        ) as response:
            if response.status >= 400:
                text = (await response.text())[:500]
                raise ClientError(f"{method} {path}: {response.status} {text}")
            return await response.json()

    # --- what people do -------------------------------------------------------------------

    async def converse(
        self, text: str, *, agent: str, language: str, conversation: str | None = None
    ) -> dict[str, Any]:
        """Say a sentence to an agent; return the result as the API gives it."""
        body = {"text": text, "agent_id": agent, "language": language}
        if conversation:
            body["conversation_id"] = conversation
        result: dict[str, Any] = await self.post("/api/conversation/process", body)
        return result

    async def call(
        self, action: str, data: Mapping[str, Any], *, response: bool = False
    ) -> Any:
        """Perform an action ("light.turn_on") and wait for its end."""
        suffix = "?return_response" if response else ""
        path = f"/api/services/{action.replace('.', '/')}{suffix}"
        return await self.post(path, data)

    async def states(self) -> dict[str, dict[str, Any]]:
        """Return all states by entity id."""
        return {state["entity_id"]: state for state in await self.get("/api/states")}

    @asynccontextmanager
    async def socket(self) -> AsyncIterator[Socket]:
        """Open a websocket for a while."""
        async with self._session.ws_connect(f"{self.url}/api/websocket") as connection:
            socket = Socket(connection)
            await socket.sign_in(await self.token())
            yield socket

    async def command(self, kind: str, **fields: Any) -> Any:
        """Send one websocket command and return its result."""
        async with self.socket() as socket:
            return await socket.command(kind, **fields)


def speech_of(result: Mapping[str, Any]) -> str:
    """Return what a conversation result says aloud."""
    speech: str = result["response"]["speech"]["plain"]["speech"]
    return speech
