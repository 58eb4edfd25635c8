"""Servers that the bot has left: they are noted, and their data is erased some time later.

Only Discord can tell that the bot has left: by an event, or when it is asked for the server.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from random import Random

import discord

from bot.gateway.feature import Feature
from bot.gateway.loops import AFTER_START_SECONDS, Loop
from bot.identity import ServerId
from bot.privacy.store import ServerDataStore
from bot.times import DAY, HOUR

log = logging.getLogger(__name__)

_ERASE_EVERY_SECONDS = HOUR
_LOOK_EVERY_SECONDS = DAY
_ASKED_A_ROUND = 50


class Leaving(Feature):
    """Erases a server's data `days` after the bot has left it.

    `sees` returns whether this process is connected to a server. `is_there` asks Discord whether
    the bot is on a server; None if Discord doesn't tell. `now` gives Unix seconds.
    """

    def __init__(
        self,
        store: ServerDataStore,
        sees: Callable[[ServerId], bool],
        is_there: Callable[[ServerId], Awaitable[bool | None]],
        rng: Random,
        now: Callable[[], int],
        days: int,
    ):
        self._store = store
        self._sees = sees
        self._is_there = is_there
        self._rng = rng
        self._now = now
        self._days = days

    def loops(self) -> Sequence[Loop]:
        """Return the loops that find servers that the bot has left, and erase their data."""
        first = AFTER_START_SECONDS
        return [
            Loop(
                "looking for servers left",
                _LOOK_EVERY_SECONDS,
                self.note_removals,
                first_after=first,
            ),
            Loop("erasing servers", _ERASE_EVERY_SECONDS, self.erase, first_after=first),
        ]

    async def on_online(self) -> None:
        """Note the servers that the bot is on; it may have been added again while offline."""
        left = await self._store.left_by(self._now())
        await self._store.note_present(filter(self._sees, left), self._now())

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Note that the bot is back on a server."""
        await self._store.note_present([ServerId(guild.id)], self._now())

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that the bot was removed from a server; an outage is a different event."""
        await self._store.note_left(ServerId(guild.id), self._now())

    async def note_if_left(self, server_id: ServerId) -> bool:
        """Note it if the bot was removed from a server; return whether it was."""
        if self._sees(server_id) or await self._is_there(server_id) is not False:
            return False
        if self._sees(server_id):
            return False  # it was added again after Discord's answer
        await self._store.note_left(server_id, self._now())
        return True

    async def note_removals(self) -> None:
        """Note the servers that the bot was removed from while it was offline.

        No event tells of them. To make few requests, a round asks for only some of the servers that
        have data and aren't seen. That proves little: their shard may not be connected yet.
        """
        unseen = sorted(one for one in await self._store.not_left() if not self._sees(one))
        for server_id in self._rng.sample(unseen, min(len(unseen), _ASKED_A_ROUND)):
            await self.note_if_left(server_id)

    async def erase(self) -> None:
        """Erase the servers that the bot left at least `days` ago, and isn't on again.

        The servers that it is on are noted first: when it came back, the database may have been
        away.
        """
        await self.on_online()
        for server_id in await self._store.left_by(self._now() - self._days * DAY):
            there = await self._is_there(server_id)
            if there:
                await self._store.note_present([server_id], self._now())
            elif there is False and await self._store.erase(server_id):
                log.info("the data of server %s is erased: Rowbot was removed from it", server_id)
