"""A member's own data, handed out and erased."""

import json
from typing import Any
from zipfile import ZipFile

from simcord.actors import MemberActor

from tests.discord.world import World, answer_to, text


async def handed_out(world: World) -> dict[str, Any]:
    """Return the export that alice gets."""
    result = await world.alice.slash(world.channel, "mydata export")
    assert answer_to(result).ephemeral
    ((name, file),) = (await world.files(result)).items()
    assert name == "rowbot-data.zip"
    with ZipFile(file) as packed:
        found: dict[str, Any] = json.loads(packed.read("rowbot-data.json"))
    return found


async def erase(world: World, who: MemberActor | None = None) -> str:
    """Let a member, by default alice, erase their data; return the final answer."""
    who = who or world.alice
    asked = await who.slash(world.channel, "mydata delete")
    assert answer_to(asked).ephemeral
    await who.click(answer_to(asked), label="Yes, delete my data")
    return text(answer_to(asked))
