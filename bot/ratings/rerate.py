"""Recomputing all ratings and standings from the rated matches."""

import logging
from collections.abc import Set
from itertools import groupby

from sqlalchemy import Connection, NotNullable, bindparam, delete, false, func, select

from bot.db.statements import hold
from bot.db.tables import facts, matches, ratings, seats, standings
from bot.identity import MemberId, ServerId
from bot.ratings.ledger import COUNTING
from bot.ratings.rows import CHANGE_SEAT, save_sheet, seat_changes
from bot.ratings.standings import Sheet

log = logging.getLogger(__name__)

# The note of a migration after which all ratings have to be recomputed.
_DUE = facts.c.name == "ratings"
_IS_DUE = select(facts.c.name).where(_DUE)

# The servers with rated matches, each with the ordinal of the last one.
_WITH_RATED = (
    select(matches.c.guild_id, NotNullable(func.max(matches.c.rated_as)))
    .where(matches.c.rated_as.is_not(None))
    .group_by(matches.c.guild_id)
)
# The most matches that one call reads and writes: all of a server's could fill the memory.
_AT_ONCE = 1000
# A row for each seat of some of a server's rated matches, in the order in which they were counted.
_RATED_SEATS = (
    select(matches.c.id, matches.c.game, matches.c.ended_at, seats.c.user_id, seats.c.rank)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(
        matches.c.guild_id == bindparam("server"),
        matches.c.rated_as > bindparam("after"),
        matches.c.rated_as <= bindparam("until"),
    )
    .order_by(matches.c.rated_as, seats.c.seat)
)
_ABSENT = (
    select(standings.c.user_id, standings.c.period)
    .where(standings.c.guild_id == bindparam("server"), standings.c.present == false())
    .distinct()
)


def rerate_if_due(connection: Connection) -> None:
    """Recompute what a migration has noted to be out of date."""
    if connection.execute(_IS_DUE).first() is not None:
        rerate(connection)


def rerate(connection: Connection) -> int:
    """Recompute all ratings, standings and changes of seats; return the number of rated matches.

    The results are the same as from counting each match when it ended.
    """
    hold(connection, COUNTING)  # a match that ends meanwhile is counted afterwards
    log.info("all ratings are being worked out anew")  # with many matches this takes minutes
    servers = connection.execute(_WITH_RATED).all()
    absent = {server_id: _absent(connection, server_id) for server_id, _ in servers}
    connection.execute(delete(ratings))
    connection.execute(delete(standings))
    connection.execute(delete(facts).where(_DUE))
    count = sum(
        _rerate_server(connection, server_id, last, absent[server_id])
        for server_id, last in servers
    )
    log.info("all ratings were worked out anew (rated matches: %s)", count)
    return count


def _rerate_server(
    connection: Connection, server_id: ServerId, last: int, absent: Set[tuple[MemberId, str]]
) -> int:
    """Count the rated matches of one server, which has some; return their number."""
    sheet = Sheet()
    count = 0
    for after in range(0, last, _AT_ONCE):
        some = {"server": server_id, "after": after, "until": after + _AT_ONCE}
        rows = connection.execute(_RATED_SEATS, some)
        changed = list[dict[str, int]]()
        for match_id, of_match in groupby(rows, key=lambda row: row.id):
            sat = list(of_match)
            users, ranks = [row.user_id for row in sat], [row.rank for row in sat]
            changes = sheet.count(sat[0].game, users, ranks, sat[0].ended_at)
            changed += seat_changes(match_id, changes)
            count += 1
        if changed:
            connection.execute(CHANGE_SEAT, changed)
    save_sheet(connection, server_id, sheet, lambda key: (key.user_id, key.period) not in absent)
    return count


def _absent(connection: Connection, server_id: ServerId) -> set[tuple[MemberId, str]]:
    """Return the members who aren't listed, since they have left, each with the period."""
    rows = connection.execute(_ABSENT, {"server": server_id})
    return {(user_id, period) for user_id, period in rows}
