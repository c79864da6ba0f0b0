"""Names that the integration's modules share."""

from typing import Final

DOMAIN: Final = "assist_memory"

# --- entry and household options ---
DEFAULT_URL: Final = "http://localhost:11434"
CONF_EVERYONE_IS: Final = "everyone_is"
"""Household option: the speaker's subentry id that counts where nobody is known."""
CONF_SHARED_USERS: Final = "shared_users"
"""Household option: ids of users that several people use (a tablet on the wall)."""
CONF_TRUST_NAMES: Final = "trust_names"
"""Household option: a stated name is enough for what is personal, too."""
CONF_MIN_CONFIDENCE: Final = "min_confidence"
"""Household option: how sure a recogniser of voices must be, in percent."""
CONF_GUEST_MODE: Final = "guest_mode"
"""Set by the household's switch: there are guests, so nobody is guessed."""
CONF_MORNING: Final = "morning"
"""Household option: when a reminder with a day and no time is said, "HH:MM:SS"."""
CONF_LATE_HOURS: Final = "late_hours"
"""Household option: how old a reminder may be, after a downtime, to be said late."""
CONF_USE_IN_PIPELINES: Final = "use_in_pipelines"
"""Marker in entry.data: pipelines that get our agent once its entity exists."""
DEFAULT_MIN_CONFIDENCE: Final = 80
DEFAULT_MORNING: Final = "09:00:00"
DEFAULT_LATE_HOURS: Final = 6

# --- subentry "conversation": an agent ---
SUBENTRY_CONVERSATION: Final = "conversation"
CONF_NUM_CTX: Final = "num_ctx"
CONF_KEEP_ALIVE: Final = "keep_alive"
"""Seconds that the server keeps the model loaded; -1 is for ever."""
CONF_LOCAL_INTENTS: Final = "local_intents"
CONF_SPEAKER: Final = "speaker"
"""Option of an agent: whose it is, where nothing else says who speaks."""
DEFAULT_NUM_CTX: Final = 4096
MIN_NUM_CTX: Final = 1024
MAX_NUM_CTX: Final = 131072
DEFAULT_KEEP_ALIVE: Final = -1
DEFAULT_LOCAL_INTENTS: Final = True

# --- subentry "speaker" ---
SUBENTRY_SPEAKER: Final = "speaker"
CONF_PERSON: Final = "person"
"""The unique id of the person entity, which is the person's storage id."""
CONF_SATELLITES: Final = "satellites"
"""Entity ids of the satellites whose default speaker this is."""
CONF_SHOW: Final = "show"
SHOW_EVERYTHING: Final = "everything"
SHOW_REMINDERS: Final = "reminders"
SHOW_NOTHING: Final = "nothing"
SHOW_CHOICES: Final = (SHOW_EVERYTHING, SHOW_REMINDERS, SHOW_NOTHING)
DEFAULT_SHOW: Final = SHOW_REMINDERS
CONF_LASTS: Final = "lasts"
LASTS_SESSION: Final = "session"
LASTS_HOUR: Final = "hour"
LASTS_NIGHT: Final = "night"
LASTS_NEVER: Final = "never"
"""It never ends, apart from a restart."""
LASTS_CHOICES: Final = (LASTS_SESSION, LASTS_HOUR, LASTS_NIGHT, LASTS_NEVER)
DEFAULT_LASTS: Final = LASTS_NIGHT

# --- dispatcher signals ---
SIGNAL_REMINDERS: Final = f"{DOMAIN}_reminders"
"""The reminders of somebody changed; sent with the owner's id."""
SIGNAL_AGENTS: Final = f"{DOMAIN}_agents"
"""Agents were added, removed or changed; no arguments."""
SIGNAL_SPEAKERS: Final = f"{DOMAIN}_speakers"
"""Speakers were added, removed or changed; no arguments."""

SIGNAL_REMINDER_EVENT: Final = f"{DOMAIN}_reminder_event"
"""Something happened to a reminder; sent with one of REMINDER_EVENTS and the item."""
REMINDER_EVENTS: Final = (
    "created",
    "due",
    "announced",
    "acknowledged",
    "snoozed",
    "missed",
    "cancelled",
    "done",
)


def signal_memory(owner: str) -> str:
    """Return the signal that says that an owner's working memory changed."""
    return f"{DOMAIN}_memory_{owner}"
