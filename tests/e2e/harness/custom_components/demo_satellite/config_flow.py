"""One entry, without a question."""

from typing import Any, override

from homeassistant.config_entries import ConfigFlow, ConfigFlowResult

from .const import DOMAIN


class DemoSatelliteConfigFlow(ConfigFlow, domain=DOMAIN):
    """Adds the satellites."""

    VERSION = 1

    @override
    def is_matching(self, other_flow: ConfigFlow) -> bool:
        """Tell whether another flow is for the same: there is only one entry."""
        return True

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Create the entry."""
        return self.async_create_entry(title="Demo satellites", data={})
