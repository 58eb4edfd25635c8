"""Nothing is kept in memory for a match."""

import asyncio

import discord

from tests.discord.world import World, refused, text

ROUNDS = 20


async def test_nothing_stays_in_memory(world: World) -> None:
    """After many turns discord.py holds no view of ours, and the services no match."""
    for _ in range(ROUNDS):
        await world.challenge()
        await world.play("a1 b1 a2 b2 a3")
    bot = world.env.bot
    store = bot._connection._view_store  # noqa: SLF001
    assert not any(store._views.values())  # noqa: SLF001
    assert not store._synced_message_views  # noqa: SLF001
    matches = bot.services.matches  # type: ignore[attr-defined]
    assert not matches._channels  # noqa: SLF001
    assert len(matches.boards._shown) <= ROUNDS  # noqa: SLF001
    await world.env.advance_time(10)
    assert not matches.boards._shown  # noqa: SLF001
    assert isinstance(bot, discord.Client)
    assert not bot.cached_messages


async def test_a_turn_is_two_requests(world: World) -> None:
    """A move costs the new board and the old one's removal, and nothing else."""
    await world.challenge()
    before = len(world.env.http_requests)
    await world.press(world.alice, "b2")
    calls = [request.method for request in world.env.http_requests[before:]]
    assert calls == ["POST", "DELETE"]


async def test_closing_finishes_what_is_running(world: World) -> None:
    """A press that is being handled when the bot closes is played and shown; no later one is."""
    await world.challenge()
    bot, board = world.env.bot, world.last
    running = world.begin(world.alice, board, "m:1:0:b2")
    while not bot._running:  # type: ignore[attr-defined]  # noqa: ASYNC110, SLF001
        await asyncio.sleep(0)
    closing = asyncio.create_task(bot.close())
    await asyncio.sleep(0)
    late = world.begin(world.bob, board, "m:1:0:c3")
    await closing
    await world.env.settle()
    assert running.acknowledged
    assert "Last move: ❌ b2" in text(world.last)
    assert "restarting" in refused(late)
