"""A look at a database that leaves it as it is."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.db.database import CannotOpenError, reach
from bot.db.holding import check_writable, sqlite_path
from bot.db.migrations import missing_migrations
from bot.db.tables import facts

# Fails if the database can't be written to. It is rolled back.
_WRITE = {
    "sqlite": "BEGIN IMMEDIATE",
    "postgresql": "CREATE TABLE rowbot_was_here (id INTEGER)",
}
_VERSION = {"sqlite": "SELECT sqlite_version()", "postgresql": "SHOW server_version"}


@dataclass(frozen=True)
class Examination:
    """The state of a database: its kind, and the number of migrations that a start applies.

    `facts` are the stored facts about the program (`FactStore`), by name. `size` has the bytes of
    an SQLite file; it is None for a server's database, and 0 for a file that is yet to be made.
    """

    kind: str
    migrations: int
    facts: Mapping[str, str]
    size: int | None = None


async def examine(url: str) -> Examination:
    """Return the state of a writable database; raise the errors of `open_database`."""
    file = sqlite_path(url)
    try:
        if file is not None and not file.exists():
            if not os.access(file.absolute().parent, os.W_OK):
                raise CannotOpenError(f"{file} can't be made: its folder is missing or read-only")
            return Examination("SQLite", 0, {}, 0)
        check_writable(url)
        async with reach(url) as engine, engine.connect() as connection:
            version, migrations, known = await _look(connection)
    except OSError as error:
        raise CannotOpenError(str(error)) from error
    if file is None:
        return Examination(f"PostgreSQL {version}", migrations, known)
    return Examination(f"SQLite {version}", migrations, known, file.stat().st_size)


async def _look(connection: AsyncConnection) -> tuple[str, int, Mapping[str, str]]:
    """Return the program's version, how many migrations a start applies, and the facts."""
    name = connection.dialect.name
    if name == "sqlite":
        await _look_for_damage(connection)
    version = (await connection.execute(text(_VERSION[name]))).scalar_one()
    missing = await connection.run_sync(missing_migrations)
    known = await connection.run_sync(_facts)
    await connection.rollback()
    await connection.execute(text(_WRITE[name]))
    await connection.rollback()
    return version, missing, known


async def _look_for_damage(connection: AsyncConnection) -> None:
    """Raise CannotOpenError if the pages of SQLite's file are damaged.

    It reads all of the file: a second and a half of CPU for each GiB. Backups check that each index
    has its rows, which takes fifteen times as long.
    """
    if (await connection.execute(text("PRAGMA quick_check(1)"))).scalar_one() != "ok":
        raise CannotOpenError("database disk image is malformed")


def _facts(connection: Connection) -> Mapping[str, str]:
    """Return the facts; the database of an early version has none."""
    if not inspect(connection).has_table(facts.name):
        return {}
    return {row.name: row.value for row in connection.execute(select(facts))}
