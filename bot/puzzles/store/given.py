"""The puzzles that servers are given: each day's, and others at any time.

A server's next puzzle is chosen while its row in `puzzle_servers` is locked. So if two members ask
at the same moment, the second choice sees the first.
"""

from dataclasses import replace
from random import Random

from sqlalchemy import Connection, and_, exists, literal, select, update

from bot.db.database import Database
from bot.db.statements import read, upsert, write
from bot.db.store import Store, transaction
from bot.db.tables import puzzle_servers, puzzle_tries, puzzles
from bot.identity import MemberId, PuzzleId, ServerId
from bot.puzzles.choice import choose
from bot.puzzles.model import Given, day_of
from bot.puzzles.rows import first_readable, insert, lock
from bot.times import DAY
from core.puzzles import shipped
from core.puzzles.finding import Difficulty

# A server gets no puzzle twice within this time.
_YEAR = 365 * DAY
# One shipped puzzle in five is kept for members who want more than the puzzle of the day.
_EXTRA = 5
# The most puzzles that are read to give one, in case some of them are corrupt.
_MOST_LOOKED_AT = 50


class PuzzleStore(Store):
    """The puzzles of servers in one database; `rng` chooses. Moments are in Unix seconds."""

    def __init__(self, database: Database, rng: Random):
        super().__init__(database)
        self._rng = rng

    async def note_wanted(self, server_id: ServerId, now: int) -> None:
        """Note that a server wants puzzles now."""
        row = {"guild_id": server_id, "asked_at": now}
        await write(self._database, upsert, puzzle_servers, [row])

    @transaction
    def give_today(self, connection: Connection, server_id: ServerId, now: int) -> Given | None:
        """Return the puzzle of the day, chosen now if need be; None if no puzzle is left."""
        lock(connection, server_id)
        of_day = puzzles.c.guild_id == server_id, puzzles.c.day == day_of(now)
        known = first_readable(connection, select(puzzles).where(*of_day))
        if known is not None:
            return known
        # A puzzle that can't be read leaves its day to another one.
        connection.execute(update(puzzles).where(*of_day).values(day=None))
        waiting = (
            select(puzzles)
            .where(puzzles.c.guild_id == server_id, puzzles.c.given_at.is_(None))
            .order_by(puzzles.c.id.desc())
            .limit(_MOST_LOOKED_AT)
        )
        own = first_readable(connection, waiting)
        if own is None:
            return self._from_shipped(connection, server_id, None, now, day_of(now))
        given = {"given_at": now, "day": day_of(now)}
        connection.execute(update(puzzles).where(puzzles.c.id == own.id).values(**given))
        return replace(own, day=day_of(now))

    def _from_shipped(
        self,
        connection: Connection,
        server_id: ServerId,
        difficulty: Difficulty | None,
        now: int,
        day: int | None,
    ) -> Given | None:
        """Give a server a shipped puzzle that it hasn't had for a year; None if there is none."""
        recent = puzzles.c.given_at > now - _YEAR
        had = select(puzzles.c.start).where(puzzles.c.guild_id == server_id, recent)
        used = set(connection.execute(had).scalars())
        free = [
            (number, one)
            for number, one in enumerate(shipped())
            if difficulty in (None, one.difficulty) and one.key not in used
        ]
        extras = [one for number, one in free if number % _EXTRA == 0]
        for_days = [one for number, one in free if number % _EXTRA != 0]
        # A day may take one that is kept for members, but members never take one kept for days.
        left = extras if day is None else for_days or extras
        if not left:
            return None
        return insert(
            connection, server_id, choose(left, len(used), self._rng), given_at=now, day=day
        )

    @transaction
    def give_another(
        self,
        connection: Connection,
        server_id: ServerId,
        member_id: MemberId,
        difficulty: Difficulty | None,
        now: int,
    ) -> Given | None:
        """Return a puzzle other than today's that the member hasn't ended, None if there is none.

        It is a puzzle that the member has opened, else one that others had, else a new one, else
        the puzzle of an earlier day.
        """
        lock(connection, server_id)
        fitting = puzzles.c.difficulty == difficulty if difficulty else literal(value=True)
        today = and_(puzzles.c.day.is_not(None), puzzles.c.day == day_of(now))
        here = puzzles.c.guild_id == server_id, puzzles.c.given_at > now - _YEAR
        had = select(puzzles).where(*here, ~today, fitting).limit(_MOST_LOOKED_AT)
        own = puzzle_tries.c.puzzle_id == puzzles.c.id, puzzle_tries.c.user_id == member_id
        opened = had.join(puzzle_tries, and_(*own)).where(puzzle_tries.c.ended_at.is_(None))
        untried = had.where(~exists().where(*own))
        extras = untried.where(puzzles.c.day.is_(None)).order_by(puzzles.c.id)
        return (
            first_readable(connection, opened.order_by(puzzle_tries.c.opened_at.desc()))
            or first_readable(connection, extras)
            or self._from_shipped(connection, server_id, difficulty, now, None)
            or first_readable(connection, untried.order_by(puzzles.c.id.desc()))
        )

    async def get(self, server_id: ServerId, puzzle_id: PuzzleId) -> Given | None:
        """Return a puzzle that a server was given.

        Returns None if there is none with this id, or it can't be read.
        """
        here = puzzles.c.guild_id == server_id, puzzles.c.given_at.is_not(None)
        own = select(puzzles).where(puzzles.c.id == puzzle_id, *here)
        return await read(self._database, first_readable, own)

    async def before(self, given: Given) -> Given | None:
        """Return the last posted puzzle of a day before that of `given`.

        Returns None if there is none, or it can't be read.
        """
        earlier = (
            select(puzzles)
            .where(
                puzzles.c.guild_id == given.server_id,
                puzzles.c.day < (given.day or 0),
                puzzles.c.message_id.is_not(None),
            )
            .order_by(puzzles.c.day.desc())
            .limit(1)
        )
        return await read(self._database, first_readable, earlier)
