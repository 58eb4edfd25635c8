"""All ratings and standings anew, from the matches that are rated."""

from itertools import groupby
from typing import Any

from sqlalchemy import Connection, delete, select

from bot.db.server_tables import members, ratings, standings
from bot.db.tables import matches, seats
from bot.ratings.ledger import CHANGED, COUNTING, changed_rows, save_sheet
from bot.ratings.standings import Sheet

_RATED = (
    select(
        matches.c.guild_id,
        matches.c.rated_as,
        matches.c.id,
        matches.c.game,
        matches.c.ended_at,
        seats.c.user_id,
        seats.c.rank,
    )
    .join(seats, seats.c.match_id == matches.c.id)
    .where(matches.c.rated_as.is_not(None))
    .order_by(matches.c.guild_id, matches.c.rated_as, seats.c.seat)
)


def rerate(connection: Connection) -> int:
    """Work out all ratings and standings from the rated matches; return how many there are.

    The numbers are those that counting them one by one gave.
    """
    connection.execute(COUNTING)  # what ends in the meantime is counted afterwards
    connection.execute(delete(ratings))
    connection.execute(delete(standings))
    rows = connection.execute(_RATED).all()
    count = 0
    for guild_id, of_guild in groupby(rows, key=lambda row: row.guild_id):
        sheet, changed = Sheet(), list[dict[str, Any]]()
        for match_id, of_match in groupby(of_guild, key=lambda row: row.id):
            sat = list(of_match)
            users, ranks = [row.user_id for row in sat], [row.rank for row in sat]
            changes = sheet.count(sat[0].game, users, ranks, sat[0].ended_at)
            changed += changed_rows(match_id, changes)
            count += 1
        save_sheet(connection, guild_id, sheet, _absent(connection, guild_id))
        connection.execute(CHANGED, changed)
    return count


def _absent(connection: Connection, guild_id: int) -> frozenset[int]:
    """Return who is known to have left a server."""
    gone = select(members.c.user_id).where(
        members.c.guild_id == guild_id, members.c.present.is_(False)
    )
    return frozenset(connection.execute(gone).scalars())
