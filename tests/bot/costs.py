"""Counting the requests of a piece of work to the database."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, event

from bot.db.database import LENT, Database
from bot.db.statements import do


@dataclass
class Cost:
    """The database requests of a piece of work."""

    begun: int = 0
    committed: int = 0
    rolled_back: int = 0
    statements: list[str] = field(default_factory=list)
    _last: str = ""

    @property
    def verbs(self) -> list[str]:
        """The first word of each statement."""
        return [statement.split()[0] for statement in self.statements]

    def note(self, statement: str) -> None:
        """Count a statement as SQLite traces it, with its values filled in.

        Successive changes that differ only in their values count as one statement.
        """
        verb, alike = statement.split()[0], _VALUE.sub("?", statement)
        self.begun += verb == "BEGIN"
        self.committed += verb == "COMMIT"
        self.rolled_back += verb == "ROLLBACK"
        if verb not in _ENDS and (verb == "SELECT" or alike != self._last):
            self.statements.append(alike)
        self._last = alike


_ENDS = ("BEGIN", "COMMIT", "ROLLBACK")
_VALUE = re.compile(r"'[^']*'|\b[0-9]+(?:\.[0-9]+)?\b|\bNULL\b")


@asynccontextmanager
async def counted(database: Database) -> AsyncIterator[Cost]:
    """Count the requests in the body: on SQLite by a trace, on PostgreSQL by SQLAlchemy's events.

    On SQLite only connections that are checked out are traced.
    """
    cost = Cost()
    if database.dialect.name == "sqlite":
        await _trace(database, cost.note)
        yield cost
        await _trace(database, None)
        return

    def begin(_: Any) -> None:
        cost.begun += 1

    def commit(_: Any) -> None:
        cost.committed += 1

    def rollback(_: Any) -> None:
        cost.rolled_back += 1

    def execute(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        cost.statements.append(statement)

    listeners: list[tuple[str, Callable[..., None]]] = [
        ("begin", begin),
        ("commit", commit),
        ("rollback", rollback),
        ("before_cursor_execute", execute),
    ]
    for name, listener in listeners:
        event.listen(database.sync_engine, name, listener)
    try:
        yield cost
    finally:
        for name, listener in listeners:
            event.remove(database.sync_engine, name, listener)


async def _trace(database: Database, note: Callable[[str], None] | None) -> None:
    """Let SQLite's connections pass each statement to `note` from now on; None ends this."""

    def trace(connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        driver.set_trace_callback(note)

    async with AsyncExitStack() as borrowed:
        lent = [await borrowed.enter_async_context(database.lent()) for _ in range(LENT)]
        for connection in lent:
            await do(connection, trace)
