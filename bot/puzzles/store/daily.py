"""When and where the puzzles of the day are posted, and the solvers that their posts tell."""

from sqlalchemy import Integer, NotNullable, bindparam, select, text, update

from bot.db.servers import removed
from bot.db.statements import upsert, write
from bot.db.store import Store
from bot.db.tables import UNTOLD, puzzle_servers, puzzles
from bot.identity import ChannelId, MessageId, PuzzleId, ServerId
from bot.puzzles.model import Daily, DuePost, Given, day_of

_POSTED = (puzzle_servers.c.channel_id.is_not(None), puzzle_servers.c.hour.is_not(None))
_UNTOLD = (
    select(puzzles.c.guild_id, puzzles.c.id, puzzles.c.solvers)
    .where(text(UNTOLD), puzzles.c.day >= bindparam("since"))
    .order_by(puzzles.c.day, puzzles.c.id)
    .limit(bindparam("most", type_=Integer))
)


class DailyStore(Store):
    """The posts on this process's servers; moments are in Unix seconds."""

    async def settings(self, server_id: ServerId) -> Daily:
        """Return a server's settings for the puzzle of the day."""
        columns = puzzle_servers.c
        chosen = select(columns.channel_id, columns.hour, columns.due_at, columns.failures)
        row = await self._fetch_one(chosen.where(columns.guild_id == server_id))
        return Daily(*row) if row else Daily()

    async def change(self, server_id: ServerId, settings: Daily) -> None:
        """Write a server's settings for the puzzle of the day."""
        await write(
            self._database, upsert, puzzle_servers, [{"guild_id": server_id, **vars(settings)}]
        )

    async def due(self, now: int, most: int) -> list[DuePost]:
        """Return up to `most` servers whose puzzle of the day is due by `now`.

        On a server that has removed the bot, none is due until its return: refused posts would
        switch the posts off.
        """
        columns = puzzle_servers.c
        here = ~removed(columns.guild_id), self._database.serves(columns.guild_id)
        due = (
            select(
                columns.guild_id,
                NotNullable(columns.channel_id),
                NotNullable(columns.hour),
                NotNullable(columns.due_at),
                columns.failures,
            )
            .where(columns.due_at <= now, *_POSTED, *here)
            .order_by(columns.due_at)
            .limit(most)
        )
        return [DuePost(*row) for row in await self._fetch(due)]

    async def note_next(self, due: DuePost, due_at: int | None, failures: int) -> None:
        """Note when the post after this one is due, unless the due time has changed meanwhile."""
        columns = puzzle_servers.c
        same = columns.guild_id == due.server_id, columns.due_at == due.due_at
        settled = update(puzzle_servers).where(*same).values(due_at=due_at, failures=failures)
        await self._execute(settled)

    async def note_posted(self, given: Given, channel_id: ChannelId, message_id: MessageId) -> None:
        """Note where a puzzle was posted."""
        own = update(puzzles).where(puzzles.c.id == given.id)
        await self._execute(own.values(channel_id=channel_id, message_id=message_id))

    async def untold(self, now: int, most: int) -> list[tuple[ServerId, PuzzleId, int]]:
        """Return up to `most` posts of today and yesterday whose number of solvers is out of date.

        Each comes with its server and the current number.
        """
        untold = _UNTOLD.where(self._database.serves(puzzles.c.guild_id))
        rows = await self._fetch(untold, {"since": day_of(now) - 1, "most": most})
        return [(row.guild_id, row.id, row.solvers) for row in rows]

    async def note_told(self, puzzle_id: PuzzleId, solvers: int) -> None:
        """Note the number of solvers that the post of a puzzle tells."""
        own = update(puzzles).where(puzzles.c.id == puzzle_id)
        await self._execute(own.values(told=solvers))
