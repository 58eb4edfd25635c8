"""The faults that the fuzzers plan for the bot's trips to the database."""

from collections import Counter
from random import Random

import pytest

from tests.discord.world import World, answer_to, text
from tests.fuzzing.trips import Trips


@pytest.mark.parametrize("written", [False, True])
async def test_a_trip_fails(world: World, monkeypatch: pytest.MonkeyPatch, written: bool) -> None:
    """The asker is told of it; what they asked for is done only if it was `written`."""
    trips = Trips(Random(1), Counter(), monkeypatch)
    trips.fail(1, "loop", written=written)
    answered = await world.alice.slash(world.channel, "play tictactoe", level="easy")
    assert "isn't answering" not in text(answer_to(answered)), "no loop has made that trip"
    trips.fail(1, "interaction", written=written)
    begun = 0
    while "isn't answering" not in text(answer_to(answered)):
        begun += 1
        answered = await world.alice.slash(world.channel, "restart")
    assert await world.sql("SELECT count(*) FROM matches") == [(begun + written,)]
    assert trips.failed and trips.failing
    trips.clear()
    assert not trips.failing
