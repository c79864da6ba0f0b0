"""The flows: from nothing to a household, and every error on the way that can be mended."""

from collections.abc import Mapping
from typing import Any

from homeassistant.components.assist_pipeline import async_get_pipelines
from homeassistant.components.assist_pipeline.pipeline import async_get_pipeline
from homeassistant.config_entries import SOURCE_USER, ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_mock_service,
)

from custom_components.assist_memory.const import (
    CONF_EVERYONE_IS,
    CONF_KEEP_ALIVE,
    CONF_LASTS,
    CONF_LATE_HOURS,
    CONF_LOCAL_INTENTS,
    CONF_MORNING,
    CONF_NUM_CTX,
    CONF_PERSON,
    CONF_SATELLITES,
    CONF_SHOW,
    CONF_USE_IN_PIPELINES,
    DOMAIN,
    SUBENTRY_CONVERSATION,
    SUBENTRY_SPEAKER,
)
from tests.ha.conftest import AGENT_ID, ANNA, BEN, KITCHEN
from tests.ollama_server import MODEL, TOOLLESS, OllamaServer

AGENT_FORM = {
    "name": "Olly",
    "model": MODEL,
    "prompt": "Be kind.",
    CONF_NUM_CTX: 4096.0,
    CONF_KEEP_ALIVE: -1.0,
    CONF_LOCAL_INTENTS: True,
}
SPEAKER_FORM = {"name": "Cleo", CONF_SHOW: "nothing", CONF_LASTS: "hour"}


@pytest.fixture
async def persons(hass: HomeAssistant) -> None:
    """Let Home Assistant know Anna and Ben."""
    config = [{"id": "anna", "name": "Anna"}, {"id": "ben", "name": "Ben"}]
    assert await async_setup_component(hass, "person", {"person": config})
    await hass.async_block_till_done()


@pytest.fixture
async def pipelines(hass: HomeAssistant) -> None:
    """Let there be voice assistants."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "assist_pipeline", {})


class Flow:
    """The flow of a new household, step by step."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.result: Mapping[str, Any] = {}

    async def start(self) -> None:
        """Open the first form."""
        self.result = await self.hass.config_entries.flow.async_init(
            DOMAIN, context={"source": SOURCE_USER}
        )

    async def fill(self, **form: Any) -> None:
        """Send the form."""
        self.result = await self.hass.config_entries.flow.async_configure(
            self.result["flow_id"], form
        )
        await self.hass.async_block_till_done()

    @property
    def step(self) -> str | None:
        """Return the form that is shown."""
        return self.result.get("step_id")

    @property
    def entry(self) -> ConfigEntry:
        """Return what was created."""
        assert self.result["type"] is FlowResultType.CREATE_ENTRY
        (entry,) = self.hass.config_entries.async_entries(DOMAIN)
        return entry

    def options_of(self, field: str) -> list[str]:
        """Return what may be chosen in a field."""
        selector = self.result["data_schema"].schema[field]
        return [
            option if isinstance(option, str) else option["value"]
            for option in selector.config["options"]
        ]

    def suggestion(self, field: str) -> Any:
        """Return what the form proposes for a field."""
        marker = next(key for key in self.result["data_schema"].schema if key == field)
        return marker.description["suggested_value"]


@pytest.fixture
async def flow(hass: HomeAssistant) -> Flow:
    """Return a flow at its first form."""
    assert await async_setup_component(hass, "homeassistant", {})
    flow = Flow(hass)
    await flow.start()
    return flow


def titles(entry: ConfigEntry, kind: str) -> list[str]:
    """Return the titles of the subentries of a kind."""
    return [subentry.title for subentry in entry.get_subentries_of_type(kind)]


async def test_a_household_from_nothing(
    hass: HomeAssistant,
    server: OllamaServer,
    persons: None,
    pipelines: None,
    flow: Flow,
) -> None:
    """Server, persons, agent, pipeline: then one can talk."""
    assert flow.step == "user"
    await flow.fill(url=f" {server.url}/ ")
    assert flow.step == "speakers"
    assert flow.suggestion("speakers") == ["anna", "ben"]
    await flow.fill(speakers=["anna", "ben"])
    assert flow.step == "agent"
    assert flow.options_of("model") == [MODEL, TOOLLESS]
    assert flow.suggestion("model") == MODEL
    await flow.fill(**AGENT_FORM)
    assert flow.step == "pipeline"
    await flow.fill(new_pipeline=True)

    entry = flow.entry
    assert entry.data == {"url": server.url}
    assert CONF_EVERYONE_IS not in entry.options
    assert titles(entry, SUBENTRY_SPEAKER) == ["Anna", "Ben"]
    (agent,) = entry.get_subentries_of_type(SUBENTRY_CONVERSATION)
    assert agent.title == "Olly"
    assert agent.data[CONF_NUM_CTX] == 4096
    assert isinstance(agent.data[CONF_NUM_CTX], int)
    assert [speaker.data[CONF_PERSON] for speaker in _speakers(entry)] == [
        "anna",
        "ben",
    ]


async def test_a_new_pipeline_uses_the_agent(
    hass: HomeAssistant, server: OllamaServer, pipelines: None, flow: Flow
) -> None:
    """It hears and speaks like the preferred one, and leaves local commands to the agent."""
    await flow.fill(url=server.url)
    await flow.fill(**AGENT_FORM)
    await flow.fill(new_pipeline=True)
    agent = _entity_of(hass, flow.entry)
    made = [p for p in async_get_pipelines(hass) if p.conversation_engine == agent]
    assert [p.name for p in made] == ["Olly"]
    assert not made[0].prefer_local_intents
    assert CONF_USE_IN_PIPELINES not in flow.entry.data


async def test_existing_pipelines_and_satellites_are_switched(
    hass: HomeAssistant, server: OllamaServer, pipelines: None
) -> None:
    """A satellite is switched through its own setting."""
    calls = async_mock_service(hass, "select", "select_option")
    _add_satellite(hass)
    flow = Flow(hass)
    await flow.start()
    await flow.fill(url=server.url)
    await flow.fill(**AGENT_FORM)
    preferred = async_get_pipeline(hass)
    await flow.fill(
        new_pipeline=False,
        pipelines=[preferred.id],
        satellites=[KITCHEN, "assist_satellite.ghost"],
    )
    agent = _entity_of(hass, flow.entry)
    assert async_get_pipeline(hass).conversation_engine == agent
    assert async_get_pipeline(hass).name == preferred.name
    assert len(async_get_pipelines(hass)) == 1
    assert [call.data["option"] for call in calls] == [preferred.name]
    assert [call.data["entity_id"] for call in calls] == ["select.kitchen_assistant"]


async def test_a_satellite_that_refuses_keeps_its_pipeline(
    hass: HomeAssistant, server: OllamaServer, pipelines: None
) -> None:
    """The household is set up all the same."""
    async_mock_service(
        hass, "select", "select_option", raise_exception=HomeAssistantError("no")
    )
    _add_satellite(hass)
    flow = Flow(hass)
    await flow.start()
    await flow.fill(url=server.url)
    await flow.fill(**AGENT_FORM)
    await flow.fill(new_pipeline=True, satellites=[KITCHEN])
    assert flow.entry.state.name == "LOADED"


async def test_without_voice_assistants_the_wish_is_dropped(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    """Home Assistant may run without them."""
    assert await async_setup_component(hass, "homeassistant", {})
    entry.add_to_hass(hass)
    wish = {CONF_USE_IN_PIPELINES: {"new_pipeline": True, "conversation": AGENT_ID}}
    hass.config_entries.async_update_entry(entry, data={**entry.data, **wish})
    assert await hass.config_entries.async_setup(entry.entry_id)
    assert CONF_USE_IN_PIPELINES not in entry.data


async def test_no_pipeline_may_be_chosen(
    hass: HomeAssistant, server: OllamaServer, pipelines: None, flow: Flow
) -> None:
    """Then all stays as it is."""
    before = async_get_pipelines(hass)
    await flow.fill(url=server.url)
    await flow.fill(**AGENT_FORM)
    await flow.fill(new_pipeline=False)
    assert flow.entry.state.name == "LOADED"
    assert async_get_pipelines(hass) == before


async def test_a_second_pipeline_of_the_same_name_gets_a_number(
    hass: HomeAssistant, server: OllamaServer, pipelines: None, flow: Flow
) -> None:
    """Satellites choose pipelines by name."""
    await flow.fill(url=server.url)
    await flow.fill(**AGENT_FORM | {"name": "Home Assistant"})
    await flow.fill(new_pipeline=True)
    names = [pipeline.name for pipeline in async_get_pipelines(hass)]
    assert names == ["Home Assistant", "Home Assistant 2"]


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("http://127.0.0.1:1", "unreachable"),
        ("nonsense", "invalid_url"),
        ("http://[bad", "invalid_url"),
    ],
)
async def test_a_wrong_address_can_be_put_right(
    hass: HomeAssistant, server: OllamaServer, flow: Flow, url: str, error: str
) -> None:
    """The form comes back with the reason, and goes on with a right one."""
    await flow.fill(url=url)
    assert (flow.step, flow.result["errors"]) == ("user", {"base": error})
    assert flow.suggestion("url") == url
    await flow.fill(url=server.url)
    await flow.fill(**AGENT_FORM)
    assert flow.entry.data["url"] == server.url


@pytest.mark.parametrize(
    ("key", "models", "error"),
    [("secret", [MODEL], "refused"), (None, [""], "bad_answer")],
)
async def test_a_server_that_will_not_do(
    hass: HomeAssistant,
    server: OllamaServer,
    flow: Flow,
    key: str | None,
    models: list[str],
    error: str,
) -> None:
    """A proxy that wants a key, and something that is no Ollama."""
    server.key, server.models = key, models
    await flow.fill(url=server.url)
    assert flow.result["errors"] == {"base": error}
    server.key, server.models = None, [MODEL]
    await flow.fill(url=server.url)
    await flow.fill(**AGENT_FORM)
    assert flow.entry.data["url"] == server.url


async def test_one_may_go_on_without_a_server(
    hass: HomeAssistant, socket_enabled: None, flow: Flow
) -> None:
    """No model yet: the engine's own abilities work all the same."""
    await flow.fill(url="http://127.0.0.1:1")
    await flow.fill(url="nonsense", go_on=True)
    assert flow.result["errors"] == {"base": "invalid_url"}
    await flow.fill(url="http://127.0.0.1:1", go_on=True)
    assert flow.step == "agent"
    assert flow.options_of("model") == []
    form = {key: value for key, value in AGENT_FORM.items() if key != "model"}
    await flow.fill(**form)
    (agent,) = flow.entry.get_subentries_of_type(SUBENTRY_CONVERSATION)
    assert "model" not in agent.data
    assert flow.entry.state.name == "LOADED"


@pytest.mark.parametrize("everyone", [True, False])
async def test_a_household_of_one(
    hass: HomeAssistant, server: OllamaServer, persons: None, flow: Flow, everyone: bool
) -> None:
    """Who lives alone may always be known; it is asked, not assumed."""
    await flow.fill(url=server.url)
    await flow.fill(speakers=["ben"])
    assert flow.step == "everyone"
    assert flow.result["description_placeholders"] == {"name": "Ben"}
    await flow.fill(everyone=everyone)
    await flow.fill(**AGENT_FORM)
    (speaker,) = _speakers(flow.entry)
    expected = speaker.subentry_id if everyone else None
    assert flow.entry.options.get(CONF_EVERYONE_IS) == expected


async def test_nobody_may_be_ticked(
    hass: HomeAssistant, server: OllamaServer, persons: None, flow: Flow
) -> None:
    """Speakers can be added later."""
    await flow.fill(url=server.url)
    await flow.fill(speakers=[])
    await flow.fill(**AGENT_FORM)
    assert _speakers(flow.entry) == []


async def test_a_model_without_tools_can_not_control(
    hass: HomeAssistant, server: OllamaServer, flow: Flow
) -> None:
    """It is said in the form, where it can be mended."""
    await flow.fill(url=server.url)
    await flow.fill(**AGENT_FORM | {"model": TOOLLESS, "llm_hass_api": ["assist"]})
    assert flow.result["errors"] == {"llm_hass_api": "no_tools"}
    await flow.fill(**AGENT_FORM | {"url": "nowhere"})
    assert flow.result["errors"] == {"url": "invalid_url"}
    await flow.fill(**AGENT_FORM | {"llm_hass_api": ["assist"], "url": server.url})
    (agent,) = flow.entry.get_subentries_of_type(SUBENTRY_CONVERSATION)
    assert agent.data["llm_hass_api"] == ["assist"]


async def test_there_is_one_household(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """Everything else is added to it."""
    flow = Flow(hass)
    await flow.start()
    assert flow.result["type"] is FlowResultType.ABORT
    assert flow.result["reason"] == "single_instance_allowed"


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
    cleo = _speakers(household)[-1]
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


def _speakers(entry: ConfigEntry) -> list[Any]:
    return list(entry.get_subentries_of_type(SUBENTRY_SPEAKER))


def _entity_of(hass: HomeAssistant, entry: ConfigEntry) -> str | None:
    (agent,) = entry.get_subentries_of_type(SUBENTRY_CONVERSATION)
    return er.async_get(hass).async_get_entity_id(
        "conversation", DOMAIN, agent.subentry_id
    )


def _add_satellite(hass: HomeAssistant) -> None:
    """Add a satellite whose device has a setting for its pipeline."""
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "kitchen")}
    )
    entities = er.async_get(hass)
    for domain, name, key in (
        ("assist_satellite", "kitchen", None),
        ("select", "kitchen_assistant", "pipeline"),
    ):
        entities.async_get_or_create(
            domain,
            "test",
            name,
            suggested_object_id=name,
            device_id=device.id,
            config_entry=entry,
            translation_key=key,
        )
    hass.states.async_set(KITCHEN, "idle")
