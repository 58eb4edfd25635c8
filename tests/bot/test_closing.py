"""The bot closes completely, however far it came and however often it is told to."""

import asyncio
import gc
import logging
import weakref

import pytest
from sqlalchemy.exc import DBAPIError

from bot import client
from bot.app import create_bot
from bot.db.database import Database
from bot.settings import Settings
from tests.leases import Baton


async def fail() -> None:
    raise OSError("no route to host")


async def test_a_setup_that_fails_half_way_is_closed(
    sqlite_database: Database, settings: Settings
) -> None:
    """The loops that have begun by then end with the setup, and no task is left."""
    bot = create_bot(settings, sqlite_database)
    bot.on_setup.append(fail)
    before = asyncio.all_tasks()
    async with bot:
        with pytest.raises(OSError, match="no route"):
            await bot.setup_hook()
        assert asyncio.all_tasks() > before
    assert bot.is_closed()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before


async def test_a_second_close_waits_for_the_first(
    sqlite_database: Database, settings: Settings
) -> None:
    """A signal that comes while discord.py closes the bot doesn't cut its last calls off."""
    bot = create_bot(settings, sqlite_database)
    steps: list[str] = []

    async def finish_calls() -> None:
        await asyncio.sleep(0.02)
        steps.append("finished" if not bot.is_closed() else "cut off")

    bot.on_closing.append(finish_calls)
    async with bot:
        await asyncio.gather(bot.close(), bot.close())
    assert steps == ["finished"]
    assert bot.is_closed()


async def test_a_step_that_finds_the_database_away(
    sqlite_database: Database, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """The failure is logged in one line, as by the loops, since others meet it as well."""

    async def write() -> None:
        gone = ConnectionRefusedError("connection refused")
        raise DBAPIError("SELECT 1", {}, gone, connection_invalidated=True)

    async with (bot := create_bot(settings, sqlite_database)):
        bot.on_closing.append(write)
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert record.getMessage().endswith("write failed: the database: connection refused")
    assert not record.exc_info


async def test_a_slow_step_does_not_hold_up_the_hand_over(
    sqlite_database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then, nobody answers members; the step ends afterwards."""
    monkeypatch.setattr(client, "_HURRY_SECONDS", 0.05)
    baton, slow = Baton(), asyncio.Event()
    bot = create_bot(settings, sqlite_database, lease=baton.lease())

    async def wait() -> None:
        await slow.wait()

    bot.on_closing.append(wait)
    async with bot:
        keeping = asyncio.create_task(bot.serving.keep())
        await bot.serving.set_up()
        await bot.serving.wait()
        waiting = asyncio.create_task(baton.lease().take())
        await asyncio.sleep(0)
        ending = asyncio.create_task(bot.finish())
        async with asyncio.timeout(10):
            await waiting
        assert not ending.done()
        slow.set()
        await ending
        keeping.cancel()


async def test_a_closed_bot_is_forgotten(sqlite_database: Database, settings: Settings) -> None:
    """A database that outlives the bot doesn't keep it in memory or call it."""
    bot = create_bot(settings, sqlite_database)
    async with bot:
        pass
    gone = weakref.ref(bot)
    del bot
    gc.collect()
    assert gone() is None
