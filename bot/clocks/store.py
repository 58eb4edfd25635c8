"""Due matches: reminders, deadlines, idle matches. They are read by an index and claimed once.

A claim only succeeds if the match is still due at the time that was read. Every turn changes that
time, so if a claim and a move come at the same moment, only one of them succeeds.

On a server that has removed the bot, the clock of a match is stopped as soon as the match is due:
it keeps its deadline, but nothing is due any more. Once the bot is back, `go_on` moves the
deadlines of that server on by the time for which it was away.
"""

from dataclasses import dataclass

from sqlalchemy import (
    BigInteger,
    Connection,
    Integer,
    NotNullable,
    Update,
    bindparam,
    case,
    func,
    select,
    update,
)

from bot.db.database import Database
from bot.db.servers import removed
from bot.db.store import Store
from bot.db.tables import matches
from bot.identity import ChannelId, MatchId, ServerId
from bot.matches.clock import DEFAULT_CLOCK
from bot.matches.model import StoredMatch
from bot.matches.store import LIVE

# A reminder that was claimed, but isn't noted as sent, is due again after this time. Thousands of
# reminders are sent in less, even with a few failures. Discord remembers nonces for longer, so a
# reminder that was sent just before a kill makes no second message.
_REMIND_AGAIN_SECONDS = 180
# A player who could not move gets at least one tenth of the clock, and at least this many seconds.
_GRACE_PART = 10
_LEAST_GRACE_SECONDS = 60


@dataclass(frozen=True)
class Due:
    """A match in which something is due. If it has no deadline, it is due to be archived.

    `server_id` is 0 outside of servers that have the bot. `left` says that the server has removed
    the bot.
    """

    match_id: MatchId
    channel_id: ChannelId
    due_at: int
    deadline: int | None
    server_id: ServerId
    left: bool = False

    def is_over(self, now: int, by: int = 0) -> bool:
        """Return whether its deadline has passed, at least `by` seconds ago."""
        return self.deadline is not None and self.deadline + by <= now


_LEFT = removed(matches.c.guild_id)
_DUE = (
    select(
        matches.c.id,
        matches.c.channel_id,
        NotNullable(matches.c.due_at),
        matches.c.deadline,
        matches.c.guild_id,
        _LEFT.label("left"),
    )
    .where(matches.c.due_at <= bindparam("now"))
    .order_by(matches.c.due_at)
    .limit(bindparam("most", type_=Integer))
)
_CLAIM = update(matches).where(
    matches.c.id == bindparam("match_id"), matches.c.due_at == bindparam("seen")
)
_HALF = (matches.c.deadline - bindparam("now")) // 2
_REMINDING = _CLAIM.values(
    due_at=bindparam("now")
    + case((_HALF < _REMIND_AGAIN_SECONDS, _HALF), else_=_REMIND_AGAIN_SECONDS)
)
_REMINDED = _CLAIM.values(due_at=matches.c.deadline)
_TAKEN = _CLAIM.values(
    due_at=None,
    put_away_at=case((matches.c.deadline.is_(None), bindparam("now", type_=BigInteger))),
)
_PART = func.coalesce(matches.c.clock, DEFAULT_CLOCK) // _GRACE_PART
_LEAST = case((_PART > _LEAST_GRACE_SECONDS, _PART), else_=_LEAST_GRACE_SECONDS)
_PUT_OFF = _CLAIM.values(
    deadline=case(
        (matches.c.deadline > bindparam("now") + _LEAST, matches.c.deadline),
        else_=bindparam("now") + _LEAST,
    ),
    due_at=bindparam("now") + _LEAST // 2,
)
_PUT_OFF_REMINDING = _PUT_OFF.values(due_at=bindparam("now"))
# The later one of the bot's removal and the beginning of the turn.
_SINCE = case(
    (matches.c.moved_at > bindparam("left_at"), matches.c.moved_at), else_=bindparam("left_at")
)
_REST = matches.c.deadline - _SINCE
# Only live matches have a deadline. LIVE is there so that the databases use its index.
_GO_ON = (
    update(matches)
    .where(matches.c.guild_id == bindparam("server"), LIVE, matches.c.deadline.is_not(None))
    .values(
        deadline=bindparam("now") + case((_REST > _LEAST, _REST), else_=_LEAST),
        due_at=func.coalesce(matches.c.due_at + bindparam("now") - _SINCE, bindparam("now")),
    )
)


class DueStore(Store):
    """The due matches on this process's servers."""

    def __init__(self, database: Database):
        super().__init__(database)
        self._due = _DUE.where(database.serves(matches.c.guild_id))

    async def due(self, now: int, most: int) -> list[Due]:
        """Return up to `most` matches in which something is due by `now`, longest due first."""
        rows = await self._fetch(self._due, {"now": now, "most": most})
        return [Due(*row) for row in rows]

    async def claim_reminder(self, due: Due, now: int) -> bool:
        """Claim a reminder; return whether the caller is the one to send it.

        Unless `note_reminded` notes it, it is due again after some minutes, or after half of the
        time that is left.
        """
        return await self._claim(_REMINDING, due, now=now)

    async def note_reminded(self, claimed: StoredMatch) -> None:
        """Note that a claimed reminder was sent, or never will be; the deadline is due next."""
        seen = {"match_id": claimed.id, "seen": claimed.timing.due_at}
        await self._execute(_REMINDED, seen)

    async def put_off(self, due: Due, now: int, *, remind: bool) -> None:
        """Leave a tenth of the clock, at least a minute, unless somebody has done so.

        The match is due again at once, to `remind` its player, or after half of that time.
        """
        await self._claim(_PUT_OFF_REMINDING if remind else _PUT_OFF, due, now=now)

    async def stop(self, due: Due, now: int) -> None:
        """Stop the clock of a due match until `go_on`, or archive one without a clock, unread."""
        await self._claim(_TAKEN, due, now=now)

    async def _claim(self, claim: Update, due: Due, **values: int) -> bool:
        seen = {"match_id": due.match_id, "seen": due.due_at}
        return await self._execute(claim, seen | values) == 1


def go_on(connection: Connection, server_id: ServerId, left_at: int, now: int) -> None:
    """Move on the deadlines of a server that removed the bot at `left_at`, and has it again `now`.

    Everybody has a tenth of the clock left, at least a minute. If a clock was stopped, its player
    is reminded.
    """
    connection.execute(_GO_ON, {"server": server_id, "left_at": left_at, "now": now})
