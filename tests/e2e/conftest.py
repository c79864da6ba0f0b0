"""A booted home for all end-to-end tests, with a model server of our own."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
import signal
import sys

import pytest
import pytest_asyncio

from tests.e2e.harness.client import Client
from tests.e2e.harness.house import BUSY_SWITCH, House, open_house
from tests.e2e.harness.install import Installed, change_speaker, install
from tests.e2e.harness.log_check import faults
from tests.e2e.harness.memory_view import MemoryView, view
from tests.e2e.harness.talk import Talk
from tests.ollama_server import MODEL, Answer, OllamaServer

type StartTalk = Callable[..., Talk]


def pytest_configure() -> None:
    """Let a request to end close the home too: pytest itself would just be gone."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run all tests in the loop of the home: booting one for each would take minutes."""
    marker = pytest.mark.asyncio(loop_scope="session")
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(marker, append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def ollama() -> AsyncIterator[OllamaServer]:
    """Return the model server; it says the same to everything that is not scripted."""
    server = await OllamaServer(default=Answer(chunks=("All ", "right", "."))).start()
    yield server
    await server.stop()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def house() -> AsyncIterator[House]:
    """Return a booted home; at its end its log must be clean."""
    async with open_house(lambda text: print(text, file=sys.stderr)) as home:  # noqa: T201
        yield home
        assert faults(home.process.log()) == []


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def installed(house: House, ollama: OllamaServer) -> Installed:
    """Return the integration, set up through its config flow; the agent has tools."""
    made = await install(
        house, url=ollama.url, model=MODEL, agent={"llm_hass_api": ["assist"]}
    )
    for name in (house.anna.name, house.li_ming.name):
        await change_speaker(house.anna, made, name, show="everything")
    return made


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def clean_start(house: House, installed: Installed, ollama: OllamaServer) -> None:
    """Let every test begin with nothing remembered, nothing said and idle satellites."""
    ollama.script.clear()
    ollama.bodies.clear()
    for name in (house.anna.name, house.li_ming.name):
        ids = (await view(house.anna, installed.subentries[name])).entities
        await house.anna.call("button.press", {"entity_id": ids["forget_everything"]})
    for satellite in BUSY_SWITCH:
        await house.set_busy(satellite, busy=False)


@pytest.fixture
def talk(house: House, installed: Installed) -> StartTalk:
    """Return a function that begins a conversation, Anna's in English unless said otherwise."""

    def start(
        person: Client | None = None,
        *,
        language: str = "en",
        agent: str = installed.agent,
    ) -> Talk:
        return Talk(person or house.anna, agent, language)

    return start


@pytest.fixture
def memory(house: House, installed: Installed) -> Callable[[], object]:
    """Return a function that gives what can be seen of Anna's memory now."""

    async def look() -> MemoryView:
        return await view(house.anna, installed.subentries[house.anna.name])

    return look
