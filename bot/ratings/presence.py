"""Who is on a server, as far as is known: no listing has members who have left.

They are noted when Discord says that they have left (`ScoreStore.note_left`), and are listed again
once they press or command anything on the server (`ScoreStore.note_seen`), or a match of theirs
begins. The end of a match says nothing: their clock may have run out, or the opponent resigned.
"""

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, update

from bot.db.statements import hold
from bot.db.tables import standings
from bot.identity import MemberId, ServerId
from bot.ratings.ledger import COUNTING
from bot.ratings.model import month_before

# A condition on `present` would make SQLite read all standings of the server. The last season is
# left out: a member who had left before its end was announced gets no place in it by coming back.
_LISTED = (
    update(standings)
    .where(
        standings.c.guild_id == bindparam("server"),
        standings.c.user_id == bindparam("user"),
        standings.c.period != bindparam("last_season"),
    )
    .values(present=True)
)


def list_again(
    connection: Connection, server_id: ServerId, member_ids: Iterable[MemberId], now: int
) -> None:
    """List members who had left a server, at least one, since they are there `now`."""
    hold(connection, shared=[COUNTING])  # a recount would write them as absent again
    which = {"server": server_id, "last_season": month_before(now)}
    connection.execute(_LISTED, [which | {"user": member_id} for member_id in member_ids])
