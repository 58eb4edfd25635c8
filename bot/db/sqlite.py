"""A connection to SQLite with few trips to its thread, and a queue for writers.

aiosqlite runs each call on the connection's thread, and a trip there costs more CPU than most
statements do. SQLAlchemy makes one trip each to open a cursor, execute, fetch and close, and one to
roll back after a read. `Connection` makes only those that need the database: two for a read, one
for a write, one to commit (docs/decisions/04-database.md has the figures).

SQLite has one writer at a time and lets the others poll. Within this program they queue instead,
first come, first served.
"""

import asyncio
import sqlite3
import time
from collections.abc import Iterable
from functools import partial
from typing import Any, Self

import aiosqlite

_WAIT_SECONDS = 5.0  # for another program that is writing
_PAUSE_SECONDS = 0.02
_WAL = "PRAGMA journal_mode=WAL"  # readers never wait for a writer
_PRAGMAS = (
    "PRAGMA synchronous=FULL",  # with WAL: a commit survives a loss of power
    "PRAGMA foreign_keys=ON",
)

# The statements that write nothing. Any other waits until the connection may write.
_READING = ("SELECT", "PRAGMA", "EXPLAIN", "WITH")


async def connect(path: str, writers: asyncio.Lock) -> "Connection":
    """Return an open connection to a database file; raise sqlite3.Error if it can't be opened.

    All connections to the same file share `writers`.
    """
    connection = Connection(path, writers)
    try:
        await connection
    except BaseException:
        # The thread reports to the event loop when it stops, so it may not outlive it.
        await connection.stopped()
        raise
    return connection


def _open(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_WAIT_SECONDS)
    try:
        _use_wal(connection)
        for pragma in _PRAGMAS:
            connection.execute(pragma)
    except BaseException:
        connection.close()
        raise
    return connection


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL. While another program writes to a new file, SQLite itself doesn't wait."""
    give_up_at = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            connection.execute(_WAL)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > give_up_at:
                raise
        else:
            return
        time.sleep(_PAUSE_SECONDS)


class Connection(aiosqlite.Connection):
    """aiosqlite's connection, as far as SQLAlchemy uses it, with fewer trips to the thread.

    It is held by one task at a time: SQLAlchemy's pool sees to that.
    """

    def __init__(self, path: str, writers: asyncio.Lock):
        super().__init__(partial(_open, path), iter_chunk_size=64)
        self._writers = writers
        self._may_write = False
        self._stopping: asyncio.Future[Any] | None = None

    def cursor(self) -> "Cursor":  # type: ignore[override]  # aiosqlite's has to be awaited
        """Return a cursor. SQLite's own is opened by the first statement."""
        return Cursor(self)

    async def wait_to_run(self, sql: str) -> None:
        """If `sql` writes, wait until no other connection of the program is writing."""
        if not self._may_write and not sql.lstrip().upper().startswith(_READING):
            await self._writers.acquire()
            self._may_write = True

    def _let_others_write(self) -> None:
        if self._may_write:
            self._may_write = False
            self._writers.release()

    async def commit(self) -> None:
        """Commit the transaction, if there is one, and let the next connection write."""
        try:
            if self.in_transaction:
                await super().commit()
        finally:
            self._let_others_write()

    async def rollback(self) -> None:
        """Roll the transaction back, if there is one, and let the next connection write.

        After a read there is none.
        """
        try:
            if self.in_transaction:
                await super().rollback()
        finally:
            self._let_others_write()

    def stop(self) -> asyncio.Future[Any] | None:
        """Close the connection and end its thread; `close` and a failed `connect` do so too."""
        self._let_others_write()
        self._stopping = super().stop()
        return self._stopping

    async def stopped(self) -> None:
        """Wait until the thread has stopped, if it was told to."""
        if self._stopping is not None:
            await self._stopping


class Cursor:
    """The part of an asynchronous cursor that SQLAlchemy uses."""

    def __init__(self, connection: Connection):
        self._connection = connection
        self._cursor: aiosqlite.Cursor | None = None

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> Self:
        """Run a statement."""
        await self._connection.wait_to_run(sql)
        self._cursor = await self._connection.execute(sql, parameters)
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        """Run a statement once for each set of parameters."""
        await self._connection.wait_to_run(sql)
        self._cursor = await self._connection.executemany(sql, parameters)
        return self

    async def fetchall(self) -> Iterable[sqlite3.Row]:
        """Return the rows of the last statement that weren't fetched yet."""
        return await self._cursor.fetchall() if self._cursor else []

    async def close(self) -> None:
        """Forget the last statement. SQLite has finished it when its last row was fetched."""
        self._cursor = None

    @property
    def description(self) -> tuple[tuple[Any, ...], ...] | None:
        """The columns of the last statement; None if it has no rows."""
        return self._cursor.description if self._cursor else None

    @property
    def rowcount(self) -> int:
        """The number of rows that the last statement changed; -1 if it changes none."""
        return self._cursor.rowcount if self._cursor else -1

    @property
    def lastrowid(self) -> int | None:
        """The id of the row that the last statement inserted."""
        return self._cursor.lastrowid if self._cursor else None
