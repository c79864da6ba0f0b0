"""Reminders as a to-do list: another face of the one stored value."""

from dataclasses import replace
from datetime import date, datetime
from typing import override

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.components.homeassistant.exposed_entities import (
    async_expose_entity,
)
from homeassistant.components.todo.const import (
    TodoItemStatus,
    TodoListEntityFeature,
)
from homeassistant.components.todo.entity import TodoItem, TodoListEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.translation import async_get_cached_translations
from homeassistant.util import dt as dt_util, ulid as ulid_util

from .const import DOMAIN, SHOW_NOTHING
from .engine import (
    PendingItem,
    ReminderCancelled,
    ReminderDone,
    ReminderMoved,
    ReminderSet,
    Status,
    TimeKind,
    TimeReading,
    pending,
)
from .entity import AssistMemoryEntity, async_follow_owners
from .household import async_get_household

PARALLEL_UPDATES = 0

_COMPLETED = (Status.DONE, Status.ACKNOWLEDGED)


async def async_setup_entry(
    hass: HomeAssistant,
    entry: ConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Set up the to-do list of the household and of each speaker."""
    household = async_get_household(hass)
    async_follow_owners(
        hass,
        entry,
        async_add_entities,
        lambda owner: [ReminderList(household, entry, owner, "reminders")],
    )


class ReminderList(AssistMemoryEntity, TodoListEntity):
    """An owner's reminders; what is changed here goes the way of what is spoken."""

    _attr_supported_features = (
        TodoListEntityFeature.CREATE_TODO_ITEM
        | TodoListEntityFeature.UPDATE_TODO_ITEM
        | TodoListEntityFeature.DELETE_TODO_ITEM
        | TodoListEntityFeature.SET_DUE_DATE_ON_ITEM
        | TodoListEntityFeature.SET_DUE_DATETIME_ON_ITEM
    )

    @override
    async def async_added_to_hass(self) -> None:
        """Fill the list, and keep it from other agents until the owner allows it."""
        await super().async_added_to_hass()
        self._async_hide_from_agents()
        self._attr_todo_items = self._async_faces()

    @override
    async def async_create_todo_item(self, item: TodoItem) -> None:
        """Set a reminder; without a due time it is only kept. Raises CommitError."""
        now = dt_util.now()
        time = self._time(item.due)
        made = pending.timed(
            PendingItem(
                id=ulid_util.ulid_now(),
                owner=self.owner_id,
                text=pending.bounded(item.summary or ""),
                created=now,
                language=self.hass.config.language,
            ),
            time,
        )
        await self.household.reminders.async_apply_external(
            ReminderSet(item=_seen_if_over(made, now))
        )

    @override
    async def async_update_todo_item(self, item: TodoItem) -> None:
        """Change, complete or reopen a reminder. Raises CommitError.

        Assist completes an item by its name and sends no due time with it: to complete
        never clears one.
        """
        if (before := self.household.reminders.items.get(item.uid or "")) is None:
            return
        now = dt_util.now()
        if item.status == TodoItemStatus.COMPLETED:
            if before.status not in _COMPLETED:
                done = pending.done(before, now)
                await self.household.reminders.async_apply_external(
                    ReminderDone(item=done, before=before)
                )
            return
        after = _seen_if_over(self._changed(before, item), now)
        if after != before:
            await self.household.reminders.async_apply_external(
                ReminderMoved(item=after, before=before)
            )

    @override
    async def async_delete_todo_items(self, uids: list[str]) -> None:
        """Cancel reminders, all of them or none. Raises CommitError."""
        items = self.household.reminders.items
        await self.household.reminders.async_commit(
            tuple(ReminderCancelled(item=items[uid]) for uid in uids if uid in items),
            self.owner_id,
        )

    @callback
    @override
    def _async_refresh(self) -> None:
        self._attr_todo_items = self._async_faces()
        super()._async_refresh()

    @callback
    def _async_hide_from_agents(self) -> None:
        """Hide the list from Assist once; what the owner chooses later stays.

        Home Assistant exposes every to-do list by default, to any agent, also to those
        in the cloud.
        """
        entry = er.async_get(self.hass).async_get(self.entity_id)
        if entry and "should_expose" not in entry.options.get(CONVERSATION_DOMAIN, {}):
            async_expose_entity(
                self.hass, CONVERSATION_DOMAIN, self.entity_id, should_expose=False
            )

    @callback
    def _async_faces(self) -> list[TodoItem]:
        """Return the items in order of their due times, those without one last."""
        items = [
            item
            for item in self.household.reminders.async_items(self.owner_id)
            if item.status is not Status.CANCELLED
        ]
        items.sort(key=lambda item: (item.due is None, item.due or item.created))
        return [
            TodoItem(
                uid=item.id,
                summary=self._summary(item),
                due=_shown_due(item),
                status=TodoItemStatus.COMPLETED
                if item.status in _COMPLETED
                else TodoItemStatus.NEEDS_ACTION,
            )
            for item in items
        ]

    def _summary(self, item: PendingItem) -> str:
        """Return the words, or only the time where the owner shows nothing."""
        if self.owner.show != SHOW_NOTHING or self.owner.is_household:
            return item.text
        translations = async_get_cached_translations(
            self.hass, self.hass.config.language, "common", DOMAIN
        )
        key = "hidden_reminder_at" if item.due else "hidden_reminder"
        hidden = translations[f"component.{DOMAIN}.common.{key}"]
        due = dt_util.as_local(item.due) if item.due else None
        return hidden.format(time=f"{due:%H:%M}" if due else "")

    def _changed(self, before: PendingItem, item: TodoItem) -> PendingItem:
        """Return the reminder with the words, time and status of the list's item."""
        after = before
        if before.status in _COMPLETED:
            after = replace(after, status=Status.PENDING, announced_at=None)
        if item.due != _shown_due(before):
            after = pending.move(after, self._time(item.due))
        # What the list shows in place of the words is no new wording.
        if item.summary and item.summary != self._summary(before):
            after = replace(after, text=pending.bounded(item.summary))
        return after

    def _time(self, due: date | datetime | None) -> TimeReading:
        """Return a due time as if it had been said; a mere day is its morning moment."""
        if due is None:
            return TimeReading()
        if isinstance(due, datetime):
            return TimeReading(kind=TimeKind.INSTANT, due=dt_util.as_local(due))
        zone = dt_util.get_default_time_zone()
        morning = datetime.combine(due, self.household.morning, zone)
        return TimeReading(kind=TimeKind.DATE, due=morning)


def _seen_if_over(item: PendingItem, now: datetime) -> PendingItem:
    """Return an item for a time that is over as said: who entered it has seen it."""
    if item.status is Status.PENDING and pending.is_due(item, now) and not item.rule:
        return pending.announced(item, now)
    return item


def _shown_due(item: PendingItem) -> date | datetime | None:
    if item.due is None:
        return None
    due = dt_util.as_local(item.due)
    return due.date() if item.date_only else due
