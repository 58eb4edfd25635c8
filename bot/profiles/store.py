"""One member's finished matches on a server: whole ones by page, and all results for a profile."""

import logging
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple, TypeVarTuple, cast

from sqlalchemy import NotNullable, Select, func, or_, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db import CorruptRowError
from bot.db.tables import matches, seats
from bot.identity import MatchId, MemberId, ServerId
from bot.matches.model import StoredMatch
from bot.matches.rows import SeatRow, read_match, reading
from bot.profiles.model import Opponent, Played
from core.engine.levels import Level
from core.outcome import NO_RESULT

log = logging.getLogger(__name__)

Ts = TypeVarTuple("Ts")


class HistoryStore:
    """The finished matches of one database, by member."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    async def count(self, server_id: ServerId, member_id: MemberId) -> int:
        """Return the number of matches that a member has finished on a server."""
        found = _finished(select(func.count()).select_from(seats), server_id, member_id)
        async with self._engine.connect() as connection:
            return (await connection.execute(found)).scalar_one()

    async def page(
        self, server_id: ServerId, member_id: MemberId, offset: int, limit: int
    ) -> Sequence[StoredMatch]:
        """Return `limit` of a member's finished matches from `offset` on, the newest first.

        One that can't be read is logged and left out, so that it doesn't hide the others.
        """
        newest = _finished(select(matches.c.id).select_from(seats), server_id, member_id)
        newest = newest.order_by(seats.c.match_id.desc()).offset(offset).limit(limit)
        async with self._engine.connect() as connection:
            ids = (await connection.execute(newest)).scalars().all()
            rows = (await connection.execute(reading(matches.c.id.in_(ids)))).all()
        found, seat_rows = list[StoredMatch](), cast("Sequence[SeatRow]", rows)
        for _, of_match in groupby(seat_rows, key=lambda row: row.id):
            try:
                found.append(read_match(list(of_match)))
            except CorruptRowError:
                log.exception("a match is missing on a page")
        return found[::-1]

    async def results(self, server_id: ServerId, member_id: MemberId) -> Sequence[Played]:
        """Return a member's matches on a server that have a result, the oldest first."""
        statement = _finished(_OTHERS, server_id, member_id)
        async with self._engine.connect() as connection:
            rows = [_OtherSeat(*row) for row in await connection.execute(statement)]
        return [_played(list(of)) for _, of in groupby(rows, key=lambda row: row.match_id)]


class _OtherSeat(NamedTuple):
    """Another seat in a member's match, beside the match and the member's own result."""

    match_id: MatchId
    game: str
    ended_at: int
    rated_as: int | None
    rank: int
    rating_after: int | None
    other_id: MemberId | None
    other_level: str | None
    other_rank: int


_OTHER = seats.alias("other")
_OTHERS = (
    select(
        matches.c.id,
        matches.c.game,
        NotNullable(matches.c.ended_at),
        matches.c.rated_as,
        NotNullable(seats.c.rank),
        seats.c.rating_after,
        _OTHER.c.user_id,
        _OTHER.c.level,
        NotNullable(_OTHER.c.rank),
    )
    .select_from(seats)
    .join(_OTHER, (_OTHER.c.match_id == seats.c.match_id) & (_OTHER.c.seat != seats.c.seat))
    .where(or_(matches.c.ending.is_(None), matches.c.ending.not_in([*NO_RESULT])))
    .order_by(matches.c.ended_at, matches.c.rated_as, matches.c.id)
)


def _finished(statement: Select[*Ts], server_id: ServerId, member_id: MemberId) -> Select[*Ts]:
    """Return `statement`, which selects from seats, for those of a member in finished matches."""
    return statement.join(matches, matches.c.id == seats.c.match_id).where(
        seats.c.user_id == member_id,
        matches.c.guild_id == server_id,
        matches.c.ended_at.is_not(None),
    )


def _played(rows: Sequence[_OtherSeat]) -> Played:
    row = rows[0]
    others = tuple(
        Opponent(other.other_id, _level(other.other_level), other.other_rank) for other in rows
    )
    rating = row.rating_after if row.rated_as is not None else None
    return Played(row.game, row.ended_at, row.rank, others, rating)


def _level(name: str | None) -> Level | None:
    return Level(name) if name else None
