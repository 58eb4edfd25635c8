"""Processes that migrate a database, some of which are killed in the middle of it.

They are forked from a process that has the program loaded, which is quicker than starting Python.
"""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable
from typing import Any

from sqlalchemy import event, insert

from bot.db import sqlite
from bot.db.database import create_engine, reach
from bot.db.migrations import migrate
from bot.db.tables import guilds
from tests.bot.forking import PRELOADED

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(PRELOADED)
_LONG_SECONDS = 300.0
_CHANGES = ("CREATE", "ALTER", "DROP", "INSERT", "UPDATE")
_NOTES = ("INSERT INTO alembic_version", "UPDATE alembic_version")


async def end_of(run: Callable[..., None], *arguments: object) -> int | None:
    """Return the exit code of a process that calls `run` with these arguments."""
    process = _processes.Process(target=run, args=arguments, daemon=True)
    process.start()
    await asyncio.to_thread(process.join, _LONG_SECONDS)
    return process.exitcode


def die_migrating(url: str, revision: str, changes: int) -> None:
    """Migrate, and be killed after `changes` changes or once `revision` was noted."""
    asyncio.run(_die(url, revision, changes))


async def _die(url: str, revision: str, changes: int) -> None:
    engine = create_engine(url)
    made = 0

    @event.listens_for(engine.sync_engine, "after_cursor_execute")
    def count(connection: Any, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        nonlocal made
        made += statement.lstrip().startswith(_CHANGES)
        noted = statement.startswith(_NOTES) and revision in f"{statement}{parameters}"
        if noted or made == changes:
            os.kill(os.getpid(), signal.SIGKILL)

    await migrate(engine)


def migrate_and_sign(url: str, number: int) -> None:
    """Migrate; if this process made the tables, insert a server with this number.

    SQLite waits longer for other writers than usual, since on a loaded machine a migration by
    another process takes long.
    """
    vars(sqlite)["_WAIT_SECONDS"] = _LONG_SECONDS
    asyncio.run(_migrate_and_sign(url, number))


async def _migrate_and_sign(url: str, number: int) -> None:
    async with reach(url) as engine:
        made: list[str] = []

        @event.listens_for(engine.sync_engine, "after_cursor_execute")
        def note(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
            if "CREATE TABLE matches" in statement:
                made.append(statement)

        await migrate(engine)
        if made:
            async with engine.begin() as connection:
                await connection.execute(insert(guilds), {"id": number})
