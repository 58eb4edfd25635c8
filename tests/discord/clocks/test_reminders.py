"""Reminders across restarts: one for each move, which goes with the board of that move."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from tests.conftest import Calendar
from tests.discord.conftest import Restart
from tests.discord.killing import Killer
from tests.discord.matches.passing import (
    DAY,
    DEFAULT,
    HOUR,
    ROUND,
    begin_outage,
    end_outage,
    pass_time,
)
from tests.discord.world import World, mentioned, newest, text
from tests.fuzzing.trips import Trips

# By then a start has looked for messages that are to be removed.
LOOKED = 3 * ROUND


async def remind(world: World, calendar: Calendar, clock: int = DEFAULT) -> None:
    """Let a clock run until alice is reminded."""
    await world.challenge(clock=clock)
    await pass_time(world, calendar, clock * 4 // 5)
    assert "it's your move" in text(world.last)


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "later"])
async def test_a_move_after_a_restart(
    world: World, calendar: Calendar, restart: Restart, at_once: bool
) -> None:
    """It removes the reminder of the player who moves, also right after the start."""
    await remind(world, calendar)
    board = world.boards()[-1]
    await restart()
    if not at_once:
        await world.env.advance_time(LOOKED)
        assert "it's your move" in text(world.last), "the start leaves it"
    await world.press(world.alice, "b2", board)
    await world.env.advance_time(LOOKED)
    assert [one.id for one in world.channel.history()] == [world.boards()[-1].id]
    assert await world.sql("SELECT * FROM old_boards") == []


async def test_a_new_match_after_a_restart(
    world: World, calendar: Calendar, restart: Restart
) -> None:
    """The reminder goes with the match that the players have begun anew."""
    await remind(world, calendar)
    await restart()
    await world.env.advance_time(LOOKED)
    await world.alice.slash(world.channel, "restart")
    await world.bob.click(world.last, label="Agree")
    assert [one.id for one in world.channel.history()] == [world.boards()[-1].id]


async def test_a_kill_before_the_reminder_is_removed(
    world: World, calendar: Calendar, killer: Killer
) -> None:
    """The next start removes the reminder of a move that has been made."""
    await remind(world, calendar)
    reminder = world.last
    call = ("DELETE", f"/channels/{world.channel.id}/messages/{reminder.id}")
    async with killer.killing(call, rest=LOOKED):
        await world.press(world.alice, "b2", world.boards()[-1])
    await world.env.advance_time(LOOKED)
    assert reminder.id not in [one.id for one in world.channel.history()]


async def test_one_reminder_for_all_downtimes_of_a_move(
    world: World, calendar: Calendar, restart: Restart
) -> None:
    """A deadline that is put off is told by the same message, which notifies once."""
    await remind(world, calendar, HOUR)
    reminder, board = world.last, world.boards()[-1]
    for _ in range(3):
        calendar.ahead += HOUR
        await restart()
        await world.env.advance_time(LOOKED)
        ((deadline,),) = await world.sql("SELECT deadline FROM matches")
        assert [one.id for one in world.channel.history()] == [board.id, reminder.id]
        assert f"<t:{deadline}:R>" in text(world.now(reminder))
        assert f"<t:{deadline}:R>" in text(world.now(board))
    await world.press(world.alice, "b2", board)
    assert [one.id for one in world.channel.history()] == [world.boards()[-1].id]


async def test_a_reminder_that_a_moderator_has_removed(
    world: World, calendar: Calendar, restart: Restart
) -> None:
    """After a downtime another one tells how much time is left."""
    await remind(world, calendar, HOUR)
    reminder = world.last
    world.env.backend.delete_message(world.channel.id, reminder.id)
    calendar.ahead += HOUR
    await restart()
    await world.env.advance_time(LOOKED)
    assert newest(world.channel).id > reminder.id
    assert mentioned(world.last, world.env) == [world.alice.id]
    await world.press(world.alice, "b2", world.boards()[-1])
    assert [one.id for one in world.channel.history()] == [world.boards()[-1].id]


async def test_a_later_reminder_whose_note_lost_its_reply(
    world: World, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the place of the one before all the same."""
    await remind(world, calendar, 12 * HOUR)
    board, trips = world.boards()[-1], Trips(Random(2), Counter(), monkeypatch)
    await begin_outage(world)
    await pass_time(world, calendar, 3 * DAY)
    await end_outage(world)

    def lose_the_next_reply(event: str, _: Mapping[str, Any]) -> None:
        if event == "MESSAGE_CREATE":
            trips.fail(1, "loop", written=True)

    world.env.backend.subscribers.append(lose_the_next_reply)
    await pass_time(world, calendar, HOUR)
    assert trips.failed and mentioned(world.last, world.env) == [world.alice.id]
    assert [one.id for one in world.channel.history()] == [board.id, world.last.id]
