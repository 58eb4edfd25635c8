"""The wait until the bot has nothing left to do."""

import time
from weakref import ref

from tests.discord.world import World


async def test_no_limit_is_shorter_than_that_of_the_environment(world: World) -> None:
    """A busy machine takes longer than the limit that simcord has for attaching a bot."""
    env = world.env
    with env._bot_scope():  # noqa: SLF001
        work = env.bot.loop.run_in_executor(None, time.sleep, 0.3)
    await env.settle(timeout=0.1)
    assert work.done()


async def test_a_callback_that_has_run_is_forgotten(world: World) -> None:
    """At once, without a garbage collection; simcord's errors name those that haven't run."""
    env = world.env
    called: list[int] = []
    with env._bot_scope():  # noqa: SLF001
        handles = [
            env.bot.loop.call_soon(called.append, 1),
            env.bot.loop.call_later(30, called.pop),
        ]
    run, waiting = (ref(handle) for handle in handles)
    del handles
    assert [one.label for one in env._work.callbacks][-2:] == ["list.append", "list.pop"]  # noqa: SLF001
    await env.settle()
    assert called == [1] and run() is None and waiting() is not None
    await env.advance_time(30)
    assert called == [] and waiting() is None
