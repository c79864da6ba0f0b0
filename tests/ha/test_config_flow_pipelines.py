"""The last step of the flow: which voice assistants and satellites use the agent."""

from homeassistant.components.assist_pipeline import async_get_pipelines
from homeassistant.components.assist_pipeline.pipeline import async_get_pipeline
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_mock_service,
)

from custom_components.assist_memory.const import (
    CONF_USE_IN_PIPELINES,
    DOMAIN,
    SUBENTRY_CONVERSATION,
)
from tests.ha.conftest import AGENT_ID, KITCHEN
from tests.ha.flow_steps import AGENT_FORM, Flow
from tests.ollama_server import OllamaServer


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
