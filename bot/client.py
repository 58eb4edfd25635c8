"""The Discord client: its intents, and how it starts and closes."""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, TypeVarTuple

import aiohttp
import discord
from discord import app_commands
from discord.backoff import ExponentialBackoff
from yarl import URL

from bot.db.errors import is_passing, reason
from bot.gateway.commands import EVERYWHERE, FOR_ALL, CommandTranslator
from bot.gateway.errors import CALL_FAILED, may_pass, trace_of
from bot.gateway.identifies import Allowance, Identifies, TooEarlyError
from bot.gateway.interactions import Interaction
from bot.gateway.serving import Hook, Serving
from bot.identity import ChannelId, ServerId
from bot.logs import mark
from bot.router import Router
from bot.shards import SERVER_BITS, Shards
from bot.watching.server import WatchServer

log = logging.getLogger(__name__)

Ts = TypeVarTuple("Ts")

# A hook that takes longer is cut off, so that the others have their turn.
_STEP_SECONDS = 15.0
# Discord takes one identify in five seconds (or `max_concurrency`); clocks differ a little.
_IDENTIFY_SECONDS = 5.5
# A command of another version, or of another program that had this application before.
_UNKNOWN = (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch)
# Added to the turns of all shards, which may come before this one: for a start that was just cut
# off.
_SPARE_SECONDS = 60.0


class Rowbot(discord.AutoShardedClient):
    """A client without privileged intents that keeps no message and no view in memory.

    It connects `shards`, or all those that Discord recommends. Hooks run in order: `on_setup`
    before it connects, `on_online` each time a shard comes online, `on_joined` when it joins a
    server, `on_removed` when a server removes it, `on_channel_deleted` when a channel or thread was
    deleted, and `on_closing` when it closes, after handlers have had time to end. If a hook fails
    after the setup, that is logged, and the others run. `reserve` is `FactStore.reserve`, by which
    all processes of the bot take turns to identify. `proxy` is the address of an HTTP proxy, None
    for none.
    """

    # These need parts that need the client: `app` sets them before it hands out the bot.
    router: Router
    watch: WatchServer

    def __init__(
        self,
        serving: Serving,
        http_trace: aiohttp.TraceConfig,
        shards: Shards | None,
        reserve: Callable[[str, float, float], Awaitable[float]],
        proxy: str | None = None,
    ):
        http_trace.on_request_end.append(self._outlast_limit)
        super().__init__(
            # discord.py takes None, which its types don't say.
            shard_ids=shards.ids if shards else None,  # type: ignore[arg-type]
            shard_count=shards.count if shards else None,
            http_trace=http_trace,
            proxy=proxy,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
        )
        self.serving = serving
        self.tree = _Tree(self)
        self.on_setup: list[Hook] = []
        self.on_online: list[Hook] = []
        self.on_joined: list[Callable[[discord.Guild], Awaitable[None]]] = []
        self.on_removed: list[Callable[[discord.Guild], Awaitable[None]]] = []
        self.on_channel_deleted: list[Callable[[ChannelId], Awaitable[None]]] = []
        self.identifies = Identifies(self._allowance)
        self.on_closing: list[Hook] = [self.identifies.close]
        self._reserve = reserve
        self._connected: set[int] = set()
        self._hearing = asyncio.Event()
        self._launching: set[int] = set()
        self._closing: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        """Run the hooks of the setup."""
        await self.tree.set_translator(CommandTranslator())
        for hook in self.on_setup:
            await hook()

    async def on_interaction(self, interaction: Interaction) -> None:
        """Let the router answer a press; the tree leads commands to it."""
        await self.router.on_interaction(interaction)

    @property
    def connected(self) -> bool:
        """Whether all its shards are connected."""
        own = self.shard_ids or range(self.shard_count or 0)
        return bool(self._connected) and self._connected.issuperset(own)

    def hears(self, server_id: ServerId) -> bool:
        """Return whether presses on a server arrive; 0 stands for all places outside of servers.

        They don't while the server's shard has lost its connection, or Discord has an outage there.
        """
        guild = self.get_guild(server_id)
        if guild is not None and guild.unavailable:
            return False
        return (server_id >> SERVER_BITS) % (self.shard_count or 1) in self._connected

    async def wait_until_hearing(self) -> None:
        """Wait until the first of its shards is connected.

        The others may take minutes, or hours if few identifies are left.
        """
        await self._hearing.wait()

    async def on_shard_ready(self, shard_id: int) -> None:
        """Run the hooks that wait for a connection."""
        self._connected.add(shard_id)
        self._hearing.set()
        for hook in self.on_online:
            await _attempt(hook)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Note that a connection that was lost goes on."""
        self._connected.add(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that a connection is lost; discord.py connects again."""
        self._connected.discard(shard_id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Run the hooks for a new server, also while another process serves."""
        for hook in self.on_joined:
            await _attempt(hook, guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Run the hooks for a server that has removed the bot; an outage is a different event."""
        for hook in self.on_removed:
            await _attempt(hook, guild)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Run the hooks for a deleted channel."""
        await self._channel_deleted(ChannelId(channel.id))

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Run the hooks for a deleted thread."""
        await self._channel_deleted(ChannelId(payload.thread_id))

    async def _channel_deleted(self, channel_id: ChannelId) -> None:
        """Run the hooks for a deleted channel or thread, unless another process serves.

        Once this process takes over, its loops look for what was deleted before.
        """
        if self.serving.active:
            for hook in self.on_channel_deleted:
                await _attempt(hook, channel_id)

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:
        """Log why the handler of an event has failed; discord.py calls this in its `except`."""
        error = sys.exception()
        assert error is not None, "discord.py handles it"
        _log_failure(event_method, error)

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard for the first time, when an identify is allowed.

        If that fails, it is tried again after growing pauses. If Discord refuses the token or the
        shard for good, it says so after the identify, and `connect` raises that.
        """
        if shard_id in self._launching:
            # After a failed attempt, discord.py calls this method again from within that attempt.
            raise _NotLaunchedError
        self._launching.add(shard_id)
        backoff = ExponentialBackoff()
        while True:
            try:
                if await self.identifies.wait():
                    await self._turn(shard_id)
                    await super().launch_shard(gateway, shard_id, initial=initial)
                break
            except (TooEarlyError, _NotLaunchedError):
                await asyncio.sleep(backoff.delay())
        self._launching.discard(shard_id)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for the turn of a shard that connects again.

        Raises TooEarlyError if too few of the day's identifies are left, or while Discord or the
        database is away.
        """
        await self.identifies.count()
        # A shard that is being launched has had its turn. While another one waits here, nothing is
        # read from its socket.
        if shard_id is not None and shard_id not in self._launching:
            await self._turn(shard_id)

    async def _turn(self, shard_id: int) -> None:
        """Wait for this shard's turn to identify, among the shards of all the bot's processes.

        Raises TooEarlyError while the database is away: for any error that isn't a connection's,
        discord.py would end the program.
        """
        bucket = shard_id % self.identifies.at_once
        within = (self.shard_count or 1) * _IDENTIFY_SECONDS + _SPARE_SECONDS
        try:
            seconds = await self._reserve(f"identify {bucket}", _IDENTIFY_SECONDS, within)
        except Exception as error:
            if not is_passing(error):
                raise
            log.warning("shard %s waits to identify: %s", shard_id, reason(error))
            raise TooEarlyError from error
        await asyncio.sleep(seconds)

    async def close(self) -> None:
        """Take no more work, finish what is running, and disconnect.

        Further calls wait for the first one, since discord.py also calls this if a connection is
        refused.
        """
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def finish(self) -> None:
        """Take no more work, finish what is running, run the closing hooks, and hand over.

        If a hook fails, the others run. Meanwhile interactions are left to the process that waits
        to serve, or refused in words if none does; at the end, nothing is answered.
        """
        late: set[asyncio.Task[None]] = set()
        await _attempt(self.serving.leave)
        await _attempt(self.router.close)
        for hook in self.on_closing:
            await self._close_by(hook, late)
        await _attempt(self._end_alone)
        await _attempt(self.serving.hand_over)
        if late:
            await asyncio.wait(late)
        await _attempt(self.router.end)

    async def _end_alone(self) -> None:
        """If no other process waits, refuse what arrives until the last answer is given."""
        if not self.serving.awaited:
            await self.router.end()

    async def _close_by(self, hook: Hook, late: set[asyncio.Task[None]]) -> None:
        """Run a closing hook; one that is slow becomes `late` if another process waits to serve.

        A child process that is just starting takes long to end, for instance.
        """
        closing = asyncio.create_task(_attempt(hook))
        _, pending = await asyncio.wait({closing}, timeout=self.serving.time_for(_STEP_SECONDS))
        late |= pending

    async def _close(self) -> None:
        try:
            await self.finish()
        finally:
            await _attempt(super().close)

    async def _outlast_limit(
        self,
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        call: aiohttp.TraceRequestEndParams,
    ) -> None:
        """Let calls be made again once a limit of the whole bot is over.

        discord.py holds up all calls until the call that met the limit has waited. If `Requests`
        cut off that call meanwhile, the others would be held up for ever.
        """
        headers = call.response.headers
        if call.response.status == 429 and "X-RateLimit-Global" in headers:
            over = self.http._global_over  # noqa: SLF001 - there is no public way
            asyncio.get_running_loop().call_later(float(headers["Retry-After"]), over.set)

    async def _allowance(self) -> Allowance:
        """Return the identifies that Discord still allows today.

        Raises TooEarlyError while Discord can't be asked, since any other error would end the
        program, and with it the shards that are connected.
        """
        try:
            _, _, limit = await self.http.get_bot_gateway()
        except (discord.GatewayNotFound, *CALL_FAILED) as error:
            cause = error.__cause__ or error  # discord.py's own error says less
            if not (self.shards and may_pass(cause)):
                raise
            log.warning("Discord doesn't say how many connections are left: %s", cause)
            raise TooEarlyError from error
        return Allowance(
            limit["total"],
            limit["remaining"],
            limit["reset_after"] / 1000,
            limit["max_concurrency"],
        )


async def _attempt(step: Callable[[*Ts], Awaitable[None]], *about: *Ts) -> None:
    """Run a step within its time; a failure is logged, so that the next step runs."""
    try:
        async with asyncio.timeout(_STEP_SECONDS):
            await step(*about)
    except Exception as error:
        _log_failure(getattr(step, "__qualname__", str(step)), error)


def _log_failure(what: str, error: BaseException) -> None:
    log.error("%s failed: %s", what, reason(error), exc_info=trace_of(error))


def _is_told_by_discord_py(line: logging.LogRecord) -> bool:
    """Return whether a line of discord.py's is logged; a failed autocomplete gets our own line.

    discord.py's line would have the member's id, and a traceback even for choices that came too
    late.
    """
    error = line.exc_info[1] if line.exc_info else None
    if error is None or "autocomplete" not in line.msg:
        return True
    if isinstance(error, CALL_FAILED):
        log.info("an autocomplete could not be answered: %s", error)
    else:
        _log_failure("an autocomplete", error)
    return False


class _NotLaunchedError(Exception):
    """An attempt to connect a shard has failed; discord.py has logged why."""


class _Tree(app_commands.CommandTree[Any]):
    """The command tree, which also answers failures from before a command's own code runs."""

    def __init__(self, client: Rowbot):
        super().__init__(client, allowed_contexts=EVERYWHERE, allowed_installs=FOR_ALL)
        logging.getLogger(app_commands.tree.__name__).addFilter(_is_told_by_discord_py)

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Return whether a command or an autocomplete can still be answered.

        Marks the lines that are logged from here on.
        """
        server, channel = interaction.guild_id, interaction.channel_id
        mark(interaction=interaction.id, server=server, channel=channel)
        router: Router = self.client.router
        return await router.admit(interaction)

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        router: Router = self.client.router
        if not isinstance(error, _UNKNOWN):
            await router.report(interaction, error)
        elif interaction.type is discord.InteractionType.application_command:
            await router.refuse_unknown(interaction)
        # An autocomplete of such a command has no choices.
