"""A server's leaderboards: pages, ranks, and who is no member any more.

A page costs a few reads along an index, also with 100,000 members (tests/load/leaderboard.py has
the query plans and times).
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, select, true, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.server_tables import members, standings
from bot.leaderboard.lists import By, Listing, Standing

_MEMBER = and_(members.c.guild_id == standings.c.guild_id, members.c.user_id == standings.c.user_id)
_NAMED = standings.join(members, _MEMBER, isouter=True)
_COLUMNS = (
    *(standings.c[name] for name in ("user_id", "wins", "draws", "losses", "rating", "ranked")),
    members.c.name,
)


class ScoreStore:
    """The standings of one database, read by list."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    async def lines(self, listing: Listing, user_ids: Sequence[int], offset: int) -> list[Standing]:
        """Return the lines of a stretch of a list, given by its members, the best first.

        `offset` is how many come before it; equal ones share a rank.
        """
        value = _value(listing).name
        async with self._engine.connect() as connection:
            rows = (await connection.execute(_lines(listing, user_ids))).all()
            if not rows:
                return []
            rows = sorted(rows, key=lambda row: (getattr(row, value), row.user_id))[::-1]
            first = getattr(rows[0], value)
            before = _of(listing, select(func.count()).select_from(standings)).where(
                _value(listing) == first, standings.c.user_id > rows[0].user_id
            )
            rank = offset + 1 - (await connection.execute(before)).scalar_one()
        found: list[Standing] = []
        for place, row in enumerate(rows, start=offset + 1):
            if getattr(row, value) != first:
                first, rank = getattr(row, value), place
            found.append(_standing(rank, row))
        return found

    async def users(self, listing: Listing, offset: int, limit: int, count: int) -> list[int]:
        """Return the ids of a stretch of a list that is `count` long, the best first.

        The index is walked from the end that is nearer.
        """
        order = (_value(listing), standings.c.user_id)
        found = _of(listing, select(standings.c.user_id))
        from_below = offset > count // 2
        if from_below:
            limit = max(0, min(limit, count - offset))
            found = found.order_by(*order).offset(count - offset - limit)
        else:
            found = found.order_by(*(column.desc() for column in order)).offset(offset)
        async with self._engine.connect() as connection:
            ids = list((await connection.execute(found.limit(limit))).scalars())
        return ids[::-1] if from_below else ids

    async def count(self, listing: Listing) -> int:
        """Return how long a list is."""
        counted = _of(listing, select(func.count()).select_from(standings))
        async with self._engine.connect() as connection:
            return int((await connection.execute(counted)).scalar_one())

    async def standing(self, listing: Listing, user_id: int) -> Standing | None:
        """Return one member's results, with rank 0 where they aren't on the list; None for none."""
        one = select(*_COLUMNS).select_from(_NAMED)
        one = one.where(*_in(listing), standings.c.user_id == user_id)
        async with self._engine.connect() as connection:
            row = (await connection.execute(one)).one_or_none()
            if row is None:
                return None
            if listing.by is By.RATING and not row.ranked:
                return _standing(0, row)
            better = _better(listing, getattr(row, _value(listing).name))
            return _standing(1 + (await connection.execute(better)).scalar_one(), row)

    async def note_presence(self, guild_id: int, user_ids: Iterable[int], *, present: bool) -> None:
        """Write down who is a member of a server, or no more; lists leave the others out."""
        some = sorted(user_ids)
        async with self._engine.begin() as connection:
            for table in (members, standings):
                await connection.execute(
                    update(table)
                    .where(table.c.guild_id == guild_id, table.c.user_id.in_(some))
                    .where(table.c.present != present)
                    .values(present=present)
                )


def _value(listing: Listing) -> ColumnElement[Any]:
    return standings.c.rating if listing.by is By.RATING else standings.c.wins


def _in(listing: Listing) -> tuple[ColumnElement[bool], ...]:
    return (
        standings.c.guild_id == listing.guild_id,
        standings.c.game == listing.game,
        standings.c.period == listing.period,
    )


def _of(listing: Listing, statement: Select[Any]) -> Select[Any]:
    """Return `statement` for those who are on a list: what its index begins with."""
    listed = statement.where(*_in(listing), standings.c.present == true())
    return listed.where(standings.c.ranked == true()) if listing.by is By.RATING else listed


def _lines(listing: Listing, user_ids: Sequence[int]) -> Select[Any]:
    """Return the statement for the lines of some members, in no order."""
    named = select(*_COLUMNS).select_from(_NAMED)
    return named.where(*_in(listing), standings.c.user_id.in_(user_ids))


def _better(listing: Listing, value: int) -> Select[Any]:
    counted = select(func.count()).select_from(standings)
    return _of(listing, counted).where(_value(listing) > value)


def _standing(rank: int, row: Any) -> Standing:
    return Standing(rank, row.user_id, row.name or "", row.wins, row.draws, row.losses, row.rating)
