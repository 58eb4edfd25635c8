"""A match of alice, bob and carol at Tribolo, for tests."""

import discord
from simcord.actors import MemberActor

from bot.records import StoredMatch
from tests.discord.world import World, text


async def three(world: World) -> discord.Message:
    """Alice challenges bob and carol to a small Tribolo, and both accept; return the board."""
    named = {"against": world.bob, "third": world.carol}
    await world.alice.slash(world.channel, "play tribolo", **named)
    challenge = world.last
    await world.bob.click(challenge, label="Accept")
    await world.carol.click(challenge, label="Accept")
    return world.last


async def stored(world: World) -> StoredMatch:
    """Return the match as the bot knows it."""
    return await world.env.bot.services.matches.latest(world.channel.id)  # type: ignore[attr-defined,no-any-return]


async def mover(world: World) -> MemberActor:
    """Return who is to move."""
    match = (await stored(world)).match
    assert match.next_player is not None
    return next(m for m in (world.alice, world.bob, world.carol) if m.id == match.next_player.id)  # type: ignore[union-attr]


async def move(world: World) -> MemberActor:
    """Let whoever is to move make their first legal move; return them."""
    who = await mover(world)
    where = str((await stored(world)).match.position.legal_moves()[0])
    await who.slash(world.channel, "move", where=where)
    return who


async def resign(world: World, who: MemberActor) -> str:
    """Let a member resign for certain; return what they were asked."""
    asked = await who.slash(world.channel, "resign")
    assert asked.response is not None
    question = text(asked)
    await who.click(asked.response, label="Yes, resign")
    return question
