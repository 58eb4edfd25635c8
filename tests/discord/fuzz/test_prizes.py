"""The fuzzer's prizes: who has one, and who lacks one."""

from random import Random

import pytest
from simcord.actors import MemberActor

from bot.honours import roles
from bot.ratings import model
from bot.ratings.model import Rating
from tests.discord.leaderboard.standings import beaten
from tests.discord.world import World

from .prizes import Prizes


@pytest.fixture(autouse=True)
def quick_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at roles every ten seconds, since it takes long to simulate the usual two minutes.

    One match settles a rating, since six take long, too.
    """
    monkeypatch.setattr(roles, "_EVERY_SECONDS", 10.0)
    monkeypatch.setattr(model, "SETTLED_SIGMA", Rating().sigma)


async def test_wrong_prizes(world: World) -> None:
    """Wrong is a prize that the bot doesn't know of, and one that its rule doesn't explain.

    Who has left the server needn't have one.
    """
    prizes = Prizes(world, Random(1))
    gold, silver = world.guild.roles["Gold"], world.guild.roles["Silver"]
    owner = MemberActor(world.env, world.guild, world.guild.owner)
    await owner.slash(world.channel, "settings role", role=gold, holder="rating", rating=1000)
    await beaten(world, world.alice, world.bob, times=5)
    lacking = f"roles: {world.alice.id} lacks Gold wrongly"
    assert await prizes.wrong([]) == [lacking] and await prizes.wrong([world.alice.id]) == []
    await world.env.advance_time(11)
    assert await prizes.wrong([]) == []
    world.env.backend.add_member_role(world.guild.id, world.bob.id, silver.id)
    unknown = f"roles: {world.bob.id} has Silver"
    assert await prizes.wrong([]) == [f"{unknown}, which isn't noted", f"{unknown} wrongly"]
