"""Bringing a database to the schema of this version, by Alembic's migrations.

They only go forward. All run in one transaction, which one process at a time may begin.
"""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.host_errors import LastingError

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"

# Lets one process at a time migrate, until its transaction ends. Python's sqlite3 by itself begins
# a transaction before a change of rows, but not before a change of the schema. The number of
# PostgreSQL's lock is any that other programs don't use.
_BEGIN_ALONE = {
    "sqlite": "BEGIN IMMEDIATE",
    "postgresql": "SELECT pg_advisory_xact_lock(7239164)",
}


async def migrate(engine: AsyncEngine, finish: Callable[[Connection], None] | None = None) -> None:
    """Bring the schema to this version and call `finish`, in one transaction.

    Raises LastingError if the database is newer, or of several versions.
    """
    async with rebuilding(engine) as connection:
        await migrate_in(connection)
        if finish is not None:
            await connection.run_sync(finish)


@asynccontextmanager
async def rebuilding(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Yield a connection in a transaction that may drop a table and make it anew.

    This is the only way to change a table's declaration in SQLite. Rows that refer to the table
    would count as broken references, so SQLite doesn't check references meanwhile: the migrations
    have to keep them whole.
    """
    async with engine.connect() as connection:
        await _check_references(connection, "OFF")
        try:
            async with connection.begin():
                yield connection
        finally:
            await _check_references(connection, "ON")


async def _check_references(connection: AsyncConnection, switch: str) -> None:
    """Turn SQLite's check of references on or off, which does nothing in a transaction."""
    if connection.dialect.name == "sqlite":
        await connection.execute(text(f"PRAGMA foreign_keys={switch}"))
        await connection.commit()


async def migrate_in(connection: AsyncConnection) -> None:
    """Bring the schema to this version in a transaction, which the caller ends.

    Until then nobody else migrates. Raises the errors of `migrate`.
    """
    await connection.execute(text(_BEGIN_ALONE[connection.dialect.name]))
    await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    missing = missing_migrations(connection)
    if not missing:
        return
    if _revision(connection) is not None:
        # With a large database this takes minutes, and nothing else is logged meanwhile.
        log.info("the database is being brought up to date (migrations: %s)", missing)
    command.upgrade(_config(connection), "head")


def missing_migrations(connection: Connection) -> int:
    """Return how many migrations the database needs for this version; raise LastingError."""
    current = _revision(connection)
    if current is not None and not is_known(current):
        raise LastingError(
            f"The database is at revision {current}, which this version of Rowbot doesn't know: it"
            " was written by a newer version. Update Rowbot, or restore a backup made before the"
            " update."
        )
    return len([*_script().iterate_revisions("head", current or "base")])


def _revision(connection: Connection) -> str | None:
    """Return the database's revision, None if it is new; raise LastingError if it has several."""
    revisions = MigrationContext.configure(connection).get_current_heads()
    if len(revisions) > 1:
        raise LastingError(
            f"The database has several revisions at once: {', '.join(sorted(revisions))}. Rows of"
            " another database were probably read into it. Restore a backup."
        )
    return next(iter(revisions), None)


def is_known(revision: str) -> bool:
    """Return whether a revision is this version's or an earlier one's."""
    try:
        _script().get_revision(revision)
    except CommandError:
        return False
    return True


def newest_revision() -> str | None:
    """Return the revision of this version."""
    return _script().get_current_head()


@cache
def _script() -> ScriptDirectory:
    """Return this version's migrations, which Alembic imports anew for each directory."""
    return ScriptDirectory(str(MIGRATIONS))


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
