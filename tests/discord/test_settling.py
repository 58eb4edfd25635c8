"""The wait until the bot has nothing left to do."""

import time

from tests.discord.world import World


async def test_no_limit_is_shorter_than_that_of_the_environment(world: World) -> None:
    """A busy machine takes longer than the limit that simcord has for attaching a bot."""
    env = world.env
    with env._bot_scope():  # noqa: SLF001
        work = env.bot.loop.run_in_executor(None, time.sleep, 0.3)
    await env.settle(timeout=0.1)
    assert work.done()
