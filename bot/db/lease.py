"""The lease of a process on its shards: only the process that holds it serves them.

An SQLite file needs no lease, since `bot.db.holding` keeps all but one process from it. On
PostgreSQL a lease is a set of advisory locks that belong to one connection, so that the server
frees them when the connection ends, also after a kill.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Self, TypeAlias

from sqlalchemy import TextClause, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.db.database import APPLICATION, ConnectionLimits, Database, create_engine
from bot.db.errors import is_passing, reason
from bot.db.holding import sqlite_path
from bot.shards import Shards

log = logging.getLogger(__name__)

# A waiting process asks this often. If it waited in a blocking call instead, the call's snapshot
# would keep the server from vacuuming, for weeks in a standby.
_ASK_EVERY_SECONDS = 0.2
_LOOK_EVERY_SECONDS = 1.0
_CONNECT_AGAIN_SECONDS = 0.5
# After the server was away, the former holder goes first: it needs no new start.
_AFTER_THE_HOLDER_SECONDS = 1.5
# Any numbers that other programs don't use. The locks of the first show which process serves, those
# of the second which processes wait. The key 0 stands for all shards, and N + 1 for shard N.
_HELD, _AWAITED = 7239164, 7239165
_ALL, _LAST = 0, 1 << 20
# With these, the server frees the locks of a machine that has vanished after about 25 seconds. The
# holder finds the server gone within a few seconds, long before another process gets the locks.
_LIMITS = ConnectionLimits(size=1, overflow=0, connect_seconds=5, statement_seconds=3)
_SET_UP = text(
    "SELECT set_config(name, value, false) FROM (VALUES"
    " ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'),"
    " ('tcp_keepalives_count', '3'), ('tcp_user_timeout', '20000'), ('application_name', :name)"
    ") AS wanted (name, value) JOIN pg_settings USING (name)"
)
_OF = "(CAST(:kind AS integer), CAST(:key AS integer))"
_TRY = text(f"SELECT pg_try_advisory_lock{_OF}")
_TRY_SHARED = text(f"SELECT pg_try_advisory_lock_shared{_OF}")
_UNLOCK = {
    _TRY: text(f"SELECT pg_advisory_unlock{_OF}"),
    _TRY_SHARED: text(f"SELECT pg_advisory_unlock_shared{_OF}"),
}
_UNLOCK_ALL = text("SELECT pg_advisory_unlock_all()")
_IS_AWAITED = text(
    "SELECT EXISTS (SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND locktype = 'advisory'"
    " AND classid = CAST(:kind AS bigint)"
    " AND (objid BETWEEN CAST(:first AS bigint) AND CAST(:last AS bigint)"
    " OR objid = CAST(:all AS bigint)))"
)
_IS_THERE = text("SELECT 1")
_CLOSE_SECONDS = 2.0
_Lock: TypeAlias = tuple[TextClause, int, int]
"""The statement that tries to take a lock, with the kind and the key of the lock."""


class Lease:
    """The right to serve `shards`, None for all; one process at a time holds it.

    It belongs to a connection of its own to the PostgreSQL server of `url`: a connection of the
    pool may be closed. A process with a part of the shards shares the lock of all, so that none
    with all of them serves beside it.

    `names` are the names of the facts by which a holder tells the next one what it has done.
    `others`, a pattern of SQL's LIKE, matches those of processes that divide the shards otherwise.
    """

    def __init__(self, url: str, shards: Shards | None):
        keys = [shard + 1 for shard in shards.ids] if shards else [_ALL]
        self.names = [f"lease {shard}" for shard in shards.ids] if shards else ["lease"]
        self.others = "lease" if shards else "lease %"
        self._url = url
        self._name = f"{APPLICATION} {shards or Shards.ALL}"
        self._first, self._last = (keys[0], keys[-1]) if shards else (_ALL, _LAST)
        self._marks = [(_TRY_SHARED, _AWAITED, key) for key in keys]
        self._locks = [(_TRY, _HELD, key) for key in keys]
        if shards:
            self._locks.insert(0, (_TRY_SHARED, _HELD, _ALL))
        self._session: _Session | None = None
        self._had_it = self._goes_second = False
        self._told = ""

    async def take(self) -> bool:
        """Wait until this process holds the locks of all its shards; it takes all or none.

        Returns whether no other process can have held one of them since this one first asked.
        While the server can't be reached, this goes on trying. Afterwards a process that has only
        waited leaves the lease to the former holder for a moment.
        """
        waited = False
        while True:
            try:
                if await self._took():
                    self._had_it = True
                    self._tell("serves: no other process does")
                    return not (waited or self._goes_second)
                self._tell("stands by: another process serves these shards")
                waited = True
                await asyncio.sleep(_ASK_EVERY_SECONDS)
            except Exception as error:
                if not is_passing(error):
                    raise
                self._tell(f"waits for its lease: {reason(error)}")
                await self._end_session()
                await asyncio.sleep(_CONNECT_AGAIN_SECONDS)
                self._goes_second = not self._had_it

    async def _took(self) -> bool:
        """Take all locks, and return True; if another process has one of them, take none.

        Until then, the locks of `_AWAITED` show the holder that this process waits.
        """
        if self._session is None:
            self._session = await _Session.open(self._url, self._name)
            await self._session.lock(self._marks)
            if self._goes_second:
                await asyncio.sleep(_AFTER_THE_HOLDER_SECONDS)
        if not await self._session.lock(self._locks):
            return False
        await self._session.unlock(self._marks)
        return True

    async def lost(self) -> None:
        """Return once the lease isn't held any more.

        The server tells that the connection is lost, or a look each second finds it.
        """
        session = self._session
        try:
            while session is not None and session is self._session:
                await session.ends_within(_LOOK_EVERY_SECONDS)
                await session.ask(_IS_THERE)
        except Exception as error:
            if session is not self._session:
                return  # it was let go in the middle of the look
            if not is_passing(error):
                raise
            self._tell(f"has lost its lease: {reason(error)}")
        await self._end_session()

    async def is_awaited(self) -> bool:
        """Return whether another process waits for one of these shards."""
        if self._session is None:
            return False
        return bool(
            await self._session.ask(
                _IS_AWAITED, kind=_AWAITED, first=self._first, last=self._last, all=_ALL
            )
        )

    async def let_go(self) -> None:
        """Free the locks for the next try of another process, or stop waiting for them."""
        session, self._session = self._session, None
        if session is not None:
            # If this fails, or a question was cut off before, the connection ends, and frees them.
            with suppress(SQLAlchemyError, TimeoutError):
                await session.ask(_UNLOCK_ALL)
            await session.close()

    async def _end_session(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _tell(self, state: str) -> None:
        """Log the state of this process if it has changed."""
        if state != self._told:
            self._told = state
            log.info("this process %s", state)


def lease_of(url: str, shards: Shards | None) -> Lease | None:
    """Return the lease of `shards`, None for all; no lease for an SQLite file, which is held."""
    return None if sqlite_path(url) is not None else Lease(url, shards)


class _Session:
    """A connection to the server, with its locks; it is the only one of its engine."""

    def __init__(self, engine: Database, connection: AsyncConnection):
        self._engine, self._connection = engine, connection
        self._ended = asyncio.Event()
        self._asking = asyncio.Lock()

    @classmethod
    async def open(cls, url: str, name: str) -> Self:
        """Connect to the server by this name; raise SQLAlchemy's errors if that fails."""
        engine = create_engine(url, _LIMITS)
        try:
            connection = await engine.connect()
            # No transaction: it would end after a while without a statement.
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            session = cls(engine, connection)
            raw = await connection.get_raw_connection()
            driver: Any = raw.driver_connection
            driver.add_termination_listener(lambda _: session._ended.set())
            await session.ask(_SET_UP, name=name)
        except BaseException:
            await engine.dispose()
            raise
        return session

    async def ask(self, statement: TextClause, **values: object) -> object:
        """Run a statement, and return the first value of its first row."""
        async with self._asking:
            result = await self._connection.execute(statement, values)
            return result.scalars().first()

    async def lock(self, locks: Sequence[_Lock]) -> bool:
        """Take locks in this order; if one isn't free, free those taken here, and return False."""
        for number, (trying, kind, key) in enumerate(locks):
            if not await self.ask(trying, kind=kind, key=key):
                await self.unlock(locks[:number])
                return False
        return True

    async def unlock(self, locks: Sequence[_Lock]) -> None:
        """Free locks that this session holds."""
        for trying, kind, key in locks:
            await self.ask(_UNLOCK[trying], kind=kind, key=key)

    async def ends_within(self, seconds: float) -> None:
        """Wait until the connection ends, for at most `seconds`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ended.wait()

    async def close(self) -> None:
        """End the connection, even if the server doesn't answer."""
        with suppress(DBAPIError, TimeoutError, OSError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._connection.invalidate()
        await self._engine.dispose()
