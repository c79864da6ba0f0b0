"""A dashboard of the demo: memory, reminders, events and the satellites of both persons."""

from collections.abc import Mapping
from typing import Any, Final

from tests.e2e.harness.house import BEDROOM, BUSY_SWITCH, KITCHEN, House
from tests.e2e.harness.install import Installed
from tests.e2e.harness.memory_view import view

PATH: Final = "assist-memory"
TITLE: Final = "Assist Memory"

_SENSORS: Final = (
    "topics",
    "remembered",
    "pending",
    "next_reminder",
    "rounds",
    "strength",
)
_WORDS: Final = """\
**Topics**: {{% for topic in state_attr('{topics}', 'chain') or [] %}}{{{{ topic }}}}\
{{{{ '' if loop.last else ' → ' }}}}{{% else %}}–{{% endfor %}}

**Things**: {{% for name, attitude in (state_attr('{remembered}', 'things') or {{}}).items() %}}\
{{{{ name }}}} ({{{{ '%+.1f' | format(attitude) }}}}){{{{ '' if loop.last else ', ' }}}}{{% else %}}–{{% endfor %}}
"""


async def add_dashboard(house: House, installed: Installed) -> str:
    """Create the dashboard with a sidebar entry; return its path."""
    columns = [
        await _column(house, name, installed.subentries[name])
        for name in (house.anna.name, house.li_ming.name)
    ]
    await house.anna.command(
        "lovelace/dashboards/create",
        url_path=PATH,
        mode="storage",
        title=TITLE,
        icon="mdi:head-lightbulb",
        show_in_sidebar=True,
        require_admin=False,
    )
    await house.anna.command(
        "lovelace/config/save",
        url_path=PATH,
        config={"title": TITLE, "views": [_view([*columns, _rooms()])]},
    )
    return f"/{PATH}"


def _view(sections: list[dict[str, Any]]) -> dict[str, Any]:
    return {"title": TITLE, "type": "sections", "max_columns": 3, "sections": sections}


async def _column(house: House, name: str, subentry: str) -> dict[str, Any]:
    """Return the cards of one person."""
    seen = await view(house.anna, subentry)

    def row(key: str) -> dict[str, str]:
        return {"entity": seen.entities[key], "name": seen.names[key]}

    words, lists = _WORDS.format(**seen.entities), seen.entities["reminders"]
    return {
        "type": "grid",
        "cards": [
            {"type": "heading", "heading": name, "icon": "mdi:account"},
            {"type": "markdown", "content": words, "grid_options": _WIDE},
            {
                "type": "entities",
                "entities": [row(key) for key in _SENSORS],
                "grid_options": _WIDE,
            },
            {"type": "todo-list", "entity": lists, "grid_options": _WIDE},
            {"type": "tile", **row("reminder")},
            {"type": "tile", **row("forget_everything")},
        ],
    }


def _rooms() -> dict[str, Any]:
    """Return the cards of the house."""
    tiles = (KITCHEN, BUSY_SWITCH[KITCHEN], BEDROOM, BUSY_SWITCH[BEDROOM])
    lights = ("light.living_room_light", "light.kitchen_light", "light.bedroom_light")
    return {
        "type": "grid",
        "cards": [
            {"type": "heading", "heading": "House", "icon": "mdi:home"},
            *({"type": "tile", "entity": entity} for entity in (*tiles, *lights)),
        ],
    }


_WIDE: Final[Mapping[str, Any]] = {"columns": "full"}
