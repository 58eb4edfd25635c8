"""Recomputing all ratings and standings from the rated matches."""

import logging
from collections.abc import Sequence, Set
from itertools import groupby
from typing import Any

from sqlalchemy import (
    Connection,
    Integer,
    NotNullable,
    Row,
    bindparam,
    delete,
    false,
    func,
    select,
)

from bot.db.errors import CorruptRowError
from bot.db.statements import hold
from bot.db.tables import facts, matches, ratings, seats, standings
from bot.identity import MemberId, ServerId
from bot.ratings.ledger import COUNTING
from bot.ratings.model import Change, periods_of
from bot.ratings.rows import CHANGE_SEAT, save_sheet, seat_changes
from bot.ratings.standings import Sheet

log = logging.getLogger(__name__)

_FEWEST_SEATS = 2

# The note of a migration after which all ratings have to be recomputed.
_DUE = facts.c.name == "ratings"
_IS_DUE = select(facts.c.name).where(_DUE)

# The servers with rated matches, each with the ordinal of the first one.
_WITH_RATED = (
    select(matches.c.guild_id, NotNullable(func.min(matches.c.rated_as)))
    .where(matches.c.rated_as.is_not(None))
    .group_by(matches.c.guild_id)
)
# The most matches that one call reads and writes: all of a server's could fill the memory.
_AT_ONCE = 1000
# The ordinals of a server's next rated matches, which may have gaps of any size.
_NEXT = (
    select(NotNullable(matches.c.rated_as))
    .where(matches.c.guild_id == bindparam("server"), matches.c.rated_as > bindparam("after"))
    .order_by(matches.c.rated_as)
    .limit(bindparam("most", type_=Integer))
)
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
    """Recompute all ratings, standings and changes of seats; return how many matches were counted.

    The results are the same as from counting each match when it ended. A rated match that can't be
    read is logged and left out.
    """
    hold(connection, COUNTING)  # a match that ends meanwhile is counted afterwards
    log.info("all ratings are being worked out anew")  # with many matches this takes minutes
    servers = connection.execute(_WITH_RATED).all()
    absent = {server_id: _absent(connection, server_id) for server_id, _ in servers}
    connection.execute(delete(ratings))
    connection.execute(delete(standings))
    connection.execute(delete(facts).where(_DUE))
    count = sum(
        _rerate_server(connection, server_id, first, absent[server_id])
        for server_id, first in servers
    )
    log.info("all ratings were worked out anew (rated matches: %s)", count)
    return count


def _rerate_server(
    connection: Connection, server_id: ServerId, first: int, absent: Set[tuple[MemberId, str]]
) -> int:
    """Count the rated matches of one server, from the ordinal `first` on; return their number."""
    sheet = Sheet()
    count, after = 0, first - 1
    while ordinals := _next_ordinals(connection, server_id, after):
        some = {"server": server_id, "after": after, "until": ordinals[-1]}
        changed = list[dict[str, int]]()
        for match_id, rows in groupby(connection.execute(_RATED_SEATS, some), lambda row: row.id):
            try:
                changes = _count(sheet, [*rows])
            except CorruptRowError as error:
                log.warning("match %s isn't counted: %s", match_id, error)
                continue
            changed += seat_changes(match_id, changes)
            count += 1
        if changed:
            connection.execute(CHANGE_SEAT, changed)
        after = ordinals[-1]
    if count:  # not all were left out
        save_sheet(connection, server_id, sheet, lambda of: (of.user_id, of.period) not in absent)
    return count


def _next_ordinals(connection: Connection, server_id: ServerId, after: int) -> Sequence[int]:
    asked = {"server": server_id, "after": after, "most": _AT_ONCE}
    return connection.execute(_NEXT, asked).scalars().all()


def _count(sheet: Sheet, rows: Sequence[Row[*tuple[Any, ...]]]) -> Sequence[Change]:
    """Count the match in `rows`, a row for each seat; return the changes of its seats.

    Raises CorruptRowError, and counts nothing then.
    """
    users, ranks = [row.user_id for row in rows], [row.rank for row in rows]
    if len(rows) < _FEWEST_SEATS or not all(isinstance(one, int) for one in (*users, *ranks)):
        raise CorruptRowError(f"members {users}, ranks {ranks}")
    moment = rows[0].ended_at
    try:
        periods_of(moment)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        raise CorruptRowError(f"the end {moment}: {error!r}") from error
    return sheet.count(rows[0].game, users, ranks, moment)


def _absent(connection: Connection, server_id: ServerId) -> set[tuple[MemberId, str]]:
    """Return the members who aren't listed, since they have left, each with the period."""
    rows = connection.execute(_ABSENT, {"server": server_id})
    return {(user_id, period) for user_id, period in rows}
