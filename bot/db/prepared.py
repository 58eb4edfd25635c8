"""Statements that every turn runs: SQLite's driver gets them without SQLAlchemy.

SQLAlchemy writes the SQL, once, and says how values are read. It would take several times as long
to run a statement on SQLite as SQLite itself does (docs/costs.md has the figures).
"""

import sqlite3
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, UpdateBase
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler

from bot.db.statements import Values

_SQLITE = sqlite.dialect()


class _Prepared:
    """A statement whose parameters are of types that SQLite's driver takes as they are.

    Each parameter is a single value: a list, as for `IN`, would need SQL of its own.
    """

    def __init__(self, statement: Select[*tuple[Any, ...]] | UpdateBase):
        compiled = statement.compile(dialect=_SQLITE)
        assert isinstance(compiled, SQLCompiler), "a statement is SQL"
        self._sql = compiled.string
        self._names: Sequence[str] = compiled.positiontup or ()
        self._fixed = {name: v for name, v in compiled.params.items() if v is not None}

    def _run(self, connection: Connection, values: Values) -> DBAPICursor:
        """Run the statement, and return the cursor of SQLite's driver.

        Raises the driver's error as SQLAlchemy would.
        """
        given = self._fixed | dict(values)
        cursor = connection.connection.cursor()
        try:
            cursor.execute(self._sql, [given[name] for name in self._names])
        except sqlite3.Error as error:
            raise DBAPIError.instance(
                self._sql, None, error, sqlite3.Error, hide_parameters=True
            ) from error
        return cursor


class PreparedSelect(_Prepared):
    """A statement that finds rows."""

    def __init__(self, statement: Select[*tuple[Any, ...]]):
        super().__init__(statement)
        self.statement = statement
        kinds = [column.type.dialect_impl(_SQLITE) for column in statement.selected_columns]
        found = [kind.result_processor(_SQLITE, None) for kind in kinds]
        self._readers = [(at, read) for at, read in enumerate(found) if read is not None]

    def rows(self, connection: Connection, values: Values) -> list[Sequence[Any]]:
        """Return the rows that it finds."""
        if connection.dialect.name != _SQLITE.name:
            return list(connection.execute(self.statement, values))
        return [self._read(row) for row in self._run(connection, values).fetchall()]

    def _read(self, row: Sequence[Any]) -> Sequence[Any]:
        """Return a row with SQLite's values turned into the columns' types, such as booleans."""
        made = list(row)
        for at, read in self._readers:
            made[at] = read(made[at])
        return made


class PreparedUpdate(_Prepared):
    """A statement that changes rows."""

    def __init__(self, statement: UpdateBase):
        super().__init__(statement)
        self._statement = statement

    def count(self, connection: Connection, values: Values) -> int:
        """Carry it out within a transaction, and return how many rows it has changed."""
        if connection.dialect.name != _SQLITE.name:
            return connection.execute(self._statement, values).rowcount
        if not connection.in_transaction():
            connection.begin()  # as SQLAlchemy does: otherwise it wouldn't commit
        return self._run(connection, values).rowcount
