"""Moves racing deadlines and moderators, through the whole bot."""

import asyncio

import pytest
from simcord.actors import MemberActor

from tests.conftest import Calendar
from tests.discord.matches.passing import DEFAULT, ROUND
from tests.discord.world import World, refused, text

ENDING = "SELECT moves, ending FROM matches"


@pytest.mark.parametrize("first", ["move", "deadline"])
async def test_a_move_against_the_deadline(world: World, calendar: Calendar, first: str) -> None:
    """The first to arrive counts, the other is told, and one board remains."""
    board = await world.challenge()
    calendar.ahead += DEFAULT
    if first == "move":
        press = [world.begin(world.alice, board, "m:1:0:b2")]
    else:
        # The press arrives when the final board appears, before the old one is removed.
        press = world.when_posted(world.alice, board, "m:1:0:b2")
    await world.env.advance_time(ROUND)
    if first == "move":
        assert await world.sql(ENDING) == [("b2", None)]
        assert press[0].acknowledged and "Last move: ❌ b2" in text(world.last)
    else:
        assert await world.sql(ENDING) == [("", "timeout")]
        assert refused(press[0]) and "ran out of time" in text(world.last)


@pytest.mark.parametrize("first", ["move", "moderator"])
async def test_a_move_against_a_moderator(world: World, mod: MemberActor, first: str) -> None:
    """Both orders call the match off, with or without the move."""
    board = await world.challenge()
    if first == "move":
        press = world.begin(world.alice, board, "m:1:0:b2")
        await mod.slash(world.channel, "endgame")
    else:
        ending = asyncio.create_task(mod.slash(world.channel, "endgame"))
        await asyncio.sleep(0)
        press = world.begin(world.alice, board, "m:1:0:b2")
        await ending
    await world.env.settle()
    assert await world.sql(ENDING) == [("b2" if first == "move" else "", "called_off")]
    assert press.acknowledged
    if first == "moderator":
        assert "over" in refused(press) or "out of date" in refused(press)
    assert "called this match off" in text(world.last)
    assert not world.boards()
