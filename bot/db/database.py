"""The database, SQLite or PostgreSQL: its engine, and the connections that it lends.

Stores work with SQLAlchemy's engine, the tables of `bot.db.tables` and the functions of
`bot.db.statements`. The differences between the two databases are here, there and in
`bot.db.sqlite`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from copy import copy
from typing import Any, NamedTuple, Self, TypeVar
from urllib.parse import urlencode

from sqlalchemy import ColumnElement, Connection, Engine, Integer, event, func, literal, true
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.sql.expression import ColumnOperators

from bot.db import sqlite
from bot.db.errors import UNREACHABLE
from bot.db.holding import check_writable, held
from bot.db.migrations import migrate
from bot.host_errors import LastingError
from bot.shards import SERVER_BITS, Shards

T = TypeVar("T")

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
# Connections to an SQLite file, each with its thread. Writers keep theirs while they wait.
CONNECTIONS = 8
# Of these, `lent` has two to itself, so that one can write while the other reads. The pool has the
# rest.
LENT = 2
# The longest wait for one of these two, as long as for one of the pool's.
_LENT_WITHIN_SECONDS = 30.0
# Names the connections of a bot to a PostgreSQL server's administrators, and to `restore`.
APPLICATION = "rowbot"
# The parts of a PostgreSQL URL's query that SQLAlchemy reads.
_PLACE = ("host", "port")


class CannotOpenError(Exception):
    """The database can't be reached."""


class ConnectionLimits(NamedTuple):
    """The limits of a bot's connections to a PostgreSQL server; SQLite has no use for them.

    `size` connections stay open, and `overflow` more may be opened for a while. A statement may
    take `statement_seconds`, None for no limit.
    """

    size: int = 5
    overflow: int = 10
    connect_seconds: int = 5
    statement_seconds: int | None = None


_DEFAULT = ConnectionLimits()


class Database(AsyncEngine):
    """The engine of a database, for a process that serves `shards`: all, unless `serving` says."""

    def __init__(self, engine: Engine):
        super().__init__(engine)
        self.shards = Shards.ALL

    def serving(self, shards: Shards) -> Self:
        """Return the same database, for a process that serves these shards."""
        database = copy(self)
        database.shards = shards
        return database

    def serves(self, server_id: ColumnOperators) -> ColumnElement[bool]:
        """Return the condition that this process serves the server in a column.

        Rows without a server belong to the first shard, as direct messages do.
        """
        if self.shards.are_all:
            return true()
        by = literal(SERVER_BITS, Integer)  # PostgreSQL shifts by no other type
        shard = func.coalesce(server_id, 0).bitwise_rshift(by) % self.shards.count
        return shard.between(self.shards.first, self.shards.last)

    def lent(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Lend a connection, quickly on SQLite; changes that aren't committed are rolled back."""
        return self.connect()

    @asynccontextmanager
    async def lent_to_read(self) -> AsyncIterator[AsyncConnection]:
        """Lend a connection for reads, which begin no transaction; that saves two round trips."""
        async with self.connect() as connection:
            yield await connection.execution_options(isolation_level="AUTOCOMMIT")


@asynccontextmanager
async def open_database(
    url: str,
    limits: ConnectionLimits = _DEFAULT,
    finish: Callable[[Connection], None] | None = None,
) -> AsyncIterator[Database]:
    """Yield the engine of a migrated database, and close it afterwards.

    `finish` does what migrations leave to a floor above, in their transaction.

    Raises HostError if another process has the file of an SQLite database open, LastingError if the
    driver is missing or the database is newer, CannotOpenError, and SQLAlchemy's errors if the
    server refuses. The `limits` don't apply to migrations.
    """
    async with AsyncExitStack() as stack:
        try:
            stack.enter_context(held(url))
            check_writable(url)
            async with reach(url) as engine:
                await migrate(engine, finish)
            engine = await stack.enter_async_context(reach(url, limits))
        except OSError as error:
            raise CannotOpenError(str(error)) from error
        yield engine


@asynccontextmanager
async def reach(url: str, limits: ConnectionLimits = _DEFAULT) -> AsyncIterator[Database]:
    """Yield the engine of a database as it is, and close it.

    Raises LastingError if the driver isn't installed.
    """
    try:
        engine = create_engine(url, limits)
    except ImportError as error:
        raise LastingError(
            f"The driver of DATABASE_URL isn't installed: {error}"
            " (for PostgreSQL: .venv/bin/pip install -e '.[postgres]')"
        ) from error
    try:
        yield engine
    finally:
        await engine.dispose()


def create_engine(url: str, limits: ConnectionLimits = _DEFAULT) -> Database:
    """Return the engine for a `sqlite:` or `postgresql:` URL; raise ImportError without a driver.

    No connection is opened yet.
    """
    parsed = make_url(url)
    parsed = parsed.set(drivername=_DRIVERS.get(parsed.drivername, parsed.drivername))
    if parsed.get_backend_name() != "sqlite":
        return _server_database(parsed, limits)
    path = parsed.database or ":memory:"
    writers = asyncio.Lock()
    # The connection used last has its pages in the cache, so it is taken first. All stay open,
    # since opening a connection for a busy moment costs more than the work that it does.
    engine = create_async_engine(
        parsed,
        creator=lambda: sqlite.Connection(path, writers),
        pool_size=CONNECTIONS,
        max_overflow=0,
        pool_use_lifo=True,
        hide_parameters=True,  # an error's text may be logged, and names are among the values
    )
    return _SqliteDatabase(engine.sync_engine)


def _server_database(url: URL, limits: ConnectionLimits) -> Database:
    told = {"application_name": APPLICATION}
    options: dict[str, Any] = {"timeout": limits.connect_seconds, "server_settings": told}
    # asyncpg takes the rest, such as sslmode=require, only in an address, by libpq's names.
    rest = {name: value for name, value in url.query.items() if name not in _PLACE}
    if rest:
        options["dsn"] = f"postgresql:///?{urlencode(for_libpq(rest))}"
        url = url.difference_update_query(rest)
    # Also without a limit of ours, since the server may have one for its users.
    told["statement_timeout"] = f"{limits.statement_seconds or 0}s"
    if limits.statement_seconds is not None:
        # For a server that doesn't answer at all; otherwise the server's own limit comes first.
        options["command_timeout"] = limits.statement_seconds + 2
    engine = create_async_engine(
        url,
        isolation_level="READ COMMITTED",  # the server's own default may be another one
        connect_args=options,
        pool_size=limits.size,
        max_overflow=limits.overflow,
        pool_timeout=limits.statement_seconds or 30,
        hide_parameters=True,
    )
    event.listen(engine.sync_engine, "do_connect", _connect)
    event.listen(engine.sync_engine, "checkout", _replace_if_closed)
    return Database(engine.sync_engine)


def _connect(dialect: Any, _record: object, where: Any, options: Any) -> object:
    """Return a connection; if the server can't be reached, raise one of SQLAlchemy's errors.

    asyncpg itself raises the system's error.
    """
    try:
        return dialect.connect(*where, **options)
    except (OSError, OverflowError) as error:  # OverflowError: a port such as 70000
        unreachable = dialect.loaded_dbapi.OperationalError(str(error) or type(error).__name__)
        unreachable.sqlstate = UNREACHABLE
        raise unreachable from error


def _replace_if_closed(connection: Any, *_: object) -> None:
    """Let the pool replace its connections if the server has ended one of them.

    asyncpg is told of that; asking the server before each use would take a round trip.
    """
    if connection.driver_connection.is_closed():
        raise InvalidatePoolError


def for_libpq(query: Mapping[str, T]) -> dict[str, T]:
    """Return the query of a URL with the names that PostgreSQL's own programs know."""
    return {("sslmode" if name == "ssl" else name): value for name, value in query.items()}


class _SqliteDatabase(Database):
    """An SQLite file, which keeps some connections at hand, and lends them in order of asking.

    SQLAlchemy's pool lends a connection by a greenlet and through several objects, and resets it in
    the same way, which costs half as much again as most statements. It also serves newcomers before
    those who wait.
    """

    def __init__(self, engine: Engine):
        super().__init__(engine)
        self._at_hand: list[AsyncConnection] = []
        self._turns = asyncio.Semaphore(LENT)

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection without a transaction, which is kept afterwards.

        Raises TimeoutError if none comes free within the time after which SQLAlchemy's pool does
        so.
        """
        try:
            # Only those who have to wait need a timer.
            async with asyncio.timeout(_LENT_WITHIN_SECONDS if self._turns.locked() else None):
                await self._turns.acquire()
        except TimeoutError as error:
            raise TimeoutError("no connection to the database has come free") from error
        try:
            connection = self._at_hand.pop() if self._at_hand else await self.connect().start()
            try:
                yield connection
            except BaseException:
                await self._let_go(connection)
                raise
            await self._give_back(connection)
        finally:
            self._turns.release()

    lent_to_read = lent  # on SQLite a read begins no transaction anyway

    async def _give_back(self, connection: AsyncConnection) -> None:
        """Roll back what a connection has not committed, and keep it, or give it to the pool."""
        used = opened(connection)
        driver: object = used.connection.dbapi_connection
        assert isinstance(driver, sqlite.Connection)
        if driver.in_transaction:
            await self._let_go(connection)
            return
        used.rollback()  # ends SQLAlchemy's transaction; SQLite has none
        self._at_hand.append(connection)

    async def _let_go(self, connection: AsyncConnection) -> None:
        """Give a connection to the pool, which resets it, even if the caller is cancelled."""
        async with AsyncExitStack() as stack:
            stack.push_async_exit(connection)

    async def dispose(self, close: bool = True) -> None:  # noqa: FBT001, FBT002 - SQLAlchemy's own
        """Close all connections that nobody uses."""
        while self._at_hand:
            await self._let_go(self._at_hand.pop())
        await super().dispose(close)


def opened(connection: AsyncConnection) -> Connection:
    """Return SQLAlchemy's synchronous connection behind an asynchronous one that is open."""
    assert connection.sync_connection is not None
    return connection.sync_connection
