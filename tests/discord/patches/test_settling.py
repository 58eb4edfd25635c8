"""The wait until the bot has nothing left to do."""

import asyncio
import time
from functools import partial

import pytest
from simcord.env import Env

from bot.gateway.loops import Loop
from tests.discord.patches import settling
from tests.discord.world import World


async def test_no_limit_is_shorter_than_that_of_the_environment(world: World) -> None:
    """A busy machine takes longer to attach a bot than simcord's limit for that."""
    env = world.env
    with env._bot_scope():  # noqa: SLF001
        work = env.bot.loop.run_in_executor(None, time.sleep, 0.3)
    await env.settle(timeout=0.1)
    assert work.done()


async def test_each_minute_has_the_limit_to_itself(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine may take longer than one limit for the half-hour that a test lets pass."""
    advance_to, left = settling._advance_to, list[float]()  # noqa: SLF001

    async def noting(env: Env, target: float, deadline: float) -> None:
        left.append(deadline - asyncio.get_running_loop().time())
        await advance_to(env, target, deadline)

    monkeypatch.setattr(settling, "_advance_to", noting)
    await world.env.advance_time(150)
    assert left == [pytest.approx(world.env.settle_timeout, abs=5)] * 3


async def test_a_loop_rests_between_its_rounds(world: World) -> None:
    """Its next round comes when the test lets time pass, however short the pause is."""
    loop = Loop("testing", 0.3, partial(asyncio.sleep, 0))
    with world.env._bot_scope():  # noqa: SLF001
        loop.start(partial(asyncio.sleep, 0))
    await world.env.settle()
    await asyncio.sleep(0.4)
    assert loop.rounds == 1
    await world.env.advance_time(0.3)
    assert loop.rounds == 2
    await loop.stop()


async def test_a_task_waits_for_a_lock_whose_holder_sleeps(world: World) -> None:
    """The holder's second sleep begins as simcord lets the first one pass, and ends as well."""
    lock, done = asyncio.Lock(), list[str]()

    async def hold() -> None:
        async with lock:
            await asyncio.sleep(0.01)
            await asyncio.sleep(0.01)
            done.append("held")

    async def wait() -> None:
        async with lock:
            done.append("waited")

    loop = asyncio.get_running_loop()
    with world.env._bot_scope():  # noqa: SLF001
        tasks = [loop.create_task(hold()), loop.create_task(wait())]
    await world.env.settle(timeout=2)
    assert done == ["held", "waited"]
    await asyncio.gather(*tasks)
