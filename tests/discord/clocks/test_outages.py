"""Outages of Discord, in which nobody can move: they cost nobody the match."""

from contextvars import Context

import pytest

from tests.bot.processes import until
from tests.conftest import Calendar
from tests.discord.calls import CHANGE_BY_TOKEN, on_its_way
from tests.discord.conftest import Restart
from tests.discord.failing import PUT_OFF_SECONDS, unchangeable
from tests.discord.matches.passing import DAY, HOUR, MINUTE, begin_outage, end_outage, pass_time
from tests.discord.world import ALICE_WINS, LOOKING, World, labels, mentioned, text
from tests.fuzzing.acting import slash


async def check_time_is_left(
    world: World, calendar: Calendar, board_id: int, *, reminded: bool = False
) -> None:
    """Check that alice is reminded within the hour, has time then, and can move."""
    assert reminded or world.last.id == board_id
    await pass_time(world, calendar, 36 * MINUTE)
    assert "it's your move" in text(world.last)
    assert mentioned(world.last, world.env) == [world.alice.id]
    ((deadline,),) = await world.sql("SELECT deadline FROM matches")
    assert 0 < deadline - calendar() <= HOUR
    assert f"<t:{deadline}:R>" in text(world.last)
    board = next(m for m in world.channel.history() if m.id == board_id)
    assert f"<t:{deadline}:R>" in text(board), "the board shows the time that is left"
    await world.press(world.alice, "b2", board)
    assert "Last move: ❌ b2" in text(world.last)


async def test_nobody_loses_while_a_server_is_down(world: World, calendar: Calendar) -> None:
    """After the outage the player to move is reminded, and has a part of the clock."""
    board = await world.challenge(clock=12 * HOUR)
    await pass_time(world, calendar, HOUR)
    await begin_outage(world)
    for _ in range(3):
        await pass_time(world, calendar, DAY)
    await end_outage(world)
    await check_time_is_left(world, calendar, board.id)


async def test_nobody_loses_while_the_bot_is_started_anew(
    world: World, calendar: Calendar, restart: Restart
) -> None:
    """The new bot knows from its database which board has to show the time that is left."""
    board = await world.challenge(clock=12 * HOUR)
    await begin_outage(world)
    await pass_time(world, calendar, DAY)
    await restart()
    await end_outage(world)
    await check_time_is_left(world, calendar, board.id)


async def test_nobody_loses_while_the_bot_is_not_connected(
    world: World, calendar: Calendar
) -> None:
    """No press arrives on any server meanwhile, so no clock runs out."""
    board = await world.challenge(clock=12 * HOUR)
    world.env.bot.dispatch("shard_disconnect", 0)
    for _ in range(3):
        await pass_time(world, calendar, DAY)
    world.env.bot.dispatch("shard_resumed", 0)
    await world.env.settle()
    await check_time_is_left(world, calendar, board.id)


async def test_a_match_against_the_computer_is_put_away_meanwhile(
    world: World, calendar: Calendar
) -> None:
    """The outage gives it no clock, so nobody loses to the computer on time."""
    await world.alice.slash(world.channel, "play tictactoe")
    await begin_outage(world)
    await pass_time(world, calendar, 8 * DAY)
    assert (await world.stored()).archived
    assert await world.sql("SELECT deadline FROM matches") == [(None,)]


async def test_a_board_that_shows_the_time_left_too_late(world: World, calendar: Calendar) -> None:
    """Once the next match has begun, the final board isn't offered for a rematch again."""
    board = await world.challenge(clock=12 * HOUR)
    await begin_outage(world)
    await pass_time(world, calendar, DAY)
    await end_outage(world)
    with unchangeable(world):
        await pass_time(world, calendar, 36 * MINUTE)
    first, *others = ALICE_WINS.split()
    await world.press(world.alice, first, board)
    await world.play(" ".join(others), world.bob, world.alice)
    final = world.last
    await world.bob.click(final, label="Rematch")
    await world.alice.click(final, label="Rematch")
    assert labels(world.now(final)) == LOOKING
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert labels(world.now(final)) == LOOKING


async def test_a_board_that_is_asked_for_before_the_reply_to_the_time_left(
    world: World, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The edited board is gone by the reply; the board that was asked for stays until a move."""
    board = await world.challenge(clock=12 * HOUR)
    await begin_outage(world)
    await pass_time(world, calendar, DAY)
    await end_outage(world)

    async def ask_for_board() -> None:
        Context().run(slash, world.env, world.alice, world.channel, "board", {})
        await until(lambda: board.id not in [one.id for one in world.channel.history()])

    on_its_way(monkeypatch, CHANGE_BY_TOKEN, after=ask_for_board)
    await pass_time(world, calendar, 36 * MINUTE)
    (again,) = world.boards()
    assert again.id != board.id
    await world.alice.slash(world.channel, "move", where="b2")
    assert [board.id for board in world.boards()] == [world.last.id]


async def test_time_runs_out_after_an_outage(world: World, calendar: Calendar) -> None:
    """The deadline is put off, not given up."""
    await world.challenge(clock=12 * HOUR)
    await begin_outage(world)
    await pass_time(world, calendar, DAY)
    await end_outage(world)
    await pass_time(world, calendar, 36 * MINUTE)
    assert "it's your move" in text(world.last)
    await pass_time(world, calendar, 36 * MINUTE)
    assert "ran out of time" in text(world.last)


async def test_a_reminder_from_before_an_outage(world: World, calendar: Calendar) -> None:
    """It names the new time, and notifies nobody again; the next board removes it."""
    board = await world.challenge(clock=12 * HOUR)
    await pass_time(world, calendar, 10 * HOUR)
    before = world.last
    await begin_outage(world)
    await pass_time(world, calendar, 12 * HOUR)
    await end_outage(world)
    await pass_time(world, calendar, 36 * MINUTE)
    assert [one.id for one in world.channel.history()] == [board.id, before.id]
    ((deadline,),) = await world.sql("SELECT deadline FROM matches")
    assert f"<t:{deadline}:R>" in text(world.last)
    await world.press(world.alice, "b2", board)
    assert [one.id for one in world.channel.history()] == [one.id for one in world.boards()]


async def test_nobody_loses_while_the_machine_sleeps(world: World, calendar: Calendar) -> None:
    """A deadline that passed long before a round finds it is put off, since nobody could meet it.

    The same holds while the database is away, or if the machine's clock was set forward.
    """
    await world.challenge(clock=12 * HOUR)
    board_id = world.last.id
    await pass_time(world, calendar, 13 * HOUR)
    await pass_time(world, calendar, 0)
    await check_time_is_left(world, calendar, board_id, reminded=True)
    await pass_time(world, calendar, 12 * HOUR)
    assert "🔵 **bob** ran out of time" in text(world.last)
