"""Killing the bot at a request to Discord, before or after Discord has carried it out.

A killed bot does nothing more; `Killer.start_another` starts another one.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import discord
import pytest

from tests.discord.world import World

# Within this time after its start, the bot has done what the killed one left undone.
REST_SECONDS = 20
# No path for edits, which are made by an interaction's token or in the channel.
MESSAGE, EDIT = "POST /channels/{channel_id}/messages", "PATCH"


class KilledError(asyncio.CancelledError):
    """The bot is dead: no task of it goes on."""


# Discord promises "a few minutes".
_NONCE_SECONDS = 240


class Nonces:
    """Like Discord, makes only one message of all with the same nonce, for some minutes.

    `now` returns the time in seconds.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._made: dict[str, tuple[float, Any]] = {}

    async def once(self, body: Any, make: Callable[[], Awaitable[Any]]) -> Any:
        """Return the message that was made with the nonce of a body, or make it."""
        nonce = body.get("nonce") if isinstance(body, dict) else None
        if not nonce:
            return await make()
        at, made = self._made.get(nonce, (-math.inf, None))
        if self._now() - at > _NONCE_SECONDS:
            made = await make()
            self._made[nonce] = self._now(), made
        return made


class Killer:
    """Kills the bot at a request to Discord."""

    def __init__(
        self, world: World, restart: Callable[[], Awaitable[None]], patch: pytest.MonkeyPatch
    ):
        self.dead = False
        self._world = world
        self._restart = restart
        self._fatal: tuple[str, str, bool] | None = None
        self._victims: list[Any] = []
        nonces = Nonces(world.clock)
        http: Any = type(world.env.bot.http)
        request = http.request

        async def watched(one: Any, route: discord.http.Route, **kwargs: Any) -> Any:
            body = kwargs.get("json")

            async def carry_out() -> Any:
                return await request(one, route, **kwargs)

            self._pass(one, route, body, after=False)
            answer = await nonces.once(body, carry_out)
            self._pass(one, route, body, after=True)
            return answer

        tokens: Any = type(world.env._webhook_adapter)  # noqa: SLF001
        request_by_token = tokens.request

        async def watched_by_token(
            one: Any, route: discord.http.Route, *args: Any, **kwargs: Any
        ) -> Any:
            bot, body = world.env.bot.http, kwargs.get("payload")
            self._pass(bot, route, body, after=False)
            answer = await request_by_token(one, route, *args, **kwargs)
            self._pass(bot, route, body, after=True)
            return answer

        patch.setattr(http, "request", watched)
        patch.setattr(tokens, "request", watched_by_token)

    def kill_at(self, path: str, words: str = "", *, late: bool = False) -> None:
        """Kill the bot at the next request that begins with `path` and has `words` in its body.

        The bot dies before Discord reads the request or, if `late`, after Discord carried it out.
        """
        self._fatal = path, words, late

    @asynccontextmanager
    async def killing(
        self, path: str, words: str = "", *, late: bool = False, rest: float = REST_SECONDS
    ) -> AsyncIterator[None]:
        """Kill the bot in this context, as `kill_at` does; then start another.

        `rest` seconds pass until it has done what the killed bot left undone.
        """
        self.kill_at(path, words, late=late)
        with suppress(KilledError):
            yield
        await self.start_another()
        await self._world.env.advance_time(rest)

    async def start_another(self) -> None:
        """Start another bot, since this one is dead."""
        assert self.dead, f"no request was {self._fatal}"
        await self._restart()
        self._fatal, self.dead = None, False

    def _pass(self, one: Any, route: discord.http.Route, body: object, *, after: bool) -> None:
        if self._fatal is not None and not self.dead:
            path, words, late = self._fatal
            found = f"{route.method} {route.path}".startswith(path) and words in str(body)
            self.dead = found and late is after
            if self.dead:
                self._victims.append(one)
        if one in self._victims:
            raise KilledError
