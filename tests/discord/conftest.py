"""Fixtures for tests of the bot in a simulated Discord."""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random
from typing import TypeAlias

import discord
import pytest
from simcord.actors import MemberActor
from simcord.env import Env

from bot.app import create_bot
from bot.db.database import Database
from bot.settings import Settings
from tests.conftest import Calendar
from tests.discord import patches
from tests.discord.elsewhere import Elsewhere
from tests.discord.killing import Killer
from tests.discord.locking import Held
from tests.discord.patches import nonces, specification, starting
from tests.discord.world import World

# While it waits, simcord fires the bot's timers that come due in this time. So it is shorter than
# the time after which a failed call is made again.
_SETTLE_SECONDS = 20.0

patches.install()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the bot's start more time than simcord's 5 s, which a loaded machine may take.

    Members may give commands before the bot has told Discord of them, a second of simulated time
    after its start.
    """
    for item in items:
        marker = item.get_closest_marker("simcord")
        given = marker.kwargs if marker else {}
        options = {"settle_timeout": _SETTLE_SECONDS, "strict_sync": False, **given}
        item.add_marker(pytest.mark.simcord(**options), append=False)


@pytest.fixture(autouse=True)
def acceptable_requests() -> Iterator[None]:
    """Fail where Discord would refuse a request of the test's."""
    yield
    assert specification.SPECIFICATION.found() == []


@pytest.fixture(autouse=True)
def locks_in_order(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail where two tasks could wait for each other's locks, or a press for another one's call."""
    held = Held()
    held.install(monkeypatch)
    yield
    assert held.wrong == []


@pytest.fixture(autouse=True)
def quick_processes(gates: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let searches and pictures start quickly, and know where the gate is."""
    starting.install(monkeypatch)


Restart: TypeAlias = Callable[..., Awaitable[None]]


@pytest.fixture
def world(
    simcord_env: Env, database: Database, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> World:
    """A server with alice, bob, carol and the bot."""
    nonces.install(monkeypatch, calendar)
    return World(simcord_env, database, calendar)


@pytest.fixture
def mod(world: World) -> MemberActor:
    """A member with the permission to manage channels."""
    may = discord.Permissions(manage_channels=True)
    role = world.guild.create_role("moderators", permissions=may)
    return world.guild.add_member(world.env.create_user("mod"), roles=[role])


@pytest.fixture
def restart(world: World, settings: Settings, database: Database, calendar: Calendar) -> Restart:
    """Stop the bot and start another over the same database, optionally with other settings."""

    async def restart_with(changed: Settings = settings) -> None:
        await world.env.restart_bot(create_bot(changed, database, rng=Random(2), now=calendar))

    return restart_with


@pytest.fixture
def killer(world: World, restart: Restart, monkeypatch: pytest.MonkeyPatch) -> Killer:
    """Kill the bot at a request to Discord, and start another."""
    return Killer(world, restart, monkeypatch)


@pytest.fixture
def elsewhere(
    request: pytest.FixtureRequest, world: World, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Elsewhere]:
    """The world's channel in the context that the test is parametrized with."""
    context, people = request.param
    place = Elsewhere(world, context, people)
    place.begin(monkeypatch)
    yield place
    place.check()
