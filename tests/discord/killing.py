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
    """Kills the bot at a request to Discord that `fatal` matches, before it or `after` it."""

    def __init__(self, world: World, patch: pytest.MonkeyPatch):
        self.fatal: tuple[str, str, bool] | None = None
        self.dead = False
        self._victims: list[Any] = []
        nonces = Nonces()
        http: Any = type(world.env.bot.http)
        request = http.request

        async def watched(one: Any, route: discord.http.Route, **kwargs: Any) -> Any:
            said = str(kwargs.get("json"))

            async def carry_out() -> Any:
                return await request(one, route, **kwargs)

            self._pass(one, route, said, after=False)
            answer = await nonces.once(kwargs.get("json"), carry_out)
            self._pass(one, route, said, after=True)
            return answer

        tokens: Any = type(world.env._webhook_adapter)  # noqa: SLF001
        request_by_token = tokens.request

        async def watched_by_token(
            one: Any, route: discord.http.Route, *args: Any, **kwargs: Any
        ) -> Any:
            bot, said = world.env.bot.http, str(kwargs.get("payload"))
            self._pass(bot, route, said, after=False)
            answer = await request_by_token(one, route, *args, **kwargs)
            self._pass(bot, route, said, after=True)
            return answer

        patch.setattr(http, "request", watched)
        patch.setattr(tokens, "request", watched_by_token)

    def attend(self) -> None:
        """Let the bot live that runs now."""
        self.fatal, self.dead = None, False

    def _pass(self, one: Any, route: discord.http.Route, said: str, *, after: bool) -> None:
        if self.fatal is not None and not self.dead:
            path, words, late = self.fatal
            found = f"{route.method} {route.path}".startswith(path) and words in said
            self.dead = found and late is after
            if self.dead:
                self._victims.append(one)
        if one in self._victims:
            raise KilledError
