"""Killing the bot at a request to Discord, before it or after Discord has carried it out.

After that nothing of it happens any more, until a restart.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest

from tests.discord.world import World

# An edit is made by an interaction's token, or in the channel.
MESSAGE, EDIT = "POST /channels/{channel_id}/messages", "PATCH"


class KilledError(asyncio.CancelledError):
    """The bot is dead: no task of it goes on."""


class Nonces:
    """Like Discord, makes one message of those with the same nonce."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    async def once(self, body: Any, make: Callable[[], Awaitable[Any]]) -> Any:
        """Return the message that was made of a body, or make it."""
        nonce = body.get("nonce") if isinstance(body, dict) else None
        if nonce in self._made:
            return self._made[nonce]
        made = await make()
        if nonce:
            self._made[nonce] = made
        return made


class Killer:
    """Kills the bot at a request to Discord."""

    def __init__(
        self, world: World, restart: Callable[[], Awaitable[None]], patch: pytest.MonkeyPatch
    ):
        self.dead = False
        self._restart = restart
        self._fatal: tuple[str, str, bool] | None = None
        self._victims: list[Any] = []
        nonces = Nonces()
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
        """Kill the bot at the next request that begins so and has these words in its body.

        That is before Discord reads it, or if it is `late`, after Discord has carried it out.
        """
        self._fatal = path, words, late

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
