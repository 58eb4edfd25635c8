"""Killing the bot at a call to Discord, before or after Discord has carried it out.

A killed bot does nothing more; `Killer.start_another` starts another one.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from simcord.http.client import FakeHTTPClient

from bot.gateway.loops import Loop
from tests.discord.calls import Call, Sent, intercept
from tests.discord.world import World

# Within this time after its start, the bot has done what the killed one left undone.
REST_SECONDS = 20


class KilledError(asyncio.CancelledError):
    """The bot is dead: no task of it goes on."""


class Killer:
    """Kills the bot at a call to Discord."""

    def __init__(
        self, world: World, restart: Callable[[], Awaitable[None]], patch: pytest.MonkeyPatch
    ):
        self.dead = False
        self._world = world
        self._restart = restart
        self._fatal: tuple[Call, str, bool] | None = None
        self._victims: list[Any] = []
        intercept(patch, self._watch)
        # The loops of the first bot run already.
        patch.setattr(Loop, "_try", self._while_alive(Loop._try))  # noqa: SLF001

    def kill_at(self, call: Call, words: str = "", *, late: bool = False) -> None:
        """Kill the bot at the next call of a kind that has `words` in its body.

        The bot dies before Discord reads the call or, if `late`, after Discord carried it out.
        """
        self._fatal = call, words, late

    @asynccontextmanager
    async def killing(
        self, call: Call, words: str = "", *, late: bool = False, rest: float = REST_SECONDS
    ) -> AsyncIterator[None]:
        """Kill the bot in this context, as `kill_at` does; then start another.

        `rest` seconds pass until it has done what the killed bot left undone.
        """
        self.kill_at(call, words, late=late)
        with suppress(KilledError):
            yield
        await self.start_another()
        await self._world.env.advance_time(rest)

    async def start_another(self) -> None:
        """Start another bot, since this one is dead."""
        assert self.dead, f"no call was {self._fatal}"
        self._fatal, self.dead = None, False
        await self._restart()

    def _while_alive(self, begin: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        """Return `begin`, which begins a round of a loop, for as long as the bot lives."""

        async def begun(*given: Any) -> None:
            if not self.dead:
                await begin(*given)

        return begun

    async def _watch(self, sent: Sent, carry_out: Callable[[], Awaitable[Any]]) -> Any:
        # All bots share the client of tokens, and only the newest one uses it.
        by_token = not isinstance(sent.client, FakeHTTPClient)
        client = self._world.env.bot.http if by_token else sent.client
        self._pass(client, sent, after=False)
        reply = await carry_out()
        self._pass(client, sent, after=True)
        return reply

    def _pass(self, client: Any, sent: Sent, *, after: bool) -> None:
        if self._fatal is not None and not self.dead:
            call, words, late = self._fatal
            self.dead = sent.fits(call, words) and late is after
            if self.dead:
                self._victims.append(client)
        if client in self._victims:
            raise KilledError
