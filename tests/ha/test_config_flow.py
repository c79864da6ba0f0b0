"""The flow from nothing to a household, and every error on the way that can be mended."""

from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
)

from custom_components.assist_memory.const import (
    CONF_EVERYONE_IS,
    CONF_NUM_CTX,
    CONF_PERSON,
    SUBENTRY_CONVERSATION,
    SUBENTRY_SPEAKER,
)
from tests.ha.flow_steps import AGENT_FORM, Flow, speakers_of, titles
from tests.ollama_server import MODEL, TOOLLESS, OllamaServer


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
    assert [speaker.data[CONF_PERSON] for speaker in speakers_of(entry)] == [
        "anna",
        "ben",
    ]


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
    (speaker,) = speakers_of(flow.entry)
    expected = speaker.subentry_id if everyone else None
    assert flow.entry.options.get(CONF_EVERYONE_IS) == expected


async def test_nobody_may_be_ticked(
    hass: HomeAssistant, server: OllamaServer, persons: None, flow: Flow
) -> None:
    """Speakers can be added later."""
    await flow.fill(url=server.url)
    await flow.fill(speakers=[])
    await flow.fill(**AGENT_FORM)
    assert speakers_of(flow.entry) == []


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
