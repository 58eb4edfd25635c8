"""The erasure of rows with those that refer to them."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    BindParameter,
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

from bot.db.tables import (
    invitation_seats,
    invitations,
    matches,
    offers,
    old_boards,
    seats,
    tournament_entrants,
    tournament_games,
    tournament_notes,
    tournaments,
)

_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
# Statements for the rows that refer to rows of these tables, and are erased with them. Matches that
# refer to the first one of their series stay.
_REFERRING: Mapping[Table, Sequence[UpdateBase]] = {
    invitations: [delete(invitation_seats).where(invitation_seats.c.invitation_id.in_(_IDS))],
    matches: [
        *(delete(t).where(t.c.match_id.in_(_IDS)) for t in (offers, old_boards, seats)),
        update(matches).where(matches.c.series_id.in_(_IDS)).values(series_id=None),
    ],
    tournaments: [
        delete(table).where(table.c.tournament_id.in_(_IDS))
        for table in (tournament_games, tournament_entrants, tournament_notes)
    ],
}


def erase(
    connection: Connection, table: Table, which: ColumnElement[bool], most: int | None = None
) -> int:
    """Erase rows of a table, at most `most`, with the rows that refer to them; return how many."""
    some = select(*table.primary_key).where(which).limit(most)
    if table not in _REFERRING:
        erased = delete(table).where(tuple_(*table.primary_key).in_(some))
        return connection.execute(erased).rowcount
    ids = connection.execute(some).scalars().all()
    for statement in (*_REFERRING[table], delete(table).where(table.c.id.in_(_IDS))):
        connection.execute(statement, {"ids": ids})
    return len(ids)
