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
from bot.db.facts import FactStore
from bot.gateway import serving
from bot.gateway.serving import Serving
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


async def test_a_step_that_never_ends(
    sqlite_database: Database,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is cut off, and the log has one line that names it."""
    monkeypatch.setattr(client, "_STEP_SECONDS", 0.1)

    async def wait() -> None:
        await asyncio.Event().wait()

    async with (bot := create_bot(settings, sqlite_database)):
        bot.on_closing.append(wait)
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert "wait failed: no answer in time" in record.getMessage()
    assert not record.getMessage().startswith("functools")


async def test_a_slow_step_does_not_hold_up_the_hand_over(
    sqlite_database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then, nobody answers members; the step ends afterwards."""
    monkeypatch.setattr(serving, "_HAND_OVER_SECONDS", 0.1)
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


async def test_slow_steps_together_leave_no_press_silent(
    sqlite_database: Database, settings: Settings
) -> None:
    """Handlers and hooks share the time for which the other process keeps presses."""
    baton, slow = Baton(), asyncio.Event()
    bot = create_bot(settings, sqlite_database, lease=baton.lease())
    other = Serving(baton.lease(), FactStore(sqlite_database))
    answers: list[asyncio.Future[list[bool]]] = []

    async def wait() -> None:
        await slow.wait()

    async def press() -> None:
        """Let presses arrive at both processes until the other one serves."""
        while not other.active:
            taking = [one.admits(len(answers)) for one in (bot.serving, other)]
            answers.append(asyncio.gather(*taking))
            await asyncio.sleep(0.05)

    bot.on_closing += [wait] * 5
    async with bot:
        keeping = [asyncio.create_task(one.keep()) for one in (bot.serving, other)]
        for one in (bot.serving, other):
            await one.set_up()
        await bot.serving.wait()
        await asyncio.sleep(0.01)  # until the other one waits
        handler = asyncio.create_task(wait())
        bot.router._running.add(handler)  # noqa: SLF001
        pressing = asyncio.create_task(press())
        ending = asyncio.create_task(bot.finish())
        await pressing
        assert bot.serving.awaited
        assert [sum(taken) for taken in await asyncio.gather(*answers)] == [1] * len(answers)
        slow.set()
        await ending
        for task in keeping:
            task.cancel()


async def test_a_closed_bot_is_forgotten(sqlite_database: Database, settings: Settings) -> None:
    """A database that outlives the bot doesn't keep it in memory or call it."""
    bot = create_bot(settings, sqlite_database)
    async with bot:
        pass
    gone = weakref.ref(bot)
    del bot
    gc.collect()
    assert gone() is None
