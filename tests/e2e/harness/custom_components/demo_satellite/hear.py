"""The ear: a sentence comes in by HTTP. An action would leave its words on the event bus."""

from http import HTTPStatus

from aiohttp import web
from homeassistant.components.assist_satellite.const import DATA_COMPONENT
from homeassistant.helpers.http import KEY_HASS, HomeAssistantView

from .assist_satellite import DemoSatellite
from .const import DOMAIN


class HearView(HomeAssistantView):
    """Lets a satellite hear a sentence; the request ends with the run of the pipeline."""

    url = f"/api/{DOMAIN}/hear"
    name = f"api:{DOMAIN}:hear"

    async def post(self, request: web.Request) -> web.Response:
        """Take `entity_id` and `text`."""
        said = await request.json()
        component = request.app[KEY_HASS].data[DATA_COMPONENT]
        satellite = component.get_entity(said["entity_id"])
        if not isinstance(satellite, DemoSatellite):
            return self.json_message("no such satellite", HTTPStatus.NOT_FOUND)
        await satellite.async_hear(said["text"])
        return self.json({})
