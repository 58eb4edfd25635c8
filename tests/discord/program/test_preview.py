"""The preview's world: simcord's, in which only the shortest timers fire."""

import asyncio
from collections.abc import Callable

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.app import create_bot
from bot.preview import still_world
from bot.settings import Settings


async def test_a_long_timer_holds_up_no_action(settings: Settings, database: AsyncEngine) -> None:
    """The page waits for no timer of seconds, as that of the drawing process, nor does it fire.

    A timer of a moment, as that of a quick answer, fires.
    """
    fired: list[str] = []
    bot = create_bot(settings, database)

    async def rest() -> None:
        later: Callable[..., object] = asyncio.get_running_loop().call_later
        later(0.1, fired.append, "soon")
        later(3, fired.append, "late")

    bot.on_online.append(rest)
    async with still_world(bot) as env:
        before = env.now()
        async with asyncio.timeout(2.5):
            await env.settle()
        assert fired == ["soon"]
        assert (env.now() - before).total_seconds() < 1
        await bot.finish()
