"""Bringing a database to the schema of this version, by Alembic's migrations.

They only go forward, and run in one transaction, which one process at a time may begin.
"""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.hosts import LastingError

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"

AfterUpgrade: TypeAlias = Mapping[str, Callable[[Connection], object]]
"""Work that a revision leaves to the program, by revision; it runs in the same transaction."""

NO_WORK: AfterUpgrade = MappingProxyType({})


# Lets one process at a time migrate, until its transaction ends. Python's sqlite3 by itself would
# begin the transaction before a change of rows, but not before one of the schema. PostgreSQL's lock
# is any number that other programs don't use.
_BEGIN_ALONE = {
    "sqlite": "BEGIN IMMEDIATE",
    "postgresql": "SELECT pg_advisory_xact_lock(7239164)",
}


async def migrate(engine: AsyncEngine, after_upgrade: AfterUpgrade = NO_WORK) -> None:
    """Bring the schema to this version, in one transaction.

    `after_upgrade[revision]` is called at the end if that revision was among those applied.
    Raises LastingError if the database is newer.
    """
    async with engine.begin() as connection:
        await migrate_in(connection, after_upgrade)


async def migrate_in(connection: AsyncConnection, after_upgrade: AfterUpgrade = NO_WORK) -> None:
    """Do what `migrate` does, in a transaction that goes on; until it ends nobody else migrates."""
    await connection.execute(text(_BEGIN_ALONE[connection.dialect.name]))
    await connection.run_sync(_upgrade, after_upgrade)


def _upgrade(connection: Connection, after_upgrade: AfterUpgrade) -> None:
    missing = missing_revisions(connection)
    if not missing:
        return
    if _revision(connection) is not None:
        # Of a large database that takes minutes, in which nothing else is logged.
        log.info("the database is being brought up to date (migrations: %s)", len(missing))
    command.upgrade(_config(connection), "head")
    for revision, work in after_upgrade.items():
        if revision in missing:
            work(connection)


def missing_revisions(connection: Connection) -> set[str]:
    """Return the revisions that this version adds to the database; raise LastingError."""
    current = _revision(connection)
    if current is not None and not is_known(current):
        raise LastingError(
            f"The database is at revision {current}, which this version of Rowbot doesn't know: it"
            " was written by a newer version. Update Rowbot, or restore a backup made before the"
            " update."
        )
    steps = _script().iterate_revisions("head", current or "base")
    return {step.revision for step in steps}


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


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


def _script() -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS))


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
