"""Insert or replace, which SQLAlchemy has no common statement for."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

_INSERT: dict[str, Callable[[Table], Any]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


def upsert(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows, over those that have the same primary key."""
    statement = _INSERT[connection.dialect.name](table)
    keys = [column.name for column in table.primary_key]
    others = {c.name: statement.excluded[c.name] for c in table.columns if c.name in rows[0]}
    statement = statement.on_conflict_do_update(
        index_elements=keys, set_={name: v for name, v in others.items() if name not in keys}
    )
    connection.execute(statement, rows)
