"""The config flow over REST, as a person goes through it."""

from tests.e2e.harness.flows import ENTRY_FLOWS, offered, suggested
from tests.e2e.harness.house import House
from tests.e2e.harness.install import DOMAIN, Installed
from tests.e2e.harness.pipelines import agent_of
from tests.e2e.harness.places import LOOPBACK, free_port
from tests.ollama_server import MODEL, OllamaServer


async def test_flow_asks_for_server_persons_agent_and_pipelines(
    installed: Installed,
) -> None:
    """The flow shows its four steps, none of them with an error."""
    assert [form["step_id"] for form in installed.forms] == [
        "user",
        "speakers",
        "agent",
        "pipeline",
    ]
    assert not any(form["errors"] for form in installed.forms)


async def test_both_persons_come_ticked(house: House, installed: Installed) -> None:
    """All persons of Home Assistant are suggested as speakers."""
    form = installed.forms[1]
    assert suggested(form)["speakers"] == offered(form, "speakers")
    assert {house.anna.name, house.li_ming.name} < set(installed.subentries)


async def test_models_of_the_server_are_offered(
    installed: Installed, ollama: OllamaServer
) -> None:
    """The agent's form lists what the server has, and suggests the first."""
    assert offered(installed.forms[2], "model") == ollama.models
    assert suggested(installed.forms[2])["model"] == MODEL


async def test_chosen_pipelines_use_the_agent(
    house: House, installed: Installed
) -> None:
    """The last step puts the agent into the pipelines that were ticked."""
    for pipeline in house.pipelines.values():
        assert await agent_of(house.anna, pipeline) == installed.agent


async def test_there_is_only_one_household(house: House, installed: Installed) -> None:
    """The integration cannot be added twice."""
    second = await house.anna.post(ENTRY_FLOWS, {"handler": DOMAIN})
    assert second["type"] == "abort"
    assert second["reason"] == "single_instance_allowed"


async def test_reconfigure_offers_to_go_on_without_a_server(
    house: House, installed: Installed
) -> None:
    """A server that does not answer is told, and may be passed over."""
    dead = f"http://{LOOPBACK}:{free_port()}"
    form = await house.anna.post(
        ENTRY_FLOWS, {"handler": DOMAIN, "entry_id": installed.entry}
    )
    assert form["step_id"] == "reconfigure"
    path = f"{ENTRY_FLOWS}/{form['flow_id']}"
    refused = await house.anna.post(path, {"url": dead})
    await house.anna.delete(path)
    assert refused["errors"] == {"base": "unreachable"}
    assert "go_on" in [field["name"] for field in refused["data_schema"]]
