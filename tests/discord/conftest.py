"""The world that tests of the bot play in."""

from collections.abc import Awaitable, Callable
from random import Random
from typing import TypeAlias

import discord
import pytest
from simcord.actors import MemberActor
from simcord.env import Env
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.app import create_bot
from bot.settings import Settings
from tests.conftest import Calendar
from tests.discord.world import World

Restart: TypeAlias = Callable[..., Awaitable[None]]


@pytest.fixture
def world(simcord_env: Env) -> World:
    """A server with alice, bob, carol and the bot."""
    return World(simcord_env)


@pytest.fixture
def mod(world: World) -> MemberActor:
    """Somebody who may manage channels."""
    may = discord.Permissions(manage_channels=True)
    role = world.guild.create_role("moderators", permissions=may)
    return world.guild.add_member(world.env.create_user("mod"), roles=[role])


@pytest.fixture
def restart(world: World, settings: Settings, database: AsyncEngine, calendar: Calendar) -> Restart:
    """End the bot and start another over the same database, with other settings if told."""

    async def restart_with(changed: Settings = settings) -> None:
        await world.env.restart_bot(create_bot(changed, database, rng=Random(2), clock=calendar))

    return restart_with
