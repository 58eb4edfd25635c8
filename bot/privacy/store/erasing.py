"""The erasure of rows with those that refer to them."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Connection,
    Table,
    UpdateBase,
    bindparam,
    delete,
    select,
    tuple_,
    update,
)

from bot.db.tables import metadata

_IDS: BindParameter[Any] = bindparam("ids", expanding=True)


def erase(
    connection: Connection, table: Table, which: ColumnElement[bool], most: int | None = None
) -> int:
    """Erase rows of a table, at most `most`, with the rows that refer to them; return how many.

    Rows that don't need the erased ones stay, such as the later matches of a series.
    """
    some = select(*table.primary_key).where(which).limit(most)
    referring = _referring(table)
    if not referring:
        erased = delete(table).where(tuple_(*table.primary_key).in_(some))
        return connection.execute(erased).rowcount
    # Locked before the rows that refer to them, as all other transactions lock them.
    ids = connection.execute(some.with_for_update()).scalars().all()
    for statement in (*referring, delete(table).where(table.c.id.in_(_IDS))):
        connection.execute(statement, {"ids": ids})
    return len(ids)


@cache
def _referring(table: Table) -> Sequence[UpdateBase]:
    """Return statements for the rows that refer to rows of a table."""
    return [
        _without(key.parent)
        for other in metadata.sorted_tables
        for key in other.foreign_keys
        if key.column.table is table
    ]


def _without(column: Column[Any]) -> UpdateBase:
    """Return the statement that erases the rows that refer to `ids`, or lets them refer to none."""
    rows = column.in_(_IDS)
    if column.nullable:
        return update(column.table).where(rows).values({column: None})
    return delete(column.table).where(rows)
