"""Running statements: short reads, whole transactions, and the statements that differ.

The functions here are for short work, since few connections are lent at a time. Long work, such as
an export, takes a connection from the pool (`engine.connect`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from typing import TypeAlias, TypeVar, TypeVarTuple

from sqlalchemy import Connection, Table, func, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.db import sqlite
from bot.db.database import Database, opened
from bot.db.errors import retried

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

Values: TypeAlias = Mapping[str, object]
"""The values of a statement's parameters."""


async def do(
    connection: AsyncConnection,
    work: Callable[[Connection, *Ts], T],
    *args: *Ts,
    writes: bool = False,
) -> T:
    """Do `work` with a connection, and return its result; `writes` says whether it writes.

    On SQLite the whole `work` is one trip to the connection's thread, however many statements it
    has. It should compute little else: the event loop is for that.
    """
    used = opened(connection)
    driver: object = used.connection.dbapi_connection
    if not isinstance(driver, sqlite.Connection):
        return await connection.run_sync(work, *args)
    return await driver.do(partial(work, used, *args), writes=writes)


async def read(database: Database, work: Callable[[Connection, *Ts], T], *args: *Ts) -> T:
    """Return the result of `work` with a connection, from which it only reads.

    If the connection turns out to be lost, all that the pool has are replaced, and `work` is done
    again. Each press reads first, so it fails only if the server is away.
    """
    try:
        return await _read(database, work, *args)
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
    return await _read(database, work, *args)


async def _read(database: Database, work: Callable[[Connection, *Ts], T], *args: *Ts) -> T:
    async with database.lent_to_read() as connection:
        return await do(connection, work, *args)


@retried
async def write(database: Database, work: Callable[[Connection, *Ts], T], *args: *Ts) -> T:
    """Do `work` with a connection, commit, and return its result.

    If the transaction loses against another one, it is done again.
    """
    async with database.lent() as connection:
        return await do(connection, committed, work, *args, writes=True)


def committed(connection: Connection, work: Callable[[Connection, *Ts], T], *args: *Ts) -> T:
    """Do `work`, commit, and return its result; `do` makes this one trip."""
    done = work(connection, *args)
    connection.commit()
    return done


_INSERT: Mapping[str, Callable[[Table], sqlite_dialect.Insert | postgresql.Insert]] = {
    "sqlite": sqlite_dialect.insert,
    "postgresql": postgresql.insert,
}


def insert_into(connection: Connection, table: Table) -> sqlite_dialect.Insert | postgresql.Insert:
    """Return an insert that may say what to do on a conflict."""
    return insert_for(connection.dialect.name, table)


def insert_for(dialect: str, table: Table) -> sqlite_dialect.Insert | postgresql.Insert:
    """Return the insert that `insert_into` returns for connections of a dialect."""
    return _INSERT[dialect](table)


def hold(connection: Connection, *names: str, shared: Sequence[str] = ()) -> None:
    """Take PostgreSQL's advisory locks with these names until the transaction ends.

    Several transactions may hold a lock that each takes as `shared`. All callers must take locks in
    the same order, to avoid a deadlock. SQLite needs no locks: of the transactions that `write`
    does, one begins after another has ended.
    """
    if connection.dialect.name == "sqlite":
        return
    number = func.hashtextextended  # PostgreSQL's locks have numbers
    asked = [func.pg_advisory_xact_lock_shared(number(name, 0)) for name in shared]
    asked += [func.pg_advisory_xact_lock(number(name, 0)) for name in names]
    connection.execute(select(*asked))


def upsert(
    connection: Connection,
    table: Table,
    rows: Sequence[Mapping[str, object]],
    keep: Collection[str] = (),
) -> None:
    """Insert rows, at least one and all with the same columns; replace those that have their keys.

    Columns to `keep`, and those that aren't given, keep their values in an existing row. Given its
    key alone, a row is made if need be, and locked until the transaction ends.
    """
    names, kept = tuple(rows[0]), frozenset(keep)
    connection.execute(_upserting(connection.dialect.name, table, names, kept), list(rows))


@cache
def _upserting(
    dialect: str, table: Table, columns: tuple[str, ...], kept: frozenset[str]
) -> sqlite_dialect.Insert | postgresql.Insert:
    """Return the statement of `upsert`. Building it takes longer than running it."""
    statement = insert_for(dialect, table)
    keys = [column.name for column in table.primary_key]
    changed = [name for name in columns if name not in {*keys, *kept}] or keys
    values = {name: statement.excluded[name] for name in changed}
    return statement.on_conflict_do_update(index_elements=keys, set_=values)
