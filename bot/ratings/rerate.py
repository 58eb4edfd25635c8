"""Recomputing all ratings and standings from the rated matches."""

from itertools import groupby

from sqlalchemy import Connection, bindparam, delete, select

from bot.db.statements import hold
from bot.db.tables import matches, members, ratings, seats, standings
from bot.identity import MemberId, ServerId
from bot.ratings.ledger import CHANGE_SEAT, COUNTING, save_sheet, seat_changes
from bot.ratings.standings import Sheet

_WITH_RATED = select(matches.c.guild_id).where(matches.c.rated_as.is_not(None)).distinct()
# A row for each seat of a server's rated matches, in the order in which they were counted.
_RATED_SEATS = (
    select(matches.c.id, matches.c.game, matches.c.ended_at, seats.c.user_id, seats.c.rank)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(matches.c.guild_id == bindparam("server"), matches.c.rated_as.is_not(None))
    .order_by(matches.c.rated_as, seats.c.seat)
)


def rerate(connection: Connection) -> int:
    """Recompute all ratings, standings and changes of seats; return the number of rated matches.

    The results are the same as from counting each match when it ended.
    """
    hold(connection, COUNTING)  # a match that ends meanwhile is counted afterwards
    connection.execute(delete(ratings))
    connection.execute(delete(standings))
    servers = connection.execute(_WITH_RATED).scalars().all()
    return sum(_rerate_server(connection, server_id) for server_id in servers)


def _rerate_server(connection: Connection, server_id: ServerId) -> int:
    """Count the rated matches of one server, which has some; return their number."""
    rows = connection.execute(_RATED_SEATS, {"server": server_id})
    sheet = Sheet()
    changed = list[dict[str, int]]()
    count = 0
    for match_id, of_match in groupby(rows, key=lambda row: row.id):
        sat = list(of_match)
        users, ranks = [row.user_id for row in sat], [row.rank for row in sat]
        changes = sheet.count(sat[0].game, users, ranks, sat[0].ended_at)
        changed += seat_changes(match_id, changes)
        count += 1
    save_sheet(connection, server_id, sheet, absent=_absent(connection, server_id))
    connection.execute(CHANGE_SEAT, changed)
    return count


def _absent(connection: Connection, server_id: ServerId) -> frozenset[MemberId]:
    """Return the members who are known to have left a server."""
    gone = select(members.c.user_id).where(
        members.c.guild_id == server_id, members.c.present.is_(False)
    )
    return frozenset(connection.execute(gone).scalars())
