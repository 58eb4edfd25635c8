"""What finished matches add up to: the score of a series, and a server's leaderboard."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.records import Standing
from bot.storage.tables import matches, seats
from core.engine.levels import Level
from core.match import Computer, Member, Player


class ScoreStore:
    """Read-only sums over the matches of one database."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    async def series(self, series_id: int) -> Mapping[Player, float]:
        """Return each player's points in the finished matches of a series: 1 a win, 0.5 a draw.

        Every player of the series is a key, also without points.
        """
        statement = select(seats).join(matches, matches.c.id == seats.c.match_id)
        of_series = or_(matches.c.series_id == series_id, matches.c.id == series_id)
        async with self._engine.connect() as connection:
            rows = (await connection.execute(statement.where(of_series))).all()
        first_places = Counter(row.match_id for row in rows if row.rank == 1)
        points: dict[Player, float] = defaultdict(float)
        for row in rows:
            player = Computer(Level(row.level)) if row.level else Member(row.user_id)
            points[player] += _points(row.rank, first_places[row.match_id])
        return points

    async def standings(
        self, guild_id: int, game: str | None, offset: int, limit: int
    ) -> Sequence[Standing]:
        """Return `limit` members of a server from `offset` on, by points, then wins.

        Only finished matches that are rated count (`StoredMatch.rated`); None counts every game.
        """
        statement = _standings(guild_id, game).offset(offset).limit(limit)
        async with self._engine.connect() as connection:
            rows = (await connection.execute(statement)).all()
        return [Standing(r.user_id, r.name or "", r.wins, r.draws, r.losses) for r in rows]

    async def count(self, guild_id: int, game: str | None) -> int:
        """Return how many members the leaderboard has."""
        statement = select(func.count(func.distinct(seats.c.user_id))).select_from(
            seats.join(matches, matches.c.id == seats.c.match_id)
        )
        async with self._engine.connect() as connection:
            return int(
                (await connection.execute(statement.where(*_counted(guild_id, game)))).scalar_one()
            )


def _points(rank: int | None, first_places: int) -> float:
    if rank != 1:
        return 0
    return 1 if first_places == 1 else 0.5


def _counted(guild_id: int, game: str | None) -> list[ColumnElement[bool]]:
    """Return the conditions for a finished match on a server that is rated."""
    other = seats.alias("other")
    opponents = (
        select(func.count(func.distinct(other.c.user_id)))
        .where(other.c.match_id == matches.c.id)
        .scalar_subquery()
    )
    chairs = (
        select(func.count())
        .select_from(other)
        .where(other.c.match_id == matches.c.id)
        .scalar_subquery()
    )
    conditions: list[ColumnElement[bool]] = [
        matches.c.guild_id == guild_id,
        matches.c.ended_at.is_not(None),
        matches.c.hinted.is_(False),
        opponents == chairs,
    ]
    return [*conditions, matches.c.game == game] if game else conditions


def _standings(guild_id: int, game: str | None) -> Select[Any]:
    """Return the query for a leaderboard, best first, without its limits."""
    rival = seats.alias("rival")
    shared = (
        select(rival.c.match_id)
        .where(
            rival.c.match_id == seats.c.match_id, rival.c.seat != seats.c.seat, rival.c.rank == 1
        )
        .exists()
    )
    first = seats.c.rank == 1
    wins = func.count().filter(first & ~shared)
    draws = func.count().filter(first & shared)
    latest, played = seats.alias("latest"), matches.alias("played")
    # The name of another server's members is not this server's to know.
    name = (
        select(latest.c.name)
        .join(played, played.c.id == latest.c.match_id)
        .where(latest.c.user_id == seats.c.user_id, played.c.guild_id == guild_id)
        .order_by(latest.c.match_id.desc())
        .limit(1)
        .scalar_subquery()
    )
    return (
        select(
            seats.c.user_id,
            name.label("name"),
            wins.label("wins"),
            draws.label("draws"),
            func.count().filter(~first).label("losses"),
        )
        .join(matches, matches.c.id == seats.c.match_id)
        .where(*_counted(guild_id, game))
        .group_by(seats.c.user_id)
        .order_by((wins * 2 + draws).desc(), wins.desc(), seats.c.user_id)
    )
