"""The fuzzer's prizes: who has one, who lacks one, and what moderators do to them."""

from random import Random

import discord
import pytest
from simcord.actors import MemberActor

from bot.honours import roles, store
from bot.honours.model import GivenRole
from bot.honours.store import HonourStore
from bot.identity import MemberId, RoleId, ServerId
from bot.ratings.model import Rating
from tests.discord.leaderboard.standings import beaten
from tests.discord.world import World

from .prizes import Prizes


@pytest.fixture(autouse=True)
def quick_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at roles every ten seconds, since it takes long to simulate the usual two minutes.

    One match settles a rating, since ten take long, too.
    """
    monkeypatch.setattr(roles, "_EVERY_SECONDS", 10.0)
    monkeypatch.setattr(store, "SETTLED_SIGMA", Rating().sigma)


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


async def test_moderators_change_prizes(world: World) -> None:
    """They delete them, move them, change their permissions, and the bot's right to give them."""
    prizes = Prizes(world, Random(1))
    done = {prizes.change().replace("Silver", "Gold") for _ in range(40)}
    assert done == {
        "Gold is deleted, and another role has its name",
        "Gold has position 1",
        "Gold has position 99",
        "Gold has the permissions 0",
        f"Gold has the permissions {discord.Permissions(manage_messages=True).value}",
        "the bot may no longer manage roles",
        "the bot may again manage roles",
    }
    assert {"Gold", "Silver"} <= {*world.guild.roles}


async def test_a_role_that_the_bot_may_have_forgotten(world: World) -> None:
    """Who was erased, or got the role while the bot died, may keep it unnoted."""
    prizes = Prizes(world, Random(1))
    gold = world.guild.roles["Gold"]
    for member in (world.alice, world.bob):
        world.env.backend.add_member_role(world.guild.id, member.id, gold.id)
    prizes.unsure.add(world.alice.id)
    unknown = f"roles: {world.bob.id} has Gold"
    assert await prizes.wrong([]) == [f"{unknown}, which isn't noted", f"{unknown} wrongly"]
    store, server_id = HonourStore(world.database), ServerId(world.guild.id)
    giving = GivenRole(RoleId(gold.id), MemberId(world.bob.id))
    await store.note_giving(server_id, [giving])
    await prizes.look()
    await store.drop_given(server_id, giving)
    assert await prizes.wrong([]) == []
