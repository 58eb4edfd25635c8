"""The bot in a local browser page, without a token or a network: simcord's preview.

The page, the members and the channel are simulated; the bot is the real one. The database lives in
a temporary folder, because the simulated ids begin anew every time.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Executor
from contextvars import Context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import simcord
from discord import ui
from simcord.env import Env

from bot.app import create_bot
from bot.db.database import open_database
from bot.gateway.components import text_view
from bot.i18n import DEFAULT_LOCALE, texts_for
from bot.settings import Settings
from bot.workers import search_worker

MEMBERS = ("alice", "bob", "carol")
# simcord gives up on an action after 5 s, and the analysis of a long match takes longer.
_PATIENCE_SECONDS = 60.0


async def serve_preview(settings: Settings, stop: asyncio.Event) -> None:
    """Serve the preview until `stop` is set or the page ends it; print its address first."""
    with TemporaryDirectory(prefix="rowbot-preview-") as folder:
        async with open_database(f"sqlite:///{Path(folder) / 'preview.db'}") as database:
            bot = create_bot(settings, database)
            async with simcord.run(
                bot, check_errors=False, settle_timeout=_PATIENCE_SECONDS
            ) as env:
                assert bot.user is not None, "simcord logs the bot in"
                await bot.user.edit(username="Rowbot")
                users = [env.create_user(name) for name in MEMBERS]
                guild = env.create_guild("Rowbot preview", owner=users[0])
                channel = guild.create_text_channel("games")
                viewers = [guild.add_member(user) for user in users]
                async with env.preview(
                    channel, viewers=viewers, layout="channel", port=settings.preview_port
                ) as preview:
                    await bot.get_partial_messageable(channel.id).send(view=_welcome())
                    await preview.refresh()
                    print(
                        "No DISCORD_TOKEN is set, so here is a local preview. Open it in a browser,"
                        " type /play and press the squares;\nthe page lets you switch between"
                        f" {', '.join(MEMBERS)}. Ctrl-C ends it.\n\n    {preview.url}\n",
                        flush=True,
                    )
                    await _first(stop.wait(), preview.wait_closed())
                await bot.close()


def let_the_computer_think(env: Env) -> None:
    """Let the searches for the computer's moves run beside all that happens in `env`.

    simcord waits for the work in child processes before it moves a timer or ends an action. So the
    board on which the computer is thinking would never be seen.
    """
    loop: Any = asyncio.get_running_loop()
    tracked = loop.run_in_executor

    def run(executor: Executor | None, work: Callable[..., Any], *given: Any) -> Awaitable[Any]:
        if search_worker.choose not in given:
            result: Awaitable[Any] = tracked(executor, work, *given)
            return result
        search = Context().run(tracked, executor, work, *given)  # simcord tracks by the context
        wait: Awaitable[Any] = env.external_wait(search, reason="the computer is thinking")
        return wait

    loop.run_in_executor = run


def _welcome() -> ui.LayoutView:
    """Return the first message of the channel, so that a newcomer faces no empty page."""
    return text_view(texts_for(DEFAULT_LOCALE)("help"))


async def _first(*waits: Coroutine[Any, Any, object]) -> None:
    """Return as soon as one of `waits` is over."""
    tasks = [asyncio.create_task(wait) for wait in waits]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
