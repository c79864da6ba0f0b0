"""Assist pipelines of the demo: English and Chinese, with the stand-ins' ears and voice."""

from collections.abc import Mapping
from typing import Any, Final

from .client import Client

LANGUAGES: Final = {"English": "en", "Chinese": "zh-CN"}
"""Name of a pipeline → its language."""


async def add_pipelines(anna: Client) -> dict[str, str]:
    """Create the pipelines with Home Assistant's own agent; return name → id. English is preferred."""
    states = await anna.states()
    stt = next(key for key in states if key.startswith("stt."))
    tts = next(key for key in states if key.startswith("tts."))
    made: dict[str, str] = {}
    async with anna.socket() as socket:
        for name, language in LANGUAGES.items():
            pipeline = await socket.command(
                "assist_pipeline/pipeline/create", **_pipeline(name, language, stt, tts)
            )
            made[name] = pipeline["id"]
        await socket.command(
            "assist_pipeline/pipeline/set_preferred", pipeline_id=made["English"]
        )
    return made


async def agent_of(client: Client, pipeline: str) -> str:
    """Return the entity id of a pipeline's agent."""
    found: Mapping[str, Any] = await client.command(
        "assist_pipeline/pipeline/get", pipeline_id=pipeline
    )
    return str(found["conversation_engine"])


def _pipeline(name: str, language: str, stt: str, tts: str) -> dict[str, Any]:
    """Return all that a pipeline is made of."""
    return {
        "name": name,
        "language": language,
        "conversation_engine": "conversation.home_assistant",
        "conversation_language": language,
        "prefer_local_intents": False,
        "stt_engine": stt,
        "stt_language": language,
        "tts_engine": tts,
        "tts_language": language,
        "tts_voice": None,
        "wake_word_entity": None,
        "wake_word_id": None,
    }
