"""What /move does and offers, for tests."""

from simcord.actors import MemberActor

from tests.discord.world import World, text


async def move(world: World, who: MemberActor, where: str) -> str:
    """Let somebody /move; return what the newest message says then."""
    await who.slash(world.channel, "move", where=where)
    return text(world.last)


async def choices(world: World, who: MemberActor, typed: str = "") -> list[str]:
    """Return the moves that /move offers to somebody who has typed so far."""
    found = await who.autocomplete(world.channel, "move", "where", typed)
    assert all(choice["name"] == choice["value"] for choice in found)
    return [choice["value"] for choice in found]
