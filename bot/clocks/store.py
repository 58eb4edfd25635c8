"""What is due: reminders, deadlines, idle matches. Read by index, and each claimed once.

A claim is conditional on the moment that was read, which every turn moves on: of a claim and a move
in the same moment one changes nothing.
"""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, NotNullable, bindparam, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.tables import matches, seats
from bot.matches.clock import DEFAULT_CLOCK, GRACE_PART, runs
from bot.matches.model import StoredMatch
from bot.matches.reading import load_match, reading
from bot.matches.rows import CorruptRowError, read_match
from bot.matches.store import newest
from bot.matches.turns import ChangedError, ChannelTakenError, Turn
from bot.ratings.ledger import Ledger

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Due:
    """A match in which something is due; without a deadline that is putting it away."""

    match_id: int
    channel_id: int
    due_at: int
    deadline: int | None


_DUE = (
    select(matches.c.id, matches.c.channel_id, NotNullable(matches.c.due_at), matches.c.deadline)
    .where(matches.c.due_at <= bindparam("now"))
    .order_by(matches.c.due_at)
    .limit(bindparam("most", type_=Integer))
)
_CLAIM = update(matches).where(
    matches.c.id == bindparam("match_id"),
    matches.c.due_at == bindparam("seen"),
    matches.c.ended_at.is_(None),
)
_REMINDED = _CLAIM.values(due_at=matches.c.deadline)
_TAKEN = _CLAIM.values(due_at=None)
_PUT_AWAY = _CLAIM.values(due_at=None, put_away_at=bindparam("now"))
_GRACE = (
    update(matches)
    .where(matches.c.due_at <= bindparam("now"), matches.c.deadline <= bindparam("now"))
    .values(
        deadline=bindparam("now") + func.coalesce(matches.c.clock, DEFAULT_CLOCK) // GRACE_PART,
        due_at=bindparam("now"),
    )
)
_THEIRS = reading(
    matches.c.id
    == newest(
        (matches.c.channel_id == bindparam("channel_id"))
        & matches.c.put_away_at.is_not(None)
        & select(seats.c.match_id)
        .where(seats.c.match_id == matches.c.id, seats.c.user_id == bindparam("user_id"))
        .exists()
    )
)
_BACK = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"), matches.c.put_away_at.is_not(None))
    .values(put_away_at=None, due_at=bindparam("due"))
)


class DueStore:
    """What is due in one database."""

    def __init__(self, engine: AsyncEngine, ledger: Ledger):
        self._engine = engine
        self._ledger = ledger

    async def due(self, now: int, most: int) -> list[Due]:
        """Return up to `most` matches in which something is due by `now`, the longest due first."""
        async with self._engine.connect() as connection:
            rows = await connection.execute(_DUE, {"now": now, "most": most})
            return [Due(*row) for row in rows]

    async def give_grace(self, now: int) -> int:
        """Put off the deadlines that have passed, with a reminder; return how many there were."""
        async with self._engine.begin() as connection:
            return (await connection.execute(_GRACE, {"now": now})).rowcount

    async def claim_reminder(self, due: Due) -> bool:
        """Return whether it is the caller who reminds, once and for all."""
        return await self._claim(_REMINDED, due)

    async def put_away(self, due: Due, now: int) -> bool:
        """Free the channel of a match; return whether it was the caller who did."""
        return await self._claim(_PUT_AWAY, due, now=now)

    async def _claim(self, claim: Any, due: Due, **values: int) -> bool:
        async with self._engine.begin() as connection:
            return (await connection.execute(claim, _seen(due) | values)).rowcount == 1

    @asynccontextmanager
    async def turn(self, due: Due) -> AsyncIterator[Turn | None]:
        """Claim a deadline, and let the match be saved, in one transaction.

        Yields None where it isn't due any more. A match that can't be read, or in which nobody is
        to move, is claimed all the same, so that it isn't met again in every round.
        """
        async with self._engine.connect() as connection:
            if (await connection.execute(_TAKEN, _seen(due))).rowcount != 1:
                yield None
                return
            try:
                stored = await connection.run_sync(load_match, due.match_id)
            except CorruptRowError:
                log.exception("the clock of match %s is stopped", due.match_id)
                stored = None
            if stored is None or not runs(stored.match):
                await connection.commit()
                yield None
                return
            yield Turn(connection, stored, self._ledger)

    async def put_away_of(self, channel_id: int, user_id: int) -> StoredMatch | None:
        """Return the newest match of a member in a channel that is put away."""
        async with self._engine.connect() as connection:
            found = await connection.execute(
                _THEIRS, {"channel_id": channel_id, "user_id": user_id}
            )
            rows = found.all()
        return read_match(rows) if rows else None

    async def bring_back(self, match_id: int, due_at: int | None) -> None:
        """Give a match that is put away its channel again; raise ChannelTakenError, ChangedError.

        It is due again at `due_at`, in Unix seconds, None for never.
        """
        async with self._engine.begin() as connection:
            try:
                result = await connection.execute(_BACK, {"match_id": match_id, "due": due_at})
            except IntegrityError as error:
                raise ChannelTakenError from error
            if result.rowcount != 1:
                raise ChangedError


def _seen(due: Due) -> dict[str, int]:
    return {"match_id": due.match_id, "seen": due.due_at}
