"""Who owns what: the speakers of the entry and the household beside them."""

from dataclasses import dataclass

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import callback

from .const import (
    CONF_LASTS,
    CONF_SATELLITES,
    CONF_SHOW,
    DEFAULT_LASTS,
    DEFAULT_SHOW,
    SHOW_REMINDERS,
    SUBENTRY_SPEAKER,
)
from .engine import HOUSEHOLD


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """A speaker, or the household, with what it chose."""

    id: str
    """The speaker's subentry id, or HOUSEHOLD."""
    name: str
    """Empty for the household."""
    show: str = SHOW_REMINDERS
    """What the owner's entities may show to every account of the house."""
    lasts: str = DEFAULT_LASTS
    """How long working memory lasts."""
    satellites: tuple[str, ...] = ()
    """Entity ids of the satellites whose default speaker this is."""

    @property
    def is_household(self) -> bool:
        """Tell whether this is nobody in particular."""
        return self.id == HOUSEHOLD


@callback
def async_speakers(entry: ConfigEntry) -> dict[str, Owner]:
    """Return the speakers of the entry, by id."""
    return {
        subentry.subentry_id: _speaker(subentry)
        for subentry in entry.subentries.values()
        if subentry.subentry_type == SUBENTRY_SPEAKER
    }


@callback
def async_owner(entry: ConfigEntry | None, owner_id: str) -> Owner:
    """Return an owner; one that the entry does not know (any more) counts as nameless."""
    speakers = async_speakers(entry) if entry else {}
    return speakers.get(owner_id) or Owner(id=owner_id, name="")


def _speaker(subentry: ConfigSubentry) -> Owner:
    return Owner(
        id=subentry.subentry_id,
        name=subentry.title,
        show=subentry.data.get(CONF_SHOW, DEFAULT_SHOW),
        lasts=subentry.data.get(CONF_LASTS, DEFAULT_LASTS),
        satellites=tuple(subentry.data.get(CONF_SATELLITES, ())),
    )
