"""The puzzles of all servers and the tries of their members, in one database. SQL only.

A server's next puzzle is chosen while its row in `puzzle_servers` is locked, so that of two members
who ask in the same moment, the second one's choice knows of the first one's.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    and_,
    case,
    exists,
    func,
    literal,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.database import insert_into, upsert
from bot.db.errors import retried
from bot.db.shares import served
from bot.db.tables import matches, puzzle_servers, puzzle_tries, puzzles, seats
from bot.identity import ChannelId, MatchId, MemberId, MessageId, PuzzleId, ServerId
from bot.puzzles.model import (
    DAY,
    Daily,
    DuePost,
    Given,
    Solved,
    Source,
    Times,
    Try,
    UnreadablePuzzleError,
    day_of,
    streaks,
)
from bot.shards import Shards
from core.engine.puzzles import Difficulty
from core.errors import RecordError
from core.games import GAMES
from core.puzzles import GamePuzzle, Shipped, read, shipped, write

log = logging.getLogger(__name__)

# No puzzle comes twice within this time.
_YEAR = 365 * DAY
# One in so many shipped puzzles is for those who want more than the puzzle of the day.
_EXTRA = 5
# A server that hasn't asked for a puzzle for so long gets no new ones from its matches.
_INTEREST = 14 * DAY
# So many puzzles of its matches wait for a server at most.
_STOCK = 10
# How many puzzles are read when one is to be given, in case some of them are corrupt.
_MOST_LOOKED_AT = 50
# Matches are searched from a day after their end, when nobody takes a move back any more; those
# that ended long before a server's first puzzle aren't.
_SETTLED, _OLD = DAY, 30 * DAY

_OPEN = puzzle_tries.c.ended_at.is_(None)
_TRIED = puzzle_tries.c.puzzle_id == puzzles.c.id
_SOLVERS = (
    select(func.count())
    .select_from(puzzle_tries)
    .where(_TRIED, puzzle_tries.c.solved)
    .scalar_subquery()
)
_POSTED = (puzzle_servers.c.channel_id.is_not(None), puzzle_servers.c.hour.is_not(None))


class PuzzleStore:
    """The puzzles on the servers of `shards`; `clock` gives Unix seconds, `rng` chooses."""

    def __init__(
        self,
        engine: AsyncEngine,
        clock: Callable[[], int],
        rng: Random,
        shards: Shards = Shards.ALL,
    ):
        self._engine = engine
        self._clock = clock
        self._rng = rng
        self._shards = shards

    # The puzzles that a server is given

    @retried
    async def today(self, server_id: ServerId) -> Given | None:
        """Return the puzzle of the day, chosen now if it wasn't; None if there is none left."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(self._today, server_id)

    def _today(self, connection: Connection, server_id: ServerId) -> Given | None:
        now = self._clock()
        _lock(connection, server_id)
        of_day = puzzles.c.guild_id == server_id, puzzles.c.day == day_of(now)
        known = _first_readable(connection, select(puzzles).where(*of_day))
        if known is not None:
            return known
        # One that can't be read leaves its day to another.
        connection.execute(update(puzzles).where(*of_day).values(day=None))
        waiting = (
            select(puzzles)
            .where(puzzles.c.guild_id == server_id, puzzles.c.given_at.is_(None))
            .order_by(puzzles.c.id.desc())
            .limit(_MOST_LOOKED_AT)
        )
        own = _first_readable(connection, waiting)
        if own is None:
            return self._from_shipped(connection, server_id, None, now, day_of(now))
        given = {"given_at": now, "day": day_of(now)}
        connection.execute(update(puzzles).where(puzzles.c.id == own.id).values(**given))
        return _first(connection, select(puzzles).where(puzzles.c.id == own.id))

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
        meant = [one for number, one in free if (number % _EXTRA == 0) is (day is None)]
        # A day may take what is for others; those leave the days theirs.
        choice = meant or ([one for _, one in free] if day is not None else [])
        if not choice:
            return None
        chosen = self._rng.choice(choice)
        return _insert(connection, server_id, chosen, given_at=now, day=day)

    @retried
    async def beside(
        self, server_id: ServerId, member_id: MemberId, difficulty: Difficulty | None
    ) -> Given | None:
        """Return a puzzle beside that of the day which the member hasn't ended.

        It is one that they have opened, one that others had, a new one, or that of an earlier day.
        None if there is none.
        """
        async with self._engine.begin() as connection:
            return await connection.run_sync(self._beside, server_id, member_id, difficulty)

    def _beside(
        self,
        connection: Connection,
        server_id: ServerId,
        member_id: MemberId,
        difficulty: Difficulty | None,
    ) -> Given | None:
        now = self._clock()
        _lock(connection, server_id)
        fitting = puzzles.c.difficulty == difficulty if difficulty else literal(value=True)
        today = and_(puzzles.c.day.is_not(None), puzzles.c.day == day_of(now))
        here = puzzles.c.guild_id == server_id, puzzles.c.given_at > now - _YEAR
        had = select(puzzles).where(*here, ~today, fitting).limit(_MOST_LOOKED_AT)
        own = _TRIED, puzzle_tries.c.user_id == member_id
        opened = had.join(puzzle_tries, and_(*own)).where(_OPEN)
        untried = had.where(~exists().where(*own))
        extras = untried.where(puzzles.c.day.is_(None)).order_by(puzzles.c.id)
        return (
            _first_readable(connection, opened.order_by(puzzle_tries.c.opened_at.desc()))
            or _first_readable(connection, extras)
            or self._from_shipped(connection, server_id, difficulty, now, None)
            or _first_readable(connection, untried.order_by(puzzles.c.id.desc()))
        )

    async def get(self, server_id: ServerId, puzzle_id: PuzzleId) -> Given | None:
        """Return a puzzle that a server was given.

        None if there is none with this id, or it can't be read.
        """
        here = puzzles.c.guild_id == server_id, puzzles.c.given_at.is_not(None)
        own = select(puzzles).where(puzzles.c.id == puzzle_id, *here)
        async with self._engine.connect() as connection:
            return await connection.run_sync(_first_readable, own)

    async def before(self, given: Given) -> Given | None:
        """Return the last puzzle of a day before that of `given` that was posted.

        None if there is none, or it can't be read.
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
        async with self._engine.connect() as connection:
            return await connection.run_sync(_first_readable, earlier)

    async def source(self, given: Given) -> list[Source]:
        """Return the players of the match from which a puzzle comes, by seat; none for others."""
        sat = (
            select(seats.c.user_id, seats.c.name, seats.c.level)
            .where(seats.c.match_id == given.match_id)
            .order_by(seats.c.seat)
        )
        async with self._engine.connect() as connection:
            return [Source(*row) for row in await connection.execute(sat)]

    # Tries

    @retried
    async def open(self, given: Given, member_id: MemberId) -> Try:
        """Return a member's try at a puzzle, begun now if it wasn't, and note that it is seen."""
        now = self._clock()
        async with self._engine.begin() as connection:
            begun = insert_into(connection, puzzle_tries)
            begun = begun.values(
                puzzle_id=given.id,
                user_id=member_id,
                guild_id=given.server_id,
                opened_at=now,
                seen_at=now,
            )
            seen = begun.on_conflict_do_update(
                index_elements=[puzzle_tries.c.puzzle_id, puzzle_tries.c.user_id],
                set_={"seen_at": now},
                where=_OPEN & (puzzle_tries.c.seen_at < now),
            )
            await connection.execute(seen)
            row = (await connection.execute(_own(given.id, member_id))).mappings().one()
        return _read_try(row)

    async def current(self, server_id: ServerId, member_id: MemberId) -> PuzzleId | None:
        """Return the puzzle that a member has seen last and not ended, None for none."""
        last = (
            select(puzzle_tries.c.puzzle_id)
            .where(puzzle_tries.c.guild_id == server_id, puzzle_tries.c.user_id == member_id, _OPEN)
            .order_by(puzzle_tries.c.seen_at.desc(), puzzle_tries.c.puzzle_id.desc())
            .limit(1)
        )
        async with self._engine.connect() as connection:
            return (await connection.execute(last)).scalar_one_or_none()

    @retried
    async def found(self, given: Given, member_id: MemberId, steps: int) -> Try:
        """Note that a member who had found `steps` has found one more; return their try.

        Nothing is noted if the try has gone on meanwhile.
        """
        now = self._clock()
        values: dict[str, object] = {"steps": steps + 1}
        if steps + 1 == len(given.steps):
            on_its_day = given.day == day_of(now)
            counting = case((puzzle_tries.c.missed, null()), else_=given.day)
            values |= {"ended_at": now, "solved": True, "day": counting if on_its_day else None}
        return await self._change(given, member_id, steps, values)

    @retried
    async def missed(self, given: Given, member_id: MemberId, steps: int) -> Try:
        """Note a wrong move of a member who has found `steps`; return their try, as `found`."""
        return await self._change(given, member_id, steps, {"missed": True})

    @retried
    async def give_up(self, given: Given, member_id: MemberId) -> Try:
        """Note that a member had the solution shown; return their try, as `found`."""
        given_up: dict[str, object] = {"missed": True, "ended_at": self._clock()}
        return await self._change(given, member_id, None, given_up)

    async def _change(
        self, given: Given, member_id: MemberId, steps: int | None, values: dict[str, object]
    ) -> Try:
        own = puzzle_tries.c.puzzle_id == given.id, puzzle_tries.c.user_id == member_id
        changed = update(puzzle_tries).where(*own, _OPEN).values(**values)
        if steps is not None:
            changed = changed.where(puzzle_tries.c.steps == steps)
        async with self._engine.begin() as connection:
            await connection.execute(changed)
            row = (await connection.execute(_own(given.id, member_id))).mappings().one()
        return _read_try(row)

    async def solved(self, server_id: ServerId, member_id: MemberId) -> Solved:
        """Return how many puzzles a member has solved on a server, and their streaks."""
        own = puzzle_tries.c.guild_id == server_id, puzzle_tries.c.user_id == member_id
        count = select(func.count()).select_from(puzzle_tries).where(*own, puzzle_tries.c.solved)
        counted = select(puzzle_tries.c.day).where(*own, puzzle_tries.c.day.is_not(None))
        async with self._engine.connect() as connection:
            solved = (await connection.execute(count)).scalar_one()
            days = (await connection.execute(counted)).scalars().all()
        return Solved(solved, *streaks({day for day in days if day}, day_of(self._clock())))

    async def times(self, given: Given, member_id: MemberId) -> Times:
        """Return the best time of a member for puzzles as hard as this one, and its fastest."""
        taken = puzzle_tries.c.ended_at - puzzle_tries.c.opened_at
        first = puzzle_tries.c.solved, ~puzzle_tries.c.missed
        fastest = select(func.min(taken)).where(puzzle_tries.c.puzzle_id == given.id, *first)
        own = (
            select(func.min(taken))
            .join_from(puzzle_tries, puzzles, _TRIED)
            .where(
                puzzle_tries.c.guild_id == given.server_id,
                puzzle_tries.c.user_id == member_id,
                puzzles.c.difficulty == given.found.puzzle.difficulty,
                *first,
            )
        )
        async with self._engine.connect() as connection:
            return Times(
                (await connection.execute(own)).scalar_one_or_none(),
                (await connection.execute(fastest)).scalar_one_or_none(),
            )

    # The puzzle of the day

    async def daily(self, server_id: ServerId) -> Daily:
        """Return a server's settings for the puzzle of the day."""
        columns = puzzle_servers.c
        chosen = select(columns.channel_id, columns.hour, columns.due_at, columns.failures)
        async with self._engine.connect() as connection:
            found = await connection.execute(chosen.where(columns.guild_id == server_id))
            row = found.one_or_none()
        return Daily(*row) if row else Daily()

    @retried
    async def set_daily(self, server_id: ServerId, daily: Daily) -> None:
        """Write a server's settings for the puzzle of the day."""
        row: dict[str, object] = {"guild_id": server_id, **vars(daily)}
        async with self._engine.begin() as connection:
            await connection.run_sync(upsert, puzzle_servers, [row])

    async def due(self, now: int, most: int) -> list[DuePost]:
        """Return up to `most` servers whose puzzle of the day is due by `now`."""
        columns = puzzle_servers.c
        due = (
            select(
                columns.guild_id,
                columns.channel_id,
                columns.hour,
                columns.due_at,
                columns.failures,
            )
            .where(columns.due_at <= now, *_POSTED, served(columns.guild_id, self._shards))
            .order_by(columns.due_at)
            .limit(most)
        )
        async with self._engine.connect() as connection:
            return [DuePost(*row) for row in (await connection.execute(due)).all()]  # type: ignore[arg-type]

    @retried
    async def claim(self, due: DuePost, until: int) -> bool:
        """Claim a due post until then; return whether the caller is the one to send it."""
        return await self._set_due(due, due.due_at, due_at=until)

    @retried
    async def settle(self, due: DuePost, seen: int, due_at: int | None, failures: int) -> None:
        """Note when the next post is due after one that was claimed until `seen`."""
        await self._set_due(due, seen, due_at=due_at, failures=failures)

    async def _set_due(self, due: DuePost, seen: int, **values: int | None) -> bool:
        columns = puzzle_servers.c
        changed = (
            update(puzzle_servers)
            .where(columns.guild_id == due.server_id, columns.due_at == seen)
            .values(**values)
        )
        async with self._engine.begin() as connection:
            return (await connection.execute(changed)).rowcount == 1

    @retried
    async def begin_posting(self, given: Given, now: int) -> int | None:
        """Note that a puzzle is about to be posted; return since when, None if it was posted."""
        begun = func.coalesce(puzzles.c.posting_at, now)
        begin = (
            update(puzzles)
            .where(puzzles.c.id == given.id, puzzles.c.message_id.is_(None))
            .values(posting_at=begun)
            .returning(puzzles.c.posting_at)
        )
        async with self._engine.begin() as connection:
            return (await connection.execute(begin)).scalar_one_or_none()

    @retried
    async def not_posted(self, given: Given) -> None:
        """Note that a post certainly hasn't arrived."""
        async with self._engine.begin() as connection:
            own = update(puzzles).where(puzzles.c.id == given.id)
            await connection.execute(own.values(posting_at=None))

    @retried
    async def posted(self, given: Given, channel_id: ChannelId, message_id: MessageId) -> None:
        """Note where a puzzle was posted."""
        async with self._engine.begin() as connection:
            own = update(puzzles).where(puzzles.c.id == given.id)
            await connection.execute(own.values(channel_id=channel_id, message_id=message_id))

    async def untold(self, most: int) -> list[tuple[ServerId, PuzzleId, int]]:
        """Return up to `most` posts of today and yesterday that don't tell how many solved them.

        Each comes with its server and the number of solvers.
        """
        behind = _behind(day_of(self._clock()) - 1).where(served(puzzles.c.guild_id, self._shards))
        async with self._engine.connect() as connection:
            return [
                (row.guild_id, row.id, row.solvers)
                for row in await connection.execute(behind.limit(most))
            ]

    @retried
    async def tell(self, puzzle_id: PuzzleId, solvers: int) -> None:
        """Note how many solvers the post of a puzzle tells."""
        async with self._engine.begin() as connection:
            own = update(puzzles).where(puzzles.c.id == puzzle_id)
            await connection.execute(own.values(told=solvers))

    # Puzzles from matches

    @retried
    async def asked(self, server_id: ServerId) -> None:
        """Note that a server wants puzzles now."""
        row = {"guild_id": server_id, "asked_at": self._clock()}
        async with self._engine.begin() as connection:
            await connection.run_sync(upsert, puzzle_servers, [row])

    async def hungry(self, most: int) -> Sequence[ServerId]:
        """Return up to `most` servers with matches to be searched, in turn.

        They want puzzles and have few waiting.
        """
        columns, now = puzzle_servers.c, self._clock()
        waiting = (
            select(func.count())
            .select_from(puzzles)
            .where(puzzles.c.guild_id == columns.guild_id, puzzles.c.given_at.is_(None))
            .scalar_subquery()
        )
        interested = or_(columns.due_at.is_not(None), columns.asked_at > now - _INTEREST)
        searchable = exists().where(*_unsearched(now))
        wanting = (
            select(columns.guild_id)
            .where(interested, waiting < _STOCK, searchable, served(columns.guild_id, self._shards))
            .order_by(columns.searched_to)
            .limit(most)
        )
        async with self._engine.connect() as connection:
            return (await connection.execute(wanting)).scalars().all()

    async def unsearched(self, server_id: ServerId) -> tuple[MatchId, int] | None:
        """Return the next match of a server to be searched and when it ended; None for none."""
        following = (
            select(matches.c.id, matches.c.ended_at)
            .where(puzzle_servers.c.guild_id == server_id, *_unsearched(self._clock()))
            .order_by(matches.c.ended_at, matches.c.id)
            .limit(1)
        )
        async with self._engine.connect() as connection:
            row = (await connection.execute(following)).one_or_none()
        return None if row is None or row.ended_at is None else (row.id, row.ended_at)

    @retried
    async def searched(
        self,
        server_id: ServerId,
        match_id: MatchId,
        ended_at: int,
        found: Collection[GamePuzzle],
    ) -> None:
        """Keep the puzzles of a match, except those that the server has had already."""
        async with self._engine.begin() as connection:
            await connection.run_sync(_keep, server_id, match_id, ended_at, found)


def _behind(since: int) -> Select[ServerId, PuzzleId, int]:
    """Return the posts from this day on that don't tell how many solved them."""
    return (
        select(puzzles.c.guild_id, puzzles.c.id, _SOLVERS.label("solvers"))
        .where(puzzles.c.day >= since, puzzles.c.message_id.is_not(None))
        .where(puzzles.c.told != _SOLVERS)
        .order_by(puzzles.c.day, puzzles.c.id)
    )


def _unsearched(now: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for a match of a server in `puzzle_servers` that is to be searched."""
    return (
        matches.c.guild_id == puzzle_servers.c.guild_id,
        matches.c.game.in_([key for key, game in GAMES.items() if game.seats == 2]),
        matches.c.ended_at > now - _OLD,
        matches.c.ended_at >= puzzle_servers.c.searched_to,
        or_(
            matches.c.ended_at > puzzle_servers.c.searched_to,
            matches.c.id > puzzle_servers.c.searched_id,
        ),
        matches.c.ended_at < now - _SETTLED,
    )


def _keep(
    connection: Connection,
    server_id: ServerId,
    match_id: MatchId,
    ended_at: int,
    found: Collection[GamePuzzle],
) -> None:
    _lock(connection, server_id)
    for one in found:
        same = select(puzzles.c.id).where(
            puzzles.c.guild_id == server_id, puzzles.c.start == one.key
        )
        if connection.execute(same).first() is None:
            _insert(connection, server_id, Shipped(write(one)), match_id=match_id)
    own = update(puzzle_servers).where(puzzle_servers.c.guild_id == server_id)
    connection.execute(own.values(searched_to=ended_at, searched_id=match_id))


def _lock(connection: Connection, server_id: ServerId) -> None:
    """Lock the row of a server until the transaction ends; make it if there is none."""
    statement = insert_into(connection, puzzle_servers).values(guild_id=server_id)
    same = {"guild_id": statement.excluded.guild_id}
    connection.execute(
        statement.on_conflict_do_update(index_elements=[puzzle_servers.c.guild_id], set_=same)
    )


def _insert(
    connection: Connection, server_id: ServerId, one: Shipped, **more: int | None
) -> Given | None:
    row = {
        "guild_id": server_id,
        "game": one.game,
        "difficulty": one.difficulty,
        "start": one.key,
        "line": one.line,
        **more,
    }
    inserted = insert_into(connection, puzzles).values(**row).returning(puzzles.c.id)
    puzzle_id = connection.execute(inserted).scalar_one()
    return _first(connection, select(puzzles).where(puzzles.c.id == puzzle_id))


def _own(puzzle_id: PuzzleId, member_id: MemberId) -> Select[Any]:
    own: ColumnElement[bool] = puzzle_tries.c.puzzle_id == puzzle_id
    return select(puzzle_tries).where(own, puzzle_tries.c.user_id == member_id)


def _first(connection: Connection, statement: Select[Any]) -> Given | None:
    row = connection.execute(statement).mappings().first()
    return None if row is None else _read_given(row)


def _first_readable(connection: Connection, statement: Select[Any]) -> Given | None:
    """Return the first puzzle that can be read; those before it are left out."""
    for row in connection.execute(statement).mappings():
        try:
            return _read_given(row)
        except UnreadablePuzzleError as error:
            log.warning("%s is left out", error)
    return None


def _read_given(row: RowMapping) -> Given:
    """Return the puzzle in a row; raise UnreadablePuzzleError."""
    try:
        found = read(row["line"])
    except RecordError as error:
        raise UnreadablePuzzleError(f"puzzle {row['id']}: {error}") from error
    return Given(
        row["id"],
        row["guild_id"],
        found,
        row["day"],
        row["match_id"],
        row["channel_id"],
        row["message_id"],
    )


def _read_try(row: RowMapping) -> Try:
    names = ("opened_at", "steps", "missed", "ended_at", "solved", "day")
    return Try(*(row[name] for name in names))
