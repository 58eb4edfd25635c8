"""Clocks: the deadline on the board, one reminder, lost time, restarts, games put away."""

import discord
import pytest
from simcord.builders import ChannelHandle

from tests.conftest import Calendar
from tests.discord.conftest import Restart
from tests.discord.passing import DAY, DEFAULT, HOUR, MINUTE, ROUND, pass_time
from tests.discord.world import World, labels, mentioned, refused, text


def messages(channel: ChannelHandle) -> list[discord.Message]:
    return list(channel.history())


# --- the deadline


async def test_the_deadline_is_shown_and_renewed(world: World, calendar: Calendar) -> None:
    """Each board says when time runs out, as Discord tells it to each reader; a move renews it."""
    await world.challenge()
    first = calendar() + DEFAULT
    assert f"<t:{first}:R>" in text(world.last)
    calendar.ahead += HOUR
    await world.press(world.alice, "b2")
    assert f"<t:{calendar() + DEFAULT}:R>" in text(world.last)


async def test_a_challenge_tells_the_clock(world: World, calendar: Calendar) -> None:
    """Whoever accepts knows how much time they will have, and gets it; a rematch keeps it."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob, clock=HOUR)
    assert "Time for a move: 1 hour." in text(world.last)
    await world.bob.click(world.last, label="Accept")
    assert f"<t:{calendar() + HOUR}:R>" in text(world.last)
    await world.play("a1 a3 b1 b3 c1")
    assert "Time runs out" not in text(world.last)
    await world.alice.click(world.last, label="Rematch")
    await world.bob.click(world.last, label="Rematch")
    assert f"<t:{calendar() + HOUR}:R>" in text(world.boards()[-1])


async def test_no_clock(world: World, calendar: Calendar) -> None:
    """Without a clock nothing is shown, and nobody ever loses."""
    await world.challenge(clock=0)
    assert "Time runs out" not in text(world.last)
    await pass_time(world, calendar, 400 * DAY)
    await world.press(world.alice, "b2")
    assert len(world.boards()) == 1


async def test_against_the_computer_no_clock_runs(world: World, calendar: Calendar) -> None:
    """However it is set: the computer has all the time in the world, and gives it."""
    await world.alice.slash(world.channel, "play tictactoe", clock=5 * MINUTE)
    assert "Time runs out" not in text(world.last)
    await pass_time(world, calendar, DAY)
    await world.press(world.alice, "b2")
    assert "Last move: ⭕" in text(world.last)


# --- the reminder


@pytest.mark.parametrize(
    ("given", "left"), [(DEFAULT, 6 * HOUR), (HOUR, 15 * MINUTE), (5 * MINUTE, 2 * MINUTE)]
)
async def test_one_reminder(world: World, calendar: Calendar, given: int, left: int) -> None:
    """With a quarter left, at least two minutes, the player to move is mentioned; once."""
    await world.challenge(clock=given)
    board = world.last
    await pass_time(world, calendar, given - left - 2 * ROUND)
    assert world.last.id == board.id
    await pass_time(world, calendar, 2 * ROUND)
    reminder = world.last
    assert "it is your move" in text(reminder)
    assert f"/{world.channel.id}/{board.id}" in text(reminder)
    assert mentioned(reminder, world.env) == [world.alice.id]
    await pass_time(world, calendar, ROUND)
    await pass_time(world, calendar, ROUND)
    assert world.last.id == reminder.id


async def test_a_reminder_is_sent_once_across_restarts(
    world: World, calendar: Calendar, restart: Restart
) -> None:
    """Another start of the program doesn't remind again."""
    await world.challenge()
    await pass_time(world, calendar, 19 * HOUR)
    reminder = world.last
    await restart()
    await pass_time(world, calendar, HOUR)
    assert world.last.id == reminder.id
    assert len(messages(world.channel)) == 2


async def test_each_turn_has_its_own_reminder(world: World, calendar: Calendar) -> None:
    """After a move the next player is reminded in their turn."""
    await world.challenge()
    await pass_time(world, calendar, 19 * HOUR)
    await world.press(world.alice, "b2", world.boards()[-1])
    await pass_time(world, calendar, 19 * HOUR)
    assert mentioned(world.last, world.env) == [world.bob.id]
    assert "your move" in text(world.last)


# --- time is up


async def test_who_runs_out_of_time_loses(world: World, calendar: Calendar) -> None:
    """The result takes the board's place, mentions nobody, and the channel is free."""
    await world.challenge()
    await world.press(world.alice, "b2")
    await pass_time(world, calendar, DEFAULT)
    assert "❌ **alice** wins! ⭕ **bob** ran out of time." in text(world.last)
    assert not mentioned(world.last, world.env)
    assert not world.boards()
    assert "Rematch" in labels(world.last)
    await world.alice.slash(world.channel, "play tictactoe")
    assert len(world.boards()) == 1


async def test_lost_time_is_rated(world: World, calendar: Calendar) -> None:
    """Like any other result: the ratings are on the final board."""
    await world.challenge()
    await world.play("a1 a2 b2 b1")
    await pass_time(world, calendar, DEFAULT)
    assert "⭕ **bob** wins! ❌ **alice** ran out of time." in text(world.last)
    assert "📈 Rating:" in text(world.last)


async def test_a_move_in_time_saves_the_match(world: World, calendar: Calendar) -> None:
    """The deadline of a turn says nothing about the next."""
    await world.challenge()
    calendar.ahead += DEFAULT - 1
    await world.press(world.alice, "b2", world.boards()[-1])
    await pass_time(world, calendar, HOUR)
    assert "your move" in text(world.boards()[-1])


async def test_a_press_on_a_board_whose_end_could_not_be_posted(
    world: World, calendar: Calendar
) -> None:
    """Where the bot may not post, the old board becomes the final one; else a press shows it."""
    await world.challenge()
    board = world.last
    world.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=None)
    await pass_time(world, calendar, DEFAULT)
    assert "ran out of time" in text(world.now(board))


async def test_a_press_when_nothing_could_be_shown(world: World, calendar: Calendar) -> None:
    """Where it can't be changed either, whoever presses is shown how it ended."""
    await world.challenge()
    board = world.last
    world.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=None)
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50013, times=None)
    await pass_time(world, calendar, DEFAULT)
    assert world.last.id == board.id
    await world.press(world.alice, "b2", board)
    assert "ran out of time" in text(world.last)


# --- restarts


async def test_grace_after_a_restart(world: World, calendar: Calendar, restart: Restart) -> None:
    """Whose time ran out while the bot was down has a tenth of it from the start, and is told."""
    await world.challenge(clock=8 * HOUR)
    calendar.ahead += 30 * HOUR
    await restart()
    await world.env.advance_time(ROUND)
    assert "it is your move" in text(world.last)
    assert mentioned(world.last, world.env) == [world.alice.id]
    await pass_time(world, calendar, 47 * MINUTE)
    assert len(world.boards()) == 1
    await pass_time(world, calendar, MINUTE)
    assert "ran out of time" in text(world.last)


async def test_a_deadline_survives_a_restart(
    world: World, calendar: Calendar, restart: Restart
) -> None:
    """A clock that has not run out goes on as it was."""
    await world.challenge()
    calendar.ahead += HOUR
    await restart()
    await pass_time(world, calendar, DEFAULT - HOUR)
    assert "ran out of time" in text(world.last)


# --- games that nobody plays


async def test_an_idle_game_is_put_away(world: World, calendar: Calendar) -> None:
    """After seven days the channel is free; the match isn't over, and comes back by /board."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    board = world.last
    await pass_time(world, calendar, 6 * DAY)
    assert world.boards()
    await pass_time(world, calendar, DAY + HOUR)
    assert "put away" in text(world.now(board))
    assert not labels(world.now(board))
    assert await world.sql("SELECT ended_at FROM matches") == [(None,)]
    await world.alice.slash(world.channel, "board")
    assert "Last move: ⭕" in text(world.last)
    assert len(messages(world.channel)) == 1
    ((moves,),) = await world.sql("SELECT moves FROM matches")
    free = next(square for square in ("a1", "a2", "a3") if square not in moves)
    await world.press(world.alice, free)
    await pass_time(world, calendar, 7 * DAY + HOUR)
    assert "put away" in text(world.last)


async def test_a_put_away_game_waits_for_a_free_channel(world: World, calendar: Calendar) -> None:
    """While another match is played, /board says so to whoever wants the old one back."""
    await world.alice.slash(world.channel, "play tictactoe")
    await pass_time(world, calendar, 8 * DAY)
    await world.bob.slash(world.channel, "play nineholes")
    words = refused(await world.alice.slash(world.channel, "board"))
    assert "another match is being played in this channel" in words and "bob" in words
    await world.bob.slash(world.channel, "board")
    assert "Nine Holes" in text(world.last)
    await world.resign(world.bob)
    await world.alice.slash(world.channel, "board")
    assert "Tic-tac-toe" in text(world.last)


@pytest.mark.parametrize("command", ["move", "resign", "undo", "draw", "hint"])
async def test_a_put_away_game_is_not_played(
    world: World, calendar: Calendar, command: str
) -> None:
    """Whatever is asked of it, the answer says how it comes back."""
    await world.alice.slash(world.channel, "play tictactoe")
    await pass_time(world, calendar, 8 * DAY)
    options = {"where": "b2"} if command == "move" else {}
    words = refused(await world.alice.slash(world.channel, command, **options))
    assert "put away" in words and "`/board`" in words


async def test_a_press_on_a_put_away_game(world: World, calendar: Calendar) -> None:
    """A press that crosses the putting away is refused with the way back; so are strangers."""
    await world.alice.slash(world.channel, "play tictactoe")
    board = world.last
    await pass_time(world, calendar, 8 * DAY)
    assert "put away" in refused(await world.late(world.alice, board, "m:1:0:b2"))
    assert "put away" in refused(await world.bob.slash(world.channel, "board"))
