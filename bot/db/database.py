"""The database, SQLite or PostgreSQL: opening, migrating, and statements that differ.

Stores work with SQLAlchemy's engine and the tables of `bot.db.tables`. The differences between the
two databases are here and in `bot.db.sqlite`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar, TypeVarTuple
from urllib.parse import urlencode

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    Table,
    UpdateBase,
    event,
    func,
    select,
    text,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.sql.selectable import TypedReturnsRows

from bot.db import sqlite, unfinished
from bot.db.errors import UNREACHABLE, retried
from bot.db.holding import held

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Values: TypeAlias = Mapping[str, object]
"""The values of a statement's parameters."""

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}

# Work that a revision leaves to the program, by revision. It runs in the migration's transaction.
AfterUpgrade = Mapping[str, Callable[[Connection], object]]
_NOTHING: AfterUpgrade = MappingProxyType({})


# To an SQLite file, each with its thread. Writers wait with theirs while another one writes.
CONNECTIONS = 8
# `lent` has this many of them to itself: one writes while the other reads. The pool has the rest.
LENT = 2
# So long does whoever waits for one wait at most, as at the pool.
_LENT_WITHIN_SECONDS = 30.0


class NewerDatabaseError(Exception):
    """The database was written by a newer version of the program."""


class CannotOpenError(Exception):
    """The database can't be reached."""


class MissingDriverError(CannotOpenError):
    """The driver of the database isn't installed."""


class Limits(NamedTuple):
    """The limits of a bot's connections to a PostgreSQL server; SQLite has no use for them.

    `size` connections stay open, and `overflow` more may be opened for a while. A statement may
    take `statement_seconds`, None for no limit.
    """

    size: int = 5
    overflow: int = 10
    connect_seconds: int = 5
    statement_seconds: int | None = None


UNLIMITED = Limits()


def create_engine(url: str, limits: Limits = UNLIMITED) -> AsyncEngine:
    """Return the engine for a `sqlite:` or `postgresql:` URL; raise ImportError without a driver.

    No connection is opened yet.
    """
    parsed = make_url(url)
    parsed = parsed.set(drivername=_DRIVERS.get(parsed.drivername, parsed.drivername))
    if parsed.get_backend_name() != "sqlite":
        return _server_engine(parsed, limits)
    path = parsed.database or ":memory:"
    writers = asyncio.Lock()
    # The connection used last has its pages in the cache, so it is taken first. All stay open: a
    # connection that is opened for a busy moment costs more than what it does.
    engine = create_async_engine(
        parsed,
        creator=lambda: sqlite.connect(path, writers),
        pool_size=CONNECTIONS,
        max_overflow=0,
        pool_use_lifo=True,
        hide_parameters=True,  # an error's text may be logged, and names are among the values
    )
    return _Lender(engine.sync_engine)


class _Lender(AsyncEngine):
    """An engine for SQLite, some of whose connections are kept at hand, and lent by `lent`.

    SQLAlchemy's pool lends each by a greenlet and through several objects, and resets it likewise,
    which costs half as much again as most statements. Those who wait here are served in order.
    """

    def __init__(self, engine: Engine):
        super().__init__(engine)
        self._at_hand: list[AsyncConnection] = []
        self._turns = asyncio.Semaphore(LENT)

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection without a transaction, which is kept afterwards.

        Raises TimeoutError if none comes free, as SQLAlchemy's pool does after the same time.
        """
        async with asyncio.timeout(_LENT_WITHIN_SECONDS):
            await self._turns.acquire()
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

    async def _give_back(self, connection: AsyncConnection) -> None:
        """Roll back what a connection has not committed, and keep it, or give it to the pool."""
        used = _opened(connection)
        driver: object = used.connection.dbapi_connection
        assert isinstance(driver, sqlite.Connection)
        if driver.in_transaction:
            await self._let_go(connection)
            return
        used.rollback()  # it ends what SQLAlchemy has begun, and SQLite hasn't
        self._at_hand.append(connection)

    async def _let_go(self, connection: AsyncConnection) -> None:
        """Give a connection to the pool, which resets it, also if the caller is cancelled."""
        async with AsyncExitStack() as stack:
            stack.push_async_exit(connection)

    async def dispose(self, close: bool = True) -> None:  # noqa: FBT001, FBT002 - SQLAlchemy's own
        """Close all connections that nobody uses."""
        while self._at_hand:
            await self._let_go(self._at_hand.pop())
        await super().dispose(close)


def lent(engine: AsyncEngine) -> AbstractAsyncContextManager[AsyncConnection]:
    """Lend a connection; what isn't committed is rolled back. On SQLite it is lent quickly."""
    return engine.lent() if isinstance(engine, _Lender) else engine.connect()


# Names the connections of a bot to the server's administrators, and to `restore`.
APPLICATION = "rowbot"


# What SQLAlchemy takes from the query of a PostgreSQL URL.
_PLACE = ("host", "port")


def _server_engine(url: URL, limits: Limits) -> AsyncEngine:
    told = {"application_name": APPLICATION}
    options: dict[str, Any] = {"timeout": limits.connect_seconds, "server_settings": told}
    # asyncpg knows the rest, such as sslmode=require, by the names of libpq, in an address alone.
    rest = {name: value for name, value in url.query.items() if name not in _PLACE}
    if rest:
        options["dsn"] = f"postgresql:///?{urlencode(for_libpq(rest))}"
        url = url.difference_update_query(rest)
    if limits.statement_seconds is not None:
        told["statement_timeout"] = f"{limits.statement_seconds}s"
        # If the server doesn't answer at all: its own limit comes first.
        options["command_timeout"] = limits.statement_seconds + 2
    engine = create_async_engine(
        url,
        connect_args=options,
        pool_size=limits.size,
        max_overflow=limits.overflow,
        pool_timeout=limits.statement_seconds or 30,
        pool_pre_ping=True,
        hide_parameters=True,
    )
    event.listen(engine.sync_engine, "do_connect", _connect)
    return engine


def _connect(dialect: Any, _record: object, where: Any, options: Any) -> object:
    """Return a connection; if the server can't be reached, raise an error as SQLAlchemy knows it.

    asyncpg passes on the system's error.
    """
    try:
        return dialect.connect(*where, **options)
    except OSError as error:
        unreachable = dialect.loaded_dbapi.OperationalError(str(error) or type(error).__name__)
        unreachable.sqlstate = UNREACHABLE
        raise unreachable from error


def for_libpq(query: Mapping[str, T]) -> dict[str, T]:
    """Return the query of a URL with the names that PostgreSQL's own programs know."""
    return {("sslmode" if name == "ssl" else name): value for name, value in query.items()}


@asynccontextmanager
async def open_database(
    url: str, after_upgrade: AfterUpgrade = _NOTHING, limits: Limits = UNLIMITED
) -> AsyncIterator[AsyncEngine]:
    """Yield the engine of a migrated database, and close it afterwards.

    No other process may have the file of an SQLite database open: InUseError. Also raises
    MissingDriverError, CannotOpenError, the errors of `migrate`, and SQLAlchemy's if the server
    refuses. `after_upgrade` is as in `migrate`, which no `limits` hold for.
    """
    async with AsyncExitStack() as stack:
        try:
            stack.enter_context(held(url))
            async with reach(url) as engine:
                await migrate(engine, after_upgrade)
            engine = await stack.enter_async_context(reach(url, limits))
        except OSError as error:
            raise CannotOpenError(str(error)) from error
        yield engine


@asynccontextmanager
async def reach(url: str, limits: Limits = UNLIMITED) -> AsyncIterator[AsyncEngine]:
    """Yield the engine of a database as it is, and close it; raise MissingDriverError."""
    try:
        engine = create_engine(url, limits)
    except ImportError as error:
        raise MissingDriverError(
            f"The driver of DATABASE_URL isn't installed: {error}"
            " (for PostgreSQL: .venv/bin/pip install -e '.[postgres]')"
        ) from error
    try:
        yield engine
    finally:
        await engine.dispose()


# Lets one process at a time migrate, until its transaction ends. Python's sqlite3 by itself would
# begin the transaction before a change of rows, but not before one of the schema. PostgreSQL's lock
# is any number that other programs don't use.
_BEGIN_ALONE = {
    "sqlite": "BEGIN IMMEDIATE",
    "postgresql": "SELECT pg_advisory_xact_lock(7239164)",
}


async def migrate(engine: AsyncEngine, after_upgrade: AfterUpgrade = _NOTHING) -> None:
    """Bring the schema to this version, in one transaction.

    `after_upgrade[revision]` is called at the end if that revision was among those applied.
    Raises NewerDatabaseError and UnfinishedError.
    """
    async with engine.begin() as connection:
        await migrate_in(connection, after_upgrade)


async def migrate_in(connection: AsyncConnection, after_upgrade: AfterUpgrade = _NOTHING) -> None:
    """Do what `migrate` does, in a transaction that goes on; until it ends nobody else migrates."""
    await connection.execute(text(_BEGIN_ALONE[connection.dialect.name]))
    await connection.run_sync(_upgrade, after_upgrade)


def _upgrade(connection: Connection, after_upgrade: AfterUpgrade) -> None:
    missing = missing_revisions(connection)
    if missing and connection.dialect.name == "sqlite":
        unfinished.skip_what_is_done(connection)
        command.upgrade(_config(connection), "head")
        unfinished.check_schema(connection)
    elif missing:
        command.upgrade(_config(connection), "head")
    for revision, work in after_upgrade.items():
        if revision in missing:
            work(connection)


def missing_revisions(connection: Connection) -> set[str]:
    """Return the revisions that this version adds to the database; raise NewerDatabaseError."""
    current = MigrationContext.configure(connection).get_current_revision()
    script = ScriptDirectory.from_config(_config(connection))
    if current is not None:
        try:
            script.get_revision(current)
        except CommandError as error:
            raise NewerDatabaseError(
                f"The database is at revision {current}, which this version of Rowbot doesn't know:"
                " it was written by a newer version. Update Rowbot, or restore a backup made"
                " before the update."
            ) from error
    return {step.revision for step in script.iterate_revisions("head", current or "base")}


def newest_revision() -> str | None:
    """Return the revision of this version."""
    return ScriptDirectory(str(MIGRATIONS)).get_current_head()


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


async def do(
    connection: AsyncConnection,
    work: Callable[[Connection, *Ts], T],
    *args: *Ts,
    writes: bool = False,
) -> T:
    """Return what `work` returns for a connection; tell if it `writes`.

    On SQLite it is one trip to the connection's thread, however many statements it has. So it
    computes little else: the event loop is for that.
    """
    used = _opened(connection)
    driver: object = used.connection.dbapi_connection
    if not isinstance(driver, sqlite.Connection):
        return await connection.run_sync(work, *args)
    return await driver.do(partial(work, used, *args), writes=writes)


def _opened(connection: AsyncConnection) -> Connection:
    """Return SQLAlchemy's synchronous connection behind an asynchronous one that is open."""
    assert connection.sync_connection is not None
    return connection.sync_connection


async def read(engine: AsyncEngine, work: Callable[[Connection, *Ts], T], *args: *Ts) -> T:
    """Return what `work` returns for a connection, which it only reads from."""
    async with lent(engine) as connection:
        return await do(connection, work, *args)


async def fetch(
    engine: AsyncEngine, statement: TypedReturnsRows[*Ts], values: Values | None = None
) -> Sequence[Row[*Ts]]:
    """Return all rows that a statement finds.

    Like all below, it is for short work: few connections are lent at a time. What takes long, as an
    export does, takes one of the pool (`engine.connect`).
    """
    return await read(engine, lambda connection: connection.execute(statement, values).all())


async def fetch_scalars(
    engine: AsyncEngine, statement: TypedReturnsRows[T], values: Values | None = None
) -> Sequence[T]:
    """Return the first column of all rows that a statement finds."""
    return [row[0] for row in await fetch(engine, statement, values)]


async def fetch_scalar(
    engine: AsyncEngine, statement: TypedReturnsRows[T], values: Values | None = None
) -> T:
    """Return the first column of the one row that a statement finds."""
    [value] = await fetch_scalars(engine, statement, values)
    return value


async def fetch_one(
    engine: AsyncEngine, statement: TypedReturnsRows[*Ts], values: Values | None = None
) -> Row[*Ts] | None:
    """Return the row that a statement finds, None if it finds none."""
    return next(iter(await fetch(engine, statement, values)), None)


async def fetch_scalar_or_none(
    engine: AsyncEngine, statement: TypedReturnsRows[T], values: Values | None = None
) -> T | None:
    """Return the first column of the row that a statement finds, None if it finds none."""
    return next(iter(await fetch_scalars(engine, statement, values)), None)


@retried
async def write(engine: AsyncEngine, work: Callable[[Connection, *Ts], T], *args: *Ts) -> T:
    """Return what `work` returns for a connection, when its transaction is committed.

    A transaction that loses against another one is done again.
    """
    async with lent(engine) as connection:
        return await do(connection, committed, work, *args, writes=True)


async def change(
    engine: AsyncEngine,
    statement: UpdateBase,
    values: Values | Sequence[Values] | None = None,
) -> int:
    """Carry out a statement as a transaction, once for each set of `values`.

    Returns how many rows it has changed.
    """
    return await write(engine, lambda connection: connection.execute(statement, values).rowcount)


def committed(connection: Connection, work: Callable[[Connection, *Ts], T], *args: *Ts) -> T:
    """Return what `work` returns for a connection, and commit: one trip with `do`, for both."""
    done = work(connection, *args)
    connection.commit()
    return done


_INSERT: Mapping[str, Callable[[Table], sqlite_dialect.Insert | postgresql.Insert]] = {
    "sqlite": sqlite_dialect.insert,
    "postgresql": postgresql.insert,
}


def insert_into(
    connection: Connection | AsyncConnection, table: Table
) -> sqlite_dialect.Insert | postgresql.Insert:
    """Return an insert that may say what to do on a conflict."""
    return insert_for(connection.dialect.name, table)


def insert_for(dialect: str, table: Table) -> sqlite_dialect.Insert | postgresql.Insert:
    """Return the insert of `insert_into` for all connections of a dialect."""
    return _INSERT[dialect](table)


def hold(connection: Connection, *names: str, shared: Sequence[str] = ()) -> None:
    """Take PostgreSQL's advisory locks with these names until the transaction ends.

    Several transactions may hold a lock that each takes as `shared`. All callers must take locks in
    the same order, to avoid a deadlock. SQLite has one writer at a time and needs no locks: call
    this only after the transaction has written something.
    """
    if connection.dialect.name == "sqlite":
        return
    asked = [func.pg_advisory_xact_lock_shared(_lock_number(name)) for name in shared]
    asked += [func.pg_advisory_xact_lock(_lock_number(name)) for name in names]
    connection.execute(select(*asked))


def _lock_number(name: str) -> ColumnElement[int]:
    """Return the number by which PostgreSQL knows a lock."""
    return func.hashtextextended(name, 0)


def upsert(connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert rows, at least one and all with the same columns; replace those that have their keys.

    Columns that aren't given keep their values in a row that exists.
    """
    connection.execute(_upserting(connection.dialect.name, table, tuple(rows[0])), list(rows))


@cache
def _upserting(
    dialect: str, table: Table, columns: tuple[str, ...]
) -> sqlite_dialect.Insert | postgresql.Insert:
    """Return the statement of `upsert`. To build it takes longer than to run it."""
    statement = insert_for(dialect, table)
    keys = [column.name for column in table.primary_key]
    changed = {name: statement.excluded[name] for name in columns if name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=changed)
