"""The steps of one turn, each as Home Assistant wants it done."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.conversation import (
    HOME_ASSISTANT_AGENT,
    AssistantContent,
    AssistantContentDeltaDict,
    ChatLog,
    ConversationInput,
    ConversationResult,
)
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent
from homeassistant.util import dt as dt_util

from .chat import Chat, Reply, TroubleError, async_open_thread
from .chat_logs import GAP, async_get_chat_logs, scrub, without
from .const import (
    CONF_LOCAL_INTENTS,
    CONF_NUM_CTX,
    DEFAULT_LOCAL_INTENTS,
    DEFAULT_NUM_CTX,
)
from .engine import (
    HOUSEHOLD,
    Answer,
    Change,
    CommandKind,
    Forgotten,
    LanguagePack,
    MemoryManager,
    Reading,
    SpeakerMet,
    Utterance,
    guard,
    model_unreachable,
    read,
    trouble,
)
from .household import CommitError, Household
from .issues import async_note_trouble
from .models import AssistMemoryConfigEntry
from .ollama import OllamaClient
from .speakers import async_add_speaker, async_satellite
from .transcript import MAX_WORDS, Thread, async_get_transcripts, tokens_of

# With tools at hand the model answers these better, as Home Assistant's own pipeline holds.
_LEFT_TO_MODEL = (intent.INTENT_GET_STATE, "HassMediaSearchAndPlay")


@dataclass(slots=True, kw_only=True)
class Turn:
    """One sentence on its way through an agent."""

    hass: HomeAssistant
    entry: AssistMemoryConfigEntry
    subentry: ConfigSubentry
    agent_id: str
    """The agent's entity id."""
    client: OllamaClient
    user_input: ConversationInput
    chat_log: ChatLog
    household: Household
    pack: LanguagePack
    speaker: str | None
    """Resolved once; None is nobody known."""
    memory: MemoryManager
    reading: Reading
    by_word: bool = False
    """Only their own word says who speaks."""
    person: str | None = None
    """The signed-in user's person, by its storage id."""
    committed: tuple[Change, ...] = ()

    @property
    def agent(self) -> Mapping[str, Any]:
        """Return the agent's options."""
        return self.subentry.data

    @property
    def lock(self) -> asyncio.Lock:
        """Return the lock around the use of the memory: of this speaker alone."""
        return self.household.lock(
            self.speaker,
            self.chat_log.conversation_id,
            agent_id=self.agent_id,
            by_word=self.by_word,
        )

    @property
    def owner(self) -> str:
        """Return whose the turn's reminders are."""
        return self.speaker or HOUSEHOLD

    async def async_commit(self) -> bool:
        """Make true what the sentence asks for; tell whether that could be stored."""
        items = self.household.reminders.async_items(self.owner)
        self.memory.replace_pending(items)
        changes = self.memory.propose(self.reading)
        try:
            committed = await self.household.async_commit(changes, self.owner)
        except CommitError:
            return False
        self._meet(committed)
        self.committed = self.memory.apply(committed)
        return True

    @callback
    def _meet(self, committed: Sequence[Change]) -> None:
        """Add whoever asked to be known; from now on the talk is theirs."""
        for change in committed:
            if isinstance(change, SpeakerMet):
                speaker = async_add_speaker(
                    self.hass, self.entry, change.name, self.person
                )
                place = (
                    self.chat_log.conversation_id,
                    async_satellite(
                        self.hass,
                        self.user_input.satellite_id,
                        self.user_input.device_id,
                    ),
                )
                self.household.presence.state_name(place, speaker)

    async def async_say(self, answer: Answer) -> ConversationResult:
        """Say what code has to say, streamed like any answer.

        A turn that forgets is not kept itself; Home Assistant's log is left with nothing
        but this turn, without what it is about.
        """
        forgets = self._forgets and answer.question is None
        if not forgets:
            self._thread().hear(self.user_input.text, answer.text)
        await self._async_stream(answer.text)
        if forgets:
            self._redact()
        self._note_reply(without(answer.text, self._objects() if forgets else ()))
        return spoken(self.user_input, self.chat_log.conversation_id, answer)

    async def async_answer_locally(self) -> ConversationResult | None:
        """Let Home Assistant's own sentences answer, if one fits and the option is on."""
        if not self.agent.get(CONF_LOCAL_INTENTS, DEFAULT_LOCAL_INTENTS):
            return None
        if (response := await self._async_local_response()) is None:
            return None
        speech = response.speech.get("plain", {}).get("speech", "")
        self.chat_log.async_add_assistant_content_without_tools(
            AssistantContent(agent_id=HOME_ASSISTANT_AGENT, content=speech)
        )
        self._thread().hear(self.user_input.text, speech)
        self._note_reply(speech)
        return ConversationResult(
            response=response, conversation_id=self.chat_log.conversation_id
        )

    async def async_ask_model(self) -> ConversationResult:
        """Let the model talk, with a short true brief; say what keeps it from it."""
        try:
            reply = await self._async_reply()
        except TroubleError as err:
            reply = Reply(text=self._sentence(err.code), trouble=err.code)
            await self._async_stream(reply.text)
        else:
            async_note_trouble(self.hass, self.subentry, reply.error)
        self._note_reply(reply.text)
        if reply.by_model:
            return conversation.async_get_result_from_chat_log(
                self.user_input, self.chat_log
            )
        return refused(self.user_input, self.chat_log.conversation_id, reply.text)

    def _note_reply(self, text: str) -> None:
        """Note an answer, unless the person was forgotten elsewhere in the meantime."""
        logs = async_get_chat_logs(self.hass)
        if not logs.async_is_forgotten(self.chat_log.conversation_id):
            self.memory.note_reply(text, dt_util.now())

    @property
    def _forgets(self) -> bool:
        """Tell whether the sentence is to forget something, be it known or not."""
        return self._has_forgotten or any(
            command.kind is CommandKind.FORGET_ABOUT
            for command in self.reading.commands
        )

    @property
    def _has_forgotten(self) -> bool:
        return any(isinstance(change, Forgotten) for change in self.committed)

    def _redact(self) -> None:
        """Take what was to be forgotten out of the sentence that said so."""
        commands = self.reading.commands
        triggers = [command.span.of(self.reading.text) for command in commands]
        words = without(" ".join(triggers), self._objects())
        words = words if GAP in words else f"{words} {GAP}".strip()
        if self._has_forgotten:
            scrub(self.chat_log)
        logs = async_get_chat_logs(self.hass)
        logs.async_keep_redacted(self.chat_log, words, self._objects())

    def _objects(self) -> list[str]:
        """Return the names of what this turn forgets."""
        forgotten = [c for c in self.committed if isinstance(c, Forgotten)]
        return [
            *(change.about for change in forgotten),
            *(name for change in forgotten for name in change.entities),
            *(command.object for command in self.reading.commands),
        ]

    async def _async_local_response(self) -> intent.IntentResponse | None:
        speech = await conversation.async_handle_sentence_triggers(
            self.hass, self.user_input, self.chat_log
        )
        if speech is None:
            has_tools = bool(self.agent.get(CONF_LLM_HASS_API))
            return await conversation.async_handle_intents(
                self.hass,
                self.user_input,
                self.chat_log,
                intent_filter=_is_left_to_model if has_tools else None,
            )
        response = intent.IntentResponse(self.user_input.language)
        response.async_set_speech(speech)
        return response

    async def _async_reply(self) -> Reply:
        """Return what the model said. Raises TroubleError if it can't be asked."""
        if not self.agent.get(CONF_MODEL):
            raise TroubleError("no_model")
        thread = self._thread()
        await async_open_thread(
            self.hass,
            thread,
            self.agent,
            self.user_input,
            name=self.household.owner(self.owner).name or None,
            briefing=guard.briefing(self.pack),
        )
        brief = self.memory.generate_context_prompt(dt_util.now())
        coming = tokens_of(self.user_input.text[:MAX_WORDS]) + tokens_of(brief)
        thread.cut(self.agent.get(CONF_NUM_CTX, DEFAULT_NUM_CTX), coming)
        length = len(thread.messages)
        thread.ask(self.user_input.text, brief)
        chat = self._chat(thread)
        try:
            reply = await chat.async_reply(
                self.chat_log, self.user_input, self.agent_id
            )
        except asyncio.CancelledError, HomeAssistantError:
            # The person spoke over the answer, and has heard a part of it.
            thread.break_off(length, chat.said)
            raise
        if not reply.by_model:
            thread.take_back(length)
        return reply

    def _chat(self, thread: Thread) -> Chat:
        return Chat(
            self.client,
            self.agent,
            thread,
            guard.Guard(
                self.pack,
                guard.deeds_of(self.committed),
                may_act=bool(thread.tools),
                brief=thread.brief,
            ),
            without_tools=self.entry.runtime_data.without_tools,
            sentence=self._sentence,
        )

    def _sentence(self, code: str) -> str:
        """Return what is said of a trouble; without a model, what code itself knows."""
        if code in ("unreachable", "no_model"):
            return model_unreachable(self.memory, self.pack, dt_util.now(), code)
        if code == "done":
            return guard.notice(code, self.pack)
        return trouble(code, self.pack)

    def _thread(self) -> Thread:
        transcripts = async_get_transcripts(self.hass)
        thread = transcripts.async_thread(
            self.chat_log, self.speaker, self.agent_id, by_word=self.by_word
        )
        if extra := self.user_input.extra_system_prompt:
            thread.extra = extra
        return thread

    async def _async_stream(self, text: str) -> None:
        stream = self.chat_log.async_add_delta_content_stream(
            self.agent_id, _one_message(text)
        )
        async for _ in stream:
            pass


@callback
def async_read(
    household: Household,
    entry: AssistMemoryConfigEntry,
    pack: LanguagePack,
    user_input: ConversationInput,
) -> Reading:
    """Return what a sentence says, whoever says it."""
    utterance = Utterance(
        text=user_input.text,
        language=user_input.language,
        now=dt_util.now(),
        satellite=user_input.satellite_id,
    )
    home = entry.runtime_data.home.async_home()
    return read(utterance, home, pack, household.moments)


def spoken(
    user_input: ConversationInput, conversation_id: str, answer: Answer
) -> ConversationResult:
    """Return an answer of code; the microphone stays open for an answer to a question."""
    response = intent.IntentResponse(user_input.language)
    response.async_set_speech(answer.text)
    return ConversationResult(
        response=response,
        conversation_id=conversation_id,
        continue_conversation=answer.question is not None,
    )


def refused(
    user_input: ConversationInput, conversation_id: str | None, text: str
) -> ConversationResult:
    """Return a sentence that says what went wrong."""
    response = intent.IntentResponse(user_input.language)
    response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, text)
    return ConversationResult(response=response, conversation_id=conversation_id)


async def _one_message(text: str) -> AsyncGenerator[AssistantContentDeltaDict]:
    yield {"role": "assistant", "content": text}


def _is_left_to_model(result: Any) -> bool:
    return result.intent.name in _LEFT_TO_MODEL
