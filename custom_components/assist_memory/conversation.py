"""The agent: what a sentence goes through, from the person's words to the answer."""

import logging
from typing import Literal, override

from homeassistant.components import conversation
from homeassistant.components.conversation import (
    ChatLog,
    ConversationEntity,
    ConversationEntityFeature,
    ConversationInput,
    ConversationResult,
)
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_URL, MATCH_ALL
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.chat_session import current_session
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .chat_logs import async_get_chat_logs
from .const import (
    CONF_KEEP_ALIVE,
    CONF_NUM_CTX,
    CONF_SPEAKER,
    DEFAULT_KEEP_ALIVE,
    DEFAULT_NUM_CTX,
    DOMAIN,
    SIGNAL_AGENTS,
    SUBENTRY_CONVERSATION,
)
from .engine import Reading, answer, guard
from .household import async_get_household
from .issues import async_clear_trouble
from .models import AssistMemoryConfigEntry
from .ollama import OllamaClient, OllamaError
from .speakers import Evidence, Speaking, async_identify
from .transcript import async_get_transcripts
from .turn import Turn, async_read, refused

PARALLEL_UPDATES = 0

_LOGGER = logging.getLogger(__name__)
# Another turn of the conversation is under way; Home Assistant 2026.10 does not say so.
_BUSY: type[Exception] | tuple[()] = getattr(conversation, "ConversationBusyError", ())


async def async_setup_entry(
    hass: HomeAssistant,
    entry: AssistMemoryConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add the agents, and each new one as soon as there is one."""
    present: set[str] = set()

    @callback
    def update() -> None:
        agents = entry.get_subentries_of_type(SUBENTRY_CONVERSATION)
        new = [agent for agent in agents if agent.subentry_id not in present]
        present.clear()
        present.update(agent.subentry_id for agent in agents)
        for agent in new:
            async_add_entities(
                [AssistMemoryAgent(hass, entry, agent)],
                config_subentry_id=agent.subentry_id,
            )

    update()
    entry.async_on_unload(async_dispatcher_connect(hass, SIGNAL_AGENTS, update))


class AssistMemoryAgent(ConversationEntity):
    """A conversation agent: code first, then local commands, then the model."""

    _attr_has_entity_name = True
    _attr_name = None
    _attr_supports_streaming = True

    def __init__(
        self,
        hass: HomeAssistant,
        entry: AssistMemoryConfigEntry,
        subentry: ConfigSubentry,
    ) -> None:
        self._entry = entry
        self._subentry = subentry
        self._household = async_get_household(hass)
        self._transcripts = async_get_transcripts(hass)
        self._chat_logs = async_get_chat_logs(hass)
        self._attr_unique_id = subentry.subentry_id
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, subentry.subentry_id)},
            name=subentry.title,
            manufacturer="Ollama",
            model=subentry.data.get(CONF_MODEL),
            entry_type=DeviceEntryType.SERVICE,
        )

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        """Return all languages: the model has them, code falls back to English."""
        return MATCH_ALL

    @property
    @override
    def supported_features(self) -> ConversationEntityFeature:
        """Tell whether the agent may control the home."""
        if self._subentry.data.get(CONF_LLM_HASS_API):
            return ConversationEntityFeature.CONTROL
        return ConversationEntityFeature(0)

    @override
    async def async_added_to_hass(self) -> None:
        """Follow changes of the agent's options."""
        await super().async_added_to_hass()
        self.async_on_remove(
            async_dispatcher_connect(self.hass, SIGNAL_AGENTS, self._async_changed)
        )

    @override
    async def async_will_remove_from_hass(self) -> None:
        """Take back what was reported of the agent."""
        async_clear_trouble(self.hass, self._subentry)

    @override
    async def async_prepare(self, language: str | None = None) -> None:
        """Have the model loaded while the person still speaks."""
        agent = self._subentry.data
        if not agent.get(CONF_MODEL):
            return
        try:
            await self._client.load(
                agent[CONF_MODEL],
                num_ctx=agent.get(CONF_NUM_CTX, DEFAULT_NUM_CTX),
                keep_alive=agent.get(CONF_KEEP_ALIVE, DEFAULT_KEEP_ALIVE),
            )
        except OllamaError:
            # The turn will say so, if it needs the model.
            return

    @override
    async def async_process(self, user_input: ConversationInput) -> ConversationResult:
        """Answer a sentence; what Home Assistant refuses is said, too."""
        try:
            return await super().async_process(user_input)
        except Unauthorized:
            code = "not_allowed"
        except _BUSY:
            code = "busy"
        except HomeAssistantError as err:
            _LOGGER.warning("A turn failed: %s", type(err).__name__)
            code = "failed"
        return self._refused(user_input, user_input.conversation_id, code)

    @override
    async def _async_handle_message(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> ConversationResult:
        """Answer a sentence: in a conversation, one at a time."""
        conversation_id = chat_log.conversation_id
        if not self._chat_logs.async_begin(conversation_id):
            return self._refused(user_input, conversation_id, "busy")
        self._async_follow_session(conversation_id)
        self._transcripts.async_begin(chat_log)
        try:
            return await self._async_turn(user_input, chat_log)
        finally:
            self._chat_logs.async_close(chat_log)
            self._transcripts.async_heard(chat_log)

    async def _async_turn(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> ConversationResult:
        """Take a sentence its way: this is DESIGN section 2, step by step."""
        pack = self._household.pack(user_input.language)
        reading = async_read(self._household, self._entry, pack, user_input)
        speaking = await self._async_identify(user_input, chat_log, reading)
        self._chat_logs.async_speaks(chat_log.conversation_id, speaking.speaker)
        turn = self._begin(user_input, chat_log, reading, speaking)
        async with turn.lock:
            stored = await turn.async_commit()
            said = answer(reading, turn.committed, turn.memory, failed=not stored)
        self._household.async_memory_changed(turn.speaker)
        if said:
            return await turn.async_say(said)
        if result := await turn.async_answer_locally():
            return result
        return await turn.async_ask_model()

    async def _async_identify(
        self, user_input: ConversationInput, chat_log: ChatLog, reading: Reading
    ) -> Speaking:
        """Return who speaks: resolved once and for all of the turn."""
        return await async_identify(
            self.hass,
            self._entry,
            Evidence(
                conversation_id=chat_log.conversation_id,
                user_id=user_input.context.user_id,
                satellite_id=user_input.satellite_id,
                device_id=user_input.device_id,
                stated_name=reading.stated_name,
                agent_speaker=self._subentry.data.get(CONF_SPEAKER),
            ),
        )

    def _begin(
        self,
        user_input: ConversationInput,
        chat_log: ChatLog,
        reading: Reading,
        speaking: Speaking,
    ) -> Turn:
        return Turn(
            hass=self.hass,
            entry=self._entry,
            subentry=self._subentry,
            agent_id=self.entity_id,
            client=self._client,
            user_input=user_input,
            chat_log=chat_log,
            household=self._household,
            pack=self._household.pack(user_input.language),
            reading=reading,
            speaker=speaking.speaker,
            by_word=speaking.by_word,
            person=speaking.person,
            memory=self._household.memory_of(
                speaking.speaker,
                chat_log.conversation_id,
                agent_id=self.entity_id,
                by_word=speaking.by_word,
            ),
        )

    @property
    def _client(self) -> OllamaClient:
        """Return the client for the agent's own server, or the household's."""
        if url := self._subentry.data.get(CONF_URL):
            return OllamaClient(async_get_clientsession(self.hass), url)
        return self._entry.runtime_data.client

    @callback
    def _async_changed(self) -> None:
        """Take over changed options."""
        if subentry := self._entry.subentries.get(self._subentry.subentry_id):
            self._subentry = subentry
            self.async_write_ha_state()

    @callback
    def _async_follow_session(self, conversation_id: str) -> None:
        """Have what belongs to a conversation end with Home Assistant's session."""
        session = current_session.get()
        if session is None or self._transcripts.async_has(conversation_id):
            return

        @callback
        def end() -> None:
            self._transcripts.async_end(conversation_id)
            self._chat_logs.async_end(conversation_id)
            self._household.end_conversation(conversation_id)

        session.async_on_cleanup(end)

    def _refused(
        self, user_input: ConversationInput, conversation_id: str | None, code: str
    ) -> ConversationResult:
        pack = self._household.pack(user_input.language)
        return refused(user_input, conversation_id, guard.notice(code, pack))
