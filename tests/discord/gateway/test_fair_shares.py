"""Costly requests: one of a kind at a time, a pace for each member, and answers in words."""

import re

import pytest

from tests.bot.engines import SlowEngine
from tests.discord.world import World, ids, refused, text


@pytest.mark.parametrize("simcord_bot", [SlowEngine], indirect=True)
async def test_one_hint_at_a_time(world: World) -> None:
    """Of two hints asked for at once, one is answered and the other refused in words."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    hint = next(i for i in ids(world.last) if i.endswith(":hint"))
    asked = [world.begin(world.alice, world.last, hint) for _ in range(2)]
    await world.env.settle()
    hinted, refusal = sorted(map(refused, asked), key=lambda told: "💡" not in told)
    assert "💡" in hinted
    assert "still working" in refusal


@pytest.mark.parametrize("command", ["export", "mydata export"])
async def test_a_cooldown_is_told_in_words(world: World, command: str) -> None:
    """Who exports again and again has to wait, and reads until when; somebody else need not."""
    await world.played()
    for _ in range(3):
        result = await world.alice.slash(world.channel, command)
        assert await world.files(result)
    told = refused(await world.alice.slash(world.channel, command))
    moment = re.search(r"<t:(\d+):R>", told)
    assert moment is not None
    assert await world.files(await world.bob.slash(world.channel, command))
    await world.env.advance_time(int(moment[1]) - world.clock() + 1)
    assert await world.files(await world.alice.slash(world.channel, command))


@pytest.mark.parametrize(
    "command", ["achievements", "history", "leaderboard", "mymatches", "profile"]
)
async def test_pages_have_a_pace_too(world: World, command: str) -> None:
    """Who asks for them without end has to wait at last; somebody else need not."""
    for _ in range(31):
        result = await world.alice.slash(world.channel, command)
    assert "a lot in a short time" in refused(result)
    assert "a lot" not in text(await world.bob.slash(world.channel, command))
