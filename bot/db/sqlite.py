"""SQLite through aiosqlite, with fewer trips to its thread.

aiosqlite runs every call on a thread, and SQLAlchemy makes one call each to open a cursor, execute,
fetch and close, and a rollback after a read. The trips cost more CPU than the statements: a read
takes one here instead of five, a write one instead of three, which halves the storage's share of a
turn (docs/architecture.md). `create_async_engine(async_creator=...)` is SQLAlchemy's own way to
bring such a connection along.

SQLite has one writer at a time, and lets the others look again every few milliseconds. Within one
program they queue here instead: whoever came first writes first, as soon as it can.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Self

import aiosqlite

# WAL with FULL: readers never wait for a writer, and a commit that was answered is on the disk.
_PRAGMAS = (
    "PRAGMA busy_timeout=5000",  # milliseconds; first, for the others may have to wait already
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
)


_READING = ("SELECT", "PRAGMA", "EXPLAIN", "WITH")


async def connect(path: str, one_writer: asyncio.Lock) -> "LeanConnection":
    """Return an open connection to a database file, with our pragmas set.

    `one_writer` is what all connections of this program to that file queue at.
    """
    connection = aiosqlite.connect(path)
    try:
        await connection
        for pragma in _PRAGMAS:
            await connection.execute_fetchall(pragma)
    except BaseException:
        # Its thread would outlive the event loop, and keep the program from ending.
        connection.stop()
        await asyncio.to_thread(connection._thread.join)  # noqa: SLF001
        raise
    return LeanConnection(connection, one_writer)


class LeanConnection:
    """An aiosqlite connection that goes to its thread only for what needs the database."""

    def __init__(self, connection: aiosqlite.Connection, one_writer: asyncio.Lock):
        self._lean = connection
        self._one_writer = one_writer
        self._writing = False

    def cursor(self) -> "LeanCursor":
        """Return a cursor that opens itself when it is first used."""
        return LeanCursor(self._lean, self._queue)

    async def _queue(self, sql: str) -> None:
        """Wait until this connection may write, where that is what `sql` does."""
        if not self._writing and not sql.lstrip().upper().startswith(_READING):
            await self._one_writer.acquire()
            self._writing = True

    def _done(self) -> None:
        if self._writing:
            self._writing = False
            self._one_writer.release()

    async def commit(self) -> None:
        """Commit what there is to commit, and let the next one write."""
        try:
            if self._lean.in_transaction:
                await self._lean.commit()
        finally:
            self._done()

    async def rollback(self) -> None:
        """Roll back what there is to roll back: nothing after a mere read."""
        try:
            if self._lean.in_transaction:
                await self._lean.rollback()
        finally:
            self._done()

    async def close(self) -> None:
        """Close the connection, whatever it was doing."""
        try:
            await self._lean.close()
        finally:
            self._done()

    def stop(self) -> Any:
        """End the connection's thread at once, without waiting."""
        self._done()
        return self._lean.stop()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lean, name)


class LeanCursor:
    """The part of a cursor that SQLAlchemy uses: a statement and all its rows in one trip."""

    def __init__(self, connection: aiosqlite.Connection, queue: Callable[[str], Awaitable[None]]):
        self._connection = connection
        self._queue = queue
        self._cursor: sqlite3.Cursor | None = None
        self._rows: list[Any] = []

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> Self:
        """Run a statement; its rows wait for `fetchall`."""
        await self._queue(sql)
        return await self._run(sqlite3.Connection.execute, sql, parameters)

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        """Run a statement once for each set of parameters."""
        await self._queue(sql)
        return await self._run(sqlite3.Connection.executemany, sql, parameters)

    async def _run(self, execute: Callable[..., sqlite3.Cursor], *arguments: Any) -> Self:
        def run(connection: sqlite3.Connection) -> tuple[sqlite3.Cursor, list[Any]]:
            cursor = execute(connection, *arguments)
            return cursor, cursor.fetchall()

        # The one thing that aiosqlite has no public name for: a function of ours on its thread.
        lean = self._connection
        self._cursor, self._rows = await lean._execute(run, lean._conn)  # type: ignore[no-untyped-call]  # noqa: SLF001
        return self

    async def fetchall(self) -> list[Any]:
        """Return all rows of the last statement."""
        return self._rows

    async def close(self) -> None:
        """Let go of the rows; the database holds nothing for them any more."""
        self._cursor, self._rows = None, []

    def __getattr__(self, name: str) -> Any:
        # description, rowcount and lastrowid, as of the last statement
        return getattr(self._cursor, name) if self._cursor else None
