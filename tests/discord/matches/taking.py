"""The button that takes over the channel of a match that nobody plays."""

import discord
from simcord.actors import MemberActor

from tests.discord.world import World, answer_to

TAKE = "Take over the channel"
THREAD = "Play in a thread"


async def without_a_game(world: World, who: MemberActor) -> discord.Message:
    """Return the refusal of a member who has not said yet what to play, with its button.

    Where the bot may open threads, such a member is asked what to play there.
    """
    if world.guild.me is not None:
        world.deny(world.channel, create_public_threads=True)
    asked = await who.slash(world.channel, "help")
    refusal = await who.click(answer_to(asked), label="Play the computer")
    return world.now(answer_to(refusal))
