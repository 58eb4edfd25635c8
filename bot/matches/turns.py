"""A match within a transaction: read once, written once if the database still holds it."""

from dataclasses import replace
from functools import cache
from typing import Any

from sqlalchemy import Connection, Update, bindparam, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.db.tables import matches, seats
from bot.matches.clock import Timing, runs, timing
from bot.matches.model import StoredMatch
from bot.matches.rows import progress
from bot.ratings.ledger import Ledger
from core.match import Match


class ChannelTakenError(Exception):
    """The channel has a live match."""


class ChangedError(Exception):
    """The match is no longer what it was when it was read."""


_RANK = (
    update(seats)
    .where(seats.c.match_id == bindparam("of_match"), seats.c.seat == bindparam("of_seat"))
    .values(rank=bindparam("new_rank"))
)
_HINTED = select(matches.c.hinted).where(matches.c.id == bindparam("match_id"))


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


def _write(
    connection: Connection, before: StoredMatch, match: Match, now: int, ledger: Ledger
) -> StoredMatch:
    after = replace(
        before,
        match=match,
        undone=before.undone or match.ply < before.match.ply,
        ended_at=now if match.outcome else None,
        timing=_timing(before, match, now),
    )
    _update(connection, before, after, now)
    if match.outcome != before.match.outcome:
        after = _settled(connection, after, now, ledger)
    connection.commit()
    return after


def _update(connection: Connection, before: StoredMatch, after: StoredMatch, now: int) -> None:
    """Write what is not as it was `before`; raise ChangedError or ChannelTakenError."""
    was, becomes = _columns(before, now), _columns(after, now)
    changed = {name: value for name, value in becomes.items() if value != was[name]}
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


def _columns(stored: StoredMatch, now: int) -> dict[str, Any]:
    """Return every column of `matches` that a turn may change."""
    timing = {"deadline": stored.timing.deadline, "due_at": stored.timing.due_at}
    return progress(stored.match, now) | {"undone": stored.undone} | timing


def _settled(connection: Connection, stored: StoredMatch, now: int, ledger: Ledger) -> StoredMatch:
    """Return a match that has ended, or goes on again, with what follows from that written down."""
    match = stored.match
    ranks = match.outcome.ranks if match.outcome else (None,) * match.game.seats
    of_match = [
        {"of_match": stored.id, "of_seat": seat, "new_rank": rank}
        for seat, rank in enumerate(ranks)
    ]
    connection.execute(_RANK, of_match)
    changes = ledger.enter(connection, stored.id, stored.place.guild_id, match, now)
    hinted = stored.hinted
    if match.outcome and match.rated and not changes:
        # A hint may have been asked since this was read: whoever sees the result is told why.
        hinted = connection.execute(_HINTED, {"match_id": stored.id}).scalar_one()
    return replace(stored, hinted=hinted, changes=changes)


def _timing(before: StoredMatch, match: Match, now: int) -> Timing:
    """Return what is due from now on: a clock goes on where it is still the same turn.

    It stops where those have left against whom one could lose.
    """
    same_turn = (match.ply, match.to_move) == (before.match.ply, before.match.to_move)
    goes_on = same_turn and runs(match) == runs(before.match)
    return before.timing if goes_on else timing(match, before.clock, now)
