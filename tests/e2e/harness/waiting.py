"""Bounded waits."""

import asyncio
from collections.abc import Awaitable, Callable
import time


class WaitError(Exception):
    """Something did not come true in time."""


async def wait_until[T](
    look: Callable[[], Awaitable[T]], what: str, *, seconds: float, step: float = 0.2
) -> T:
    """Look again and again until something truthy is seen, and return it; raise WaitError after a limit."""
    deadline = time.monotonic() + seconds
    while True:
        if seen := await look():
            return seen
        if time.monotonic() > deadline:
            raise WaitError(f"not within {seconds:.0f} s: {what}")
        await asyncio.sleep(step)
