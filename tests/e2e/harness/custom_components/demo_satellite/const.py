"""Names that the modules share."""

from typing import Final

from homeassistant.const import Platform

DOMAIN: Final = "demo_satellite"
PLATFORMS: Final = (
    Platform.ASSIST_SATELLITE,
    Platform.SELECT,
    Platform.STT,
    Platform.SWITCH,
    Platform.TTS,
)
ROOMS: Final = {"kitchen": "Kitchen", "bedroom": "Bedroom"}
"""Key of a satellite → its area."""
LANGUAGES: Final = ["en", "de", "zh", "zh-CN", "zh-Hans"]
