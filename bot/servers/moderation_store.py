"""A server's live matches, and calling one off, whatever its row looks like."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.tables import invitations, matches, seats
from bot.invitations.model import InvitationStatus
from bot.leaderboard.lists import CalledOff, ListedMatch
from bot.matches.model import StoredMatch
from bot.matches.reading import reading
from bot.matches.rows import CorruptRowError, read_match
from bot.matches.store import LIVE
from core.outcome import Termination

_HERE = matches.c.channel_id == bindparam("channel")
_CALL_OFF = (
    update(matches)
    .where(_HERE, LIVE)
    .values(
        ended_at=bindparam("now"),
        ending=Termination.CALLED_OFF.value,
        ending_seat=None,
        computer_due=False,
        deadline=None,
        due_at=None,
    )
    .returning(matches.c.id, matches.c.board_id)
)
_NOBODY_WON = update(seats).where(seats.c.match_id == bindparam("match")).values(rank=1)
_CLOSE = (
    update(invitations)
    .where(
        invitations.c.channel_id == bindparam("channel"),
        invitations.c.status == InvitationStatus.OPEN.value,
    )
    .values(status=InvitationStatus.CALLED_OFF.value, revision=invitations.c.revision + 1)
    .returning(invitations.c.message_id)
)
_OF_SERVER = (matches.c.guild_id == bindparam("guild"), LIVE)
_COUNT = select(func.count()).select_from(matches).where(*_OF_SERVER)
_LISTED = (
    select(matches.c.id, matches.c.channel_id, matches.c.board_id, matches.c.started_at)
    .where(*_OF_SERVER)
    .order_by(matches.c.id)
    .offset(bindparam("skipped"))
    .limit(bindparam("most"))
)
_READ = reading(matches.c.id.in_(bindparam("ids", expanding=True)))


class ModerationStore:
    """What moderators see and end in one database."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    async def call_off(self, channel_id: int, now: int) -> CalledOff:
        """End whatever holds a channel, without reading it and without a result."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(_call_off, channel_id, now)

    async def live(self, guild_id: int, skipped: int, most: int) -> list[ListedMatch]:
        """Return some of the live matches of a server, the oldest first."""
        async with self._engine.connect() as connection:
            some = {"guild": guild_id, "skipped": skipped, "most": most}
            listed = (await connection.execute(_LISTED, some)).all()
            rows = (await connection.execute(_READ, {"ids": [row.id for row in listed]})).all()
        by_match: dict[int, list[Any]] = defaultdict(list)
        for row in rows:
            by_match[row.id].append(row)
        return [ListedMatch(*row, _readable(by_match[row.id])) for row in listed]

    async def count_live(self, guild_id: int) -> int:
        """Return how many live matches a server has."""
        async with self._engine.connect() as connection:
            return int((await connection.execute(_COUNT, {"guild": guild_id})).scalar_one())


def _call_off(connection: Connection, channel_id: int, now: int) -> CalledOff:
    # Invitations first: one that is being accepted in this moment is a match by then.
    closed = connection.execute(_CLOSE, {"channel": channel_id}).scalars().all()
    ended = connection.execute(_CALL_OFF, {"channel": channel_id, "now": now}).one_or_none()
    if ended is not None:
        connection.execute(_NOBODY_WON, {"match": ended.id})
    match_id, board_id = ended or (None, None)
    shown = tuple(message for message in closed if message is not None)
    return CalledOff(match_id, board_id, len(closed), shown)


def _readable(rows: Sequence[Any]) -> StoredMatch | None:
    try:
        return read_match(rows) if rows else None
    except CorruptRowError:
        return None
