"""The first message on a server that the bot joins."""

from datetime import datetime
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend import serializers
from simcord.builders import ChannelHandle, GuildHandle
from simcord.env import Env

from bot.servers import joining
from bot.times import DAY
from tests.conftest import Calendar
from tests.discord.conftest import Restart
from tests.discord.failing import IN_CHANNEL, PUT_OFF_SECONDS
from tests.discord.matches.passing import ROUND
from tests.discord.program.away import only_reading
from tests.discord.servers.moderating import change
from tests.discord.world import World, labels, mentioned, text


async def joined(env: Env, guild_id: int, at: str) -> None:
    """Send what Discord sends when the bot has joined a server."""
    guild = env.backend.get_guild(guild_id)
    payload: dict[str, Any] = dict(serializers.guild_create_payload(env.backend, guild))
    del payload["unavailable"]
    for member in payload["members"]:
        member["joined_at"] = at
    env.backend.emit("GUILD_CREATE", payload)
    await env.settle()


def closed_channel(guild: GuildHandle) -> ChannelHandle:
    """Create a channel in which the bot may not post."""
    silent = discord.PermissionOverwrite(send_messages=False)
    return guild.create_text_channel("closed", overwrites={guild.default_role: silent})


FIRST, LATER = "2026-01-01T00:00:00+00:00", "2026-02-01T00:00:00+00:00"


@pytest.fixture
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for missed joinings every ten seconds, since it takes long to simulate ten minutes."""
    monkeypatch.setattr(joining, "_LOOK_EVERY_SECONDS", 10.0)


async def test_a_server_is_welcomed_once(world: World, restart: Restart) -> None:
    """It is welcomed once for each joining, and not after an outage, a reconnect or a restart."""
    await joined(world.env, world.guild.id, FIRST)
    assert labels(world.last)[0] == "Play the computer"
    assert not mentioned(world.last, world.env)
    welcome = world.last.id
    await joined(world.env, world.guild.id, FIRST)
    await restart()
    await joined(world.env, world.guild.id, FIRST)
    assert [m.id for m in world.channel.history()] == [welcome]
    await world.alice.click(world.last, label="Rules")
    assert "Tic-tac-toe" in text(world.last)
    await joined(world.env, world.guild.id, LATER)
    assert sum(not m.flags.ephemeral for m in world.channel.history()) == 2


async def test_a_welcome_that_discord_does_not_take_at_once(world: World) -> None:
    """It is tried again half a minute later; the joining is noted, so nothing else would."""
    world.env.inject_error(*IN_CHANNEL, status=503)
    await joined(world.env, world.guild.id, FIRST)
    assert not world.channel.last_message
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert labels(world.last)[0] == "Play the computer"


async def test_the_welcome_goes_where_the_bot_may_post(world: World) -> None:
    """The channel of system messages comes first, then the first in which the bot may post."""
    closed = closed_channel(world.guild)
    lobby = world.guild.create_text_channel("lobby")
    world.env.backend.edit_guild(world.guild.id, {"system_channel_id": closed.id})
    await joined(world.env, world.guild.id, FIRST)
    assert labels(world.last) and not closed.last_message and not lobby.last_message
    world.env.backend.edit_guild(world.guild.id, {"system_channel_id": lobby.id})
    await joined(world.env, world.guild.id, LATER)
    assert lobby.last_message and len(world.channel.history()) == 1


async def test_no_welcome_where_the_bot_may_not_post(world: World) -> None:
    """Without such a channel nothing is posted, and nothing later either."""
    guild = world.env.create_guild()
    closed = closed_channel(guild)
    await joined(world.env, guild.id, FIRST)
    lobby = guild.create_text_channel("lobby")
    await joined(world.env, guild.id, FIRST)
    assert not closed.last_message and not lobby.last_message


@pytest.mark.parametrize("used", ["match", "challenge", "settings"])
async def test_servers_that_know_the_bot_are_not_welcomed(
    world: World, mod: MemberActor, used: str
) -> None:
    """On a server with matches, challenges or settings, the bot can come back without a word."""
    if used == "settings":
        await change(world, mod, clock=0)
        await world.made_up("x")
    else:
        against = {"against": world.bob} if used == "challenge" else {}
        await world.alice.slash(world.channel, "play tictactoe", **against)
    before = world.last.id
    world.env.backend.emit("GUILD_DELETE", {"id": str(world.guild.id)})
    await world.env.settle()
    await joined(world.env, world.guild.id, FIRST)
    assert world.last.id == before
    assert await world.sql("SELECT removed_at FROM guilds") == [(None,)]


@pytest.mark.usefixtures("quick_looks")
async def test_a_server_joined_while_the_database_was_away(
    world: World, calendar: Calendar, caplog: pytest.LogCaptureFixture
) -> None:
    """It is welcomed soon after, once; until then the log has a line for it."""
    calendar.ahead -= calendar() - int(datetime.fromisoformat(FIRST).timestamp())
    await only_reading(world, "ON")
    await joined(world.env, world.guild.id, FIRST)
    await only_reading(world, "OFF")
    assert not world.channel.history() and world.env.errors
    (logged,) = [record for record in caplog.records if "on_guild_join" in record.getMessage()]
    assert not logged.exc_info
    for _ in range(2):
        await world.env.advance_time(11)
        assert [labels(m)[0] for m in world.channel.history()] == ["Play the computer"]


async def test_a_server_joined_while_the_bot_was_down(
    world: World, restart: Restart, calendar: Calendar
) -> None:
    """It is welcomed at the next start, once for each joining, unless that was days ago."""

    async def start(moment: int | None = None) -> None:
        calendar.ahead += 0 if moment is None else moment - calendar()
        await restart()
        await world.env.advance_time(ROUND)

    joined = world.env.bot.guilds[0].me.joined_at
    assert joined is not None
    joined_at = int(joined.timestamp())
    await world.sql("DELETE FROM guilds")
    await start(joined_at + DAY)
    assert labels(world.last)[0] == "Play the computer"
    await start()
    assert len(world.channel.history()) == 1
    await world.sql("UPDATE guilds SET joined_at = joined_at - 1")
    await start()
    assert len(world.channel.history()) == 2
    await world.sql("DELETE FROM guilds")
    await start(joined_at + 30 * DAY)
    assert len(world.channel.history()) == 2
    assert len(await world.sql("SELECT joined_at FROM guilds WHERE joined_at IS NOT NULL")) >= 1
