"""The way from SQLite to PostgreSQL: every row of a file, copied into an empty database.

One transaction makes the tables and copies the rows. If anything goes wrong, the
target stays as it was. Nothing is written to the source.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Table, create_engine, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from bot.db import dumps, files
from bot.db.database import reach
from bot.db.errors import is_passing, said
from bot.db.holding import hold_file, sqlite_path
from bot.db.migrations import migrate_in, newest_revision
from bot.db.tables import metadata
from bot.host_errors import HostError

log = logging.getLogger(__name__)

_BATCH = 1000  # rows
# The highest id that SQLite has ever given to a row of a table; none if it notes 0.
_LAST_GIVEN = text("SELECT seq FROM sqlite_sequence WHERE name = :table AND seq > 0")


async def transfer(file: Path, url: str) -> int:
    """Copy all rows of an SQLite file into an empty PostgreSQL database; return their number.

    Raises HostError, also if a bot has either of the two open or the driver isn't installed, and
    SQLAlchemy's errors if the target can't be reached.
    """
    if sqlite_path(url):
        raise HostError(
            "Rows are copied to PostgreSQL: first set DATABASE_URL=postgresql://… for the new"
            " database."
        )
    try:
        # Checked before it is held, because holding it makes a second file beside it, which stays.
        _check_revision(file, await asyncio.to_thread(files.revision, file))
        with hold_file(file), _reading(file) as source:
            async with reach(url) as engine, engine.begin() as connection:
                await migrate_in(connection)
                await dumps.check_alone(connection)
                return await connection.run_sync(_copy_all, source)
    except files.FileError as error:
        raise HostError(f"{error}. Nothing was copied; `import` takes an SQLite file.") from error
    except OSError as error:
        raise HostError(f"{file} can't be copied: {error}.") from error


def _check_revision(file: Path, revision: str | None) -> None:
    newest = newest_revision()
    if revision is None:
        raise HostError(f"{file} holds no database of Rowbot.")
    if revision != newest:
        raise HostError(
            f"{file} is at revision {revision}, and this version of Rowbot at {newest}. Run"
            f" `python -m bot migrate` with DATABASE_URL=sqlite:///{file}, or update Rowbot."
        )


@contextmanager
def _reading(file: Path) -> Iterator[Connection]:
    """Yield a connection that sees an SQLite file as it is now, without later writes."""
    engine = create_engine(
        "sqlite://", creator=lambda: sqlite3.connect(file), poolclass=NullPool, hide_parameters=True
    )
    with engine.connect() as connection:
        connection.exec_driver_sql("BEGIN")
        yield connection


def _copy_all(target: Connection, source: Connection) -> int:
    _check_empty(target)
    return sum(_copy_or_say(target, source, table) for table in metadata.sorted_tables)


def _check_empty(target: Connection) -> None:
    filled = [
        table.name
        for table in metadata.sorted_tables
        if target.execute(select(table).limit(1)).first() is not None
    ]
    if filled:
        raise HostError(
            f"The database of DATABASE_URL isn't empty: there are rows in {', '.join(filled)}. Make"
            " a new one, and start no bot on it before this is done."
        )


def _copy_or_say(target: Connection, source: Connection, table: Table) -> int:
    try:
        return _copy(target, source, table)
    except SQLAlchemyError as error:
        why = said(error).rstrip(".")
        remedy = "" if is_passing(error) else " Correct or delete them in the SQLite file first."
        raise HostError(
            f"The rows of {table.name} can't be copied: {why}. Nothing was kept.{remedy}"
        ) from error


def _copy(target: Connection, source: Connection, table: Table) -> int:
    """Copy the rows of a table; return their number.

    The target's next id follows the last one of the source. Rows to which others of the same table
    refer have lower keys, so they come first.
    """
    count = 0
    # In batches, so that a large table isn't kept in memory.
    every = select(table).order_by(*table.primary_key)
    found = source.execute(every, execution_options={"yield_per": _BATCH})
    for rows in found.mappings().partitions():
        target.execute(insert(table), [dict(row) for row in rows])
        count += len(rows)
    given = source.execute(_LAST_GIVEN, {"table": table.name}).scalar_one_or_none()
    if given is not None:
        sequence = func.pg_get_serial_sequence(table.name, "id")
        target.execute(select(func.setval(sequence, given)))
    log.info("%s: %s rows", table.name, count)
    return count
