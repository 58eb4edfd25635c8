"""A server's leaderboards in the database: pages, ranks, and the members who have left.

A page costs a few reads along an index, even with 100,000 members (tests/load/leaderboard.py prints
the query plans and times).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Connection, Select, and_, func, select, true, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.statements import fetch_scalar, fetch_scalars, read, transaction
from bot.db.tables import members, ratings, standings
from bot.identity import MemberId, ServerId
from bot.ratings.model import By, Listing, Rating, Standing

T = TypeVar("T")


class _Line(NamedTuple):
    """A member's row of a listing.

    `name` is None if it isn't known on this server, `sigma` is None over all games.
    """

    user_id: MemberId
    wins: int
    draws: int
    losses: int
    rating: int | None
    ranked: bool
    name: str | None
    sigma: float | None

    def value(self, by: By) -> int:
        """Return the number by which the line is ranked."""
        value = self.rating if by is By.RATING else self.wins
        assert value is not None, "listings by rating have one game, and its rows have a rating"
        return value

    def standing(self, rank: int) -> Standing:
        provisional = self.sigma is not None and Rating(sigma=self.sigma).provisional
        return Standing(
            rank=rank,
            user_id=self.user_id,
            name=self.name or "",
            wins=self.wins,
            draws=self.draws,
            losses=self.losses,
            rating=self.rating,
            provisional=provisional,
        )


_LINES = select(
    standings.c.user_id,
    standings.c.wins,
    standings.c.draws,
    standings.c.losses,
    standings.c.rating,
    standings.c.ranked,
    members.c.name,
    ratings.c.sigma,
).select_from(
    standings.join(
        members,
        and_(members.c.guild_id == standings.c.guild_id, members.c.user_id == standings.c.user_id),
        isouter=True,
    ).join(
        ratings,
        and_(
            ratings.c.guild_id == standings.c.guild_id,
            ratings.c.user_id == standings.c.user_id,
            ratings.c.game == standings.c.game,
        ),
        isouter=True,
    )
)
_COUNT = select(func.count()).select_from(standings)


class ScoreStore:
    """The leaderboards of all servers in one database."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    async def lines(
        self, listing: Listing, user_ids: Sequence[MemberId], offset: int
    ) -> list[Standing]:
        """Return consecutive lines of a listing, the best first, given by their members.

        `offset` is the number of lines before them. Equal members share a rank.
        """
        return await read(self._engine, _lines, listing, user_ids, offset)

    async def users(self, listing: Listing, offset: int, limit: int, count: int) -> list[MemberId]:
        """Return the members of up to `limit` lines of a listing, the best first.

        `offset` is the number of lines before them, `count` the length of the listing. The index is
        walked from the nearer end.
        """
        order = (_column(listing), standings.c.user_id)
        statement = _listed(listing, select(standings.c.user_id))
        from_below = offset > count // 2
        if from_below:
            limit = min(limit, count - offset)
            statement = statement.order_by(*order).offset(count - offset - limit)
        else:
            statement = statement.order_by(*(column.desc() for column in order)).offset(offset)
        ids = await fetch_scalars(self._engine, statement.limit(limit))
        return [*reversed(ids)] if from_below else [*ids]

    async def first(self, listing: Listing, most: int) -> list[Standing]:
        """Return the first `most` lines of a listing, the best first."""
        return await self.lines(listing, await self.users(listing, 0, most, most), 0)

    async def count(self, listing: Listing) -> int:
        """Return the length of a listing."""
        return await fetch_scalar(self._engine, _listed(listing, _COUNT))

    async def standing(self, listing: Listing, user_id: MemberId) -> Standing | None:
        """Return one member's results, None without any; the rank is 0 if they aren't listed."""
        return await read(self._engine, _standing, listing, user_id)

    @transaction
    def note_left(
        self, connection: Connection, server_id: ServerId, user_ids: Iterable[MemberId]
    ) -> None:
        """Note that members have left a server: no listing has them until they play there again."""
        left = sorted(user_ids)
        for table in (members, standings):
            # A condition on `present` would have SQLite read all standings of the server.
            gone = table.c.guild_id == server_id, table.c.user_id.in_(left)
            connection.execute(update(table).where(*gone).values(present=False))


def _lines(
    connection: Connection, listing: Listing, user_ids: Sequence[MemberId], offset: int
) -> list[Standing]:
    statement = _LINES.where(*_in(listing), standings.c.user_id.in_(user_ids))
    found = [_Line(*row) for row in connection.execute(statement)]
    if not found:
        return []
    found.sort(key=lambda line: (line.value(listing.by), line.user_id), reverse=True)
    value = found[0].value(listing.by)
    level = _listed(listing, _COUNT).where(
        _column(listing) == value, standings.c.user_id > found[0].user_id
    )
    rank = offset + 1 - connection.execute(level).scalar_one()
    result: list[Standing] = []
    for place, line in enumerate(found, start=offset + 1):
        if line.value(listing.by) != value:
            value, rank = line.value(listing.by), place
        result.append(line.standing(rank))
    return result


def _standing(connection: Connection, listing: Listing, user_id: MemberId) -> Standing | None:
    statement = _LINES.where(*_in(listing), standings.c.user_id == user_id)
    row = connection.execute(statement).one_or_none()
    if row is None:
        return None
    line = _Line(*row)
    if listing.by is By.RATING and not line.ranked:
        return line.standing(0)
    better = _listed(listing, _COUNT).where(_column(listing) > line.value(listing.by))
    return line.standing(1 + connection.execute(better).scalar_one())


def _column(listing: Listing) -> ColumnElement[int | None] | ColumnElement[int]:
    """Return the column by which a listing is ordered."""
    return standings.c.rating if listing.by is By.RATING else standings.c.wins


def _in(listing: Listing) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for all rows of a listing's server, game and period."""
    return (
        standings.c.guild_id == listing.server_id,
        standings.c.game == listing.game,
        standings.c.period == listing.period,
    )


def _listed(listing: Listing, statement: Select[T]) -> Select[T]:
    """Return `statement` for the members on a listing; its conditions begin the list's index."""
    listed = statement.where(*_in(listing), standings.c.present == true())
    return listed.where(standings.c.ranked == true()) if listing.by is By.RATING else listed
