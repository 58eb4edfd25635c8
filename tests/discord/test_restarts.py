"""The bot ends and starts again over the same database: nothing that was accepted is lost."""

from random import Random

import pytest
from simcord.env import Env
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.app import create_bot
from bot.client import Rowbot
from bot.settings import Settings
from core.engine.levels import Engine, Level
from core.game import Position
from core.grid import Move
from tests.discord.world import World, mentioned, text


class BrokenEngine(Engine):
    """A computer player that fails."""

    def choose(self, position: Position, level: Level, rng: Random) -> Move:
        raise RuntimeError("no move comes to mind")


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


@pytest.mark.parametrize("simcord_bot", [BrokenEngine()], indirect=True)
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
    assert "your move" in text(world.last)
    assert "Last move: ⭕" in text(world.last)
    assert len(world.boards()) == 1


@pytest.mark.parametrize("simcord_bot", [BrokenEngine()], indirect=True)
async def test_a_press_while_the_computer_owes_a_move(simcord_env: Env) -> None:
    """A member who presses while it is the computer's turn is told so, and loses nothing."""
    world = World(simcord_env)
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    assert "Computer" in text(await world.press(world.alice, "a1"))
