"""Steps shared by tests of challenges and open tables."""

from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from tests.discord.world import World, newest

BUTTONS = ["Accept", "Decline", "Withdraw", "Rules"]


async def offer(
    world: World,
    who: MemberActor,
    whom: MemberActor,
    channel: ChannelHandle | None = None,
    **options: int | str,
) -> discord.Message:
    """Let one member challenge another; return the challenge."""
    place = channel or world.channel
    await who.slash(place, "play tictactoe", against=whom, **options)
    return newest(place)


async def table(world: World, game: str = "tictactoe", **options: Any) -> discord.Message:
    """Let alice open a table; return it."""
    await world.alice.slash(world.channel, f"play {game}", open=True, **options)
    return world.last
