"""Moderators' commands and their answers, for tests."""

from typing import Any

from simcord.actors import MemberActor
from simcord.results import InteractionResult

from tests.discord.world import World


async def change(world: World, mod: MemberActor, **options: Any) -> InteractionResult:
    """Let a moderator change settings."""
    return await mod.slash(world.channel, "settings set", **options)
