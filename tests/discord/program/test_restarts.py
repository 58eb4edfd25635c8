"""Restarts over the same database lose no accepted move."""

from random import Random

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.app import create_bot
from bot.client import Rowbot
from bot.settings import Settings
from tests.bot.engines import HopelessEngine
from tests.discord.world import ALICE_WINS, World, ids, mentioned, refused, text


@pytest.fixture
def fresh_bot(settings: Settings, database: AsyncEngine) -> Rowbot:
    """Return a restarted bot: an empty memory, the same database."""
    return create_bot(settings, database, rng=Random(2))


async def test_a_command_finds_the_match_after_a_restart(world: World, fresh_bot: Rowbot) -> None:
    """`/move` plays on a board from before the restart and replaces it."""
    await world.challenge()
    await world.env.advance_time(10)  # housekeeping stores the board's message
    await world.env.restart_bot(fresh_bot)
    await world.alice.slash(world.channel, "move", where="b2")
    assert len(world.boards()) == 1
    assert "Last move: ❌ b2" in text(world.last)


async def test_a_killed_bot_forgets_the_message_of_a_board(world: World, fresh_bot: Rowbot) -> None:
    """If it is killed first, `/move` still plays, and the board left behind is removed."""
    await world.challenge()
    await world.press(world.alice, "b2")
    await world.env.restart_bot(fresh_bot)
    await world.bob.slash(world.channel, "move", where="a1")
    assert len(world.boards()) == 1
    assert "Last move: 🔵 a1" in text(world.last)
    await world.press(world.alice, "c3")
    assert "m:1:3:a3" in ids(world.last)


async def test_a_picked_man_survives_a_restart(world: World, fresh_bot: Rowbot) -> None:
    """The pick is stored in the buttons of the message, so it can be placed after the restart."""
    await world.challenge(game="nineholes")
    await world.press(world.alice, "a1")
    await world.env.restart_bot(fresh_bot)
    await world.press(world.alice, "a1-b3")
    assert "Last move: ❌ a1-b3" in text(world.last)
    assert len(world.boards()) == 1


async def test_every_press_in_another_process(
    world: World, settings: Settings, database: AsyncEngine
) -> None:
    """A bot that restarts after every press plays a whole match, and its series continues."""
    await world.challenge()
    for ply, square in enumerate(ALICE_WINS.split()):
        await world.env.restart_bot(create_bot(settings, database))
        await world.press((world.alice, world.bob)[ply % 2], square)
    assert "alice** wins" in text(world.last)
    assert "**alice** 1 – **bob** 0" in text(world.last)
    assert len(world.channel.history()) == 1


async def test_a_doubled_press_across_a_restart(world: World, fresh_bot: Rowbot) -> None:
    """A press delivered again to the next process makes no second move."""
    await world.challenge()
    board = world.last
    world.keep_old_boards()
    await world.press(world.alice, "b2", board)
    await world.env.restart_bot(fresh_bot)
    await world.press(world.alice, "b2", board)
    assert "m:1:1:a1" in ids(world.last)


@pytest.mark.parametrize("simcord_bot", [HopelessEngine], indirect=True)
async def test_the_computer_makes_its_pending_move(world: World, fresh_bot: Rowbot) -> None:
    """A move survives the computer's failure; the next start posts the board with the answer."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    assert "is thinking" in text(world.last)
    await world.env.advance_time(10)  # housekeeping stores the board's message
    await world.env.restart_bot(fresh_bot)
    assert "**alice**, your move" in text(world.last)
    assert "Last move: 🔵" in text(world.last)
    assert mentioned(world.last, world.env) == []
    assert len(world.boards()) == 1


@pytest.mark.parametrize("simcord_bot", [HopelessEngine], indirect=True)
async def test_a_press_before_the_computer_has_moved(world: World) -> None:
    """A member who presses in the computer's turn is told so, and loses nothing."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    assert "is thinking" in refused(await world.press(world.alice, "a1"))
    assert "m:1:1:a1" in ids(world.last)


@pytest.mark.parametrize("simcord_bot", [HopelessEngine], indirect=True)
async def test_a_move_the_computer_cannot_answer_can_be_undone(world: World) -> None:
    """A match whose computer keeps failing can be undone or resigned."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    await world.alice.slash(world.channel, "undo")
    assert "m:1:0:b2" in ids(world.last)
    await world.resign(world.alice)
    assert "Computer (medium)** wins" in text(world.last)
