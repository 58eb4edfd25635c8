"""Matches in the database: one read per press, one transaction per turn."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Row, bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.tables import matches
from bot.matches.inserting import insert_match
from bot.matches.model import Place, Series, StoredMatch
from bot.matches.reading import BY_ID, load_match, reading
from bot.matches.rows import read_match
from bot.matches.turns import Turn
from bot.ratings.ledger import Ledger
from core.match import Match


def newest(where: Any) -> Any:
    """Return the id of the newest match for which `where` holds, as a part of a statement."""
    return (
        select(matches.c.id).where(where).order_by(matches.c.id.desc()).limit(1).scalar_subquery()
    )


# Built once: SQLAlchemy caches what it compiles by the statement, so a turn only binds values.
_HERE = matches.c.channel_id == bindparam("channel_id")
LIVE = matches.c.ended_at.is_(None) & matches.c.put_away_at.is_(None)
_LIVE = reading(_HERE & LIVE)
_LATEST = reading(matches.c.id == newest(_HERE))
_FINISHED = reading(matches.c.id == newest(_HERE & matches.c.ended_at.is_not(None)))
_BEFORE = (
    select(matches.c.id, matches.c.board_id)
    .where(_HERE, matches.c.id < bindparam("match_id"), matches.c.ended_at.is_not(None))
    .order_by(matches.c.id.desc())
    .limit(1)
)
_DUE = select(matches.c.id).where(matches.c.computer_due, matches.c.put_away_at.is_(None))
_HINTED = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"), matches.c.ended_at.is_(None))
    .values(hinted=True)
)
_SHOWN = (
    update(matches).where(matches.c.id == bindparam("match_id")).values(board_id=bindparam("board"))
)


_LEDGER = Ledger()


class MatchStore:
    """The matches of one database."""

    def __init__(self, engine: AsyncEngine, ledger: Ledger = _LEDGER):
        self._engine = engine
        self._ledger = ledger

    @asynccontextmanager
    async def turn(self, match_id: int) -> AsyncIterator[Turn]:
        """Read a match and let it be saved, in one transaction and over one connection."""
        async with self._engine.connect() as connection:
            stored = await connection.run_sync(load_match, match_id)
            yield Turn(connection, stored, self._ledger)

    async def _rows(self, statement: Any, **values: Any) -> Sequence[Row[Any]]:
        async with self._engine.connect() as connection:
            return (await connection.execute(statement, values)).all()

    async def load(self, match_id: int) -> StoredMatch | None:
        """Return the match, None where there is none; raise CorruptRowError."""
        rows = await self._rows(BY_ID, match_id=match_id)
        return read_match(rows) if rows else None

    async def live(self, channel_id: int) -> StoredMatch | None:
        """Return the match that is being played in a channel."""
        rows = await self._rows(_LIVE, channel_id=channel_id)
        return read_match(rows) if rows else None

    async def latest(self, channel_id: int) -> StoredMatch | None:
        """Return the newest match of a channel, live or over."""
        rows = await self._rows(_LATEST, channel_id=channel_id)
        return read_match(rows) if rows else None

    async def finished(self, channel_id: int) -> StoredMatch | None:
        """Return the newest match of a channel that is over."""
        rows = await self._rows(_FINISHED, channel_id=channel_id)
        return read_match(rows) if rows else None

    async def finished_before(self, stored: StoredMatch) -> tuple[int, int | None] | None:
        """Return the match that ended before this one in its channel, and its board, unread."""
        values = {"channel_id": stored.place.channel_id, "match_id": stored.id}
        rows = await self._rows(_BEFORE, **values)
        return (rows[0].id, rows[0].board_id) if rows else None

    async def due(self) -> list[int]:
        """Return the ids of the live matches in which the computer is to move."""
        return [row.id for row in await self._rows(_DUE)]

    async def create(
        self,
        place: Place,
        match: Match,
        names: Sequence[str | None],
        series: Series,
        now: int,
        clock: int | None = None,
    ) -> StoredMatch:
        """Return the new match; raise ChannelTakenError."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(insert_match, place, match, names, series, now, clock)

    async def save(self, before: StoredMatch, match: Match, now: int) -> StoredMatch:
        """Write `match` over `before` in one transaction and return it; raise as `Turn.save`."""
        async with self._engine.connect() as connection:
            return await Turn(connection, before, self._ledger).save(match, now)

    async def note_hint(self, match_id: int) -> bool:
        """Write down that a hint was asked, which nothing takes back; return whether it could be.

        A match that is over by then keeps its result.
        """
        async with self._engine.begin() as connection:
            return (await connection.execute(_HINTED, {"match_id": match_id})).rowcount == 1

    async def note_boards(self, shown: Iterable[tuple[int, int]]) -> None:
        """Write down which message shows which match, given as (match id, message id)."""
        async with self._engine.begin() as connection:
            await connection.execute(
                _SHOWN, [{"match_id": match, "board": board} for match, board in shown]
            )
