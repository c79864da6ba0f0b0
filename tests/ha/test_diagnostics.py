"""Diagnostics help to find a fault and may be posted in public."""

import json

from homeassistant.core import HomeAssistant
from homeassistant.helpers.json import ExtendedJSONEncoder

from custom_components.assist_memory.diagnostics import (
    async_get_config_entry_diagnostics,
)
from custom_components.assist_memory.engine import ReminderSet
from tests.ha.home_builders import ANNA, hear, household_entry, reminder, start


async def test_counts_and_sizes_and_no_word(hass: HomeAssistant) -> None:
    """What was said, names and addresses are nowhere in it."""
    entry = household_entry(everyone_is=ANNA)
    household = await start(hass, entry)
    hear(household, ANNA, "my xylophone lessons are on Friday")
    item = reminder("tune the xylophone")
    await household.async_commit((ReminderSet(item=item),), ANNA)
    found = await async_get_config_entry_diagnostics(hass, entry)
    text = json.dumps(found, cls=ExtendedJSONEncoder)
    assert [w for w in ("xylophone", "Anna", "127.0.0.1", ANNA) if w in text] == []
    assert found["reminders"]["status"] == {"pending": 1}
    assert found["memories"][0]["rounds"] == 1
    assert "reminders" in found["stores"]
    assert found["options"]["everyone_is"] is True
