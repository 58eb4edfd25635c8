"""Killing the bot at a request to Discord, before it or after Discord has carried it out.

After that nothing of it happens any more, until a restart.
"""

import asyncio
from typing import Any

import discord
import pytest

from tests.discord.world import World

MESSAGE, EDIT = "POST /channels/{channel_id}/messages", "PATCH /channels"


class KilledError(asyncio.CancelledError):
    """The bot is dead: no task of it goes on."""


class Killer:
    """Kills the bot at a request to Discord that `fatal` matches, before it or `after` it.

    Like Discord, it makes one message of those with the same nonce.
    """

    def __init__(self, world: World, patch: pytest.MonkeyPatch):
        self.fatal: tuple[str, str, bool] | None = None
        self.dead = False
        self._victims: list[Any] = []
        seen: dict[Any, Any] = {}
        http: Any = type(world.env.bot.http)
        request = http.request

        async def watched(one: Any, route: discord.http.Route, **kwargs: Any) -> Any:
            said = str(kwargs.get("json"))
            nonce = (kwargs.get("json") or {}).get("nonce")
            self._pass(one, route, said, after=False)
            if nonce in seen:
                return seen[nonce]
            answer = await request(one, route, **kwargs)
            if nonce:
                seen[nonce] = answer
            self._pass(one, route, said, after=True)
            return answer

        patch.setattr(http, "request", watched)

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
