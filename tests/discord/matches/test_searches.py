"""Long searches by the computer, as members see them."""

import asyncio

import pytest

from tests.bot.engines import SlowEngine
from tests.discord.world import World, text

pytestmark = pytest.mark.parametrize("simcord_bot", [SlowEngine], indirect=True)


async def perfect(world: World) -> None:
    await world.alice.slash(world.channel, "play tictactoe", level="perfect")


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
