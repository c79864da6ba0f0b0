"""Set-up, reload, removal: no server is asked, and nothing is left behind."""

from collections.abc import Mapping
import json
from pathlib import Path
from typing import Any

from homeassistant.components.conversation import async_get_agent_info
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
)
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    get_system_health_info,
)

from custom_components.assist_memory.const import DOMAIN
from custom_components.assist_memory.engine import HomeArea, HomePerson
from custom_components.assist_memory.flow_schemas import SERVER_ERRORS
from custom_components.assist_memory.home import MAX_NAMES, HomeReader
from custom_components.assist_memory.household import (
    DATA_HOUSEHOLD,
    async_get_household,
)
from custom_components.assist_memory.system_health import async_info
from custom_components.assist_memory.transcript import DATA_TRANSCRIPTS
from tests.ha.conftest import AGENT, AGENT_ID, ANNA, BEN, Talk
from tests.ollama_server import OllamaServer

TRANSLATIONS = Path(__file__).parents[2] / "custom_components" / DOMAIN / "translations"


async def test_set_up_asks_no_server(
    household: MockConfigEntry, server: OllamaServer
) -> None:
    """Whatever Ollama does, everything else is there."""
    assert household.state is ConfigEntryState.LOADED
    assert server.requests == []


async def test_the_agent_is_a_streaming_one(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """It can be chosen in a pipeline, for any language."""
    info = async_get_agent_info(hass, AGENT)
    assert info is not None
    assert info.supports_streaming


def listeners(hass: HomeAssistant) -> dict[str, int]:
    """Return how many listen to each event, but for the registries' delayed writes, which come and go by the clock."""
    return {
        str(event): count
        for event, count in hass.bus.async_listeners().items()
        if event != EVENT_HOMEASSISTANT_FINAL_WRITE
    }


async def test_twenty_reloads_leave_nothing_behind(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """Every listener is released by the entry, and what is remembered stays."""
    kept = async_get_household(hass)
    before = listeners(hass)
    for _ in range(20):
        assert await hass.config_entries.async_reload(household.entry_id)
        await hass.async_block_till_done()
    assert listeners(hass) == before
    assert len(household.update_listeners) == 1
    assert async_get_household(hass) is kept


async def test_unload(hass: HomeAssistant, household: MockConfigEntry) -> None:
    """The agent is away while the entry is, and comes back."""
    assert await hass.config_entries.async_unload(household.entry_id)
    await hass.async_block_till_done()
    state = hass.states.get(AGENT)
    assert state is not None
    assert state.state == "unavailable"
    assert await hass.config_entries.async_setup(household.entry_id)


async def test_removal_deletes_everything(
    hass: HomeAssistant,
    household: MockConfigEntry,
    talk: Talk,
    hass_storage: dict[str, Any],
) -> None:
    """Memory, what was sent, and the file of reminders."""
    await talk.say("Remind me tomorrow at 10 am to water the plants")
    assert any(key.startswith(DOMAIN) for key in hass_storage)
    assert await hass.config_entries.async_remove(household.entry_id)
    await hass.async_block_till_done()
    assert not any(key.startswith(DOMAIN) for key in hass_storage)
    assert DATA_HOUSEHOLD not in hass.data
    assert DATA_TRANSCRIPTS not in hass.data


async def test_a_removed_agent_leaves_no_device(
    hass: HomeAssistant, household: MockConfigEntry
) -> None:
    """Its entity goes, too; the others stay."""
    assert (DOMAIN, AGENT_ID) in _devices(hass, household)
    hass.config_entries.async_remove_subentry(household, AGENT_ID)
    await hass.async_block_till_done()
    assert (DOMAIN, AGENT_ID) not in _devices(hass, household)
    assert (DOMAIN, ANNA) in _devices(hass, household)
    assert hass.states.get(AGENT) is None
    assert household.state is ConfigEntryState.LOADED


async def test_system_health(
    hass: HomeAssistant, household: MockConfigEntry, server: OllamaServer
) -> None:
    """The system page shows whether the server answers."""
    assert await async_setup_component(hass, "system_health", {})
    await hass.async_block_till_done()
    info: Mapping[str, Any] = await get_system_health_info(hass, DOMAIN)
    assert await info["server"] == "ok"
    assert (info["agents"], info["speakers"]) == (1, 2)


async def test_system_health_without_a_household(hass: HomeAssistant) -> None:
    """It may have been removed while the page is open."""
    assert await async_info(hass) == {}


class TestHome:
    """The names of the home, as the engine gets them."""

    @pytest.fixture
    def reader(self, hass: HomeAssistant, household: MockConfigEntry) -> HomeReader:
        """Return what reads them."""
        reader: HomeReader = household.runtime_data.home
        return reader

    async def test_it_knows_rooms_persons_and_what_is_exposed(
        self, hass: HomeAssistant, reader: HomeReader
    ) -> None:
        """With other names, and with the room that a device stands in."""
        fr.async_get(hass).async_create("Upstairs", aliases={"top floor"})
        kitchen = ar.async_get(hass).async_create("Kitchen", aliases={"galley", "bay"})
        entities = er.async_get(hass)
        entry = MockConfigEntry(domain="test")
        entry.add_to_hass(hass)
        device = dr.async_get(hass).async_get_or_create(
            config_entry_id=entry.entry_id, identifiers={("test", "lamp")}
        )
        dr.async_get(hass).async_update_device(device.id, area_id=kitchen.id)
        lamp = entities.async_get_or_create(
            "light", "test", "1", device_id=device.id, config_entry=entry
        )
        entities.async_update_entity(lamp.entity_id, aliases=["torch"])
        hass.states.async_set(lamp.entity_id, "on", {"friendly_name": "Lamp"})
        fan = entities.async_get_or_create("fan", "test", "2")
        entities.async_update_entity(fan.entity_id, area_id=kitchen.id)
        hass.states.async_set(fan.entity_id, "on", {"friendly_name": "Fan"})
        hass.states.async_set("sensor.hidden", "1")
        hass.states.async_set("person.anna", "home", {"friendly_name": "Anna"})
        await hass.async_block_till_done()

        home = reader.async_home()
        found = {entity.id: entity for entity in home.entities}
        assert found[lamp.entity_id].aliases == ("torch",)
        assert found[lamp.entity_id].area == kitchen.id
        assert found[fan.entity_id].area == kitchen.id
        assert "sensor.hidden" not in found
        assert home.areas == (
            HomeArea(id=kitchen.id, name="Kitchen", aliases=("bay", "galley")),
            HomeArea(id="upstairs", name="Upstairs", aliases=("top floor",)),
        )
        assert home.persons == (
            HomePerson(id="person.anna", name="Anna"),
            HomePerson(id=BEN, name="Ben"),
        )

    async def test_it_is_read_again_when_names_change(
        self, hass: HomeAssistant, reader: HomeReader, household: MockConfigEntry
    ) -> None:
        """And not before."""
        first = reader.async_home()
        assert reader.async_home() is first
        ar.async_get(hass).async_create("Cellar")
        await hass.async_block_till_done()
        assert [area.name for area in reader.async_home().areas] == ["Cellar"]
        hass.config_entries.async_update_subentry(
            household, household.subentries[ANNA], title="Annie"
        )
        await hass.async_block_till_done()
        assert "Annie" in [person.name for person in reader.async_home().persons]

    async def test_a_large_home_is_cut(
        self, hass: HomeAssistant, reader: HomeReader
    ) -> None:
        """A sentence stays quick to read."""
        for number in range(MAX_NAMES + 20):
            hass.states.async_set(f"light.lamp_{number}", "on")
        assert len(reader.async_home().entities) == MAX_NAMES


@pytest.mark.parametrize("language", ["zh-Hans"])
def test_translations_are_complete(language: str) -> None:
    """The same keys and placeholders in every language, and no empty text."""
    english = _texts(json.loads((TRANSLATIONS / "en.json").read_text()))
    other = _texts(json.loads((TRANSLATIONS / f"{language}.json").read_text()))
    assert other.keys() == english.keys()
    assert all(other.values())
    for key, text in english.items():
        assert _placeholders(other[key]) == _placeholders(text), key


def test_every_error_of_the_flows_has_a_text() -> None:
    """What the code names is in the translations, and nothing else is."""
    english = json.loads((TRANSLATIONS / "en.json").read_text())
    agent = {"invalid_url", "no_tools"}
    assert english["config"]["error"].keys() == {*SERVER_ERRORS, "bad_answer", *agent}
    kinds = english["config_subentries"]
    assert kinds["conversation"]["error"].keys() == agent
    assert kinds["speaker"]["error"].keys() == {"satellite_taken"}


def test_every_field_is_explained() -> None:
    """Each field of a form has a name and a sentence."""
    english = json.loads((TRANSLATIONS / "en.json").read_text())
    steps = [
        *english["config"]["step"].values(),
        *english["options"]["step"].values(),
        *(
            step
            for kind in english["config_subentries"].values()
            for step in kind["step"].values()
        ),
    ]
    assert len(steps) >= 10
    for step in steps:
        assert step["data"].keys() == step["data_description"].keys()


def _devices(hass: HomeAssistant, entry: MockConfigEntry) -> set[tuple[str, str]]:
    devices = dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)
    return {identifier for device in devices for identifier in device.identifiers}


def _texts(tree: Any, path: str = "") -> dict[str, str]:
    if isinstance(tree, str):
        return {path: tree}
    return {
        key: text
        for name, branch in tree.items()
        for key, text in _texts(branch, f"{path}.{name}").items()
    }


def _placeholders(text: str) -> set[str]:
    return {part.partition("}")[0] for part in text.split("{")[1:]}
