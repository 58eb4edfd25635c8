"""The bot ends and starts again over the same database: nothing that was accepted is lost."""

from collections.abc import Sequence
from random import Random

import pytest
from simcord.env import Env
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.app import create_bot
from bot.client import Rowbot
from bot.settings import Settings
from core.engine.levels import Level
from core.engine.player import Engine
from core.grid import Move
from core.position import Position
from tests.discord.world import World, ids, mentioned, refused, text


class BrokenEngine(Engine):
    """A computer player that fails, at its first `failures` moves."""

    failures = 1000

    def choose(
        self, position: Position, level: Level, rng: Random, history: Sequence[Position] = ()
    ) -> Move:
        if self.failures:
            self.failures -= 1
            raise RuntimeError("no move comes to mind")
        return super().choose(position, level, rng, history)


class StumblingEngine(BrokenEngine):
    """A computer player that fails once."""

    failures = 1


@pytest.fixture
def fresh_bot(settings: Settings, database: AsyncEngine) -> Rowbot:
    """The bot as it is after a restart: nothing in memory, the same database."""
    return create_bot(settings, database, rng=Random(2))


async def test_a_game_goes_on_after_a_restart(world: World, fresh_bot: Rowbot) -> None:
    """Buttons of a board from before the restart work; the board isn't posted twice."""
    await world.challenge()
    await world.press(world.alice, "b2")
    await world.env.restart_bot(fresh_bot)
    await world.press(world.bob, "a1")
    assert "Last move: ⭕ a1" in text(world.last)
    assert len(world.boards()) == 1


async def test_a_challenge_survives_a_restart(world: World, fresh_bot: Rowbot) -> None:
    """Accept on a challenge from before the restart starts the match."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    await world.env.restart_bot(fresh_bot)
    await world.bob.click(world.last, label="Accept")
    assert mentioned(world.last, world.env) == [world.alice.id]


async def test_commands_know_the_match_after_a_restart(world: World, fresh_bot: Rowbot) -> None:
    """`/move` plays on a board from before the restart, and replaces it."""
    await world.challenge()
    await world.env.advance_time(10)  # housekeeping writes down where the board stands
    await world.env.restart_bot(fresh_bot)
    await world.alice.slash(world.channel, "move", where="b2")
    assert len(world.boards()) == 1
    assert "Last move: ❌ b2" in text(world.last)


async def test_a_killed_bot_forgets_where_a_board_is(world: World, fresh_bot: Rowbot) -> None:
    """Killed before it was written down: `/move` plays, and the board left behind can't."""
    await world.challenge()
    await world.press(world.alice, "b2")
    left = world.last
    await world.env.restart_bot(fresh_bot)
    await world.bob.slash(world.channel, "move", where="a1")
    assert "Last move: ⭕ a1" in text(world.last)
    assert "old one" in refused(await world.press(world.bob, "c3", left))
    await world.press(world.alice, "c3")
    assert "m:1:3:a3" in ids(world.last)


async def test_a_picked_man_survives_a_restart(world: World, fresh_bot: Rowbot) -> None:
    """A pick is in the message's buttons alone, so it can be placed after the restart."""
    await world.challenge(game="nineholes")
    await world.press(world.alice, "a1")
    await world.env.restart_bot(fresh_bot)
    await world.press(world.alice, "a1-b3")
    assert "Last move: ❌ a1-b3" in text(world.last)
    assert len(world.boards()) == 1


async def test_every_turn_in_another_process(
    world: World, settings: Settings, database: AsyncEngine
) -> None:
    """A bot that restarts after every single press plays a whole match, series and all."""
    await world.challenge()
    for ply, square in enumerate("a1 b1 a2 b2 a3".split()):
        await world.env.restart_bot(create_bot(settings, database))
        await world.press((world.alice, world.bob)[ply % 2], square)
    assert "alice** wins" in text(world.last)
    assert "**alice** 1 – **bob** 0" in text(world.last)
    assert len(world.channel.history()) == 1


async def test_a_doubled_press_across_a_restart(world: World, fresh_bot: Rowbot) -> None:
    """A press that Discord sends again to the next process is no second move."""
    await world.challenge()
    board = world.last
    world.keep_old_boards()
    await world.press(world.alice, "b2", board)
    await world.env.restart_bot(fresh_bot)
    await world.press(world.alice, "b2", board)
    assert "m:1:1:a1" in ids(world.last)


@pytest.mark.parametrize("simcord_bot", [BrokenEngine], indirect=True)
async def test_the_computer_makes_the_move_that_it_owes(
    simcord_env: Env, fresh_bot: Rowbot
) -> None:
    """A move is kept when the computer fails; the next start lets it answer and posts the board."""
    world = World(simcord_env)
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    assert "is thinking" in text(world.last)
    await world.env.advance_time(10)  # housekeeping writes down where the board stands
    await world.env.restart_bot(fresh_bot)
    assert "**alice**, your move" in text(world.last)
    assert "Last move: ⭕" in text(world.last)
    assert mentioned(world.last, world.env) == []
    assert len(world.boards()) == 1


@pytest.mark.parametrize("simcord_bot", [BrokenEngine], indirect=True)
async def test_a_press_while_the_computer_owes_a_move(simcord_env: Env) -> None:
    """A member who presses while it is the computer's turn is told so, and loses nothing."""
    world = World(simcord_env)
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    assert "Computer" in refused(await world.press(world.alice, "a1"))
    assert "m:1:1:a1" in ids(world.last)


@pytest.mark.parametrize("simcord_bot", [StumblingEngine], indirect=True)
async def test_board_asks_the_computer_again(simcord_env: Env) -> None:
    """A computer that has failed once answers when somebody asks for the board."""
    world = World(simcord_env)
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    await world.alice.slash(world.channel, "board")
    assert "Last move: ⭕" in text(world.last)
    assert len(world.boards()) == 1


@pytest.mark.parametrize("simcord_bot", [BrokenEngine], indirect=True)
async def test_a_move_that_the_computer_can_not_answer_is_taken_back(simcord_env: Env) -> None:
    """Nobody is locked into a match that the computer hangs in: undo and resign work."""
    world = World(simcord_env)
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    await world.alice.slash(world.channel, "undo")
    assert "m:1:0:b2" in ids(world.last)
    await world.resign(world.alice)
    assert "Computer (medium)** wins" in text(world.last)
