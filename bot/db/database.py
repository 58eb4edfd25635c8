"""Opening the database: engine, SQLite's pragmas, and migrations at start."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.db import sqlite
from bot.ratings.rerate import rerate

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}


# The revision with which ratings came.
_FIRST_RATED = "0003"


class NewerDatabaseError(Exception):
    """The database was written by a newer version of the program."""


class CannotOpenError(Exception):
    """There is no database to be reached, or no driver to reach it with."""


def create_engine(url: str) -> AsyncEngine:
    """Return the engine for a database URL; `sqlite:` and `postgresql:` get our drivers."""
    parsed = make_url(url)
    parsed = parsed.set(drivername=_DRIVERS.get(parsed.drivername, parsed.drivername))
    if parsed.get_backend_name() != "sqlite":
        return create_async_engine(parsed)
    path = parsed.database or ":memory:"
    one_writer = asyncio.Lock()
    # The connection that was used last has its thread and its pages at hand.
    return create_async_engine(
        parsed, async_creator=lambda: sqlite.connect(path, one_writer), pool_use_lifo=True
    )


@asynccontextmanager
async def open_database(url: str) -> AsyncIterator[AsyncEngine]:
    """Yield the engine of a migrated database, and close it afterwards.

    Raises NewerDatabaseError, CannotOpenError, and SQLAlchemy's errors where there is no database.
    """
    try:
        engine = create_engine(url)
    except ImportError as error:
        raise CannotOpenError(f"{error} (for PostgreSQL: pip install '.[postgres]')") from error
    try:
        try:
            await migrate(engine)
        except OSError as error:
            raise CannotOpenError(str(error)) from error
        yield engine
    finally:
        await engine.dispose()


async def migrate(engine: AsyncEngine) -> None:
    """Bring the database's schema to this version; raise NewerDatabaseError."""
    async with engine.begin() as connection:
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    current = MigrationContext.configure(connection).get_current_revision()
    script = ScriptDirectory.from_config(config)
    if current is not None:
        try:
            script.get_revision(current)
        except CommandError as error:
            raise NewerDatabaseError(
                f"The database is at revision {current}, which this version of Rowbot doesn't know:"
                " it was written by a newer version. Update Rowbot, or restore a backup made"
                " before the update."
            ) from error
    command.upgrade(config, "head")
    if current is not None and current < _FIRST_RATED:
        rerate(connection)
