"""Clocks: the deadline on the board, one reminder, lost time, restarts, games put away."""

from collections.abc import Awaitable, Callable
from random import Random
from typing import TypeAlias

import discord
import pytest
from simcord.builders import ChannelHandle
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.app import create_bot, unix_now
from bot.client import Rowbot
from bot.settings import Settings
from tests.discord.world import World, labels, mentioned, refused, text

MINUTE, HOUR, DAY = 60, 3600, 86_400
ROUND = 6  # seconds in which the sweeper comes by
DEFAULT = DAY

Restart: TypeAlias = Callable[..., Awaitable[None]]


class Clock:
    """The bot's clock, `ahead` of simcord's by seconds: so that time can pass at no cost."""

    ahead = 0

    def __call__(self) -> int:
        return unix_now() + self.ahead


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def simcord_bot(settings: Settings, database: AsyncEngine, clock: Clock) -> Rowbot:
    """Return the real bot, by a clock that tests put forward."""
    return create_bot(settings, database, rng=Random(1), clock=clock)


@pytest.fixture
def restart(world: World, settings: Settings, database: AsyncEngine, clock: Clock) -> Restart:
    """End the bot and start another over the same database."""

    async def restart_now() -> None:
        await world.env.restart_bot(create_bot(settings, database, rng=Random(2), clock=clock))

    return restart_now


async def pass_time(world: World, clock: Clock, seconds: int) -> None:
    """Let time pass, and then the sweeper come by."""
    clock.ahead += seconds
    await world.env.advance_time(ROUND)


def messages(channel: ChannelHandle) -> list[discord.Message]:
    return list(channel.history())


# --- the deadline


async def test_the_deadline_is_shown_and_renewed(world: World, clock: Clock) -> None:
    """Each board says when time runs out, as Discord tells it to each reader; a move renews it."""
    await world.challenge()
    first = clock() + DEFAULT
    assert f"<t:{first}:R>" in text(world.last)
    clock.ahead += HOUR
    await world.press(world.alice, "b2")
    assert f"<t:{clock() + DEFAULT}:R>" in text(world.last)


async def test_a_challenge_tells_the_clock(world: World, clock: Clock) -> None:
    """Whoever accepts knows how much time they will have, and gets it; a rematch keeps it."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob, clock=HOUR)
    assert "Time for a move: 1 hour." in text(world.last)
    await world.bob.click(world.last, label="Accept")
    assert f"<t:{clock() + HOUR}:R>" in text(world.last)
    await world.play("a1 a3 b1 b3 c1")
    assert "Time runs out" not in text(world.last)
    await world.alice.click(world.last, label="Rematch")
    await world.bob.click(world.last, label="Rematch")
    assert f"<t:{clock() + HOUR}:R>" in text(world.boards()[-1])


async def test_no_clock(world: World, clock: Clock) -> None:
    """Without a clock nothing is shown, and nobody ever loses."""
    await world.challenge(clock=0)
    assert "Time runs out" not in text(world.last)
    await pass_time(world, clock, 400 * DAY)
    await world.press(world.alice, "b2")
    assert len(world.boards()) == 1


async def test_against_the_computer_no_clock_runs(world: World, clock: Clock) -> None:
    """However it is set: the computer has all the time in the world, and gives it."""
    await world.alice.slash(world.channel, "play tictactoe", clock=5 * MINUTE)
    assert "Time runs out" not in text(world.last)
    await pass_time(world, clock, DAY)
    await world.press(world.alice, "b2")
    assert "Last move: ⭕" in text(world.last)


# --- the reminder


@pytest.mark.parametrize(
    ("given", "left"), [(DEFAULT, 6 * HOUR), (HOUR, 15 * MINUTE), (5 * MINUTE, 2 * MINUTE)]
)
async def test_one_reminder(world: World, clock: Clock, given: int, left: int) -> None:
    """With a quarter left, at least two minutes, the player to move is mentioned; once."""
    await world.challenge(clock=given)
    board = world.last
    await pass_time(world, clock, given - left - 2 * ROUND)
    assert world.last.id == board.id
    await pass_time(world, clock, 2 * ROUND)
    reminder = world.last
    assert "it is your move" in text(reminder)
    assert f"/{world.channel.id}/{board.id}" in text(reminder)
    assert mentioned(reminder, world.env) == [world.alice.id]
    await pass_time(world, clock, ROUND)
    await pass_time(world, clock, ROUND)
    assert world.last.id == reminder.id


async def test_a_reminder_is_sent_once_across_restarts(
    world: World, clock: Clock, restart: Restart
) -> None:
    """Another start of the program doesn't remind again."""
    await world.challenge()
    await pass_time(world, clock, 19 * HOUR)
    reminder = world.last
    await restart()
    await pass_time(world, clock, HOUR)
    assert world.last.id == reminder.id
    assert len(messages(world.channel)) == 2


async def test_each_turn_has_its_own_reminder(world: World, clock: Clock) -> None:
    """After a move the next player is reminded in their turn."""
    await world.challenge()
    await pass_time(world, clock, 19 * HOUR)
    await world.press(world.alice, "b2", world.boards()[-1])
    await pass_time(world, clock, 19 * HOUR)
    assert mentioned(world.last, world.env) == [world.bob.id]
    assert "your move" in text(world.last)


# --- time is up


async def test_who_runs_out_of_time_loses(world: World, clock: Clock) -> None:
    """The result takes the board's place, mentions nobody, and the channel is free."""
    await world.challenge()
    await world.press(world.alice, "b2")
    await pass_time(world, clock, DEFAULT)
    assert "❌ **alice** wins! ⭕ **bob** ran out of time." in text(world.last)
    assert not mentioned(world.last, world.env)
    assert not world.boards()
    assert "Rematch" in labels(world.last)
    await world.alice.slash(world.channel, "play tictactoe")
    assert len(world.boards()) == 1


async def test_lost_time_is_rated(world: World, clock: Clock) -> None:
    """Like any other result: the ratings are on the final board."""
    await world.challenge()
    await world.play("a1 a2 b2 b1")
    await pass_time(world, clock, DEFAULT)
    assert "⭕ **bob** wins! ❌ **alice** ran out of time." in text(world.last)
    assert "📈 Rating:" in text(world.last)


async def test_a_move_in_time_saves_the_match(world: World, clock: Clock) -> None:
    """The deadline of a turn says nothing about the next."""
    await world.challenge()
    clock.ahead += DEFAULT - 1
    await world.press(world.alice, "b2", world.boards()[-1])
    await pass_time(world, clock, HOUR)
    assert "your move" in text(world.boards()[-1])


async def test_a_press_on_a_board_whose_end_could_not_be_posted(world: World, clock: Clock) -> None:
    """Where the bot may not post, the old board becomes the final one; else a press shows it."""
    await world.challenge()
    board = world.last
    world.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=None)
    await pass_time(world, clock, DEFAULT)
    assert "ran out of time" in text(world.now(board))


async def test_a_press_when_nothing_could_be_shown(world: World, clock: Clock) -> None:
    """Where it can't be changed either, whoever presses is shown how it ended."""
    await world.challenge()
    board = world.last
    world.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=None)
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50013, times=None)
    await pass_time(world, clock, DEFAULT)
    assert world.last.id == board.id
    await world.press(world.alice, "b2", board)
    assert "ran out of time" in text(world.last)


# --- restarts


async def test_grace_after_a_restart(world: World, clock: Clock, restart: Restart) -> None:
    """Whose time ran out while the bot was down has a tenth of it from the start, and is told."""
    await world.challenge(clock=8 * HOUR)
    clock.ahead += 30 * HOUR
    await restart()
    await world.env.advance_time(ROUND)
    assert "it is your move" in text(world.last)
    assert mentioned(world.last, world.env) == [world.alice.id]
    await pass_time(world, clock, 47 * MINUTE)
    assert len(world.boards()) == 1
    await pass_time(world, clock, MINUTE)
    assert "ran out of time" in text(world.last)


async def test_a_deadline_survives_a_restart(world: World, clock: Clock, restart: Restart) -> None:
    """A clock that has not run out goes on as it was."""
    await world.challenge()
    clock.ahead += HOUR
    await restart()
    await pass_time(world, clock, DEFAULT - HOUR)
    assert "ran out of time" in text(world.last)


# --- games that nobody plays


async def test_an_idle_game_is_put_away(world: World, clock: Clock) -> None:
    """After seven days the channel is free; the match isn't over, and comes back by /board."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    board = world.last
    await pass_time(world, clock, 6 * DAY)
    assert world.boards()
    await pass_time(world, clock, DAY + HOUR)
    assert "put away" in text(world.now(board))
    assert not labels(world.now(board))
    assert await world.sql("SELECT ended_at FROM matches") == [(None,)]
    await world.alice.slash(world.channel, "board")
    assert "Last move: ⭕" in text(world.last)
    assert len(messages(world.channel)) == 1
    ((moves,),) = await world.sql("SELECT moves FROM matches")
    free = next(square for square in ("a1", "a2", "a3") if square not in moves)
    await world.press(world.alice, free)
    await pass_time(world, clock, 7 * DAY + HOUR)
    assert "put away" in text(world.last)


async def test_a_put_away_game_waits_for_a_free_channel(world: World, clock: Clock) -> None:
    """While another match is played, /board says so to whoever wants the old one back."""
    await world.alice.slash(world.channel, "play tictactoe")
    await pass_time(world, clock, 8 * DAY)
    await world.bob.slash(world.channel, "play nineholes")
    words = refused(await world.alice.slash(world.channel, "board"))
    assert "another match is being played in this channel" in words and "bob" in words
    await world.bob.slash(world.channel, "board")
    assert "Nine Holes" in text(world.last)
    asked = await world.bob.slash(world.channel, "resign")
    assert asked.response is not None
    await world.bob.click(asked.response, label="Yes, resign")
    await world.alice.slash(world.channel, "board")
    assert "Tic-tac-toe" in text(world.last)


@pytest.mark.parametrize("command", ["move", "resign", "undo", "draw", "hint"])
async def test_a_put_away_game_is_not_played(world: World, clock: Clock, command: str) -> None:
    """Whatever is asked of it, the answer says how it comes back."""
    await world.alice.slash(world.channel, "play tictactoe")
    await pass_time(world, clock, 8 * DAY)
    options = {"where": "b2"} if command == "move" else {}
    words = refused(await world.alice.slash(world.channel, command, **options))
    assert "put away" in words and "`/board`" in words


async def test_a_press_on_a_put_away_game(world: World, clock: Clock) -> None:
    """A press that crosses the putting away is refused with the way back; so are strangers."""
    await world.alice.slash(world.channel, "play tictactoe")
    board = world.last
    await pass_time(world, clock, 8 * DAY)
    assert "put away" in refused(await world.late(world.alice, board, "m:1:0:b2"))
    assert "put away" in refused(await world.bob.slash(world.channel, "board"))
