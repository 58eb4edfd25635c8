"""Which finished matches have been shared. SQL only."""

from sqlalchemy import and_, or_, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.errors import retried
from bot.db.tables import matches
from bot.identity import MatchId, MessageId


class ShareStore:
    """The messages that share the matches of one database, at most one for each match."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    @retried
    async def claim(self, match_id: MatchId, now: int, since: int) -> bool:
        """Note that a match is being shared; return False if it is already, or has been.

        A claim from before `since` whose message is unknown doesn't count. Both are Unix seconds.
        Neither does one from before the match ended: its last move was taken back since.
        """
        cut_off = and_(matches.c.shared_id.is_(None), matches.c.shared_at < since)
        resumed = matches.c.shared_at < matches.c.ended_at
        claimed = (
            update(matches)
            .where(matches.c.id == match_id, or_(matches.c.shared_at.is_(None), cut_off, resumed))
            .values(shared_at=now, shared_id=None)
        )
        async with self._engine.begin() as connection:
            return (await connection.execute(claimed)).rowcount == 1

    async def message(self, match_id: MatchId) -> MessageId | None:
        """Return the message that shares a match, None while there is none."""
        found = select(matches.c.shared_id).where(matches.c.id == match_id)
        async with self._engine.connect() as connection:
            return (await connection.execute(found)).scalar_one_or_none()

    @retried
    async def shared(self, match_id: MatchId, message_id: MessageId) -> None:
        """Note the message that shares a match."""
        noted = update(matches).where(matches.c.id == match_id).values(shared_id=message_id)
        async with self._engine.begin() as connection:
            await connection.execute(noted)

    @retried
    async def release(self, match_id: MatchId) -> None:
        """Note that a match wasn't shared after all."""
        noted = update(matches).where(matches.c.id == match_id).values(shared_at=None)
        async with self._engine.begin() as connection:
            await connection.execute(noted)
