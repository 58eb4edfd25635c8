"""Long searches by the computer, as members see them."""

import asyncio

import pytest

from tests.bot.engines import SlowEngine
from tests.discord.matches.moving import free_square
from tests.discord.world import World, text

pytestmark = pytest.mark.parametrize("simcord_bot", [SlowEngine], indirect=True)


async def perfect(world: World) -> None:
    await world.alice.slash(world.channel, "play tictactoe", level="perfect")


async def test_a_whole_match_of_searches(world: World) -> None:
    """A match with a search for every answer reaches its end; one message is left."""
    await perfect(world)
    for _ in range(5):
        if not world.boards():
            break
        await world.press(world.alice, free_square(world))
    assert "Series:" in text(world.last)
    assert len(world.channel.history()) == 1


async def test_a_command_that_takes_a_search(world: World) -> None:
    """`/play` and `/move` show the board after the computer's move."""
    options = {"level": "perfect", "first": "opponent"}
    result = await world.alice.slash(world.channel, "play tictactoe", **options)
    assert result.acknowledged and not result.ephemeral
    assert "Last move: ❌" in text(world.last)
    assert len(world.channel.history()) == 1
    await world.alice.slash(world.channel, "move", where=free_square(world))
    assert "Last move: ❌" in text(world.last)
    assert len(world.channel.history()) == 1


async def test_closing_during_a_search(world: World) -> None:
    """The bot finishes a running move before it closes."""
    await perfect(world)
    moving = world.begin(world.alice, world.last, "m:1:0:b2")
    while not await world.sql("SELECT 1 FROM matches WHERE computer_due"):  # noqa: ASYNC110 - of the database
        await asyncio.sleep(0)
    await world.env.bot.close()
    await world.env.settle()
    assert moving.acknowledged
    assert "Last move: 🔵" in text(world.last)
