"""Who is speaking: signal before guess, and nobody rather than the wrong one."""

from typing import Any

from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.assist_memory.const import (
    CONF_EVERYONE_IS,
    CONF_PERSON,
    CONF_SATELLITES,
    DOMAIN,
    SUBENTRY_SPEAKER,
)
from custom_components.assist_memory.speakers import Evidence, Speaking, async_identify
from tests.ha.conftest import ANNA, BEN, KITCHEN


class Home:
    """A house with users, persons and speakers."""

    def __init__(self, hass: HomeAssistant, entry: MockConfigEntry) -> None:
        self.hass = hass
        self.entry = entry
        self.users: dict[str, User] = {}

    async def speaking(
        self, user: str | None = None, satellite: str | None = None, **more: Any
    ) -> Speaking:
        """Return who is taken to speak, and how that is known."""
        user_id = self.users[user].id if user else None
        evidence = Evidence(
            conversation_id="talk", user_id=user_id, satellite_id=satellite, **more
        )
        return await async_identify(self.hass, self.entry, evidence)

    async def speaker(
        self, user: str | None = None, satellite: str | None = None, **more: Any
    ) -> str | None:
        """Return the id of who is taken to speak."""
        return (await self.speaking(user, satellite, **more)).speaker

    def options(self, **options: Any) -> None:
        """Set options of the household."""
        self.hass.config_entries.async_update_entry(self.entry, options=options)

    def everyone_is(self, speaker: str) -> None:
        """Set the household's option."""
        self.options(**{CONF_EVERYONE_IS: speaker})


@pytest.fixture
async def home(hass: HomeAssistant) -> Home:
    """Return a house: Anna, Ben and Carl have accounts, the first two are speakers."""
    speakers = [
        {
            "data": {CONF_PERSON: person, CONF_SATELLITES: satellites},
            "subentry_id": speaker_id,
            "subentry_type": SUBENTRY_SPEAKER,
            "title": person,
            "unique_id": None,
        }
        for speaker_id, person, satellites in (
            (ANNA, "anna", [KITCHEN]),
            (BEN, "ben", []),
        )
    ]
    entry = MockConfigEntry(domain=DOMAIN, subentries_data=speakers)
    entry.add_to_hass(hass)
    home = Home(hass, entry)
    for name in ("anna", "ben", "carl", "tablet"):
        home.users[name] = await hass.auth.async_create_user(
            name, group_ids=[GROUP_ID_USER]
        )
    home.users["voip"] = await hass.auth.async_create_system_user("VoIP")
    persons = [
        {"id": name, "name": name, "user_id": home.users[name].id}
        for name in ("anna", "ben", "carl")
    ]
    assert await async_setup_component(hass, "person", {"person": persons})
    await hass.async_block_till_done()
    return home


@pytest.mark.parametrize(
    ("user", "satellite", "speaker"),
    [
        ("anna", None, ANNA),
        ("ben", None, BEN),
        ("ben", KITCHEN, ANNA),
        ("ben", "assist_satellite.hall", None),
        ("carl", None, None),
        ("carl", KITCHEN, ANNA),
        ("tablet", None, None),
        ("tablet", KITCHEN, ANNA),
        ("voip", None, None),
        ("voip", KITCHEN, ANNA),
        (None, KITCHEN, ANNA),
        (None, "assist_satellite.hall", None),
        (None, None, None),
    ],
)
async def test_the_ladder(
    home: Home, user: str | None, satellite: str | None, speaker: str | None
) -> None:
    """A signed-in person, then the satellite's default; system users are nobody.

    What is said at a satellite is nobody's by an account that comes along: it may be
    left over from an action that somebody else has called.
    """
    assert await home.speaker(user, satellite) == speaker


@pytest.mark.parametrize(
    ("user", "satellite", "speaker"),
    [
        (None, None, BEN),
        ("tablet", None, BEN),
        ("voip", None, BEN),
        ("anna", None, ANNA),
        (None, KITCHEN, ANNA),
        ("carl", None, None),
    ],
)
async def test_everyone_is(
    home: Home, user: str | None, satellite: str | None, speaker: str | None
) -> None:
    """It fills the gap, but whoever is signed in as somebody else stays that."""
    home.everyone_is(BEN)
    assert await home.speaker(user, satellite) == speaker


async def test_a_speaker_who_is_gone_is_nobody(home: Home) -> None:
    """The option may outlive the speaker."""
    home.everyone_is("long-gone")
    assert await home.speaker() is None


async def test_a_user_who_is_gone_is_nobody(home: Home) -> None:
    """A context may outlive its user."""
    await home.hass.auth.async_remove_user(home.users["ben"])
    assert await home.speaker("ben") is None
