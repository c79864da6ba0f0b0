"""Who is speaking: signal before guess, and nobody rather than the wrong one."""

from datetime import timedelta
from typing import Any

from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.assist_memory.const import (
    CONF_EVERYONE_IS,
    CONF_GUEST_MODE,
    CONF_PERSON,
    CONF_SATELLITES,
    CONF_SHARED_USERS,
    CONF_TRUST_NAMES,
    DOMAIN,
    SUBENTRY_SPEAKER,
)
from custom_components.assist_memory.household import async_get_household
from custom_components.assist_memory.presence import MAX_STATED, Presence, Voice
from custom_components.assist_memory.speakers import (
    SATELLITE,
    Evidence,
    Rung,
    Speaking,
    async_identify,
)
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
        ("anna", KITCHEN, ANNA),
        ("ben", KITCHEN, None),
        ("ben", "assist_satellite.hall", None),
        ("carl", None, None),
        ("carl", KITCHEN, None),
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
    left over from an action that somebody else has called, or the satellite may be made up.
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


async def test_a_shared_account_is_nobody_in_particular(home: Home) -> None:
    """Whoever uses it; a satellite's default and "everyone is" come after it."""
    home.options(**{CONF_SHARED_USERS: [home.users["anna"].id]})
    assert await home.speaker("anna") is None
    assert await home.speaker("anna", KITCHEN) == ANNA
    assert await home.speaker("ben") == BEN


async def test_the_agents_own_speaker(home: Home) -> None:
    """After the satellite's default, before "everyone is"; one who is gone is nobody."""
    home.everyone_is(ANNA)
    hall = "assist_satellite.hall"
    assert await home.speaker(None, hall, agent_speaker=BEN) == BEN
    assert await home.speaker(None, KITCHEN, agent_speaker=BEN) == ANNA
    assert await home.speaker(None, hall, agent_speaker="long-gone") == ANNA


async def test_a_device_with_a_satellite_is_that_satellite(home: Home) -> None:
    """Some ways to the agent tell the device alone; a phone is no satellite."""
    home.entry.mock_state(home.hass, ConfigEntryState.LOADED)
    devices = dr.async_get(home.hass)
    made = [
        devices.async_get_or_create(
            config_entry_id=home.entry.entry_id, identifiers={("test", name)}
        )
        for name in ("kitchen", "phone")
    ]
    er.async_get(home.hass).async_get_or_create(
        SATELLITE, "test", "1", suggested_object_id="kitchen", device_id=made[0].id
    )
    assert await home.speaker(device_id=made[0].id) == ANNA
    assert await home.speaker("ben", device_id=made[0].id) is None
    assert await home.speaker("ben", device_id=made[1].id) == BEN


@pytest.mark.parametrize(
    ("user", "satellite", "name", "speaker", "by_word"),
    [
        (None, None, "ben", BEN, True),
        (None, KITCHEN, "ben", BEN, True),
        ("voip", "assist_satellite.hall", "anna", ANNA, True),
        ("anna", None, "ben", ANNA, False),
        (None, KITCHEN, "carl", None, False),
        (None, None, "an", None, False),
    ],
)
async def test_a_stated_name(
    home: Home,
    user: str | None,
    satellite: str | None,
    name: str,
    speaker: str | None,
    by_word: bool,
) -> None:
    """It counts where nobody is signed in; whoever is no speaker is nobody known."""
    said = await home.speaking(user, satellite, stated_name=name)
    assert (said.speaker, said.by_word) == (speaker, by_word)
    again = await home.speaking(user, satellite)
    assert again.speaker == speaker


async def test_a_stated_name_is_for_its_talk_and_satellite(home: Home) -> None:
    """Elsewhere and in the next talk it counts for nothing."""
    hall = "assist_satellite.hall"
    assert await home.speaker(None, hall, stated_name="ben") == BEN
    assert await home.speaker(None, "assist_satellite.attic") is None
    assert await home.speaker(None, KITCHEN) == ANNA
    async_get_household(home.hass).presence.end_conversation("talk")
    assert await home.speaker(None, hall) is None


async def test_a_name_may_be_enough(home: Home) -> None:
    """With the option: then a name is as good as an account."""
    home.options(**{CONF_TRUST_NAMES: True})
    said = await home.speaking(stated_name="ben")
    assert (said.speaker, said.by_word, said.rung) == (BEN, False, "stated")


async def test_guests_are_never_guessed(home: Home) -> None:
    """Neither by satellite, agent nor option; who is signed in is known."""
    home.options(**{CONF_GUEST_MODE: True, CONF_EVERYONE_IS: BEN})
    assert await home.speaker(None, KITCHEN, agent_speaker=BEN) is None
    assert await home.speaker("anna") == ANNA


async def test_each_rung_is_counted_by_its_code(home: Home) -> None:
    """For diagnostics: codes, nobody's name."""
    voice = Voice(speaker=BEN, expires=dt_util.utcnow() + timedelta(minutes=1))
    presence = async_get_household(home.hass).presence
    presence.hear_voice("assist_satellite.attic", voice)
    await home.speaker(None, "assist_satellite.attic")
    await home.speaker("anna")
    await home.speaker(None, "assist_satellite.hall", stated_name="ben")
    await home.speaker(None, KITCHEN)
    await home.speaker(agent_speaker=BEN)
    await home.speaker()
    home.everyone_is(ANNA)
    await home.speaker()
    assert presence.rungs == dict.fromkeys(Rung, 1)


async def test_so_many_stated_names_and_no_more(home: Home) -> None:
    """Talks that never end do not fill the memory."""
    presence = Presence()
    for number in range(MAX_STATED + 5):
        presence.state_name((f"talk{number}", None), BEN)
    assert presence.stated(("talk0", None)) is None
    assert presence.stated((f"talk{MAX_STATED + 4}", None)) == BEN
    presence.forget_speaker(BEN)
    assert not presence.is_stated((f"talk{MAX_STATED + 4}", None))
