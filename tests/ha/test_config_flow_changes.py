"""The flows of a household that is there: server, options, agents, speakers."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
)

from custom_components.assist_memory.const import (
    CONF_EVERYONE_IS,
    CONF_GUEST_MODE,
    CONF_LASTS,
    CONF_LATE_HOURS,
    CONF_MIN_CONFIDENCE,
    CONF_MORNING,
    CONF_PERSON,
    CONF_SATELLITES,
    CONF_SHARED_USERS,
    CONF_SHOW,
    CONF_SPEAKER,
    CONF_TRUST_NAMES,
    SUBENTRY_CONVERSATION,
    SUBENTRY_SPEAKER,
)
from tests.ha.conftest import AGENT_ID, ANNA, BEN, KITCHEN
from tests.ha.flow_steps import AGENT_FORM, SPEAKER_FORM, Flow, speakers_of, titles
from tests.ollama_server import TOOLLESS, OllamaServer


async def test_the_server_can_be_changed(
    hass: HomeAssistant, household: MockConfigEntry, server: OllamaServer
) -> None:
    """Also after an error; the agent uses the new one without a reload."""
    runtime = household.runtime_data
    result = await household.start_reconfigure_flow(hass)
    assert result["step_id"] == "reconfigure"
    configure = hass.config_entries.flow.async_configure
    result = await configure(result["flow_id"], {"url": "http://127.0.0.1:1"})
    assert result["errors"] == {"base": "unreachable"}
    other = await OllamaServer().start()
    result = await configure(result["flow_id"], {"url": other.url})
    await hass.async_block_till_done()
    await other.stop()
    assert result["reason"] == "reconfigure_successful"
    assert household.data["url"] == other.url
    assert household.runtime_data is runtime
    assert runtime.client.url == other.url


async def test_the_options_of_the_household(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """What is left out is taken back."""
    options = hass.config_entries.options
    result = await options.async_init(household.entry_id)
    form = {CONF_MORNING: "08:30:00", CONF_LATE_HOURS: 3.0}
    await options.async_configure(result["flow_id"], form | {CONF_EVERYONE_IS: ANNA})
    assert household.options[CONF_EVERYONE_IS] == ANNA
    assert household.options[CONF_LATE_HOURS] == 3
    result = await options.async_init(household.entry_id)
    await options.async_configure(result["flow_id"], form)
    assert CONF_EVERYONE_IS not in household.options


async def test_the_options_leave_the_switch_alone(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """Guests stay guests; accounts can be named that several people use."""
    tablet = await hass.auth.async_create_user("Tablet")
    options = hass.config_entries.options
    hass.config_entries.async_update_entry(household, options={CONF_GUEST_MODE: True})
    flow = Flow(hass)
    flow.result = await options.async_init(household.entry_id)
    assert tablet.id in flow.options_of(CONF_SHARED_USERS)
    form = {
        CONF_MORNING: "08:00:00",
        CONF_LATE_HOURS: 3,
        CONF_SHARED_USERS: [tablet.id],
        CONF_TRUST_NAMES: True,
        CONF_MIN_CONFIDENCE: 90.0,
    }
    await options.async_configure(flow.result["flow_id"], form)
    assert household.options == form | {CONF_GUEST_MODE: True}


async def test_an_agent_may_belong_to_somebody(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """A wake word for each person; who is gone is not offered any more."""
    flows = hass.config_entries.subentries
    form = {key: value for key, value in AGENT_FORM.items() if key != "name"}
    flow = Flow(hass)
    flow.result = await household.start_subentry_reconfigure_flow(hass, AGENT_ID)
    assert flow.options_of(CONF_SPEAKER) == [ANNA, BEN]
    await flows.async_configure(flow.result["flow_id"], form | {CONF_SPEAKER: BEN})
    assert household.subentries[AGENT_ID].data[CONF_SPEAKER] == BEN
    hass.config_entries.async_remove_subentry(household, BEN)
    await hass.async_block_till_done()
    flow.result = await household.start_subentry_reconfigure_flow(hass, AGENT_ID)
    assert flow.options_of(CONF_SPEAKER) == [ANNA]
    await flows.async_configure(flow.result["flow_id"], form)
    assert CONF_SPEAKER not in household.subentries[AGENT_ID].data


async def test_an_agent_is_added_and_changed(
    hass: HomeAssistant, household: MockConfigEntry, server: OllamaServer
) -> None:
    """A second agent is there at once; a changed one keeps its entity."""
    flows = hass.config_entries.subentries
    result: Mapping[str, Any] = await flows.async_init(
        (household.entry_id, SUBENTRY_CONVERSATION), context={"source": SOURCE_USER}
    )
    result = await flows.async_configure(
        result["flow_id"], AGENT_FORM | {"name": "Tutor", "url": "nowhere"}
    )
    assert result["errors"] == {"url": "invalid_url"}
    result = await flows.async_configure(
        result["flow_id"], AGENT_FORM | {"name": "Tutor"}
    )
    await hass.async_block_till_done()
    assert titles(household, SUBENTRY_CONVERSATION) == ["Olly", "Tutor"]
    assert hass.states.get("conversation.tutor")

    result = await household.start_subentry_reconfigure_flow(hass, AGENT_ID)
    assert result["step_id"] == "reconfigure"
    form = {key: value for key, value in AGENT_FORM.items() if key != "name"}
    toolless = form | {"model": TOOLLESS, "llm_hass_api": ["assist"]}
    result = await flows.async_configure(result["flow_id"], toolless)
    assert result["errors"] == {"llm_hass_api": "no_tools"}
    result = await flows.async_configure(
        result["flow_id"], form | {"llm_hass_api": ["assist"]}
    )
    await hass.async_block_till_done()
    assert result["reason"] == "reconfigure_successful"
    assert household.subentries[AGENT_ID].title == "Olly"
    olly = hass.states.get("conversation.olly")
    assert olly is not None
    assert olly.attributes["supported_features"] == 1


async def test_an_agent_can_be_added_while_its_server_is_away(
    hass: HomeAssistant, household: MockConfigEntry, server: OllamaServer
) -> None:
    """The model's name can be typed."""
    await server.stop()
    flows = hass.config_entries.subentries
    result = await flows.async_init(
        (household.entry_id, SUBENTRY_CONVERSATION), context={"source": SOURCE_USER}
    )
    form = AGENT_FORM | {"model": "qwen3:4b", "llm_hass_api": ["assist"]}
    result = await flows.async_configure(result["flow_id"], form)
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_no_agent_is_added_to_what_does_not_run(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """It is said what to do first."""
    await hass.config_entries.async_unload(household.entry_id)
    result = await hass.config_entries.subentries.async_init(
        (household.entry_id, SUBENTRY_CONVERSATION), context={"source": SOURCE_USER}
    )
    assert result["reason"] == "entry_not_loaded"


async def test_a_speaker_is_added_and_changed(
    hass: HomeAssistant, persons: None, household: MockConfigEntry
) -> None:
    """A satellite has one default speaker, a person is one speaker."""
    flows = hass.config_entries.subentries
    first = {CONF_SATELLITES: [KITCHEN]}
    result: Mapping[str, Any] = await flows.async_init(
        (household.entry_id, SUBENTRY_SPEAKER), context={"source": SOURCE_USER}
    )
    await flows.async_configure(result["flow_id"], SPEAKER_FORM | first)
    await hass.async_block_till_done()
    cleo = speakers_of(household)[-1]
    assert cleo.title == "Cleo"
    assert cleo.data == {CONF_SHOW: "nothing", CONF_LASTS: "hour", **first}

    result = await household.start_subentry_reconfigure_flow(hass, BEN)
    result = await flows.async_configure(
        result["flow_id"], SPEAKER_FORM | first | {"name": "Benny"}
    )
    assert result["errors"] == {CONF_SATELLITES: "satellite_taken"}
    result = await flows.async_configure(
        result["flow_id"], SPEAKER_FORM | {"name": "Benny", CONF_PERSON: "ben"}
    )
    assert result["reason"] == "reconfigure_successful"
    assert household.subentries[BEN].title == "Benny"
    assert household.subentries[BEN].data[CONF_PERSON] == "ben"


async def test_a_person_is_offered_once(
    hass: HomeAssistant, persons: None, household: MockConfigEntry
) -> None:
    """Whoever is a speaker already is not offered to another one."""
    flow = Flow(hass)
    flow.result = await household.start_subentry_reconfigure_flow(hass, ANNA)
    assert flow.options_of(CONF_PERSON) == ["anna"]
    flow.result = await hass.config_entries.subentries.async_init(
        (household.entry_id, SUBENTRY_SPEAKER), context={"source": SOURCE_USER}
    )
    assert flow.options_of(CONF_PERSON) == []
