"""The channel that a live match holds, alone: which match has it, and how that changes.

An archived match holds none until it is brought back.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    or_,
    select,
    union_all,
    update,
)

from bot.db.database import Database
from bot.db.errors import ChangedError, unique
from bot.db.servers import in_channels_of_server
from bot.db.store import Store, transaction
from bot.db.tables import LIVE_CHANNEL, matches, offers, seats
from bot.identity import POSTING, ChannelId, MatchId, MessageId, Place
from bot.matches.clock import timing_elsewhere
from bot.matches.model import StoredMatch
from bot.matches.rows import ending_columns, reading
from bot.matches.store.boards import BoardIds, write_old_boards
from bot.matches.store.start import ChannelTakenError
from bot.matches.store.turns import end_offers
from core.outcome import NO_RESULT, Ending, Termination

HERE = matches.c.channel_id == bindparam("channel_id")
LIVE = matches.c.ended_at.is_(None) & matches.c.put_away_at.is_(None)
LIVE_ON_SERVER = LIVE & (matches.c.guild_id == bindparam("server_id"))
# For a place without a server, whose `server_id` is NULL, these are the channel's matches alone.
IN_PLACE = or_(HERE, *in_channels_of_server(matches))


def ended_by_none_of(terminations: Collection[Termination]) -> ColumnElement[bool]:
    """Return the condition for matches that didn't end by one of these."""
    others = (matches.c.ending != termination for termination in sorted(terminations))
    return or_(matches.c.ending.is_(None), and_(*others))


# A match that ended without a move and without a result has nothing to show.
EVENTFUL = or_(matches.c.moves != "", ended_by_none_of(NO_RESULT))


def _last_here(left: Column[Any]) -> Select[MatchId, int]:
    """Return the statement for the match that has `left` its channel last, and when it did.

    It needn't be the newest match: an older one may have been resumed, or have come from elsewhere.
    """
    return (
        select(matches.c.id, left.label("left_at"))
        .where(HERE, left.is_not(None))
        .order_by(left.desc(), matches.c.id.desc())
        .limit(1)
    )


_ENDED_LAST = _last_here(matches.c.ended_at)
_ARCHIVED_LAST = _last_here(matches.c.put_away_at)
# Two subqueries, because each then uses an index.
_LEFT = union_all(select(_ENDED_LAST.subquery()), select(_ARCHIVED_LAST.subquery())).subquery()
_LEFT_LAST = select(_LEFT.c.id).order_by(_LEFT.c.left_at.desc(), _LEFT.c.id.desc()).limit(1)
_LIVE_ID = select(matches.c.id).where(HERE, LIVE)
_LATEST_ID = func.coalesce(_LIVE_ID.scalar_subquery(), _LEFT_LAST.scalar_subquery())

LIVE_HERE = reading(HERE & LIVE)
LATEST_HERE = reading(matches.c.id == _LATEST_ID)
_ENDED_LAST_ID = _ENDED_LAST.with_only_columns(matches.c.id).where(EVENTFUL)
FINISHED_HERE = reading(matches.c.id == _ENDED_LAST_ID.scalar_subquery())
_OWN_ENDED_LAST_ID = _ENDED_LAST.with_only_columns(matches.c.id).where(
    exists().where(seats.c.match_id == matches.c.id, seats.c.user_id == bindparam("user_id"))
)
FINISHED_OWN_HERE = reading(matches.c.id == _OWN_ENDED_LAST_ID.scalar_subquery())
FINISHED_BEFORE = (
    select(matches.c.id, matches.c.board_id)
    .where(HERE, matches.c.id < bindparam("match_id"), matches.c.ended_at.is_not(None))
    .order_by(matches.c.ended_at.desc(), matches.c.id.desc())
    .limit(1)
)

# If a move and an archiving come at once, only one of them changes the match.
_LIVE_AS_READ = update(matches).where(
    matches.c.id == bindparam("match_id"), matches.c.revision == bindparam("seen"), LIVE
)
_POSTS = matches.c.context.in_(sorted(POSTING))
# NULL where the bot can't post: no start could change the board there.
_BOARD_TO_MARK = case((_POSTS, matches.c.board_id)).label("board_id")
_ARCHIVE = _LIVE_AS_READ.values(due_at=None, put_away_at=bindparam("now")).returning(
    matches.c.id, _BOARD_TO_MARK
)
_BRING_BACK = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"), matches.c.put_away_at.is_not(None))
    .values(
        put_away_at=None,
        due_at=bindparam("due"),
        moved_at=bindparam("now"),
        revision=matches.c.revision + 1,
    )
)
# A match that is over already, and gets a result by hand, keeps the time of its end.
_END = (
    update(matches)
    .values(
        ended_at=func.coalesce(matches.c.ended_at, bindparam("now")),
        moved_at=bindparam("now"),
        revision=matches.c.revision + 1,
        ending=bindparam("ending"),
        ending_seat=bindparam("ending_seat"),
        computer_due=False,
        unrated=None,
        deadline=None,
        due_at=None,
    )
    .returning(matches.c.id, matches.c.board_id)
)
# The board stays behind when a match goes to another channel. `shown` gets the new revision, so
# that a board of the old channel doesn't count as current if it is noted later.
_ELSEWHERE: dict[str, Any] = {
    "channel_id": bindparam("channel"),
    "board_id": None,
    "shown": matches.c.revision + 1,
}
_BRING_BACK_ELSEWHERE = _BRING_BACK.values(_ELSEWHERE)
_MOVE = _LIVE_AS_READ.values(
    **_ELSEWHERE,
    moved_at=bindparam("now"),
    revision=matches.c.revision + 1,
    deadline=bindparam("new_deadline"),
    due_at=bindparam("new_due"),
)


class Holding(Store):
    """Lets matches give up their channels, get them back, and move to others."""

    def __init__(self, database: Database, board_ids: BoardIds):
        super().__init__(database)
        self._board_ids = board_ids

    async def archive(self, stored: StoredMatch, now: int) -> bool:
        """Archive a match, which frees its channel; return False if it has changed since.

        Its board counts as an old one until it says that the match is archived. If the program ends
        before that, the next start sees to it.
        """
        await self._board_ids.write()  # so that the archiving reads the newest board
        archived = await self._archive(stored, now)
        if archived is not None and archived.board_id is not None:
            self._board_ids.note_written(archived.id, archived.board_id)
        return archived is not None

    @transaction
    def _archive(
        self, connection: Connection, stored: StoredMatch, now: int
    ) -> Row[MatchId, MessageId | None] | None:
        """Return the id of the match that is archived now, and its board if it is to be marked."""
        values = {"match_id": stored.id, "seen": stored.revision, "now": now}
        archived = connection.execute(_ARCHIVE, values).one_or_none()
        if archived is None:
            return None
        # It may go on in another channel, and the messages that ask players to agree stay here.
        end_offers(connection, archived.id)
        if archived.board_id is not None:
            write_old_boards(connection, {archived.board_id: archived.id})
        return archived

    async def bring_back(
        self, archived: StoredMatch, channel_id: ChannelId, due_at: int | None, now: int
    ) -> None:
        """Give an archived match its channel again, or another one of its server.

        The match is then due at `due_at`, in Unix seconds, None for never. Raises ChangedError if
        it isn't archived, and ChannelTakenError.
        """
        moves = channel_id != archived.place.channel_id
        bringing = _BRING_BACK_ELSEWHERE if moves else _BRING_BACK
        values = {"match_id": archived.id, "channel": channel_id, "due": due_at, "now": now}
        with unique(LIVE_CHANNEL, ChannelTakenError):
            if await self._execute(bringing, values) != 1:
                raise ChangedError
        if moves:
            self._board_ids.forget(archived.id)

    async def move(self, stored: StoredMatch, place: Place, now: int) -> StoredMatch:
        """Return a live match, moved to another channel of its server; its clock goes on.

        Raises ChangedError if it has changed since, and ChannelTakenError.
        """
        going_on = timing_elsewhere(stored.timing, stored.clock, now)
        moved = replace(stored, place=place, timing=going_on, moved_at=now, board_id=None)
        await self._move(moved)
        self._board_ids.forget(stored.id)
        return replace(moved, revision=stored.revision + 1)

    @transaction
    def _move(self, connection: Connection, moved: StoredMatch) -> None:
        values: dict[str, int | None] = {"match_id": moved.id, "seen": moved.revision}
        values |= {"channel": moved.place.channel_id, "now": moved.moved_at}
        values |= {"new_deadline": moved.timing.deadline, "new_due": moved.timing.due_at}
        with unique(LIVE_CHANNEL, ChannelTakenError):
            if connection.execute(_MOVE, values).rowcount != 1:
                raise ChangedError
        # The messages that ask players to agree to the offers stay in the old channel, too.
        end_offers(connection, moved.id)

    @transaction
    def strand_unread(self, connection: Connection, channel_id: ChannelId, now: int) -> None:
        """End the live match of a deleted channel, if there is one; it may be damaged."""
        here = matches.c.channel_id == channel_id
        end_unread(connection, LIVE & here, now, Ending(Termination.STRANDED))


def end_unread(
    connection: Connection, which: ColumnElement[bool], now: int, ending: Ending
) -> Sequence[Row[MatchId, MessageId | None]]:
    """End the matches that `which` selects; return ids and boards.

    None of them is rated. The matches aren't read, so damaged ones end too. If the program ends
    before the ends are shown, the next start shows them.
    """
    values = {"now": now, **ending_columns(ending)}
    ended = connection.execute(_END.where(which), values).all()
    if left := {row.board_id: row.id for row in ended if row.board_id is not None}:
        write_old_boards(connection, left)
    ending_offers = update(offers).where(offers.c.match_id.in_([row.id for row in ended]))
    connection.execute(ending_offers.values(ply=None))
    return ended
