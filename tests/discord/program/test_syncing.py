"""The bot tells Discord its commands when they have changed, and nothing waits for that."""

import pytest

from bot.app import create_bot
from bot.db.database import Database
from bot.settings import Settings
from tests.discord.conftest import Restart
from tests.discord.world import World, text

COMMANDS = ("PUT", "/applications/*/commands")

# Here members can only give commands of which Discord was told.
pytestmark = pytest.mark.simcord(strict_sync=True)


async def told(world: World) -> int:
    """Let the bot tell Discord the commands; return how many times it has done so."""
    await world.tell_commands()
    return sum(request.method == "PUT" for request in world.env.http_requests)


async def test_commands_are_told_once(world: World, restart: Restart) -> None:
    """Further starts with the same commands don't tell them."""
    assert await told(world) == 1
    await restart()
    assert await told(world) == 1


async def test_changed_commands_are_told(
    world: World, settings: Settings, database: Database
) -> None:
    """A start with other commands tells them."""
    assert await told(world) == 1
    bot = create_bot(settings, database)

    @bot.tree.command(name="new", description="a new command")
    async def new(interaction: object) -> None: ...

    await world.env.restart_bot(bot)
    assert await told(world) == 2


@pytest.mark.parametrize("status", [503, 403])
async def test_a_refusal_ends_nothing(
    world: World, restart: Restart, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    """The bot serves with the commands that Discord knows, and tells the new ones later."""
    assert await told(world) == 1
    await world.sql("DELETE FROM facts")
    world.env.inject_error(*COMMANDS, status=status, times=3)
    await restart()
    before = await told(world)
    (line,) = (one for one in caplog.records if "telling Discord" in one.getMessage())
    assert str(status) in line.getMessage()
    await world.played("b2")
    assert "Last move: ❌ b2" in text(world.last)
    await world.env.advance_time(60)
    assert await told(world) > before
    assert await world.sql("SELECT name FROM facts") == [("commands",)]
