"""What one member has played on a server: whole matches by page, and all results for a profile."""

import logging
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.tables import matches, seats
from bot.leaderboard.lists import Opponent, Played
from bot.matches.model import StoredMatch
from bot.matches.reading import reading
from bot.matches.rows import CorruptRowError, read_match
from core.engine.levels import Level
from core.outcome import Termination

log = logging.getLogger(__name__)


class HistoryStore:
    """The finished matches of one database, by member."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    async def count(self, guild_id: int, user_id: int) -> int:
        """Return how many matches a member has finished on a server."""
        found = _finished(guild_id, user_id, func.count())
        async with self._engine.connect() as connection:
            return int((await connection.execute(found)).scalar_one())

    async def page(
        self, guild_id: int, user_id: int, offset: int, limit: int
    ) -> Sequence[StoredMatch]:
        """Return `limit` of a member's finished matches from `offset` on, the newest first.

        One that can't be read is left out and logged: it must not hide the others.
        """
        newest = _finished(guild_id, user_id, matches.c.id)
        newest = newest.order_by(seats.c.match_id.desc()).offset(offset).limit(limit)
        async with self._engine.connect() as connection:
            ids = (await connection.execute(newest)).scalars().all()
            rows = (await connection.execute(reading(matches.c.id.in_(ids)))).all()
        found = []
        for _, of_match in groupby(rows, key=lambda row: row.id):
            try:
                found.append(read_match(list(of_match)))
            except CorruptRowError:
                log.exception("a match is missing on a page")
        return found[::-1]

    async def results(self, guild_id: int, user_id: int) -> Sequence[Played]:
        """Return what a member has played on a server, the oldest first; called off ones don't."""
        other = seats.alias("other")
        statement = (
            _finished(
                guild_id,
                user_id,
                *(matches.c[name] for name in ("id", "game", "ended_at", "rated_as")),
                *(seats.c[name] for name in ("rank", "rating_after")),
                other.c.user_id,
                other.c.level,
                other.c.rank.label("other_rank"),
            )
            .join(other, (other.c.match_id == matches.c.id) & (other.c.seat != seats.c.seat))
            .where(matches.c.ending.is_distinct_from(Termination.CALLED_OFF.value))
            .order_by(matches.c.ended_at, matches.c.rated_as, matches.c.id)
        )
        async with self._engine.connect() as connection:
            rows = (await connection.execute(statement)).all()
        return [_played(list(of)) for _, of in groupby(rows, key=lambda row: row.id)]


def _finished(guild_id: int, user_id: int, *columns: Any) -> Select[Any]:
    return (
        select(*columns)
        .select_from(seats)
        .join(matches, matches.c.id == seats.c.match_id)
        .where(
            seats.c.user_id == user_id,
            matches.c.guild_id == guild_id,
            matches.c.ended_at.is_not(None),
        )
    )


def _played(rows: Sequence[Any]) -> Played:
    row = rows[0]
    others = tuple(
        Opponent(other.user_id, Level(other.level) if other.level else None, other.other_rank)
        for other in rows
    )
    rating = row.rating_after if row.rated_as is not None else None
    return Played(row.game, row.ended_at, row.rank, others, rating)
