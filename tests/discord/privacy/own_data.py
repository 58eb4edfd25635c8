"""A member's own data, handed out and erased."""

import json
from typing import Any
from zipfile import ZipFile

from simcord.actors import MemberActor

from tests.discord.world import World, text


async def handed_out(world: World) -> dict[str, Any]:
    """Return the export that alice gets."""
    result = await world.alice.slash(world.channel, "mydata export")
    assert result.response is not None and result.response.ephemeral
    ((name, file),) = (await world.files(result)).items()
    assert name == "rowbot-data-1.zip"
    with ZipFile(file) as packed:
        found: dict[str, Any] = json.loads(packed.read("rowbot-data.json"))
    return found


async def erase(world: World, who: MemberActor | None = None) -> str:
    """Let a member, by default alice, erase their data; return the final answer."""
    who = who or world.alice
    asked = await who.slash(world.channel, "mydata delete")
    assert asked.response is not None and asked.response.ephemeral
    await who.click(asked.response, label="Yes, delete my data")
    return text(asked.response)
