"""A headless Chromium that is led by its own debugging protocol: for pictures of the real frontend."""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
import json
from pathlib import Path
import shutil
import tempfile
from typing import Any, Final

import aiohttp

from tests.e2e.harness.client import Client
from tests.e2e.harness.waiting import wait_until

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
START_SECONDS: Final = 30
COMMAND_SECONDS: Final = 60
PAGE_SECONDS: Final = 60
WIDTH: Final = 1280
HEIGHT: Final = 1000
SCALE: Final = 1.5

# Looks into the shadow trees, of which the frontend is made.
_DEEP: Final = """
function deep(selector, root = document) {
  const found = root.querySelector(selector);
  if (found) return found;
  for (const node of root.querySelectorAll('*')) {
    const inner = node.shadowRoot && deep(selector, node.shadowRoot);
    if (inner) return inner;
  }
  return null;
}
"""


class Page:
    """One page of the browser."""

    def __init__(self, connection: aiohttp.ClientWebSocketResponse) -> None:
        self._connection = connection
        self._last_id = 0

    async def command(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command of the protocol and return its result."""
        self._last_id += 1
        number = self._last_id
        await self._connection.send_json(
            {"id": number, "method": method, "params": parameters}
        )
        async with asyncio.timeout(COMMAND_SECONDS):
            while True:
                message = await self._connection.receive_json()
                if message.get("id") == number:
                    result: dict[str, Any] = message.get("result", {})
                    return result

    async def open(self, url: str) -> None:
        """Go to an address."""
        await self.command("Page.navigate", url=url)

    async def evaluate(self, script: str) -> Any:
        """Return the value of an expression; it may use deep(selector)."""
        result = await self.command(
            "Runtime.evaluate", expression=f"{_DEEP}\n{script}", returnByValue=True
        )
        return result.get("result", {}).get("value")

    async def until(self, script: str, what: str) -> None:
        """Wait until an expression is true."""

        async def look() -> bool:
            return bool(await self.evaluate(f"Boolean({script})"))

        await wait_until(look, what, seconds=PAGE_SECONDS, step=0.3)

    async def press(self, key: str, code: str, number: int) -> None:
        """Press and release a key."""
        event = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        text = {"text": key} if len(key) == 1 else {"text": "\r"}
        await self.command("Input.dispatchKeyEvent", type="keyDown", **event, **text)
        await self.command("Input.dispatchKeyEvent", type="keyUp", **event)

    async def type(self, text: str) -> None:
        """Type into what has the focus."""
        await self.command("Input.insertText", text=text)

    async def picture(self, path: Path) -> None:
        """Save what is visible."""
        result = await self.command("Page.captureScreenshot", format="png")
        await asyncio.to_thread(path.write_bytes, base64.b64decode(result["data"]))


@asynccontextmanager
async def open_page(url: str) -> AsyncIterator[Page]:
    """Start a browser of its own with one page; it ends with the block."""
    folder = Path(tempfile.mkdtemp(prefix="assist-memory-browser-"))
    process = await asyncio.create_subprocess_exec(
        *_command(folder, url),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        port = await _port(folder)
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(
                await _page_address(session, port), max_msg_size=0
            ) as connection,
        ):
            page = Page(connection)
            await page.command(
                "Emulation.setDeviceMetricsOverride",
                width=WIDTH,
                height=HEIGHT,
                deviceScaleFactor=SCALE,
                mobile=False,
            )
            yield page
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


async def sign_in(page: Page, person: Client) -> None:
    """Give the frontend the tokens of somebody who is signed in."""
    tokens = {
        "hassUrl": person.url,
        "clientId": person.client_id,
        **await person.tokens(),
    }
    script = f"localStorage.setItem('hassTokens', {json.dumps(json.dumps(tokens))})"
    await page.evaluate(script)


def _command(folder: Path, url: str) -> list[str]:
    """Return how the browser is started."""
    program = next((found for name in NAMES if (found := shutil.which(name))), None)
    if program is None:
        raise FileNotFoundError("pictures need Chromium on the PATH")
    return [
        program,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--lang=en",
        "--remote-debugging-port=0",
        f"--user-data-dir={folder}",
        url,
    ]


async def _port(folder: Path) -> int:
    """Return the port of the debugging protocol."""
    file = folder / "DevToolsActivePort"

    async def look() -> str:
        return file.read_text(encoding="utf-8") if file.exists() else ""

    text = await wait_until(look, "the browser has started", seconds=START_SECONDS)
    return int(text.split()[0])


async def _page_address(session: aiohttp.ClientSession, port: int) -> str:
    """Return the websocket of the first page."""
    async with session.get(f"http://127.0.0.1:{port}/json/list") as response:
        pages = await response.json()
    return str(
        next(page for page in pages if page["type"] == "page")["webSocketDebuggerUrl"]
    )
