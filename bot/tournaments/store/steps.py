"""What the steps of a tournament, each a transaction, have in common.

Each begins by raising the tournament's revision, and only if it is in the stage that the step is
for. So of two steps at once, the second waits for the first and sees it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, insert, update

from bot.db.errors import ChangedError
from bot.db.tables import tournament_entrants, tournament_games, tournament_notes, tournaments
from bot.identity import TournamentId
from bot.tournaments.model import Stage
from bot.tournaments.rows import note_row
from bot.tournaments.stored import Note

OVER = tournament_games.c.points_first.is_not(None)
"""Whether a game is over."""


def raise_revision(
    connection: Connection,
    tournament_id: TournamentId,
    stages: Iterable[Stage],
    values: Mapping[str, Any] | None = None,
    revision: int | None = None,
) -> None:
    """Raise the revision of a tournament, if it is in one of `stages`, and at `revision`.

    Otherwise raises ChangedError. The row is locked by this until the transaction ends.
    """
    where: list[ColumnElement[bool]] = [
        tournaments.c.id == tournament_id,
        tournaments.c.stage.in_([stage.value for stage in stages]),
    ]
    if revision is not None:
        where.append(tournaments.c.revision == revision)
    raised = update(tournaments).where(*where)
    raised = raised.values(revision=tournaments.c.revision + 1, **(values or {}))
    if connection.execute(raised).rowcount != 1:
        raise ChangedError


def write_ranks(
    connection: Connection, tournament_id: TournamentId, ranks: Mapping[int, int]
) -> None:
    """Write the final ranks of entrants, by their numbers."""
    if ranks:
        connection.execute(
            update(tournament_entrants)
            .where(
                tournament_entrants.c.tournament_id == tournament_id,
                tournament_entrants.c.number == bindparam("of_number"),
            )
            .values(rank=bindparam("new_rank")),
            [{"of_number": number, "new_rank": rank} for number, rank in ranks.items()],
        )


def add_notes(connection: Connection, tournament_id: TournamentId, notes: Iterable[Note]) -> None:
    """Add lines to the trace of a tournament."""
    rows = [note_row(tournament_id, note) for note in notes]
    if rows:
        connection.execute(insert(tournament_notes), rows)
