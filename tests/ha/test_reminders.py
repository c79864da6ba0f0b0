"""The store of reminders: on the disk before anything is promised, or refused aloud."""

from datetime import timedelta
from typing import Any
from unittest.mock import patch

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.util.file import WriteError
import pytest

from custom_components.assist_memory.engine import (
    ForgetScope,
    Forgotten,
    ReminderCancelled,
    ReminderDone,
    ReminderMoved,
    ReminderSet,
    ReminderSnoozed,
    Status,
    pending,
)
from custom_components.assist_memory.household import CommitError
from tests.ha.home_builders import (
    ANNA,
    BEN,
    STORAGE_KEY,
    household_entry,
    household_reminder,
    on_disk,
    reminder,
    settle,
    start,
    stored,
    watch_events,
)


async def test_it_is_on_the_disk_when_commit_returns(
    hass: HomeAssistant, hass_storage: dict[str, Any]
) -> None:
    """A confirmation after the commit promises nothing that a power cut could undo."""
    household = await start(hass, household_entry())
    item = reminder()
    committed = await household.async_commit((ReminderSet(item=item),), ANNA)
    assert committed == (ReminderSet(item=item),)
    assert on_disk(hass_storage) == {item.id: item}


async def test_a_failed_write_changes_nothing_and_says_so(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    issue_registry: ir.IssueRegistry,
) -> None:
    """What could not be stored did not happen: no item, no event, a repair issue."""
    household = await start(hass, household_entry())
    kept = reminder("water the plants")
    await household.async_commit((ReminderSet(item=kept),), ANNA)
    events = watch_events(hass)
    changes = (
        ReminderSet(item=reminder()),
        ReminderCancelled(item=pending.cancel(kept)),
        Forgotten(scope=ForgetScope.ALL),
    )
    with (
        patch(
            "homeassistant.helpers.storage.Store._async_write_data",
            side_effect=WriteError("disk full"),
        ),
        pytest.raises(CommitError),
    ):
        await household.async_commit(changes, ANNA)
    assert household.reminders.async_items(ANNA) == (kept,)
    assert on_disk(hass_storage) == {kept.id: kept}
    assert events == []
    assert issue_registry.async_get_issue("assist_memory", "reminders_unwritable")
    await household.async_commit((ReminderSet(item=reminder()),), ANNA)
    assert not issue_registry.async_get_issue("assist_memory", "reminders_unwritable")


async def test_a_real_disk_that_refuses_is_noticed(hass: HomeAssistant) -> None:
    """The error of the file system reaches the caller through Home Assistant's store."""
    household = await start(hass, household_entry())
    with (
        patch(
            "homeassistant.helpers.storage.Store._async_write_data",
            side_effect=OSError("no space left"),
        ),
        pytest.raises(CommitError),
    ):
        await household.async_commit((ReminderSet(item=reminder()),), ANNA)
    assert not household.reminders.items


@pytest.mark.parametrize(
    "data",
    [
        pytest.param({"version": 9, "minor_version": 1, "data": {}}, id="newer"),
        pytest.param(
            {"version": 1, "minor_version": 1, "data": {"items": [{"version": 1}]}},
            id="damaged item",
        ),
        pytest.param(
            {"version": 1, "minor_version": 1, "data": {"items": 3}}, id="no list"
        ),
        pytest.param({"version": 1, "minor_version": 1, "data": [1]}, id="no mapping"),
    ],
)
async def test_a_file_that_cannot_be_read_is_never_overwritten(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    issue_registry: ir.IssueRegistry,
    data: dict[str, Any],
) -> None:
    """The promise in it may still be saved by a person, who is told."""
    hass_storage[STORAGE_KEY] = {"key": STORAGE_KEY, **data}
    before = repr(hass_storage[STORAGE_KEY])
    household = await start(hass, household_entry())
    assert issue_registry.async_get_issue("assist_memory", "reminders_unreadable")
    with pytest.raises(CommitError):
        await household.async_commit((ReminderSet(item=reminder()),), ANNA)
    assert repr(hass_storage[STORAGE_KEY]) == before


async def test_a_file_that_was_mended_is_read_at_reload(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    issue_registry: ir.IssueRegistry,
) -> None:
    """After the repair the issue is gone and the reminders are back."""
    hass_storage[STORAGE_KEY] = {"key": STORAGE_KEY, "version": 9, "data": {}}
    entry = household_entry()
    household = await start(hass, entry)
    item = reminder()
    hass_storage.update(stored(item))
    await hass.config_entries.async_reload(entry.entry_id)
    await settle(hass)
    assert household.reminders.async_items(ANNA) == (item,)
    assert not issue_registry.async_get_issue("assist_memory", "reminders_unreadable")


async def test_a_change_of_what_is_gone_or_another_persons_does_not_come_true(
    hass: HomeAssistant,
) -> None:
    """Ben cannot cancel, move, finish or snooze a reminder of Anna's."""
    household = await start(hass, household_entry())
    item = reminder()
    await household.async_commit((ReminderSet(item=item),), ANNA)
    for change in (
        ReminderCancelled(item=item),
        ReminderMoved(item=item, before=item),
        ReminderDone(item=item, before=item),
        ReminderSnoozed(item=item, before=item),
        ReminderCancelled(item=reminder("nothing of the kind")),
    ):
        assert await household.async_commit((change,), BEN) == ()
    assert household.reminders.async_items(ANNA) == (item,)


async def test_everybody_may_change_what_belongs_to_the_household(
    hass: HomeAssistant,
) -> None:
    """Anna cancels the household's reminder."""
    household = await start(hass, household_entry())
    item = household_reminder()
    await household.async_commit((ReminderSet(item=item),), item.owner)
    change = ReminderCancelled(item=item)
    assert await household.async_commit((change,), ANNA) == (change,)
    assert not household.reminders.items


async def test_what_is_over_for_a_month_is_let_go(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    """A finished reminder can be seen for thirty days; an undated one stays."""
    household = await start(hass, household_entry())
    finished = reminder("finished", status=Status.DONE)
    undated = reminder("undated", due=None)
    changes = (ReminderSet(item=finished), ReminderSet(item=undated))
    await household.async_commit(changes, ANNA)
    freezer.tick(timedelta(days=31))
    new = reminder("new")
    await household.async_commit((ReminderSet(item=new),), ANNA)
    assert set(household.reminders.items) == {undated.id, new.id}


async def test_removing_the_entry_deletes_the_file(
    hass: HomeAssistant, hass_storage: dict[str, Any]
) -> None:
    """Nothing of the household stays behind."""
    entry = household_entry()
    household = await start(hass, entry)
    await household.async_commit((ReminderSet(item=reminder()),), ANNA)
    await hass.config_entries.async_remove(entry.entry_id)
    await settle(hass)
    assert STORAGE_KEY not in hass_storage
