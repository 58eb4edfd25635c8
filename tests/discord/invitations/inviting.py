"""Steps shared by tests of challenges and open tables."""

from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from tests.discord.world import World, ids, newest

BUTTONS = ["Accept", "Decline", "Withdraw"]


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


def member(world: World, name: str) -> MemberActor:
    return {"alice": world.alice, "bob": world.bob, "carol": world.carol}[name]


def custom_id(challenge: discord.Message, verb: str) -> str:
    return next(i for i in ids(challenge) if i.endswith(f":{verb}"))


def link_to(board: discord.Message) -> str:
    assert board.guild is not None
    return f"https://discord.com/channels/{board.guild.id}/{board.channel.id}/{board.id}"


async def table(world: World, game: str = "tictactoe", **options: Any) -> discord.Message:
    """Let alice open a table; return it."""
    await world.alice.slash(world.channel, f"play {game}", open=True, **options)
    return world.last
