"""Discord's limit of identifies: 1,000 a day, beyond which it resets the bot's token.

Each new session takes one; resuming a session takes none. A bot that ends and is started again all
day, or whose sessions Discord keeps invalidating, reaches the limit within hours. Discord counts
them, and says how many are left, so no restart can forget the count.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple

log = logging.getLogger(__name__)

# Of a day's identifies, this share is used without waiting, and the last ones are never used:
# another program with the same token may need them.
_AT_WILL, _RESERVE = 0.5, 0.05


class Allowance(NamedTuple):
    """The identifies that Discord allows in a day, those that are left, and when the day ends.

    `at_once` shards may identify together if their numbers, divided by `at_once`, have different
    remainders.
    """

    total: int
    remaining: int
    reset_after: float  # seconds
    at_once: int = 1


class TooEarlyError(ConnectionError):
    """Identifying has to wait. discord.py tries again later, as after any lost connection."""


class Identifies:
    """Spreads identifies over the day: half of them at will, the others at even intervals.

    `ask` asks Discord for the allowance, or raises TooEarlyError; `now` gives seconds.
    """

    def __init__(
        self, ask: Callable[[], Awaitable[Allowance]], now: Callable[[], float] = time.monotonic
    ):
        self._ask = ask
        self._now = now
        self._last = now()  # the process may have identified just before it was started again
        self._closed = asyncio.Event()
        self.at_once = 1  # as Discord said last
        self.used = 0  # of the day's identifies, by Discord's last count and those since

    async def count(self) -> None:
        """Count an identify that is about to be sent; raise TooEarlyError if it has to wait."""
        if await self._seconds_to_wait() > 0:
            raise TooEarlyError
        self._last = self._now()
        self.used += 1

    async def wait(self) -> bool:
        """Wait until an identify may be sent; return False if this was closed.

        Raises the errors of `ask`.
        """
        while (seconds := await self._seconds_to_wait()) > 0:
            log.warning(
                "few of Discord's connections a day are left (is the bot started again and again?),"
                " so the next one waits %.0f s",
                seconds,
            )
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closed.wait(), seconds)
            if self._closed.is_set():
                return False
        return not self._closed.is_set()

    async def close(self) -> None:
        """End a wait."""
        self._closed.set()

    async def _seconds_to_wait(self) -> float:
        total, remaining, reset_after, self.at_once = await self._ask()
        self.used = total - remaining
        if remaining > total * (1 - _AT_WILL):
            return 0
        spare = remaining - total * _RESERVE
        if spare < 1:
            return reset_after
        return self._last + reset_after / spare - self._now()
