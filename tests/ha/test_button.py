"""The button that forgets everything of its owner, and of nobody else."""

from unittest.mock import patch

from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.util.file import WriteError
import pytest

from custom_components.assist_memory.engine import HOUSEHOLD, ReminderSet
from custom_components.assist_memory.household import Household
from tests.ha.home_builders import (
    ANNA,
    BEN,
    entity_of,
    hear,
    household_entry,
    household_reminder,
    reminder,
    start,
)

SENTENCE = "I take amlodipine once a day"


@pytest.fixture
async def household(hass: HomeAssistant) -> Household:
    """Return a household where everybody has something to forget."""
    household = await start(hass, household_entry())
    for owner in (ANNA, BEN):
        hear(household, owner, SENTENCE)
        item = reminder(f"call {owner}", owner=owner)
        await household.async_commit((ReminderSet(item=item),), owner)
    hear(household, None, SENTENCE)
    await household.async_commit((ReminderSet(item=household_reminder()),), HOUSEHOLD)
    return household


async def press(hass: HomeAssistant, prefix: str) -> None:
    """Press an owner's button."""
    entity_id = entity_of(hass, "button", f"{prefix}_forget_everything")
    await hass.services.async_call(
        "button", "press", {"entity_id": entity_id}, blocking=True
    )


def left(household: Household) -> dict[str, int]:
    """Return how much each owner still has."""
    return {
        owner: len(household.reminders.async_items(owner))
        + len(household.memory_of(speaker, "talk").entity_map)
        for owner, speaker in ((ANNA, ANNA), (BEN, BEN), (HOUSEHOLD, None))
    }


@pytest.mark.parametrize(
    ("prefix", "owner"), [(ANNA, ANNA), ("entry0_household", HOUSEHOLD)]
)
async def test_it_forgets_its_owner(
    hass: HomeAssistant, household: Household, prefix: str, owner: str
) -> None:
    """Reminders and memory are gone; the others have what they had."""
    before = left(household)
    await press(hass, prefix)
    assert left(household) == before | {owner: 0}
    assert before[owner] > 1


async def test_it_is_a_matter_of_configuration(
    hass: HomeAssistant, household: Household
) -> None:
    """So that it is not among the things that are switched in a room."""
    entity_id = entity_of(hass, "button", f"{ANNA}_forget_everything")
    entry = er.async_get(hass).async_get(entity_id)
    assert entry is not None
    assert entry.entity_category is EntityCategory.CONFIG


async def test_what_cannot_be_deleted_from_the_disk_is_not_said_to_be(
    hass: HomeAssistant, household: Household
) -> None:
    """The press fails with an error, and nothing is half forgotten."""
    before = left(household)
    with (
        patch(
            "homeassistant.helpers.storage.Store._async_write_data",
            side_effect=WriteError("disk full"),
        ),
        pytest.raises(HomeAssistantError),
    ):
        await press(hass, ANNA)
    assert left(household) == before
