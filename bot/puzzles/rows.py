"""Puzzles of servers from rows and back, within a transaction."""

import logging
from typing import Any

from sqlalchemy import Connection, RowMapping, Select

from bot.db.statements import insert_into, upsert
from bot.db.tables import puzzle_servers, puzzles
from bot.identity import Place, Posted, ServerId
from bot.puzzles.model import Given
from core.errors import RecordError
from core.puzzles import PuzzleLine, read

log = logging.getLogger(__name__)


def lock(connection: Connection, server_id: ServerId) -> None:
    """Lock the row of a server until the transaction ends; make it if there is none."""
    upsert(connection, puzzle_servers, [{"guild_id": server_id}])


def insert(
    connection: Connection, server_id: ServerId, one: PuzzleLine, **more: int | None
) -> Given:
    """Write a puzzle of a server and return it; `more` are other columns of its row."""
    row = {
        "guild_id": server_id,
        "game": one.game,
        "difficulty": one.difficulty,
        "start": one.key,
        "line": one.line,
        **more,
    }
    inserted = insert_into(connection, puzzles).values(**row).returning(puzzles)
    return _read(connection.execute(inserted).mappings().one())


def first_readable(connection: Connection, statement: Select[Any]) -> Given | None:
    """Return the first puzzle that can be read, None if there is none; log the unreadable ones."""
    for row in connection.execute(statement).mappings().all():
        try:
            return _read(row)
        except RecordError as error:
            log.warning("puzzle %s is left out: %s", row["id"], error)
    return None


def _read(row: RowMapping) -> Given:
    """Return the puzzle in a row; raise RecordError."""
    server_id, channel_id, message_id = row["guild_id"], row["channel_id"], row["message_id"]
    return Given(
        id=row["id"],
        server_id=server_id,
        found=read(row["line"]),
        day=row["day"],
        match_id=row["match_id"],
        posted=Posted(Place(server_id, channel_id), message_id) if message_id else None,
    )
