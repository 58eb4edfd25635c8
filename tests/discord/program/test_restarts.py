"""Restarts over the same database lose no accepted move."""

import pytest

from bot.client import Rowbot
from tests.bot.engines import HopelessEngine
from tests.discord.conftest import Restart
from tests.discord.failing import unreachable
from tests.discord.killing import REST_SECONDS
from tests.discord.world import ALICE_WINS, World, ids, mentioned, text


async def test_every_press_in_another_process(world: World, restart: Restart) -> None:
    """A bot that restarts after every press plays a whole match, and its series continues."""
    await world.challenge()
    for ply, square in enumerate(ALICE_WINS.split()):
        await restart()
        await world.press((world.alice, world.bob)[ply % 2], square)
    assert "alice** wins" in text(world.last)
    assert len(world.channel.history()) == 1
    for who in (world.alice, world.bob):
        await who.slash(world.channel, "rematch")
        await restart()
    assert "**bob** 0 – **alice** 1" in text(world.last)


@pytest.mark.parametrize("simcord_bot", [HopelessEngine], indirect=True)
async def test_the_computer_makes_its_pending_move(world: World, restart: Restart) -> None:
    """A move survives the computer's failure; the next start posts the board with the answer."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    assert "is thinking" in text(world.last)
    await world.env.advance_time(10)  # housekeeping stores the board's message
    await restart()
    await world.env.advance_time(REST_SECONDS)
    assert "**alice**, your move" in text(world.last)
    assert "Last move: 🔵" in text(world.last)
    assert mentioned(world.last, world.env) == []
    assert len(world.boards()) == 1


@pytest.mark.parametrize("simcord_bot", [HopelessEngine], indirect=True)
async def test_a_move_the_computer_cannot_answer_can_be_undone(world: World) -> None:
    """A match whose computer keeps failing can be undone or resigned."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    await world.alice.slash(world.channel, "undo")
    assert "m:1:0:b2" in ids(world.last)
    await world.resign(world.alice)
    assert "Computer (medium)** wins" in text(world.last)


async def test_a_board_that_comes_as_the_bot_ends(world: World, simcord_bot: Rowbot) -> None:
    """It is noted, so the next start neither looks for it nor sends another."""
    await world.challenge()
    with unreachable(world):
        await world.press(world.alice, "b2")
    await simcord_bot.finish()
    assert world.boards() == [world.last]
    noted = await world.sql("SELECT board_id, shown = revision FROM matches")
    assert noted == [(world.last.id, True)]
