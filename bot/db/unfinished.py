"""SQLite databases that an earlier version left in the middle of a migration.

Version 1.0 had SQLite commit every statement that changed the schema. If it was killed there, the
first statements of one migration stayed, its revision wasn't noted, and no later start could repeat
them. Migrations are atomic now; those that were left before are finished here.
"""

import re
from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, event, inspect

from bot.db.tables import metadata

_CREATE = re.compile(r"\s*CREATE (TABLE|INDEX|UNIQUE INDEX) ")
_DROP = re.compile(r"\s*DROP (TABLE|INDEX) ")
_ADD_COLUMN = re.compile(r"\s*ALTER TABLE (\w+) ADD COLUMN (\w+) ")
_NOTHING = "SELECT 1 WHERE 0"


class UnfinishedError(Exception):
    """The tables aren't those of any version: an update was cut off, or another program's."""


def skip_what_is_done(connection: Connection) -> None:
    """Have the connection skip changes of the schema that were made already."""
    event.listen(connection, "before_cursor_execute", _skip, retval=True)


def _skip(
    connection: Connection, _cursor: Any, statement: str, parameters: Any, *_context: Any
) -> tuple[str, Any]:
    return _repeatable(connection, statement), parameters


def _repeatable(connection: Connection, statement: str) -> str:
    """Return a statement that does nothing if its change was made already."""
    added = _ADD_COLUMN.match(statement)
    if added is not None:
        table, column = added.groups()
        there = {known["name"] for known in inspect(connection).get_columns(table)}
        return _NOTHING if column in there else statement
    statement = _CREATE.sub(r"CREATE \1 IF NOT EXISTS ", statement, count=1)
    return _DROP.sub(r"DROP \1 IF EXISTS ", statement, count=1)


def check_schema(connection: Connection) -> None:
    """Raise UnfinishedError if the tables aren't those that this version declares."""
    differences = compare_metadata(MigrationContext.configure(connection), metadata)
    if differences:
        raise UnfinishedError(
            "The database can't be brought up to date: its tables aren't those of any version of"
            f" Rowbot ({len(differences)} differences). Restore a backup made before the update."
        )
