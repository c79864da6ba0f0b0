"""One conversation of one person with the agent, typed through the REST API."""

from collections.abc import Mapping
from typing import Any

from .client import Client, speech_of


class Talk:
    """Keeps the conversation going from sentence to sentence."""

    def __init__(self, person: Client, agent: str, language: str = "en") -> None:
        self._person = person
        self._agent = agent
        self._language = language
        self._conversation: str | None = None
        self.last: Mapping[str, Any] = {}
        """The whole result of the last sentence."""

    async def say(self, text: str) -> str:
        """Say a sentence; return what the agent answers."""
        self.last = await self._person.converse(
            text,
            agent=self._agent,
            language=self._language,
            conversation=self._conversation,
        )
        self._conversation = self.last["conversation_id"]
        return speech_of(self.last)
