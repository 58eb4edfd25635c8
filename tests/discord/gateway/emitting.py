"""Sending the bot interactions that no message or command of this version leads to."""

from typing import Any

from simcord import interactions
from simcord.enums import InteractionType
from simcord.results import InteractionResult

from tests.discord.world import World

# The message with the button. It may be made up, since the press is refused before it is read.
_MESSAGE: dict[str, Any] = {
    "id": "1",
    "type": 0,
    "content": "",
    "author": {"id": "2", "username": "rowbot", "discriminator": "0", "avatar": None},
    "timestamp": "2026-11-22T00:00:00+00:00",
    "edited_timestamp": None,
    "tts": False,
    "mention_everyone": False,
    "mentions": [],
    "mention_roles": [],
    "attachments": [],
    "embeds": [],
    "pinned": False,
    "components": [],
}


async def sent(
    world: World, who: int, channel_id: int, kind: InteractionType, data: dict[str, Any]
) -> InteractionResult:
    """Return the answer to a member's interaction in a channel, or in direct messages."""
    result = emitted(world, who, channel_id, kind, data)
    await world.env.settle()
    return result


def emitted(
    world: World, who: int, channel_id: int, kind: InteractionType, data: dict[str, Any]
) -> InteractionResult:
    """Send the bot a member's interaction, without waiting for the answer that is returned."""
    backend = world.env.backend
    record, payload = interactions.base_payload(
        backend,
        type=kind,
        channel_id=channel_id,
        guild_id=backend.get_channel(channel_id).guild_id,
        user_id=who,
        data=data,
    )
    if kind is InteractionType.MESSAGE_COMPONENT:
        payload["message"] = {**_MESSAGE, "channel_id": payload["channel_id"]}
    backend.emit("INTERACTION_CREATE", payload)
    return InteractionResult(world.env, record)
