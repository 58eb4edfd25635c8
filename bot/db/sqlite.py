"""SQLite as SQLAlchemy uses it: each connection works on a thread of its own, in few trips.

A trip to the thread costs more CPU than most statements do. A statement is one trip, with its
rows; so is any piece of work that `Connection.do` takes there, with all its statements and its
commit (docs/decisions/04-database.md has the figures). The event loop never waits for SQLite: a
statement that meets a lock waits for seconds.

SQLite has one writer at a time and lets the others poll. Within this program they queue instead,
first come, first served.
"""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

from sqlalchemy.engine import AdaptedConnection

T = TypeVar("T")

_WAIT_SECONDS = 5.0  # for another program that is writing
_PAUSE_SECONDS = 0.02
_WAL = "PRAGMA journal_mode=WAL"  # readers never wait for a writer
_PRAGMAS = (
    "PRAGMA synchronous=FULL",  # with WAL: a commit survives a loss of power
    "PRAGMA foreign_keys=ON",
)

# The statements that write nothing. Any other waits until the connection may write.
_READING = ("SELECT", "PRAGMA", "EXPLAIN", "WITH")


def connect(path: str, writers: asyncio.Lock) -> "Connection":
    """Return an open connection to a database file; raise sqlite3.Error if it can't be opened.

    SQLAlchemy calls it, in a greenlet. All connections to the same file share `writers`.
    """
    connection = Connection(writers)
    try:
        connection.open(path)
    except BaseException:
        connection.terminate()
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


class WorkThread:
    """A thread that does one piece of work after another. It doesn't keep the program running."""

    def __init__(self) -> None:
        self._asked: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any] | None] | None]
        self._asked = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="sqlite", daemon=True)
        self._thread.start()

    @property
    def is_current(self) -> bool:
        """Whether this is asked on the thread."""
        return threading.get_ident() == self._thread.ident

    async def do(self, work: Callable[[], T]) -> T:
        """Return what `work` returns on the thread, or raise its error.

        Who is cancelled meanwhile waits for the end of the work, which can't be stopped.
        """
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._asked.put((work, answer))
        try:
            return await answer
        except asyncio.CancelledError:
            ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._asked.put((_nothing, ended))
            await ended
            raise

    def end(self, last: Callable[[], Any]) -> None:
        """Let the thread end after some last work, whose result nobody waits for."""
        self._asked.put((last, None))
        self._asked.put(None)

    def _serve(self) -> None:
        while (asked := self._asked.get()) is not None:
            work, answer = asked
            result, failure = None, None
            try:
                result = work()
            except BaseException as error:
                failure = error
            if answer is not None:
                answer.get_loop().call_soon_threadsafe(_tell, answer, result, failure)
            # What has been told isn't kept until there is more work.
            del asked, work, answer, result, failure


def _nothing() -> None:
    """Do nothing."""


def _tell(answer: asyncio.Future[Any], result: object, failure: BaseException | None) -> None:
    if answer.done():  # nobody waits any more
        return
    if failure is None:
        answer.set_result(result)
    else:
        answer.set_exception(failure)


class Connection(AdaptedConnection):
    """A connection with its thread, as SQLAlchemy uses it: in a greenlet, or on the thread.

    It is held by one task at a time: SQLAlchemy's pool sees to that.
    """

    _connection: Any  # SQLite's own, which is used on the thread alone

    def __init__(self, writers: asyncio.Lock):
        self._connection = None
        self._thread = WorkThread()
        self._writers = writers
        self._may_write = False

    def open(self, path: str) -> None:
        """Open the database; raise sqlite3.Error."""
        self._connection = self.wait_for(partial(_open, path))

    def wait_for(self, work: Callable[[], T]) -> T:
        """Return what `work` returns on the thread; this is called in a greenlet."""
        return self.run_async(lambda _: self._thread.do(work))

    async def do(self, work: Callable[[], T], *, writes: bool) -> T:
        """Return what `work` returns on the thread, in one trip.

        There, SQLAlchemy's connection works without further trips. If it `writes`, it waits first
        until no other connection of the program is writing.
        """
        if writes:
            await self.wait_to_write()
        try:
            return await self._thread.do(work)
        finally:
            if not self._in_transaction:
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

    @property
    def _in_transaction(self) -> bool:
        return self._connection is not None and self._connection.in_transaction

    def cursor(self) -> "sqlite3.Cursor | Cursor":
        """Return a cursor: on the thread SQLite's own, elsewhere one that goes there."""
        return self._connection.cursor() if self._thread.is_current else Cursor(self)

    def create_function(self, *args: Any, **how: Any) -> None:
        """Define a function of SQL; SQLAlchemy has one."""
        self.wait_for(partial(self._connection.create_function, *args, **how))

    def commit(self) -> None:
        """Commit the transaction, if there is one, and let the next connection write."""
        self._end_with(self._connection.commit)

    def rollback(self) -> None:
        """Roll the transaction back, if there is one, and let the next connection write.

        After a read there is none.
        """
        self._end_with(self._connection.rollback)

    def _end_with(self, end: Callable[[], None]) -> None:
        if self._thread.is_current:
            end()  # `do` lets the others write, in the event loop
            return
        try:
            if self._in_transaction:
                self.wait_for(end)
        finally:
            self._let_others_write()

    def close(self) -> None:
        """Close the connection, and end its thread."""
        self.wait_for(self._close)
        self.terminate()

    def terminate(self) -> None:
        """Close the connection and end its thread as soon as that is idle."""
        self._let_others_write()
        self._thread.end(self._close)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()


class Cursor:
    """The part of a cursor that SQLAlchemy uses, in a greenlet. A statement brings all its rows."""

    arraysize = 1

    def __init__(self, connection: Connection):
        self._connection = connection
        self._rows: list[Any] = []
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
            self._rows = cursor.fetchall()
            self.description, self.rowcount = cursor.description, cursor.rowcount
            self.lastrowid = cursor.lastrowid

        connection.wait_for(work)

    def fetchone(self) -> Any:
        """Return the next row, None after the last one."""
        return self._rows.pop(0) if self._rows else None

    def fetchmany(self, size: int | None = None) -> list[Any]:
        """Return up to `size` rows."""
        size = size or self.arraysize
        rows, self._rows = self._rows[:size], self._rows[size:]
        return rows

    def fetchall(self) -> list[Any]:
        """Return all rows that weren't fetched yet."""
        rows, self._rows = self._rows, []
        return rows

    def close(self) -> None:
        """Forget the rows."""
        self._rows = []

    async def _async_soft_close(self) -> None:
        """Do nothing: SQLite has finished the statement. SQLAlchemy calls it and keeps the rows."""
