"""In direct messages, presses on what belongs to a server are answered in words."""

import re
from typing import Any

from simcord import interactions
from simcord.enums import ComponentType, InteractionType
from simcord.results import InteractionResult

from tests.discord.world import World, refused

# A press of each kind on what a server has.
_PRESSES = (
    "m:1:0:a1 p:1:0:a1 w:1:0:1:0 q:1 a:1:0:undo a:1:0:resign a:1:0:hint b:1:restart r:1"
    " y:1 v:1:0:open x:1"
    " o:1:0:draw:0:agree s:1 c:1:accept d:{bob}:tictactoe n:0 l::all:wins:0:{alice}"
).split()
_COMMANDS = (
    "move board hint analyse rematch restart unrated resign leaderboard games endgame"
).split()


_REASON = re.compile(
    "only for servers|I don't know that match|No match|already answered|Nobody can"
)

# The message with the button, which no handler reads before it is refused.
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


async def sent(world: World, kind: InteractionType, data: dict[str, Any]) -> InteractionResult:
    """Return the answer to an interaction in alice's direct messages with the bot."""
    backend = world.env.backend
    record, payload = interactions.base_payload(
        backend,
        type=kind,
        channel_id=backend.get_dm_channel(world.alice.id).id,
        guild_id=None,
        user_id=world.alice.id,
        data=data,
    )
    if kind is InteractionType.MESSAGE_COMPONENT:
        payload["message"] = {**_MESSAGE, "channel_id": payload["channel_id"]}
    backend.emit("INTERACTION_CREATE", payload)
    await world.env.settle()
    return InteractionResult(world.env, record)


async def test_a_press_in_a_direct_message(world: World) -> None:
    """It is refused in words: Discord lets members forward a board to a direct message."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.resign(world.alice)
    for custom_id in _PRESSES:
        pressed = custom_id.format(alice=world.alice.id, bob=world.bob.id)
        data = {"custom_id": pressed, "component_type": ComponentType.BUTTON}
        result = await sent(world, InteractionType.MESSAGE_COMPONENT, data)
        assert _REASON.search(refused(result)), custom_id


async def test_a_command_in_a_direct_message(world: World) -> None:
    """One that needs a match, or a server, is refused in words."""
    await world.tell_commands()
    for name in _COMMANDS:
        command = world.env.backend.find_command(name, None)
        assert command is not None
        options = [{"name": "where", "type": 3, "value": "a1"}] if name == "move" else []
        data = {"id": command["id"], "name": name, "type": 1, "options": options}
        result = await sent(world, InteractionType.APPLICATION_COMMAND, data)
        assert _REASON.search(refused(result)), name
