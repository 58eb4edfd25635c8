"""The first message on a server that the bot joins."""

from datetime import datetime, timedelta
from typing import Any

import discord
from simcord.backend import serializers
from simcord.builders import ChannelHandle, GuildHandle
from simcord.env import Env

from tests.discord.calls import IN_CHANNEL
from tests.discord.conftest import Restart
from tests.discord.failing import PUT_OFF_SECONDS
from tests.discord.world import World, labels, mentioned, text


async def joined(env: Env, guild_id: int, at: datetime | None = None) -> None:
    """Send what Discord sends when the bot has joined a server, by default just now."""
    at = at or discord.utils.utcnow()
    guild = env.backend.get_guild(guild_id)
    payload: dict[str, Any] = dict(serializers.guild_create_payload(env.backend, guild))
    del payload["unavailable"]
    for member in payload["members"]:
        member["joined_at"] = at.isoformat()
    env.backend.emit("GUILD_CREATE", payload)
    await env.settle()


def closed_channel(guild: GuildHandle) -> ChannelHandle:
    """Create a channel in which the bot may not post."""
    silent = discord.PermissionOverwrite(send_messages=False)
    return guild.create_text_channel("closed", overwrites={guild.default_role: silent})


async def test_a_server_is_welcomed_once(world: World, restart: Restart) -> None:
    """It is welcomed for each joining, but not again after an outage, a reconnect or a restart."""
    now = discord.utils.utcnow()
    await joined(world.env, world.guild.id, now)
    assert labels(world.last)[0] == "Play the computer"
    assert not mentioned(world.last, world.env)
    welcome = world.last.id
    await joined(world.env, world.guild.id, now)
    await restart()
    await joined(world.env, world.guild.id, now - timedelta(minutes=6))
    assert [m.id for m in world.channel.history()] == [welcome]
    await world.alice.click(world.last, label="Rules")
    assert "Tic-tac-toe" in text(world.last)


async def test_a_welcome_that_discord_does_not_take_at_once(world: World) -> None:
    """It is tried again half a minute later."""
    world.env.inject_error(*IN_CHANNEL, status=503)
    await joined(world.env, world.guild.id)
    assert not world.channel.last_message
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert labels(world.last)[0] == "Play the computer"


async def test_the_welcome_goes_where_the_bot_may_post(world: World) -> None:
    """The channel of system messages comes first, then the first in which the bot may post."""
    closed = closed_channel(world.guild)
    lobby = world.guild.create_text_channel("lobby")
    world.env.backend.edit_guild(world.guild.id, {"system_channel_id": closed.id})
    await joined(world.env, world.guild.id)
    assert labels(world.last) and not closed.last_message and not lobby.last_message
    world.env.backend.edit_guild(world.guild.id, {"system_channel_id": lobby.id})
    await joined(world.env, world.guild.id, discord.utils.utcnow() + timedelta(seconds=1))
    assert lobby.last_message and len(world.channel.history()) == 1


async def test_no_welcome_where_the_bot_may_not_post(world: World) -> None:
    """Without such a channel nothing is posted."""
    guild = world.env.create_guild()
    closed = closed_channel(guild)
    await joined(world.env, guild.id)
    assert not closed.last_message
