"""The Discord client: its intents, and how it starts and closes."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.gateway.identifies import Allowance, Identifies, TooEarlyError
from bot.gateway.responses import Interaction
from bot.router import Router

Hook: TypeAlias = Callable[[], Awaitable[None]]


class Rowbot(discord.Client):
    """A client without privileged intents that keeps no message and no view in memory.

    Hooks run in order: `on_setup` before it connects, `on_online` each time it comes online, and
    `on_closing` when it closes, after the last handler has ended.
    """

    def __init__(self, router: Router):
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
        )
        self.router = router
        self.event(router.on_interaction)
        self.tree = _Tree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )
        self.on_setup: list[Hook] = []
        self.on_online: list[Hook] = []
        self._identifies = Identifies(self._allowance)
        self.on_closing: list[Hook] = [self._identifies.close]
        self._closing = False

    async def setup_hook(self) -> None:
        """Tell Discord the commands, and run the hooks of the setup."""
        await self.tree.sync()
        for hook in self.on_setup:
            await hook()

    async def on_ready(self) -> None:
        """Run the hooks that wait for the connection."""
        for hook in self.on_online:
            await hook()

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stay connected until it closes, within Discord's limit of identifies."""
        while await self._identifies.wait():
            with suppress(
                TooEarlyError
            ):  # discord.py gives an identify a minute; out here it waits
                await super().connect(reconnect=reconnect)
                return

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Raise TooEarlyError before a further identify of this connection if it has to wait."""
        await super().before_identify_hook(shard_id, initial=initial)
        if not initial:
            await self._identifies.check()

    async def close(self) -> None:
        """Take no more work, finish what is running, and disconnect."""
        if not self._closing:
            self._closing = True
            await self.router.close()
            for hook in self.on_closing:
                await hook()
        await super().close()

    async def _allowance(self) -> Allowance:
        _, _, limit = await self.http.get_bot_gateway()
        return Allowance(limit["total"], limit["remaining"], limit["reset_after"] / 1000)


class _Tree(app_commands.CommandTree[Any]):
    """The command tree, which also answers failures from before a command's own code runs."""

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        await self.client.router.report(interaction, error)
