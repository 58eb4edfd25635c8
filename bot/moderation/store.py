"""A server's live matches in the database, and ending one."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from sqlalchemy import Connection, bindparam, func, select

from bot.db.database import Database
from bot.db.store import Store, transaction
from bot.db.tables import matches
from bot.identity import ChannelId, MatchId, MessageId, Person, Place, ServerId
from bot.matches.store import LIVE, LIVE_ON_SERVER, end_unread
from bot.moderation.model import CalledOff, ListedMatch
from core.outcome import Ending, Termination

_CloseInvitations: TypeAlias = Callable[[Connection, ChannelId], Sequence[MessageId | None]]
"""Closes a channel's open invitations; returns the messages that show them, None for unknown."""
_NoteCalledOff: TypeAlias = Callable[[Connection, MatchId, Person, int], None]
"""Notes who calls a match off, and when (Unix seconds), if its players can read that somewhere."""

_COUNT = select(func.count()).select_from(matches).where(LIVE_ON_SERVER)
_LISTED = (
    select(matches.c.id, matches.c.channel_id, matches.c.board_id, matches.c.started_at)
    .where(LIVE_ON_SERVER)
    .order_by(matches.c.id)
    .offset(bindparam("skipped"))
    .limit(bindparam("most"))
)


class ModerationStore(Store):
    """The live matches of one database, for its moderators."""

    def __init__(
        self,
        database: Database,
        close_invitations: _CloseInvitations,
        note_called_off: _NoteCalledOff,
    ):
        super().__init__(database)
        self._close_invitations = close_invitations
        self._note_called_off = note_called_off

    @transaction
    def call_off(
        self, connection: Connection, channel_id: ChannelId, by: Person, now: int
    ) -> CalledOff:
        """End the match of a channel, without a result, and its invitations; return both.

        None of them is read.
        """
        # Invitations come first: if one is accepted at this moment, its match is found below.
        closed = self._close_invitations(connection, channel_id)
        here = matches.c.channel_id == channel_id
        ended = end_unread(connection, LIVE & here, now, Ending(Termination.CALLED_OFF))
        match_id, board_id = ended[0] if ended else (None, None)
        if match_id is not None:
            self._note_called_off(connection, match_id, by, now)
        shown = tuple(message for message in closed if message is not None)
        return CalledOff(match_id, board_id, len(closed), shown)

    async def live(self, server_id: ServerId, skipped: int, most: int) -> list[ListedMatch]:
        """Return up to `most` live matches of a server, the oldest first; none of them is read."""
        some = {"server_id": server_id, "skipped": skipped, "most": most}
        return [
            ListedMatch(row.id, Place(server_id, row.channel_id), row.board_id, row.started_at)
            for row in await self._fetch(_LISTED, some)
        ]

    async def count_live(self, server_id: ServerId) -> int:
        """Return the number of live matches of a server."""
        return await self._fetch_scalar(_COUNT, {"server_id": server_id})
