"""The forms of boards: letting members choose one, and reading which one is shown."""

from simcord.actors import MemberActor, MessageLike

from tests.discord.world import World, components


def pictures(message: MessageLike) -> list[str]:
    """Return the alt texts of the pictures that a message shows; each is one of its files."""
    items = [item for part in components(message) for item in part.get("items", [])]
    files = [attachment.url for attachment in message.attachments]
    assert [item["media"]["url"] for item in items] == files
    return [item["description"] for item in items]


async def wants(world: World, who: MemberActor, form: str) -> None:
    """Let a member choose how they see boards."""
    await who.slash(world.channel, "settings me", boards=form)
