"""Passing time: set the calendar forward and let the sweeper run; outages, and removed bots."""

import re

import discord
from simcord.backend import serializers

from tests.conftest import Calendar
from tests.discord.world import World, text

MINUTE, HOUR, DAY = 60, 3600, 86_400
DEFAULT = DAY  # the default clock for a move
ROUND = 6  # seconds in which the sweeper and housekeeping run at least once


async def pass_time(world: World, calendar: Calendar, seconds: int) -> None:
    """Set the calendar forward and wait for the sweeper."""
    calendar.ahead += seconds
    await world.env.advance_time(ROUND)


def clock_begins(message: discord.Message, calendar: Calendar, seconds: int) -> bool:
    """Return whether a message says that all of a clock is left, allowing for a busy machine."""
    (moment,) = re.findall(r"<t:(\d+):R>", text(message))
    return seconds - MINUTE < int(moment) - calendar() <= seconds


async def begin_outage(world: World) -> None:
    """Let Discord tell the bot that the server is unavailable."""
    world.env.backend.emit("GUILD_DELETE", {"id": str(world.guild.id), "unavailable": True})
    await world.env.settle()


async def end_outage(world: World) -> None:
    """Let Discord tell the bot that the server is available again."""
    guild = world.env.backend.get_guild(world.guild.id)
    told = serializers.guild_create_payload(world.env.backend, guild)
    world.env.backend.emit("GUILD_CREATE", {**told, "unavailable": False})
    await world.env.settle()


async def remove(world: World) -> None:
    """Remove the bot from its server."""
    world.env.backend.emit("GUILD_DELETE", {"id": str(world.guild.id)})
    await world.env.settle()


async def add_again(world: World) -> None:
    """Add the bot to its server again."""
    guild = world.env.backend.get_guild(world.guild.id)
    added = dict(serializers.guild_create_payload(world.env.backend, guild))
    del added["unavailable"]  # with it, the event would stand for the end of an outage
    world.env.backend.emit("GUILD_CREATE", added)
    await world.env.settle()
