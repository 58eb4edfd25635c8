"""The Discord client: its intents, and how it starts and closes."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import discord
from discord import app_commands

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
        self.on_closing: list[Hook] = []
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

    async def close(self) -> None:
        """Take no more work, finish what is running, and disconnect."""
        if not self._closing:
            self._closing = True
            await self.router.close()
            for hook in self.on_closing:
                await hook()
        await super().close()


class _Tree(app_commands.CommandTree[Any]):
    """The command tree, which also answers failures from before a command's own code runs."""

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        await self.client.router.report(interaction, error)
