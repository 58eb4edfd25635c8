"""What a piece of work costs the database."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.statements import read


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
        """Count a statement that SQLite has been given, with its values in it.

        Changes in succession that differ in their values alone are one statement.
        """
        verb, alike = statement.split()[0], _VALUE.sub("?", statement)
        self.begun += verb == "BEGIN"
        self.committed += verb == "COMMIT"
        self.rolled_back += verb == "ROLLBACK"
        if verb not in _ENDS and (verb == "SELECT" or alike != self._last):
            self.statements.append(alike)
        self._last = alike


_ENDS = ("BEGIN", "COMMIT", "ROLLBACK")
_VALUE = re.compile(r"'[^']*'|\b[0-9.]+\b|\bNULL\b")


@asynccontextmanager
async def counted(database: AsyncEngine) -> AsyncIterator[Cost]:
    """Count the requests in the body: all that SQLite gets, on PostgreSQL by SQLAlchemy's events.

    On SQLite the body uses one connection, that which was used last.
    """
    cost = Cost()
    if database.dialect.name == "sqlite":
        await read(database, _trace, cost.note)
        yield cost
        await read(database, _trace, None)
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


def _trace(connection: Connection, note: Callable[[str], None] | None) -> None:
    """Let SQLite's connection tell its statements from now on, None for no more."""
    driver: Any = connection.connection.driver_connection
    driver.set_trace_callback(note)
