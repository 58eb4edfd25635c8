"""Whole matches as they are read: the statement, and one of them by its id."""

from typing import Any

from sqlalchemy import Connection, Select, bindparam, select

from bot.db.tables import matches, seats
from bot.matches.model import StoredMatch
from bot.matches.rows import MATCH_COLUMNS, read_match


def reading(where: Any) -> Select[Any]:
    """Return the statement that reads whole matches: a row for each seat."""
    return (
        select(*MATCH_COLUMNS)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(where)
        .order_by(matches.c.id, seats.c.seat)
    )


BY_ID = reading(matches.c.id == bindparam("match_id"))


def load_match(connection: Connection, match_id: int) -> StoredMatch | None:
    """Return the match, None where there is none; raise CorruptRowError."""
    rows = connection.execute(BY_ID, {"match_id": match_id}).all()
    return read_match(rows) if rows else None
