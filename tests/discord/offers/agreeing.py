"""Steps shared by tests of draws, undos, rematches and series."""

import discord
from simcord.actors import MemberActor

from tests.discord.world import World, labels


async def ask(world: World, who: MemberActor, what: str, *, by_button: bool) -> discord.Message:
    """Ask by command or by the newest button; return the result."""
    if by_button:
        *_, newest = (m for m in world.channel.history() if what in labels(m))
        await who.click(newest, label=what)
    else:
        await who.slash(world.channel, what.lower())
    return world.last
