"""The health of the bot: whether it can serve, and its problems if it can't."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from bot.gateway.loops import Loop

_DATABASE_WITHIN_SECONDS = 1.0


class Health:
    """Asks the parts of the bot; `ask_database` is a short query."""

    def __init__(
        self,
        is_connected: Callable[[], bool],
        ask_database: Callable[[], Awaitable[object]],
        loops: Sequence[Loop],
    ):
        self._is_connected = is_connected
        self._ask_database = ask_database
        self._loops = loops

    async def problems(self) -> list[str]:
        """Return the obstacles to serving, a line each."""
        found = [] if self._is_connected() else ["not connected to Discord"]
        try:
            async with asyncio.timeout(_DATABASE_WITHIN_SECONDS):
                await self._ask_database()
        except TimeoutError:
            found.append(f"the database doesn't answer within {_DATABASE_WITHIN_SECONDS:g} s")
        except Exception as error:
            found.append(f"the database fails: {type(error).__name__}")
        return found + [_said(loop) for loop in self._loops if not loop.well]


def _said(loop: Loop) -> str:
    if not loop.running:
        return f"{loop.name}: has ended"
    return f"{loop.name}: failed {loop.failures_in_a_row} times in a row"
