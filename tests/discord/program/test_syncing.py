"""Discord is told the commands when they have changed, and nothing waits for that."""

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.app import create_bot
from bot.settings import Settings
from tests.discord.conftest import Restart
from tests.discord.world import World, text

COMMANDS = ("PUT", "/applications/*/commands")


def told(world: World) -> int:
    """Return how many times Discord was told the commands."""
    return sum(request.method == "PUT" for request in world.env.http_requests)


async def test_commands_are_told_once(world: World, restart: Restart) -> None:
    """Further starts with the same commands don't tell them."""
    assert told(world) == 1
    await restart()
    assert told(world) == 1


async def test_changed_commands_are_told(
    world: World, settings: Settings, database: AsyncEngine
) -> None:
    """A start with other commands tells them."""
    bot = create_bot(settings, database)

    @bot.tree.command(name="new", description="a new command")
    async def new(interaction: object) -> None: ...

    await world.env.restart_bot(bot)
    assert told(world) == 2


async def test_another_application_is_told(world: World, restart: Restart) -> None:
    """Commands that were told for another application aren't known to this one."""
    await world.sql("UPDATE facts SET value = '1' || substr(value, instr(value, ' '))")
    await restart()
    assert told(world) == 2


@pytest.mark.parametrize("status", [503, 403])
async def test_a_refusal_ends_nothing(
    world: World, restart: Restart, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    """The bot serves with the commands that Discord knows, and tells the new ones later."""
    await world.sql("DELETE FROM facts")
    world.env.inject_error(*COMMANDS, status=status, times=3)
    await restart()
    assert ("Discord refused the commands: it doesn't let" in caplog.text) == (status == 403)
    await world.challenge()
    await world.press(world.alice, "b2")
    assert "Last move: ❌ b2" in text(world.last)
    await world.env.advance_time(3)
    before = told(world)
    await world.env.advance_time(60)
    assert told(world) > before
    assert await world.sql("SELECT name FROM facts") == [("commands",)]
