"""SQLite through aiosqlite, with fewer trips to its thread.

aiosqlite runs every call on a thread, and SQLAlchemy makes one call each to open a cursor, execute,
fetch and close, and a rollback after a read. The trips cost more CPU than the statements: a read
takes one here instead of five, a write one instead of three, which halves the storage's share of a
turn (docs/architecture.md). `create_async_engine(async_creator=...)` is SQLAlchemy's own way to
bring such a connection along.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from typing import Any, Self

import aiosqlite

# WAL with FULL: readers never wait for a writer, and a commit that was answered is on the disk.
_PRAGMAS = (
    "PRAGMA busy_timeout=5000",  # milliseconds; first, for the others may have to wait already
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
)


async def connect(path: str) -> "LeanConnection":
    """Return an open connection to a database file, with our pragmas set."""
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
    return LeanConnection(connection)


class LeanConnection:
    """An aiosqlite connection that goes to its thread only for what needs the database."""

    def __init__(self, connection: aiosqlite.Connection):
        self._lean = connection

    def cursor(self) -> "LeanCursor":
        """Return a cursor that opens itself when it is first used."""
        return LeanCursor(self._lean)

    async def commit(self) -> None:
        """Commit what there is to commit."""
        if self._lean.in_transaction:
            await self._lean.commit()

    async def rollback(self) -> None:
        """Roll back what there is to roll back: nothing after a mere read."""
        if self._lean.in_transaction:
            await self._lean.rollback()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lean, name)


class LeanCursor:
    """The part of a cursor that SQLAlchemy uses: a statement and all its rows in one trip."""

    def __init__(self, connection: aiosqlite.Connection):
        self._connection = connection
        self._cursor: sqlite3.Cursor | None = None
        self._rows: list[Any] = []

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> Self:
        """Run a statement; its rows wait for `fetchall`."""
        return await self._run(sqlite3.Connection.execute, sql, parameters)

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        """Run a statement once for each set of parameters."""
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
