"""The bot in a local browser page, without a token or a network: simcord's preview.

The page, the members and the channel are simulated; the bot is the real one. The database lives in
a temporary folder, because the simulated ids begin anew every time.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager, suppress
from contextvars import Context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import discord
import simcord
from simcord import interactions
from simcord.backend import Backend
from simcord.env import Env
from simcord.preview import Preview

from bot import logs
from bot.app import create_bot
from bot.client import Rowbot
from bot.db.database import open_database
from bot.gateway.loops import AFTER_START_SECONDS
from bot.host_errors import LastingError
from bot.settings import Settings
from bot.shards import Shards
from bot.workers import search_worker

_ENGLISH = str(discord.Locale.american_english)
MEMBERS = ("alice", "bob", "carol")
_CHANNEL = "games"
# simcord gives up on an action after 5 s, and the analysis of a long match takes longer.
_PATIENCE_SECONDS = 60.0
_LONGEST_TIMER_SECONDS = 0.5
# The bot's calls that belong to one answer come in quick succession.
_TOGETHER_SECONDS = 0.05
# By then the bot has told Discord its commands, which the page suggests.
_STARTING_SECONDS = AFTER_START_SECONDS + 1.0
_TICK_SECONDS = 1.0
# After the whole computer has slept, time makes up for no more than this.
_LONGEST_TICK_SECONDS = 10.0


class _StillEnv(Env):
    """simcord's world, in which only the shortest timers fire, unless time is let pass.

    simcord lets a timer of the bot fire when the real clock comes to it. An action of the page that
    begins less than `settle_timeout` before waits for the timer. Then the simulated clock jumps to
    it, through all rounds of all loops in between. The timer that ends the drawing process after
    three minutes of rest made the page hang for minutes.
    """

    def _schedule_timer(self, record: Any, *call: Any) -> None:
        if record.when - self._virtual_time <= _LONGEST_TIMER_SECONDS:
            super()._schedule_timer(record, *call)

    async def _settle_internal(self, **given: Any) -> None:
        # simcord gives the bot 5 s to start, which isn't enough on a busy computer.
        timeout = max(given.pop("timeout", None) or 0.0, self.settle_timeout)
        await super()._settle_internal(timeout=timeout, **given)


class still_world(simcord.run):  # noqa: N801 - used as a function, as simcord's own
    """`simcord.run` for the preview: a bot in a world of its own, whose time stands still."""

    def __init__(self, bot: discord.Client):
        self._env = _StillEnv(bot, check_errors=False, settle_timeout=_PATIENCE_SECONDS)
        # simcord's time begins on the first day of 2026; move it to today, when the pages are read.
        behind = discord.utils.utcnow() - self._env.now()
        self._env.backend.advance_clock(behind.total_seconds())


async def serve_preview(settings: Settings, stop: asyncio.Event, locale: str = _ENGLISH) -> None:
    """Serve the preview until `stop` is set or the page ends it; print its address first.

    The members and their server have this `locale`; names of commands stay English in the page.
    """
    with TemporaryDirectory(prefix="rowbot-preview-") as folder:
        async with open_database(f"sqlite:///{Path(folder) / 'preview.db'}") as database:
            one_shard = settings.model_copy(update={"shards": Shards.ALL})
            bot = create_bot(one_shard, database)
            with speaking(lambda _: locale):
                await _serve(bot, settings.preview_port, locale, stop)
            await bot.close()


async def _serve(bot: Rowbot, port: int, locale: str, stop: asyncio.Event) -> None:
    async with AsyncExitStack() as stack:
        env = await stack.enter_async_context(still_world(bot))
        let_the_computer_think(env)
        assert bot.user is not None, "simcord logs the bot in"
        await bot.user.edit(username="Rowbot")
        try:
            preview = await stack.enter_async_context(await _page(env, bot, bot.user, port, locale))
        except simcord.SetupError as error:
            raise LastingError(f"The {error}; choose another PREVIEW_PORT.") from error
        print(
            "No DISCORD_TOKEN is set, so here is a local preview. Open it in a browser, press Play"
            " the computer,\nchoose a game and a level, and press the squares. The page lets you"
            f" switch between {', '.join(MEMBERS)}.\nIt shows no threads: give a tournament"
            f" channels:#{_CHANNEL}. Ctrl-C ends it.\n\n    {preview.url}\n",
            flush=True,
        )
        turn = one_at_a_time(preview)
        await _first(
            stop.wait(),
            preview.wait_closed(),
            _keep_up(env, preview, turn),
            pass_time(env, preview, turn),
        )


async def _page(
    env: Env, bot: Rowbot, user: discord.ClientUser, port: int, locale: str
) -> AbstractAsyncContextManager[Preview]:
    """Return the page of a server on which the bot has started; it isn't open yet."""
    users = [env.create_user(name) for name in MEMBERS]
    guild = env.create_guild("Rowbot preview", owner=users[0], preferred_locale=locale)
    # The page shows one channel: games of a tournament in threads could not be reached there.
    no_threads = discord.PermissionOverwrite(create_public_threads=False)
    channel = guild.create_text_channel(_CHANNEL, overwrites={user: no_threads})
    viewers = [guild.add_member(user) for user in users]
    await env.advance_time(_STARTING_SECONDS)
    # simcord makes a server available without telling the bot that it has joined it.
    bot.dispatch("guild_join", bot.get_guild(guild.id))
    await env.settle()
    # The page can show dates only in Discord's languages.
    shown = locale if locale in map(str, discord.Locale) else _ENGLISH
    return env.preview(channel, viewers=viewers, layout="channel", port=port, locale=shown)


@contextmanager
def speaking(locale_of: Callable[[int], str]) -> Iterator[None]:
    """Let members have the locale that `locale_of` returns for their id, and servers their own.

    In simcord alone, all have English.
    """
    make = interactions.base_payload

    def base_payload(backend: Backend, **given: Any) -> tuple[Any, dict[str, Any]]:
        record, payload = make(backend, **given)
        payload["locale"] = locale_of(given["user_id"])
        if given["guild_id"] is not None:
            payload["guild_locale"] = backend.get_guild(given["guild_id"]).preferred_locale
        return record, payload

    interactions.base_payload = base_payload
    try:
        yield
    finally:
        interactions.base_payload = make


def let_the_computer_think(env: Env) -> None:
    """Let the searches for the computer's moves, and those of loops, run beside all else in `env`.

    Otherwise simcord waits for the work in child processes before it moves a timer or ends an
    action, and the board on which the computer is thinking would never be seen.
    """
    loop: Any = asyncio.get_running_loop()
    tracked = loop.run_in_executor

    def run(executor: Executor | None, work: Callable[..., Any], *given: Any) -> Awaitable[Any]:
        if search_worker.choose not in given and "loop" not in logs.subject():
            result: Awaitable[Any] = tracked(executor, work, *given)
            return result
        search = Context().run(tracked, executor, work, *given)  # simcord tracks by the context
        wait: Awaitable[Any] = env.external_wait(search, reason="the computer is thinking")
        return wait

    loop.run_in_executor = run


def one_at_a_time(preview: Preview) -> asyncio.Lock:
    """Return a lock that each action of the page holds, so that actions wait for each other.

    `pass_time` holds it, too: simcord refuses an action that begins while its clock is moved.
    """
    turn = asyncio.Lock()
    act = preview._action  # noqa: SLF001

    async def in_turn(context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        async with turn:
            return await act(context_id, body)

    preview._action = in_turn  # type: ignore[method-assign]  # noqa: SLF001
    return turn


async def pass_time(env: Env, preview: Preview, turn: asyncio.Lock) -> None:
    """Let time pass in the world as it does outside, in ticks between actions, for the loops.

    This also lets the pages count "in 15 minutes" from the present; simcord counts from its last
    refresh.
    """
    clock = asyncio.get_running_loop().time
    before = clock()
    while True:
        await asyncio.sleep(_TICK_SECONDS)
        async with turn:
            now = clock()
            with suppress(TimeoutError):  # the bot is still at work, and goes on working
                await env.advance_time(min(now - before, _LONGEST_TICK_SECONDS))
            preview._advance_presentation_time()  # noqa: SLF001
            before = now


async def _keep_up(env: Env, preview: Preview, turn: asyncio.Lock) -> None:
    """Show the bot's own actions on the open pages: above all, the computer's answer.

    simcord itself only shows the effects of an action when the action ends.
    """
    changed = asyncio.Event()

    def note(event: str, _: object) -> None:
        # The effects of an action are shown when it ends.
        if event.startswith("MESSAGE_") and preview._active_action is None:  # noqa: SLF001
            changed.set()

    env.backend.subscribers.append(note)
    while True:
        await changed.wait()
        await asyncio.sleep(_TOGETHER_SECONDS)
        changed.clear()
        async with turn:
            # `Preview.refresh` would wait until the bot is at rest.
            preview._publish_message_pages(reason="refresh")  # noqa: SLF001


async def _first(*waits: Coroutine[Any, Any, object]) -> None:
    """Return as soon as one of `waits` is over; raise its error if it has failed."""
    tasks = [asyncio.create_task(wait) for wait in waits]
    over, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    for task in over:
        task.result()
