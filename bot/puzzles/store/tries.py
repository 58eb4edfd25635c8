"""The tries of members at puzzles."""

from sqlalchemy import Connection, bindparam, case, null, select, update

from bot.db.statements import insert_into
from bot.db.store import Store, transaction
from bot.db.tables import puzzle_tries, puzzles
from bot.identity import MemberId, PuzzleId, ServerId
from bot.puzzles.model import Given, Solved, Try, day_of, streaks

_OPEN = puzzle_tries.c.ended_at.is_(None)
_SOLVED = (
    update(puzzles).where(puzzles.c.id == bindparam("puzzle")).values(solvers=puzzles.c.solvers + 1)
)


class TryStore(Store):
    """The tries of members in one database; moments are in Unix seconds."""

    @transaction
    def open(self, connection: Connection, given: Given, member_id: MemberId, now: int) -> Try:
        """Return a member's try at a puzzle, begun now if need be, and note that it is seen."""
        begun = insert_into(connection, puzzle_tries).values(
            puzzle_id=given.id,
            user_id=member_id,
            guild_id=given.server_id,
            opened_at=now,
            seen_at=now,
        )
        seen = begun.on_conflict_do_update(
            index_elements=[puzzle_tries.c.puzzle_id, puzzle_tries.c.user_id],
            set_={"seen_at": now},
            where=puzzle_tries.c.seen_at < now,
        )
        connection.execute(seen)
        return _read_try(connection, given, member_id)

    async def current(self, server_id: ServerId, member_id: MemberId) -> PuzzleId | None:
        """Return the puzzle that a member has seen last, perhaps one that they have ended.

        Returns None if they have seen none.
        """
        last = (
            select(puzzle_tries.c.puzzle_id)
            .where(puzzle_tries.c.guild_id == server_id, puzzle_tries.c.user_id == member_id)
            .order_by(puzzle_tries.c.seen_at.desc(), puzzle_tries.c.puzzle_id.desc())
            .limit(1)
        )
        return await self._fetch_scalar_or_none(last)

    async def note_found(self, given: Given, member_id: MemberId, steps: int, now: int) -> Try:
        """Note that a member who had found `steps` has found one more; return their try.

        Nothing is noted if the try has gone on meanwhile.
        """
        values: dict[str, object] = {"steps": steps + 1}
        if steps + 1 == len(given.steps):
            on_its_day = given.day == day_of(now)
            counting = case((puzzle_tries.c.missed, null()), else_=given.day)
            values |= {"ended_at": now, "solved": True, "day": counting if on_its_day else None}
        return await self._change(given, member_id, steps, values)

    async def note_missed(self, given: Given, member_id: MemberId, steps: int) -> Try:
        """Note a wrong move of a member who has found `steps`; return their try."""
        return await self._change(given, member_id, steps, {"missed": True})

    async def give_up(self, given: Given, member_id: MemberId, now: int) -> Try:
        """Note that a member had the solution shown; return their try."""
        return await self._change(given, member_id, None, {"ended_at": now})

    @transaction
    def _change(
        self,
        connection: Connection,
        given: Given,
        member_id: MemberId,
        steps: int | None,
        values: dict[str, object],
    ) -> Try:
        own = puzzle_tries.c.puzzle_id == given.id, puzzle_tries.c.user_id == member_id
        changed = update(puzzle_tries).where(*own, _OPEN).values(**values)
        if steps is not None:
            changed = changed.where(puzzle_tries.c.steps == steps)
        if connection.execute(changed).rowcount == 1 and "solved" in values:
            connection.execute(_SOLVED, {"puzzle": given.id})
        return _read_try(connection, given, member_id)

    async def solved(self, server_id: ServerId, member_id: MemberId, now: int) -> Solved:
        """Return how many puzzles a member has solved on a server, and their streaks."""
        solved = select(puzzle_tries.c.day).where(
            puzzle_tries.c.guild_id == server_id,
            puzzle_tries.c.user_id == member_id,
            puzzle_tries.c.solved,
        )
        days = await self._fetch_scalars(solved)
        return Solved(len(days), *streaks({day for day in days if day}, day_of(now)))


def _read_try(connection: Connection, given: Given, member_id: MemberId) -> Try:
    """Return a member's try at a puzzle; one that hasn't begun if the member was erased."""
    names = ("steps", "missed", "ended_at", "solved", "day")
    own = puzzle_tries.c.puzzle_id == given.id, puzzle_tries.c.user_id == member_id
    columns = (puzzle_tries.c[name] for name in names)
    row = connection.execute(select(*columns).where(*own)).one_or_none()
    return Try(*row) if row else Try()
