"""Which finished matches have been shared. SQL only."""

from sqlalchemy import select, update

from bot.db.store import Store
from bot.db.tables import matches
from bot.identity import MatchId, MessageId


class ShareStore(Store):
    """The messages that share the matches of one database, at most one for each match."""

    async def message(self, match_id: MatchId) -> MessageId | None:
        """Return the message that shares a match, None if there is none.

        A message from before the match ended doesn't count: it shows an earlier end, which was
        undone since.
        """
        found = select(matches.c.shared_id).where(
            matches.c.id == match_id, matches.c.shared_at >= matches.c.ended_at
        )
        return await self._fetch_scalar_or_none(found)

    async def note(self, match_id: MatchId, message_id: MessageId, now: int) -> None:
        """Note the message that shares a match since `now` (Unix seconds)."""
        noting = update(matches).where(matches.c.id == match_id)
        noting = noting.values(shared_id=message_id, shared_at=now)
        await self._execute(noting)
