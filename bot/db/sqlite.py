"""SQLite as SQLAlchemy uses it: each connection works on aiosqlite's thread, in few trips.

A trip to the thread costs more CPU than most statements do. A statement with its rows is one trip.
So is a piece of work for `Connection.do`, with all its statements and its commit (docs/costs.md has
the figures). The event loop never waits for SQLite, because a statement that meets a lock waits for
seconds.

SQLite has one writer at a time and lets the others poll. Within this program, writers wait in a
queue instead, first come, first served.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, TypeVar, cast

import aiosqlite
from sqlalchemy.engine import AdaptedConnection

T = TypeVar("T")

_WAIT_SECONDS = 5.0  # for another program that is writing
_PRAGMAS = (
    "PRAGMA journal_mode=WAL",  # readers never wait for a writer
    "PRAGMA synchronous=FULL",  # with WAL: a commit survives a loss of power
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",  # erased data leaves the file; not every build's default
)

# The statements that write nothing. Any other waits until the connection may write.
_READING = ("SELECT", "PRAGMA", "EXPLAIN", "WITH")


def _open(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_WAIT_SECONDS)
    try:
        for pragma in _PRAGMAS:
            connection.execute(pragma)
    except BaseException:
        connection.close()
        raise
    return connection


class _Thread(aiosqlite.Connection):
    """aiosqlite's connection: a database on a thread of its own."""

    stopping: asyncio.Future[Any] | None = None

    def stop(self) -> asyncio.Future[Any] | None:
        """Close the database and end the thread; `close` and a failed opening do so too."""
        self.stopping = super().stop()
        return self.stopping

    async def opened(self) -> None:
        """Open the database; raise sqlite3.Error."""
        try:
            await self
        except BaseException:
            # The thread reports its end to the event loop, so it must end before the loop does.
            if self.stopping is not None:
                await self.stopping
            raise

    async def do(self, work: Callable[[], T]) -> T:
        """Return the result of `work` on the thread, or raise its error.

        A caller that is cancelled, however often, still waits for the end of the work, which can't
        be stopped.
        """
        try:
            return await self._done(work)
        except asyncio.CancelledError:
            idle = asyncio.create_task(self._done(lambda: None))
            while not idle.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait({idle})
            raise

    async def _done(self, work: Callable[[], T]) -> T:
        # By aiosqlite's own method, which also runs its statements.
        done = await self._execute(work)  # type: ignore[no-untyped-call]
        return cast("T", done)


class Connection(AdaptedConnection):
    """A connection with its thread, as SQLAlchemy uses it: in a greenlet, or on the thread.

    Making one opens the database, or raises sqlite3.Error. All connections to a file share
    `writers`. SQLAlchemy's pool sees to it that only one task at a time has a connection.
    """

    # SQLAlchemy can set nothing else, such as an isolation level.
    __slots__ = ("_may_write", "_path", "_thread", "_thread_id", "_writers")

    _connection: Any  # SQLite's own, which is used on the thread alone

    def __init__(self, path: str, writers: asyncio.Lock):
        self._connection = None
        self._path = path
        self._thread = _Thread(self._opened, iter_chunk_size=64)
        self._thread_id: int | None = None
        self._writers = writers
        self._may_write = False
        self.run_async(lambda _: self._thread.opened())

    def _opened(self) -> sqlite3.Connection:
        self._thread_id = threading.get_ident()
        self._connection = _open(self._path)
        return cast("sqlite3.Connection", self._connection)

    @property
    def in_transaction(self) -> bool:
        """Whether the database is in a transaction; a read begins none."""
        return bool(self._connection.in_transaction)

    @property
    def _on_thread(self) -> bool:
        return threading.get_ident() == self._thread_id

    def wait_for(self, work: Callable[[], None]) -> None:
        """Do `work` on the thread; this is called in a greenlet."""
        self.run_async(lambda _: self._thread.do(work))

    async def do(self, work: Callable[[], T], *, writes: bool) -> T:
        """Return the result of `work` on the thread, in one trip.

        On the thread, SQLAlchemy's connection works without further trips. If `work` `writes`, it
        first waits until no other connection of the program is writing.
        """
        if writes:
            await self.wait_to_write()
        try:
            return await self._thread.do(work)
        finally:
            if not self.in_transaction:
                self._let_others_write()

    async def wait_to_write(self) -> None:
        """Wait until no other connection of the program is writing."""
        if not self._may_write:
            await self._writers.acquire()
            self._may_write = True

    def _let_others_write(self) -> None:
        if self._may_write:
            self._may_write = False
            self._writers.release()

    def cursor(self) -> "sqlite3.Cursor | Cursor":
        """Return a cursor: on the thread SQLite's own, elsewhere one that makes trips there."""
        return self._connection.cursor() if self._on_thread else Cursor(self)

    def create_function(self, *args: Any, **how: Any) -> None:
        """Define a function of SQL; SQLAlchemy defines two for each connection."""
        self.wait_for(partial(self._connection.create_function, *args, **how))

    def commit(self) -> None:
        """Commit the transaction, if there is one, and let the next connection write."""
        self._end_with(self._connection.commit)

    def rollback(self) -> None:
        """Roll the transaction back, if there is one, and let the next connection write.

        A read begins no transaction.
        """
        self._end_with(self._connection.rollback)

    def _end_with(self, end: Callable[[], None]) -> None:
        if self._on_thread:
            end()  # `do` lets the others write, in the event loop
            return
        try:
            if self.in_transaction:
                self.wait_for(end)
        finally:
            self._let_others_write()

    def close(self) -> None:
        """Close the connection, and end its thread."""
        self._let_others_write()
        self.run_async(lambda _: self._thread.close())

    def terminate(self) -> None:
        """Close the connection and end its thread, as soon as the thread is idle."""
        self._let_others_write()
        self._thread.stop()


class Cursor:
    """The part of a cursor that SQLAlchemy uses, in a greenlet. A statement brings all its rows."""

    arraysize = 1

    def __init__(self, connection: Connection):
        self._connection = connection
        self._rows: Iterator[Any] = iter(())
        # The columns of the last statement, None if it has no rows; the number of rows that it
        # changed, -1 if it changes none; the id of the row that it inserted.
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        """Run a statement."""
        self._run(sql, lambda cursor: cursor.execute(sql, parameters))

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each set of parameters."""
        self._run(sql, lambda cursor: cursor.executemany(sql, parameters))

    def _run(self, sql: str, run: Callable[[sqlite3.Cursor], sqlite3.Cursor]) -> None:
        connection = self._connection
        if not sql.lstrip().upper().startswith(_READING):
            connection.run_async(lambda _: connection.wait_to_write())

        def work() -> None:
            cursor = run(connection.driver_connection.cursor())
            self._rows = iter(cursor.fetchall())
            self.description, self.rowcount = cursor.description, cursor.rowcount
            self.lastrowid = cursor.lastrowid

        connection.wait_for(work)

    def fetchone(self) -> Any:
        """Return the next row, None after the last one."""
        return next(self._rows, None)

    def fetchmany(self, size: int | None = None) -> list[Any]:
        """Return up to `size` rows."""
        return list(islice(self._rows, size or self.arraysize))

    def fetchall(self) -> list[Any]:
        """Return all rows that weren't fetched yet."""
        return list(self._rows)

    def close(self) -> None:
        """Forget the rows."""
        self._rows = iter(())

    async def _async_soft_close(self) -> None:
        """Do nothing: the statement is finished, and SQLAlchemy still reads the rows."""
