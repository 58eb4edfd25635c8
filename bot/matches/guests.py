"""Matches of guests: once their server adds the bot, they go on as the server's own."""

from collections.abc import Callable

import discord

from bot.identity import ServerId
from bot.matches.boards import Boards
from bot.matches.store import GuestStore


class Guests:
    """Has servers adopt the matches of their guests.

    A server that the bot is noted to have left adopts nothing, so its return is noted first. `sees`
    returns whether this process is connected to a server.
    """

    def __init__(self, store: GuestStore, boards: Boards, sees: Callable[[ServerId], bool]):
        self._store = store
        self._boards = boards
        self._sees = sees

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Have a server that the bot has joined adopt its guests' matches."""
        await self._adopt(ServerId(guild.id))

    async def on_online(self) -> None:
        """Have servers that the bot has joined while it was offline adopt their guests' matches."""
        for server_id in filter(self._sees, await self._store.servers()):
            await self._adopt(server_id)

    async def _adopt(self, server_id: ServerId) -> None:
        for match_id in await self._store.adopt(server_id):
            self._boards.refresh_later(match_id)
