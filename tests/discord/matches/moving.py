"""The `/move` command, its autocomplete, and the free squares of a board, for tests."""

from simcord.actors import MemberActor

from tests.discord.world import World, components, text


async def move(world: World, who: MemberActor, where: str) -> str:
    """Let a member use `/move`; return the text of the newest message."""
    await who.slash(world.channel, "move", where=where)
    return text(world.last)


async def choices(world: World, who: MemberActor, typed: str = "") -> list[str]:
    """Return the moves that autocomplete offers a member for this text."""
    found = await who.autocomplete(world.channel, "move", "where", typed)
    assert all(choice["name"] == choice["value"] for choice in found)
    return [choice["value"] for choice in found]


def free_square(world: World) -> str:
    """Return the first free square of the newest board, whose button is labelled with its name."""
    ends = ((c.get("label"), c.get("custom_id", "").split(":")[-1]) for c in components(world.last))
    return next(str(square) for label, square in ends if label == square)
