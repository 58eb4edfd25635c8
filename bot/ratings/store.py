"""A server's leaderboards in the database: pages, ranks, and the members who have left.

A page costs a few reads along an index, even with 100,000 members
(tests/bot/leaderboard/test_large.py).
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVarTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    func,
    literal,
    select,
    true,
    tuple_,
    update,
)

from bot.db.statements import hold, read
from bot.db.store import Store, transaction
from bot.db.tables import matches, members, standings
from bot.identity import MemberId, ServerId
from bot.ratings.ledger import COUNTING
from bot.ratings.model import START, By, Leaders, Listing, Standing
from bot.ratings.presence import list_again

Ts = TypeVarTuple("Ts")

# The most members who are named if many are equal.
_MOST_LEADERS = 10

_LINES = select(
    standings.c.user_id,
    standings.c.wins,
    standings.c.draws,
    standings.c.losses,
    standings.c.rating,
    standings.c.settled,
    members.c.name,
).select_from(
    standings.join(
        members,
        and_(members.c.guild_id == standings.c.guild_id, members.c.user_id == standings.c.user_id),
        isouter=True,
    )
)
_MEMBER = members.c.guild_id == bindparam("server"), members.c.user_id == bindparam("user")
_PRESENT = select(members.c.present).where(*_MEMBER)
_BACK = update(members).where(*_MEMBER).values(present=True)
_COUNT = select(func.count()).select_from(standings)
_LAST_RATED = (
    select(matches.c.game)
    .where(matches.c.guild_id == bindparam("server"), matches.c.rated_as.is_not(None))
    .order_by(matches.c.rated_as.desc())
    .limit(1)
)


class ScoreStore(Store):
    """The leaderboards of all servers in one database."""

    async def lines(
        self, listing: Listing, user_ids: Sequence[MemberId], offset: int
    ) -> list[Standing]:
        """Return the lines of these members, who are consecutive in a listing, the best first.

        `offset` is the number of lines before theirs. Equal members share a rank.
        """
        return await read(self._database, _lines, listing, user_ids, offset)

    async def users(self, listing: Listing, offset: int, limit: int) -> Sequence[MemberId]:
        """Return the members of up to `limit` lines of a listing, the best first.

        `offset` is the number of lines before them.
        """
        some = _listed(listing, select(standings.c.user_id)).offset(offset).limit(limit)
        return await self._fetch_scalars(some.order_by(*_best_first(listing)))

    async def leaders(self, listing: Listing, most: int) -> Leaders:
        """Return the first `most` lines of a listing, and those of members equal to the last one.

        Only members with a win lead a listing by wins, and only those who have gained points lead
        one by rating.
        """
        return await read(self._database, _leaders, listing, most)

    async def count(self, listing: Listing) -> int:
        """Return the length of a listing."""
        return await self._fetch_scalar(_listed(listing, _COUNT))

    async def last_rated(self, server_id: ServerId) -> str | None:
        """Return the game of the last rated match of a server, None if it has had none."""
        return await self._fetch_scalar_or_none(_LAST_RATED, {"server": server_id})

    async def standing(self, listing: Listing, user_id: MemberId) -> Standing | None:
        """Return one member's results, None without any."""
        return await read(self._database, _standing, listing, user_id)

    @transaction
    def note_left(
        self,
        connection: Connection,
        server_id: ServerId,
        user_ids: Iterable[MemberId],
        keeping: str | None = None,
    ) -> None:
        """Note that members have left a server: no listing has them until they are back.

        Only the listing of the season `keeping` still has them: leaving after its end changes
        nobody's place in it.
        """
        hold(connection, shared=[COUNTING])  # a recount would write them as present again
        left = sorted(user_ids)
        for table in (members, standings):
            # A condition on `present` would make SQLite read all standings of the server.
            gone = [table.c.guild_id == server_id, table.c.user_id.in_(left)]
            if table is standings and keeping is not None:
                gone.append(standings.c.period != keeping)
            connection.execute(update(table).where(*gone).values(present=False))

    async def note_seen(self, server_id: ServerId, user_id: MemberId, now: int) -> None:
        """List a member again who was noted to have left a server; they are there `now`."""
        known = await self._fetch_scalar_or_none(_PRESENT, {"server": server_id, "user": user_id})
        if known is False:
            await self._note_back(server_id, user_id, now)

    @transaction
    def _note_back(
        self, connection: Connection, server_id: ServerId, user_id: MemberId, now: int
    ) -> None:
        connection.execute(_BACK, {"server": server_id, "user": user_id})
        list_again(connection, server_id, [user_id], now)


def _lines(
    connection: Connection, listing: Listing, user_ids: Sequence[MemberId], offset: int
) -> list[Standing]:
    *values, user_id = _best_first(listing)
    lines = _LINES.add_columns(func.rank().over(order_by=values).label("rank"))
    lines = lines.where(*_in(listing), standings.c.user_id.in_(user_ids))
    found = connection.execute(lines.order_by(*values, user_id)).all()
    if not found:
        return []
    # The first lines may share their rank with lines before `offset`.
    equal = _value(listing) == _value_of(found[0], listing)
    first = equal, standings.c.user_id > found[0].user_id
    shared = connection.execute(_listed(listing, _COUNT).where(*first)).scalar_one()
    return [_read(row, offset + row.rank - (shared if row.rank == 1 else 0)) for row in found]


def _leaders(connection: Connection, listing: Listing, most: int) -> Leaders:
    among = _among_leaders(connection, listing, most)
    count = connection.execute(_listed(listing, _COUNT).where(among)).scalar_one()
    some = _listed(listing, select(standings.c.user_id)).where(among)
    first = some.order_by(*_best_first(listing)).limit(_MOST_LEADERS)
    named = _lines(connection, listing, connection.execute(first).scalars().all(), 0)
    return Leaders(named, count - len(named))


def _among_leaders(connection: Connection, listing: Listing, most: int) -> ColumnElement[bool]:
    """Return the condition for a line to be as good as the first `most` of a listing."""
    above = standings.c.rating > START if listing.by is By.RATING else standings.c.wins > 0
    best_first = _listed(listing, _LINES).where(above).order_by(*_best_first(listing))
    last = connection.execute(best_first.offset(most - 1).limit(1)).one_or_none()
    return above if last is None else above & (_value(listing) >= _value_of(last, listing))


def _standing(connection: Connection, listing: Listing, user_id: MemberId) -> Standing | None:
    own = _LINES.where(*_in(listing), standings.c.user_id == user_id)
    row = connection.execute(own).one_or_none()
    if row is None:
        return None
    better = _listed(listing, _COUNT).where(_value(listing) > _value_of(row, listing))
    return _read(row, 1 + connection.execute(better).scalar_one())


def _read(row: Row[*tuple[Any, ...]], rank: int) -> Standing:
    """Return a line; the name may be unknown on this server, and ALL_GAMES has no rating."""
    return Standing(
        rank=rank,
        user_id=row.user_id,
        name=row.name or "",
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        rating=row.rating,
        provisional=row.rating is not None and not row.settled,
    )


def _order(listing: Listing) -> tuple[ColumnElement[Any], ...]:
    """Return the columns by which members of a listing are ranked."""
    by_rating = standings.c.settled, standings.c.rating
    return by_rating if listing.by is By.RATING else (standings.c.wins,)


def _best_first(listing: Listing) -> list[ColumnElement[Any]]:
    """Return the order of a listing, in which equal members have an order, too."""
    return [column.desc() for column in (*_order(listing), standings.c.user_id)]


def _value(listing: Listing) -> ColumnElement[Any]:
    """Return the value that ranks a line: the greater it is, the better the line."""
    return tuple_(*_order(listing))


def _value_of(row: Row[*tuple[Any, ...]], listing: Listing) -> ColumnElement[Any]:
    """Return the `_value` of a row of `_LINES`."""
    return tuple_(*(literal(getattr(row, one.name), one.type) for one in _order(listing)))


def _in(listing: Listing) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for all rows of a listing's server, game and period."""
    return (
        standings.c.guild_id == listing.server_id,
        standings.c.game == listing.game,
        standings.c.period == listing.period,
    )


def _listed(listing: Listing, statement: Select[*Ts]) -> Select[*Ts]:
    """Return `statement` for the members on a listing; its conditions are the start of an index."""
    return statement.where(*_in(listing), standings.c.present == true())
