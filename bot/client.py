"""The Discord client: its intents, and how it starts and closes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, TypeAlias, cast

import aiohttp
import discord
from discord import app_commands
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket

from bot.gateway.commands import EVERYWHERE, FOR_ALL, CommandTranslator
from bot.gateway.identifies import Allowance, Identifies, TooEarlyError
from bot.gateway.responses import Interaction
from bot.logs import mark
from bot.router import Router
from bot.watching.server import WatchServer

Hook: TypeAlias = Callable[[], Awaitable[None]]

log = logging.getLogger(__name__)

# A step of the closing that takes longer is cut off, so that the others have their turn.
_STEP_SECONDS = 15.0


class Rowbot(discord.Client):
    """A client without privileged intents that keeps no message and no view in memory.

    Hooks run in order: `on_setup` before it connects, `on_online` each time it comes online, and
    `on_closing` when it closes, after handlers have had time to end. A hook of the last two that
    fails is logged, and the others run.
    """

    watch: WatchServer  # made with the bot, and started by the program

    def __init__(self, router: Router, http_trace: aiohttp.TraceConfig):
        super().__init__(
            http_trace=http_trace,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
        )
        self.router = router
        self.event(router.on_interaction)
        self.tree = _Tree(
            self,
            allowed_contexts=EVERYWHERE,
            allowed_installs=FOR_ALL,
        )
        self.on_setup: list[Hook] = []
        self.on_online: list[Hook] = []
        self.identifies = Identifies(self._allowance)
        self.on_closing: list[Hook] = [self.identifies.close]
        self.connected = False
        self._closing: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        """Run the hooks of the setup."""
        await self.tree.set_translator(CommandTranslator())
        for hook in self.on_setup:
            await hook()

    async def on_ready(self) -> None:
        """Run the hooks that wait for the connection."""
        self.connected = True
        for hook in self.on_online:
            await _attempt(hook)

    async def on_resumed(self) -> None:
        """Note that a connection that was lost goes on."""
        self.connected = True

    async def on_disconnect(self) -> None:
        """Note that the connection is lost; discord.py connects again."""
        self.connected = False

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stay connected until it closes, within Discord's limit of identifies."""
        backoff = ExponentialBackoff()
        while await self.identifies.wait():
            try:
                await super().connect(reconnect=reconnect)
            except TooEarlyError:
                continue  # discord.py gives an identify a minute; out here it waits
            except AttributeError:
                # discord.py 2.7.1 wants to resume a first connection that never came about.
                if cast("DiscordWebSocket | None", self.ws) is not None:
                    raise
            else:
                return
            await asyncio.sleep(backoff.delay())

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Raise TooEarlyError before a further identify of this connection if it has to wait."""
        await super().before_identify_hook(shard_id, initial=initial)
        if not initial:
            await self.identifies.check()

    async def close(self) -> None:
        """Take no more work, finish what is running, and disconnect.

        Further calls wait for the first one: discord.py also closes when a connection is refused.
        """
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def finish(self) -> None:
        """Take no more work, finish what is running, and run the closing hooks, each whatever.

        While they run, interactions are still refused in words. At the end nothing is answered.
        """
        async with AsyncExitStack() as steps:
            for step in reversed([self.router.close, *self.on_closing, self.router.end]):
                steps.push_async_callback(_attempt, step)

    async def _close(self) -> None:
        try:
            await self.finish()
        finally:
            await _attempt(super().close)

    async def _allowance(self) -> Allowance:
        _, _, limit = await self.http.get_bot_gateway()
        return Allowance(limit["total"], limit["remaining"], limit["reset_after"] / 1000)


async def _attempt(step: Hook) -> None:
    """Run a step within its time; a failure is logged, so that the next step runs."""
    try:
        async with asyncio.timeout(_STEP_SECONDS):
            await step()
    except Exception:
        log.exception("%s failed", step.__qualname__)


class _Tree(app_commands.CommandTree[Any]):
    """The command tree, which also answers failures from before a command's own code runs."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Return whether a command or an autocomplete can still be answered.

        Marks what is logged from here on.
        """
        mark(interaction=interaction.id, server=interaction.guild_id)
        router: Router = self.client.router
        return router.takes(interaction)

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        await self.client.router.report(interaction, error)
