"""Takes the pictures of the documentation from the running demo."""

import asyncio
from pathlib import Path
from typing import Final

from demo_browser import Page, open_page, sign_in
from demo_dashboard import PATH

from tests.e2e.harness.client import Client

SENTENCES: Final = (
    "Remind me tomorrow at 10 am to measure my blood pressure.",
    "Remember that my parking space is number 47.",
    "Where did I say my parking space is?",
    "What are my reminders?",
)
SETTLE_SECONDS: Final = 3.0
ANSWER_SECONDS: Final = 4.0

_DIALOG: Final = "deep('ha-voice-command-dialog ha-assist-chat, ha-assist-chat')"


async def take_pictures(person: Client, folder: Path) -> list[Path]:
    """Save a picture of the dashboard and one of a talk in the Assist dialog; return them."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    dashboard, talk = folder / "dashboard.png", folder / "talk.png"
    async with open_page(f"{person.url}/manifest.json") as page:
        await page.until("location.port !== ''", "the page has an origin")
        await sign_in(page, person)
        await page.open(f"{person.url}/{PATH}")
        await page.until("deep('hui-tile-card')", "the dashboard is there")
        await asyncio.sleep(SETTLE_SECONDS)
        await page.picture(dashboard)
        await _talk(page)
        await page.picture(talk)
    return [dashboard, talk]


async def _talk(page: Page) -> None:
    """Open the Assist dialog and hold a talk in it."""
    await page.press("a", "KeyA", 65)
    await page.until(_DIALOG, "the Assist dialog is open")
    await asyncio.sleep(SETTLE_SECONDS)
    for sentence in SENTENCES:
        await page.type(sentence)
        await page.press("Enter", "Enter", 13)
        await asyncio.sleep(ANSWER_SECONDS)
