"""What all stores have: the way to one database."""

from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, TypeVarTuple

from sqlalchemy import Connection, Row, UpdateBase
from sqlalchemy.sql.selectable import TypedReturnsRows

from bot.db.database import Database
from bot.db.statements import Values, read, write

P = ParamSpec("P")
S = TypeVar("S", bound="Store")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Store:
    """Keeps what it writes in one database."""

    def __init__(self, database: Database):
        self._database = database

    async def _fetch(
        self, statement: TypedReturnsRows[*Ts], values: Values | None = None
    ) -> Sequence[Row[*Ts]]:
        """Return all rows that a statement finds."""
        return await read(
            self._database, lambda connection: connection.execute(statement, values).all()
        )

    async def _fetch_scalars(
        self, statement: TypedReturnsRows[T], values: Values | None = None
    ) -> Sequence[T]:
        """Return the first column of all rows that a statement finds."""
        return [row[0] for row in await self._fetch(statement, values)]

    async def _fetch_scalar(
        self, statement: TypedReturnsRows[T], values: Values | None = None
    ) -> T:
        """Return the first column of the one row that a statement finds."""
        [value] = await self._fetch_scalars(statement, values)
        return value

    async def _fetch_one(
        self, statement: TypedReturnsRows[*Ts], values: Values | None = None
    ) -> Row[*Ts] | None:
        """Return the row that a statement finds, None if it finds none."""
        return next(iter(await self._fetch(statement, values)), None)

    async def _fetch_scalar_or_none(
        self, statement: TypedReturnsRows[T], values: Values | None = None
    ) -> T | None:
        """Return the first column of the row that a statement finds, None if it finds none."""
        return next(iter(await self._fetch_scalars(statement, values)), None)

    async def _execute(
        self, statement: UpdateBase, values: Values | Sequence[Values] | None = None
    ) -> int:
        """Carry out a statement as a transaction, once for each set of `values`.

        Returns how many rows it has changed.
        """
        return await write(
            self._database, lambda connection: connection.execute(statement, values).rowcount
        )


def transaction(
    work: Callable[Concatenate[S, Connection, P], T],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Return a method of a store, called without the connection, that does `work` by `write`.

    On SQLite `work` runs in another thread, so it must not read the clock.
    """

    @wraps(work)
    async def done(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await write(
            self._database, lambda connection: work(self, connection, *args, **kwargs)
        )

    return done
