"""The erasure of rows with those that refer to them, and of the invitations of a member."""

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
    union,
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
from bot.identity import MemberId

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


def concerns(member_id: MemberId) -> ColumnElement[bool]:
    """Return the condition for invitations of this member, or with a seat kept for them.

    It has no `OR`, with which PostgreSQL would read all invitations.
    """
    own = select(invitations.c.id).where(invitations.c.owner_id == member_id)
    seated = select(invitation_seats.c.invitation_id).where(invitation_seats.c.user_id == member_id)
    return invitations.c.id.in_(union(own, seated))


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
