"""The channel that a live match holds, alone: which match has it, and how that changes.

An archived match holds none until it is brought back.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Row,
    Select,
    Update,
    and_,
    bindparam,
    case,
    delete,
    func,
    or_,
    select,
    union_all,
    update,
)

from bot.db.errors import ChangedError, unique
from bot.db.prepared import PreparedSelect
from bot.db.tables import LIVE_CHANNEL, matches, offers
from bot.identity import POSTING, ChannelId, MatchId, MessageId, Place
from bot.matches.clock import timing
from bot.matches.model import StoredMatch
from bot.matches.rows import ending_columns, reading
from bot.matches.store.boards import write_old_boards
from bot.matches.store.start import ChannelTakenError
from bot.matches.store.turns import end_offers
from core.outcome import NO_RESULT, Ending, Termination

HERE = matches.c.channel_id == bindparam("channel_id")
LIVE = matches.c.ended_at.is_(None) & matches.c.put_away_at.is_(None)


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

LIVE_HERE = PreparedSelect(reading(HERE & LIVE))
LATEST_HERE = PreparedSelect(reading(matches.c.id == _LATEST_ID))
_ENDED_LAST_ID = _ENDED_LAST.with_only_columns(matches.c.id).where(EVENTFUL)
FINISHED_HERE = PreparedSelect(reading(matches.c.id == _ENDED_LAST_ID.scalar_subquery()))
FINISHED_BEFORE = (
    select(matches.c.id, matches.c.board_id)
    .where(HERE, matches.c.id < bindparam("match_id"), matches.c.ended_at.is_not(None))
    .order_by(matches.c.ended_at.desc(), matches.c.id.desc())
    .limit(1)
)

# If a move and an archiving come at once, only one of them changes the match.
LIVE_AS_READ = update(matches).where(
    matches.c.id == bindparam("match_id"), matches.c.revision == bindparam("seen"), LIVE
)
# NULL where the bot can't post: no start could change the board there.
_BOARD_TO_MARK = case((matches.c.context.in_(sorted(POSTING)), matches.c.board_id))
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
_CALLED_OFF = Ending(Termination.CALLED_OFF)
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
_MOVE = LIVE_AS_READ.values(
    **_ELSEWHERE,
    moved_at=bindparam("now"),
    revision=matches.c.revision + 1,
    deadline=bindparam("new_deadline"),
    due_at=bindparam("new_due"),
)


def archive(
    connection: Connection, claim: Update, values: Mapping[str, int]
) -> Sequence[Row[MatchId, MessageId | None]]:
    """Archive the matches that `claim` finds with these `values`; return ids and boards to mark.

    The boards are written as old ones: if the program ends before they say that their matches are
    archived, the next start sees to it.
    """
    archiving = claim.values(due_at=None, put_away_at=bindparam("now"))
    archived = connection.execute(archiving.returning(matches.c.id, _BOARD_TO_MARK), values).all()
    if left := {board_id: match_id for match_id, board_id in archived if board_id is not None}:
        write_old_boards(connection, left)
    return archived


def end_unread(
    connection: Connection, which: ColumnElement[bool], now: int, ending: Ending = _CALLED_OFF
) -> Sequence[Row[MatchId, MessageId | None]]:
    """End the matches that `which` selects, by default without a result; return ids and boards.

    None of them is rated. The matches aren't read, so damaged ones end too. If the program ends
    before the ends are shown, the next start shows them.
    """
    values = {"now": now, **ending_columns(ending)}
    ended = connection.execute(_END.where(which), values).all()
    if left := {row.board_id: row.id for row in ended if row.board_id is not None}:
        write_old_boards(connection, left)
    connection.execute(delete(offers).where(offers.c.match_id.in_([row.id for row in ended])))
    return ended


def bring_back(
    connection: Connection,
    archived: StoredMatch,
    channel_id: ChannelId,
    due_at: int | None,
    now: int,
) -> None:
    """Give an archived match its channel again, or another one of its server.

    Raises ChangedError if it isn't archived, and ChannelTakenError.
    """
    bringing = _BRING_BACK
    values = {"match_id": archived.id, "due": due_at, "now": now}
    if channel_id != archived.place.channel_id:
        bringing = _BRING_BACK_ELSEWHERE
        values["channel"] = channel_id
    with unique(LIVE_CHANNEL, ChannelTakenError):
        if connection.execute(bringing, values).rowcount != 1:
            raise ChangedError


def move_match(connection: Connection, stored: StoredMatch, place: Place, now: int) -> StoredMatch:
    """Return a live match, moved to another channel of its server; its clock begins anew.

    Raises ChangedError if it has changed since, and ChannelTakenError.
    """
    anew = timing(stored.match, stored.clock, now)
    values: dict[str, int | None] = {"channel": place.channel_id, "now": now}
    values |= {"match_id": stored.id, "seen": stored.revision}
    values |= {"new_deadline": anew.deadline, "new_due": anew.due_at}
    with unique(LIVE_CHANNEL, ChannelTakenError):
        result = connection.execute(_MOVE, values)
    if result.rowcount != 1:
        raise ChangedError
    # The messages that ask players to agree to the offers stay in the old channel, too.
    end_offers(connection, stored.id)
    return replace(
        stored, place=place, timing=anew, moved_at=now, revision=stored.revision + 1, board_id=None
    )
