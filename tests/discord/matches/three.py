"""A match of alice, bob and carol at Tribolo, for tests."""

from typing import Any

import discord
from simcord.actors import MemberActor

from tests.discord.world import World


async def three(world: World, **options: Any) -> discord.Message:
    """Let alice challenge bob and carol to a small Tribolo and both accept; return the board."""
    named = {"against": world.bob, "third": world.carol}
    challenge = await world.command(world.alice, "play tribolo", **named, **options)
    await world.bob.click(challenge, label="Accept")
    await world.carol.click(challenge, label="Accept")
    return world.last


async def mover(world: World) -> MemberActor:
    """Return the member to move."""
    match = (await world.stored()).match
    assert match.next_player is not None
    return next(m for m in (world.alice, world.bob, world.carol) if m.id == match.next_player.id)  # type: ignore[union-attr]


async def move(world: World) -> MemberActor:
    """Let the member to move make their first legal move; return the member."""
    who = await mover(world)
    where = str((await world.stored()).match.position.legal_moves()[0])
    await who.slash(world.channel, "move", where=where)
    return who
