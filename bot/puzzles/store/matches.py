"""Puzzles from the matches of servers: the matches to search next, and the puzzles found."""

from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, Connection, NotNullable, exists, func, or_, select, update

from bot.db.servers import removed
from bot.db.store import Store, transaction
from bot.db.tables import matches, puzzle_servers, puzzles
from bot.identity import MatchId, ServerId
from bot.puzzles.rows import insert, lock
from bot.times import DAY
from core.games import GAMES
from core.puzzles import GamePuzzle, PuzzleLine
from core.puzzles import write as written

# Without a puzzle of the day, the matches of a server are searched if a member has asked for a
# puzzle within this time.
_INTEREST = 14 * DAY
# The most puzzles from its own matches that wait for a server.
_STOCK = 10
# Matches are searched from a day after their end on, when nobody takes a move back any more. After
# 30 days they aren't: a server may have many when it asks for its first puzzle.
_SETTLED, _OLD = DAY, 30 * DAY


class SearchedStore(Store):
    """The ended matches on this process's servers; moments are in Unix seconds."""

    async def to_search(self, last: ServerId, most: int, now: int) -> Sequence[ServerId]:
        """Return up to `most` servers with matches to be searched, in turn after `last`.

        These servers have the bot, want puzzles, and have few waiting.
        """
        columns = puzzle_servers.c
        waiting = (
            select(func.count())
            .select_from(puzzles)
            .where(puzzles.c.guild_id == columns.guild_id, puzzles.c.given_at.is_(None))
            .scalar_subquery()
        )
        interested = or_(columns.due_at.is_not(None), columns.asked_at > now - _INTEREST)
        searchable = exists().where(*_unsearched(now))
        here = ~removed(columns.guild_id), self._database.serves(columns.guild_id)
        wanting = (
            select(columns.guild_id)
            .where(interested, waiting < _STOCK, searchable, *here)
            .order_by(columns.guild_id)
        )
        # In the order of the key, so that the database reads no more servers than it has to.
        after = wanting.where(columns.guild_id > last).limit(most)
        found = await self._fetch_scalars(after)
        before = wanting.where(columns.guild_id <= last).limit(most - len(found))
        return [*found, *await self._fetch_scalars(before)]

    async def unsearched(self, server_id: ServerId, now: int) -> tuple[MatchId, int] | None:
        """Return the next match of a server to search, and when it ended; None for none."""
        following = (
            select(matches.c.id, NotNullable(matches.c.ended_at))
            .where(puzzle_servers.c.guild_id == server_id, *_unsearched(now))
            .order_by(matches.c.ended_at, matches.c.id)
            .limit(1)
        )
        row = await self._fetch_one(following)
        return None if row is None else (row.id, row.ended_at)

    @transaction
    def note_searched(
        self,
        connection: Connection,
        server_id: ServerId,
        match_id: MatchId,
        ended_at: int,
        found: Collection[GamePuzzle],
    ) -> None:
        """Keep the puzzles of a match, except those that the server has had already."""
        lock(connection, server_id)
        for one in found:
            same = select(puzzles.c.id).where(
                puzzles.c.guild_id == server_id, puzzles.c.start == one.key
            )
            if connection.execute(same).first() is None:
                insert(connection, server_id, PuzzleLine(written(one)), match_id=match_id)
        own = update(puzzle_servers).where(puzzle_servers.c.guild_id == server_id)
        connection.execute(own.values(searched_to=ended_at, searched_id=match_id))


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
