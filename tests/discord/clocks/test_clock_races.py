"""Moves racing deadlines and moderators, through the whole bot."""

import asyncio
from collections import Counter

import pytest
from simcord.actors import MemberActor

from tests.conftest import Calendar
from tests.discord.matches.passing import DEFAULT, ROUND
from tests.discord.world import World, refused, text

TIMES = 6


async def test_a_move_against_the_deadline(world: World, calendar: Calendar) -> None:
    """The first to arrive counts, the other is told, and one board remains."""
    seen: Counter[str] = Counter()
    for number in range(1, TIMES + 1):
        await world.challenge()
        board = world.last
        calendar.ahead += DEFAULT
        if number % 2:
            press = [world.begin(world.alice, board, f"m:{number}:0:b2")]
            await world.env.advance_time(ROUND)
        else:
            # The press arrives when the final board appears, before the old one is removed.
            press = world.when_posted(world.alice, board, f"m:{number}:0:b2")
            await world.env.advance_time(ROUND)
        assert press[0].acknowledged
        ((moves, ending),) = await world.sql(
            f"SELECT moves, ending FROM matches WHERE id = {number}"
        )
        if moves:
            assert ending is None
            assert "Last move: ❌ b2" in text(world.last)
            seen["move"] += 1
            await world.resign(world.bob)
        else:
            assert ending == "timeout"
            assert "ran out of time" in text(world.last)
            assert refused(press[0])
            seen["deadline"] += 1
    assert seen == {"move": TIMES // 2, "deadline": TIMES // 2}


@pytest.mark.parametrize("first", ["move", "moderator"])
async def test_a_move_against_a_moderator(world: World, mod: MemberActor, first: str) -> None:
    """Both orders call the match off, with or without the move."""
    for number in range(1, TIMES + 1):
        await world.challenge()
        board, square = world.last, f"m:{number}:0:b2"
        if first == "move":
            press = world.begin(world.alice, board, square)
            await mod.slash(world.channel, "endgame")
        else:
            ending = asyncio.create_task(mod.slash(world.channel, "endgame"))
            await asyncio.sleep(0)
            press = world.begin(world.alice, board, square)
            await ending
        await world.env.settle()
        ((moves, how),) = await world.sql(f"SELECT moves, ending FROM matches WHERE id = {number}")
        assert how == "called_off"
        assert moves == ("b2" if first == "move" else "")
        assert press.acknowledged
        if first == "moderator":
            assert "over" in refused(press) or "out of date" in refused(press)
        assert "called this match off" in text(world.last)
        assert not world.boards()
