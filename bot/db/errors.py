"""The errors of stores and of the two databases: which to try again, and which may pass."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from random import random
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import Index
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, InternalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

P = ParamSpec("P")
T = TypeVar("T")

# The code for a server that can't be reached: that error has no code of its own.
UNREACHABLE = "08001"
# The transaction lost against another one, in a deadlock or a failed serialisation.
_LOST = "40"
# Codes, or their beginnings, that say nothing against the statement. PostgreSQL's are for lost
# connections, a server that is now a read-only copy, users and databases that it refuses, resources
# and locks, shutdowns and time limits, and disks. SQLite's are for locks and disks.
_PASSING = (
    *("08", "25006", "28", "3D", _LOST, "53", "55P03", "57", "58"),
    *("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL", "SQLITE_FULL", "SQLITE_IOERR"),
    *("SQLITE_READONLY", "SQLITE_CANTOPEN"),
)
# The pauses in seconds, at most, before a transaction that lost is done again.
_PAUSES = (0.05, 0.2)


class ChangedError(Exception):
    """The database no longer holds the state that was read."""


class CorruptRowError(Exception):
    """A stored row from which no value can be read, such as a match or an invitation."""


def is_passing(error: BaseException) -> bool:
    """Return whether the database is away, busy or full, so that the same may succeed later.

    No commit has succeeded then, or nobody knows whether it has.
    """
    if isinstance(error, InterfaceError | InternalError):
        return True  # asyncpg's own, of a connection that was lost in the middle of a call
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or _code(error).startswith(_PASSING)
    return isinstance(error, PoolTimeoutError | TimeoutError)


def is_away(error: BaseException) -> bool:
    """Return whether `is_passing` holds, and the error itself shows that the database raised it.

    The traceback of such an error would only fill the log. A bare TimeoutError needs its traceback,
    which says where it came from.
    """
    return is_passing(error) and not isinstance(error, TimeoutError)


def reason(error: BaseException) -> str:
    """Return a line for the log that says why something failed, and whether it was the database."""
    return f"the database: {said(error)}" if isinstance(error, DBAPIError) else said(error)


def said(error: BaseException) -> str:
    """Return the first line of an error's text; for a database's error, the text of the driver.

    SQLAlchemy's own text also has the statement, and a link to its documentation.
    """
    orig = error.orig if isinstance(error, DBAPIError) else None
    told = (orig and orig.__cause__) or orig or error
    if isinstance(told, TimeoutError) and not str(told):  # as asyncpg's and asyncio's
        return "no answer in time"
    # Further lines may have a row's values.
    return next(iter(str(told).splitlines()), repr(told))


def retried(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Return a function that does `work`, a whole transaction, again if it loses to another one."""

    @wraps(work)
    async def again(*args: P.args, **kwargs: P.kwargs) -> T:
        for pause in _PAUSES:
            try:
                return await work(*args, **kwargs)
            except DBAPIError as error:
                if not _code(error).startswith(_LOST):
                    raise
            await asyncio.sleep(pause * random())
        return await work(*args, **kwargs)

    return again


@contextmanager
def unique(index: Index, otherwise: type[Exception]) -> Iterator[None]:
    """Raise `otherwise` in place of an error that a unique index has such a row already.

    Violations of keys, of NOT NULL, or of other indexes are passed on.
    """
    try:
        yield
    except IntegrityError as error:
        if not _violates(error, index):
            raise
        raise otherwise from error


def _violates(error: IntegrityError, index: Index) -> bool:
    # asyncpg's error, the cause of SQLAlchemy's, names the index. SQLite's names the columns.
    name = getattr(error.orig and error.orig.__cause__, "constraint_name", None)
    columns = ", ".join(map(str, index.columns))
    return name == index.name or str(error.orig) == f"UNIQUE constraint failed: {columns}"


def _code(error: DBAPIError) -> str:
    """Return PostgreSQL's error code, or the name of SQLite's; empty if there is neither."""
    orig = error.orig
    return getattr(orig, "sqlstate", None) or getattr(orig, "sqlite_errorname", None) or ""
