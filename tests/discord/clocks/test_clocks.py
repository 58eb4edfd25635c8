"""Clocks: the deadline on the board, the reminder, lost time, restarts, and archived matches."""

import logging
from contextvars import Context

import discord
import pytest
from simcord.builders import ChannelHandle

from bot import logs
from bot.clocks import feature
from tests.bot.processes import until
from tests.conftest import Calendar
from tests.discord.calls import CHANGE, CHANGE_BY_TOKEN, IN_CHANNEL, on_its_way
from tests.discord.conftest import Restart
from tests.discord.killing import Killer
from tests.discord.matches.passing import DAY, DEFAULT, HOUR, MINUTE, ROUND, clock_begins, pass_time
from tests.discord.matches.three import mover, three
from tests.discord.world import (
    World,
    answer_to,
    ids,
    labels,
    mentioned,
    notified,
    refused,
    text,
)


def messages(channel: ChannelHandle) -> list[discord.Message]:
    return list(channel.history())


# --- the deadline


async def test_the_deadline_is_shown_and_renewed(world: World, calendar: Calendar) -> None:
    """Each board shows its deadline as a Discord timestamp; a move renews it."""
    await world.challenge()
    assert clock_begins(world.last, calendar, DEFAULT)
    calendar.ahead += HOUR
    await world.press(world.alice, "b2")
    assert clock_begins(world.last, calendar, DEFAULT)


async def test_a_challenge_tells_the_clock(world: World, calendar: Calendar) -> None:
    """A challenge shows its clock; the match and the rematch have the same one."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob, clock=HOUR)
    assert "Time per move: 1 hour." in text(world.last)
    await world.bob.click(world.last, label="Accept")
    assert clock_begins(world.last, calendar, HOUR)
    await world.play("a1 a3 b1 b3 c1")
    assert "Time runs out" not in text(world.last)
    await world.alice.click(world.last, label="Rematch")
    await world.bob.click(world.last, label="Agree")
    assert clock_begins(world.boards()[-1], calendar, HOUR)


async def test_a_minute_for_each_move(world: World, calendar: Calendar) -> None:
    """At the table that is enough; nobody is reminded, and a lost match ends within seconds."""
    await world.challenge(clock=MINUTE)
    for who, square in ((world.alice, "a1"), (world.bob, "b2")):
        assert clock_begins(world.last, calendar, MINUTE)
        await pass_time(world, calendar, MINUTE - 10)
        await world.press(who, square)
    assert len(world.channel.history()) == 1
    await pass_time(world, calendar, MINUTE - 10)
    assert len(world.boards()) == 1
    await pass_time(world, calendar, 10 + ROUND)
    assert "**alice** ran out of time" in text(world.last)


async def test_without_a_clock_nobody_loses_on_time(world: World, calendar: Calendar) -> None:
    """A match without a clock shows no deadline and never times out.

    After a month without a move its channel is free, and either player brings the match back.
    """
    await world.challenge(clock=0)
    assert "Time runs out" not in text(world.last)
    await pass_time(world, calendar, 29 * DAY)
    await world.press(world.alice, "b2")
    await pass_time(world, calendar, 29 * DAY)
    assert len(world.boards()) == 1
    await pass_time(world, calendar, DAY + HOUR)
    assert "put away" in text(world.last)
    await world.carol.slash(world.channel, "play tictactoe")
    await world.resign(world.carol)
    await world.alice.slash(world.channel, "board")
    assert mentioned(world.last, world.env) == [world.bob.id]
    await world.press(world.bob, "a1")
    assert "Last move: 🔵 a1" in text(world.last)


async def test_no_clock_against_the_computer(world: World, calendar: Calendar) -> None:
    """A server's clock is for members. One that is chosen is refused, in place of being ignored."""
    chosen = await world.alice.slash(world.channel, "play tictactoe", clock=5 * MINUTE)
    assert "Nobody loses on time against the computer. Leave `clock` out" in refused(chosen)
    await world.alice.slash(world.channel, "play tictactoe", clock=0)
    assert "Time runs out" not in text(world.last)
    await pass_time(world, calendar, DAY)
    await world.press(world.alice, "b2")
    assert "Last move: 🔵" in text(world.last)


# --- the reminder


async def test_one_reminder(world: World, calendar: Calendar) -> None:
    """The player is mentioned once, when a quarter of the time is left."""
    board = await world.challenge()
    await pass_time(world, calendar, DEFAULT - 6 * HOUR - 2 * ROUND)
    assert world.last.id == board.id
    await pass_time(world, calendar, 2 * ROUND)
    reminder = world.last
    assert "it's your move" in text(reminder)
    assert f"/{world.channel.id}/{board.id}" in text(reminder)
    assert notified(reminder, world.env) == [world.alice.id]
    await pass_time(world, calendar, ROUND)
    await pass_time(world, calendar, ROUND)
    assert world.last.id == reminder.id


async def test_an_end_in_a_channel_that_is_hidden_from_the_bot(
    world: World, calendar: Calendar
) -> None:
    """`/board` shows it, once: then the board shows it to everybody."""
    board = await world.played("b2 a1", clock=HOUR)
    world.deny(world.channel, view_channel=True)
    world.env.inject_error(*CHANGE_BY_TOKEN, status=401, code=50027, times=None)
    for minutes in (46, 14):
        await pass_time(world, calendar, minutes * MINUTE)
    assert "your move" in text(world.now(board))
    assert "ran out of time" in text(answer_to(await world.bob.slash(world.channel, "board")))
    assert "This match is over" in refused(await world.bob.slash(world.channel, "board"))


async def test_a_reminder_where_a_permission_is_missing(
    world: World, calendar: Calendar, caplog: pytest.LogCaptureFixture
) -> None:
    """The reminder isn't tried again, and the log names the channel where the host can look."""
    places: list[object] = []

    def note(line: logging.LogRecord) -> bool:
        if "failed for good: 403" in line.getMessage():
            places.append(logs.subject().get("channel"))
        return True

    caplog.set_level("INFO", "bot")
    caplog.handler.addFilter(note)
    await world.challenge()
    world.env.inject_error(*IN_CHANNEL, status=403, code=50013)
    await pass_time(world, calendar, 19 * HOUR)
    await pass_time(world, calendar, HOUR)
    assert places == [world.channel.id]
    assert messages(world.channel) == world.boards()


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
async def test_a_kill_at_a_reminder(
    late: bool, world: World, calendar: Calendar, killer: Killer
) -> None:
    """The player is reminded once, whether or not Discord had made the message before the kill."""
    await world.challenge()
    async with killer.killing(IN_CHANNEL, "your move", late=late, rest=0):
        await pass_time(world, calendar, 19 * HOUR)
    for _ in range(3):
        await pass_time(world, calendar, 3 * MINUTE)
    reminders = [message for message in messages(world.channel) if "your move" in text(message)]
    (reminder,) = (message for message in reminders if message not in world.boards())
    assert notified(reminder, world.env) == [world.alice.id]
    await world.press(world.alice, "b2", world.boards()[-1])
    assert messages(world.channel) == world.boards()


async def test_each_turn_has_its_own_reminder(world: World, calendar: Calendar) -> None:
    """After a move the reminder goes, and the next player gets one of their own."""
    await world.challenge()
    await pass_time(world, calendar, 19 * HOUR)
    await world.press(world.alice, "b2", world.boards()[-1])
    assert messages(world.channel) == world.boards()
    await pass_time(world, calendar, 19 * HOUR)
    assert mentioned(world.last, world.env) == [world.bob.id]
    assert "your move" in text(world.last)
    await pass_time(world, calendar, 5 * HOUR)
    (final,) = messages(world.channel)
    assert "ran out of time" in text(final)


async def test_a_reminder_goes_with_a_restart(world: World, calendar: Calendar) -> None:
    """If the players begin anew, no message tells anybody to move in the match before."""
    await world.challenge()
    await pass_time(world, calendar, 19 * HOUR)
    await world.alice.slash(world.channel, "restart")
    await world.bob.click(world.last, label="Agree")
    assert messages(world.channel) == world.boards()


@pytest.mark.parametrize("moved", [True, False], ids=["too late", "late"])
async def test_a_reminder_that_comes_late(moved: bool, world: World, calendar: Calendar) -> None:
    """It is sent as soon as Discord takes it, unless the player has moved by then."""
    board = await world.challenge()
    world.env.inject_error(*IN_CHANNEL, status=500, times=None)
    await pass_time(world, calendar, 19 * HOUR)
    assert messages(world.channel) == world.boards()
    if moved:
        await world.press(world.alice, "b2", board)
    world.env.backend.faults.clear()
    await world.env.advance_time(MINUTE)
    if moved:
        assert messages(world.channel) == world.boards()
    else:
        assert mentioned(world.last, world.env) == [world.alice.id]


async def test_a_move_while_the_reminder_is_on_its_way(
    world: World, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reminder that arrives after the next board is removed at once, since it is void."""
    board = await world.challenge()

    async def move() -> None:
        Context().run(world.begin, world.alice, board, "m:1:0:b2")
        await until(lambda: board.id not in [one.id for one in world.channel.history()])

    on_its_way(monkeypatch, IN_CHANNEL, before=move, times=1)
    await pass_time(world, calendar, 19 * HOUR)
    assert messages(world.channel) == world.boards()


# --- loss on time


async def test_running_out_of_time_loses(world: World, calendar: Calendar) -> None:
    """The result replaces the board, is rated and mentions nobody, and the channel is free."""
    await world.played("a1 a2 b2 b1")
    await pass_time(world, calendar, DEFAULT)
    assert "🔵 **bob** wins! ❌ **alice** ran out of time." in text(world.last)
    assert "📈 Rating:" in text(world.last)
    assert not mentioned(world.last, world.env)
    assert not world.boards()
    assert "Rematch" in labels(world.last)
    await world.alice.slash(world.channel, "play tictactoe")
    assert len(world.boards()) == 1


async def test_of_three_two_play_on(world: World, calendar: Calendar) -> None:
    """The board says that one player's time ran out, and not that they gave up."""
    await three(world)
    late = await mover(world)
    await pass_time(world, calendar, DEFAULT)
    assert f"**{late.name}** ⌛ 4" in text(world.last) and "🏳️" not in text(world.last)
    await world.resign(await mover(world))
    final = text(world.last)
    assert f"**{late.name}** ⌛ 4" in final and final.count("🏳️ 4") == 1


async def test_a_move_in_time_saves_the_match(world: World, calendar: Calendar) -> None:
    """An expired deadline doesn't apply to the next turn."""
    await world.challenge()
    calendar.ahead += DEFAULT - 1
    await world.press(world.alice, "b2", world.boards()[-1])
    await pass_time(world, calendar, HOUR)
    assert "your move" in text(world.boards()[-1])


async def test_a_loss_on_time_that_cannot_be_posted(world: World, calendar: Calendar) -> None:
    """If the bot may not post, the old board becomes the final one."""
    board = await world.challenge()
    world.env.inject_error(*IN_CHANNEL, status=403, code=50013, times=None)
    await pass_time(world, calendar, DEFAULT)
    final = text(world.now(board))
    assert "ran out of time" in final and "tournament" not in final
    await world.env.advance_time(ROUND)
    assert await world.sql("SELECT * FROM old_boards") == []


async def test_a_press_after_a_loss_on_time_that_cannot_be_shown(
    world: World, calendar: Calendar
) -> None:
    """If the old board can't be edited either, the result is shown to the member who presses."""
    board = await world.challenge()
    world.env.inject_error(*IN_CHANNEL, status=403, code=50013, times=None)
    world.env.inject_error(*CHANGE, status=403, code=50013, times=None)
    # The token of its interaction has ended by then.
    world.env.inject_error(*CHANGE_BY_TOKEN, status=401, code=50027, times=None)
    await pass_time(world, calendar, DEFAULT)
    assert world.last.id == board.id
    await world.press(world.alice, "b2", board)
    assert "ran out of time" in text(world.last)


# --- restarts


async def test_grace_after_a_restart(world: World, calendar: Calendar, restart: Restart) -> None:
    """A deadline missed during downtime is extended by a tenth of the clock, with a notice."""
    await world.challenge(clock=8 * HOUR)
    calendar.ahead += 30 * HOUR
    await restart()
    await world.env.advance_time(ROUND)
    assert "it's your move" in text(world.last)
    assert mentioned(world.last, world.env) == [world.alice.id]
    await pass_time(world, calendar, 47 * MINUTE)
    assert len(world.boards()) == 1
    await pass_time(world, calendar, MINUTE)
    assert "ran out of time" in text(world.last)


async def test_a_reminder_beside_a_board_that_is_found(
    world: World, calendar: Calendar, restart: Restart
) -> None:
    """The search for boards after a start leaves the reminder, which the next board removes."""
    await world.challenge(clock=8 * HOUR)
    calendar.ahead += 8 * HOUR
    await restart()
    await world.env.advance_time(5 * ROUND)
    assert "it's your move" in text(world.last)
    await world.press(world.alice, "b2", world.boards()[-1])
    assert messages(world.channel) == [world.last]


async def test_grace_for_more_than_a_round_takes(
    world: World,
    calendar: Calendar,
    restart: Restart,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A match that the first rounds leave to later ones has the grace, too."""
    monkeypatch.setattr(feature, "_MOST", 2)
    await world.challenge(clock=8 * HOUR)
    for name, clock in (("second", 12 * HOUR), ("third", DEFAULT)):
        world.channel = world.guild.create_text_channel(name)
        await world.challenge(clock=clock)
    calendar.ahead += DEFAULT
    await restart()
    for _ in range(3):
        await world.env.advance_time(ROUND)
    assert "it's your move" in text(world.last)


async def test_a_deadline_survives_a_restart(
    world: World, calendar: Calendar, restart: Restart
) -> None:
    """A clock that hasn't run out is unchanged by a restart."""
    await world.challenge()
    calendar.ahead += HOUR
    await restart()
    await pass_time(world, calendar, DEFAULT - HOUR)
    assert "ran out of time" in text(world.last)


# --- archived matches


async def test_an_idle_match_is_archived(world: World, calendar: Calendar) -> None:
    """After seven idle days the channel is free; the match isn't over, and `/board` restores it."""
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
    assert "Last move: 🔵" in text(world.last)
    assert len(messages(world.channel)) == 1
    ((moves,),) = await world.sql("SELECT moves FROM matches")
    free = next(square for square in ("a1", "a2", "a3") if square not in moves)
    await world.press(world.alice, free)
    await pass_time(world, calendar, 7 * DAY + HOUR)
    assert "put away" in text(world.last)


async def test_an_archived_match_waits_for_a_free_channel(world: World, calendar: Calendar) -> None:
    """While another match is played, `/board` refuses to restore the archived one and says why."""
    await world.alice.slash(world.channel, "play tictactoe")
    await pass_time(world, calendar, 8 * DAY)
    await world.bob.slash(world.channel, "play nineholes")
    words = refused(await world.alice.slash(world.channel, "board"))
    assert "another one is being played in this channel" in words and "bob" in words
    await world.bob.slash(world.channel, "board")
    assert "Nine Holes" in text(world.last)
    await world.resign(world.bob)
    await world.alice.slash(world.channel, "board")
    assert "Tic-tac-toe" in text(world.last)


async def test_commands_are_for_the_match_that_holds_the_channel(
    world: World, calendar: Calendar
) -> None:
    """They aren't for a player's own archived match, which comes back once the other has ended."""
    await world.alice.slash(world.channel, "play tictactoe")
    await pass_time(world, calendar, 8 * DAY)
    await world.bob.slash(world.channel, "play nineholes")
    for command in ("move", "resign", "undo", "draw", "hint", "restart"):
        options = {"where": "b2"} if command == "move" else {}
        words = refused(await world.alice.slash(world.channel, command, **options))
        assert "not in this match" in words and world.last.jump_url in words, command
    assert "not in this match" in refused(await world.press(world.alice, "b2"))
    await world.resign(world.bob)
    await world.alice.slash(world.channel, "board")
    assert "Tic-tac-toe" in text(world.last)


async def test_an_archived_match_takes_no_commands(world: World, calendar: Calendar) -> None:
    """Every command on an archived match answers with the way to restore it.

    So does a press that crosses the archiving, and `/board` to strangers.
    """
    board = await world.command(world.alice, "play tictactoe")
    await pass_time(world, calendar, 8 * DAY)
    for command in ("move", "resign", "undo", "draw", "hint", "restart"):
        options = {"where": "b2"} if command == "move" else {}
        words = refused(await world.alice.slash(world.channel, command, **options))
        assert "put away" in words and "`/mymatches`" in words, command
    for custom_id in (one for one in ids(board) if not one.startswith("i:")):  # the rules
        assert "put away" in refused(await world.late(world.alice, board, custom_id)), custom_id
    assert "put away" in refused(await world.bob.slash(world.channel, "board"))
