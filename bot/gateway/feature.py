"""The parts of a feature: commands, routes of presses, and loops in the background."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from discord import app_commands
from discord.ext import tasks

from bot.gateway.commands import CommandBuilder
from bot.gateway.components import Press
from bot.gateway.responses import Interaction

log = logging.getLogger(__name__)

AnyCommand: TypeAlias = (
    app_commands.Command[Any, ..., None] | app_commands.Group | app_commands.ContextMenu
)
P = TypeVar("P", bound=Press)

# A round that takes longer than this when the bot closes is cut off; what it has committed stays.
_FINISH_WITHIN_SECONDS = 5


@dataclass(frozen=True)
class Route:
    """A kind of press, and the handler that answers it."""

    kind: type[Press]
    handle: Callable[[Interaction, Any], Coroutine[Any, Any, None]]


def route(kind: type[P], handle: Callable[[Interaction, P], Coroutine[Any, Any, None]]) -> Route:
    """Return the route from a kind of press to a handler that takes this kind."""
    return Route(kind, handle)


class Loop:
    """Work that is done every `seconds`, `count` times or without end; a failure is logged."""

    def __init__(
        self,
        name: str,
        seconds: float,
        work: Callable[[], Awaitable[None]],
        *,
        count: int | None = None,
    ):
        self._name = name
        self._work = work
        self._loop = tasks.loop(seconds=seconds, count=count)(self._round)
        self._working = asyncio.Lock()
        self.stopping = False

    def start(self, ready: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Begin once `ready` returns."""
        self._loop.before_loop(ready)
        self._loop.start()

    async def stop(self) -> None:
        """End after the current round, or in the middle of it if it takes too long.

        Work of many parts ends sooner if it looks at `stopping` between them.
        """
        self.stopping = True
        self._loop.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(_FINISH_WITHIN_SECONDS), self._working:
                pass
        self._loop.cancel()

    async def _round(self) -> None:
        try:
            async with self._working:
                await self._work()
        except Exception:
            # The next round tries again: a database that is away must not end the loop.
            log.exception("%s failed", self._name)


class Feature:
    """A feature of the bot. A subclass overrides the methods for the parts that it has."""

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return the slash commands and the entries of members' menus."""
        return ()

    def routes(self) -> Sequence[Route]:
        """Return the kinds of press that the feature answers, with their handlers."""
        return ()

    def loops(self) -> Sequence[Loop]:
        """Return the loops that run in the background."""
        return ()

    async def close(self) -> None:
        """Save the state that must outlive the program; the loops have ended by then."""
