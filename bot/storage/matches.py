"""Matches in the database: one read per press, one transaction per turn."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, Select, Update, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.records import Place, StoredMatch
from bot.storage.rows import MATCH_COLUMNS, match_row, progress, read_match, seat_rows
from bot.storage.tables import matches, seats
from core.match import Match


class ChannelTakenError(Exception):
    """The channel has a live match."""


class ChangedError(Exception):
    """The match is no longer what it was when it was read."""


def _read(where: Any) -> Select[Any]:
    return (
        select(*MATCH_COLUMNS)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(where)
        .order_by(matches.c.id, seats.c.seat)
    )


def _newest(where: Any) -> Any:
    return (
        select(matches.c.id).where(where).order_by(matches.c.id.desc()).limit(1).scalar_subquery()
    )


# Built once: SQLAlchemy caches what it compiles by the statement, so a turn only binds values.
_HERE = matches.c.channel_id == bindparam("channel_id")
_BY_ID = _read(matches.c.id == bindparam("match_id"))
_LIVE = _read(_HERE & matches.c.ended_at.is_(None))
_LATEST = _read(matches.c.id == _newest(_HERE))
_FINISHED = _read(matches.c.id == _newest(_HERE & matches.c.ended_at.is_not(None)))
_DUE = select(matches.c.id).where(matches.c.computer_due)
_RANK = (
    update(seats)
    .where(seats.c.match_id == bindparam("of_match"), seats.c.seat == bindparam("of_seat"))
    .values(rank=bindparam("new_rank"))
)
_HINTED = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"), matches.c.ended_at.is_(None))
    .values(hinted=True)
)
_SHOWN = (
    update(matches).where(matches.c.id == bindparam("match_id")).values(board_id=bindparam("board"))
)


@cache
def _save(columns: frozenset[str]) -> Update:
    """Return the statement that changes `columns`, if the match is still as it was read.

    Unchanged columns stay out of it: SQLite rewrites the indexes of all that are named.
    """
    return (
        update(matches)
        .where(
            matches.c.id == bindparam("match_id"),
            matches.c.moves == bindparam("moves_before"),
            matches.c.ended_at.is_(None) == bindparam("live_before"),
        )
        .values({name: bindparam(name) for name in columns})
    )


async def insert_match(
    connection: AsyncConnection,
    place: Place,
    match: Match,
    names: Sequence[str | None],
    series_id: int | None,
    now: int,
) -> StoredMatch:
    """Return the new match, written within the caller's transaction.

    Raises ChannelTakenError, after which that transaction can only be rolled back.
    """
    row = match_row(place, match, series_id, now)
    try:
        result = await connection.execute(insert(matches).returning(matches.c.id), row)
    except IntegrityError as error:
        raise ChannelTakenError from error
    match_id: int = result.scalar_one()
    await connection.execute(insert(seats), seat_rows(match_id, match, names))
    return StoredMatch(match_id, place, match, tuple(names), series_id or match_id)


class MatchStore:
    """The matches of one database."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    @asynccontextmanager
    async def turn(self, match_id: int) -> AsyncIterator["Turn"]:
        """Read a match and let it be saved, in one transaction and over one connection."""
        async with self._engine.connect() as connection:
            stored = await connection.run_sync(_load, match_id)
            yield Turn(connection, stored)

    async def _rows(self, statement: Any, **values: Any) -> Sequence[Row[Any]]:
        async with self._engine.connect() as connection:
            return (await connection.execute(statement, values)).all()

    async def load(self, match_id: int) -> StoredMatch | None:
        """Return the match, None where there is none; raise CorruptRowError."""
        rows = await self._rows(_BY_ID, match_id=match_id)
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

    async def due(self) -> list[int]:
        """Return the ids of the live matches in which the computer is to move."""
        return [row.id for row in await self._rows(_DUE)]

    async def create(
        self,
        place: Place,
        match: Match,
        names: Sequence[str | None],
        series_id: int | None,
        now: int,
    ) -> StoredMatch:
        """Return the new match; raise ChannelTakenError."""
        async with self._engine.begin() as connection:
            return await insert_match(connection, place, match, names, series_id, now)

    async def save(self, before: StoredMatch, match: Match, now: int) -> StoredMatch:
        """Write `match` over `before` in one transaction and return it; raise as `Turn.save`."""
        async with self._engine.connect() as connection:
            return await Turn(connection, before).save(match, now)

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


class Turn:
    """A match within a transaction. `stored` is what was read, None where there is no match."""

    def __init__(self, connection: AsyncConnection, stored: StoredMatch | None):
        self.stored = stored
        self._connection = connection

    async def save(self, match: Match, now: int) -> StoredMatch:
        """Write `match` over what was read, commit, and return it.

        Raises ChangedError, and writes nothing, where the database holds something else by now;
        ChannelTakenError where an ended match would come back into a channel that has another.
        """
        assert self.stored is not None, "only a match that was read can be saved"
        await self._connection.run_sync(_write, self.stored, match, now)
        return replace(self.stored, match=match)


# Run within AsyncConnection.run_sync: every await on an AsyncConnection has a price of its own.


def _load(connection: Connection, match_id: int) -> StoredMatch | None:
    rows = connection.execute(_BY_ID, {"match_id": match_id}).all()
    return read_match(rows) if rows else None


def _write(connection: Connection, before: StoredMatch, match: Match, now: int) -> None:
    was, becomes = progress(before.match, now), progress(match, now)
    changed = {name: value for name, value in becomes.items() if value != was[name]}
    read = {
        "match_id": before.id,
        "moves_before": was["moves"],
        "live_before": was["ended_at"] is None,
    }
    try:
        result = connection.execute(_save(frozenset(changed)), read | changed)
    except IntegrityError as error:
        raise ChannelTakenError from error
    if result.rowcount != 1:
        raise ChangedError
    if match.outcome != before.match.outcome:
        ranks = match.outcome.ranks if match.outcome else (None,) * match.game.seats
        of_match = [
            {"of_match": before.id, "of_seat": seat, "new_rank": rank}
            for seat, rank in enumerate(ranks)
        ]
        connection.execute(_RANK, of_match)
    connection.commit()
