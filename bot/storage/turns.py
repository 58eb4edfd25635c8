"""A match within a transaction: read once, written once if the database still holds it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, Update, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks import Timing, runs, timing
from bot.records import Place, Series, StoredMatch
from bot.storage.ledger import Ledger
from bot.storage.rows import MATCH_COLUMNS, match_row, progress, read_match, seat_rows
from bot.storage.server_tables import guilds, members, standings
from bot.storage.tables import matches, seats
from bot.storage.upsert import upsert
from core.match import Match
from core.players import Member


class ChannelTakenError(Exception):
    """The channel has a live match."""


class ChangedError(Exception):
    """The match is no longer what it was when it was read."""


def reading(where: Any) -> Select[Any]:
    """Return the statement that reads whole matches: a row for each seat."""
    return (
        select(*MATCH_COLUMNS)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(where)
        .order_by(matches.c.id, seats.c.seat)
    )


BY_ID = reading(matches.c.id == bindparam("match_id"))
_RANK = (
    update(seats)
    .where(seats.c.match_id == bindparam("of_match"), seats.c.seat == bindparam("of_seat"))
    .values(rank=bindparam("new_rank"))
)
_HINTED = select(matches.c.hinted).where(matches.c.id == bindparam("match_id"))
# Whoever plays is a member, whatever was known before.
_BACK = (
    update(standings)
    .where(
        standings.c.guild_id == bindparam("of_guild"),
        standings.c.user_id.in_(bindparam("users", expanding=True)),
        standings.c.present.is_(False),
    )
    .values(present=True)
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
            matches.c.withdrawals == bindparam("withdrawals_before"),
            matches.c.ended_at.is_(None) == bindparam("live_before"),
            matches.c.put_away_at.is_(None),
        )
        .values({name: bindparam(name) for name in columns})
    )


class Turn:
    """A match within a transaction. `stored` is what was read, None where there is no match."""

    def __init__(self, connection: AsyncConnection, stored: StoredMatch | None, ledger: Ledger):
        self.stored = stored
        self._connection = connection
        self._ledger = ledger

    async def save(self, match: Match, now: int) -> StoredMatch:
        """Write `match` over what was read, commit, and return it; count it where it has ended.

        Raises ChangedError, and writes nothing, where the database holds something else by now;
        ChannelTakenError where an ended match would come back into a channel that has another.
        """
        assert self.stored is not None, "only a match that was read can be saved"
        return await self._connection.run_sync(_write, self.stored, match, now, self._ledger)


# Run within AsyncConnection.run_sync: every await on an AsyncConnection has a price of its own.


def load_match(connection: Connection, match_id: int) -> StoredMatch | None:
    """Return the match, None where there is none; raise CorruptRowError."""
    rows = connection.execute(BY_ID, {"match_id": match_id}).all()
    return read_match(rows) if rows else None


def insert_match(
    connection: Connection,
    place: Place,
    match: Match,
    names: Sequence[str | None],
    series: Series,
    now: int,
    clock: int | None = None,
) -> StoredMatch:
    """Return the new match, written within the caller's transaction.

    Raises ChannelTakenError, after which that transaction can only be rolled back.
    """
    row = match_row(place, match, series, now, clock)
    try:
        result = connection.execute(insert(matches).returning(matches.c.id), row)
    except IntegrityError as error:
        raise ChannelTakenError from error
    match_id: int = result.scalar_one()
    sitting = seat_rows(match_id, match, names, series)
    connection.execute(insert(seats), sitting)
    upsert(connection, guilds, [{"id": place.guild_id, "removed_at": None}])
    here = {"guild_id": place.guild_id, "present": True}
    called = {
        player.id: name
        for player, name in zip(match.players, names, strict=True)
        if isinstance(player, Member) and name
    }
    if called:
        named = [{**here, "user_id": user, "name": name} for user, name in called.items()]
        upsert(connection, members, named)
        connection.execute(_BACK, {"of_guild": place.guild_id, "users": list(called)})
    brought = tuple(seat["points"] for seat in sitting)
    return StoredMatch(
        id=match_id,
        place=place,
        match=match,
        names=tuple(names),
        series_id=series.id or match_id,
        brought=brought,
        ended_at=row["ended_at"],
        clock=clock,
        timing=timing(match, clock, now),
    )


def _write(
    connection: Connection, before: StoredMatch, match: Match, now: int, ledger: Ledger
) -> StoredMatch:
    was, becomes = progress(before.match, now), progress(match, now)
    changed = {name: value for name, value in becomes.items() if value != was[name]}
    undone = before.undone or match.ply < before.match.ply
    if undone != before.undone:
        changed["undone"] = True
    ticking = _timing(before, match, now)
    if ticking.deadline != before.timing.deadline:
        changed["deadline"] = ticking.deadline
    if ticking.due_at != before.timing.due_at:
        changed["due_at"] = ticking.due_at
    read = {
        "match_id": before.id,
        "moves_before": was["moves"],
        "withdrawals_before": was["withdrawals"],
        "live_before": was["ended_at"] is None,
    }
    try:
        result = connection.execute(_save(frozenset(changed)), read | changed)
    except IntegrityError as error:
        raise ChannelTakenError from error
    if result.rowcount != 1:
        raise ChangedError
    changes, hinted = before.changes, before.hinted
    if match.outcome != before.match.outcome:
        ranks = match.outcome.ranks if match.outcome else (None,) * match.game.seats
        of_match = [
            {"of_match": before.id, "of_seat": seat, "new_rank": rank}
            for seat, rank in enumerate(ranks)
        ]
        connection.execute(_RANK, of_match)
        changes = ledger.enter(connection, before.id, before.place.guild_id, match, now)
        if match.outcome and match.rated and not changes:
            # A hint may have been asked since this was read: whoever sees the result is told why.
            hinted = connection.execute(_HINTED, {"match_id": before.id}).scalar_one()
    connection.commit()
    return replace(
        before,
        match=match,
        undone=undone,
        hinted=hinted,
        changes=changes,
        ended_at=becomes["ended_at"],
        timing=ticking,
    )


def _timing(before: StoredMatch, match: Match, now: int) -> Timing:
    """Return what is due from now on: a clock goes on where it is still the same turn.

    It stops where those have left against whom one could lose.
    """
    same_turn = (match.ply, match.to_move) == (before.match.ply, before.match.to_move)
    goes_on = same_turn and runs(match) == runs(before.match)
    return before.timing if goes_on else timing(match, before.clock, now)
