"""Which finished matches have been shared. SQL only."""

from sqlalchemy import and_, or_, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.statements import change, fetch_scalar_or_none
from bot.db.tables import matches
from bot.identity import MatchId, MessageId


class ShareStore:
    """The messages that share the matches of one database, at most one for each match."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

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
        return await change(self._engine, claimed) == 1

    async def message(self, match_id: MatchId) -> MessageId | None:
        """Return the message that shares a match, None while there is none."""
        found = select(matches.c.shared_id).where(matches.c.id == match_id)
        return await fetch_scalar_or_none(self._engine, found)

    async def shared(self, match_id: MatchId, message_id: MessageId) -> None:
        """Note the message that shares a match."""
        noted = update(matches).where(matches.c.id == match_id).values(shared_id=message_id)
        await change(self._engine, noted)

    async def release(self, match_id: MatchId) -> None:
        """Note that a match wasn't shared after all."""
        noted = update(matches).where(matches.c.id == match_id).values(shared_at=None)
        await change(self._engine, noted)
