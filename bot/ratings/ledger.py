"""Counting a match when it ends: ratings and standings, in the transaction that ends it.

Whether a match is rated is decided once, when it ends, and stored as its ordinal among the rated
matches of its server (`matches.rated_as`). Everything else follows from the rated matches in that
order, so `bot.ratings.rerate` can recompute it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

from sqlalchemy import (
    Connection,
    NotNullable,
    bindparam,
    case,
    delete,
    func,
    or_,
    select,
    update,
)

from bot.db.statements import hold
from bot.db.tables import matches, members, seats, standings
from bot.identity import MatchId, MemberId, ServerId, is_former
from bot.ratings.model import (
    ALL_TIME,
    NO_ENTRY,
    Change,
    Entry,
    Unrated,
    fewest_plies,
    periods_of,
    start_of_day,
)
from bot.ratings.rows import CHANGE_SEAT, counts_in_series, load_sheet, save_sheet, seat_changes
from bot.settings import RATED_A_DAY
from core.match import Match

# Read after the end is written. Only a live match can be marked as unrated, so no later mark can be
# missed. If a member was erased since the match was read, a former player has their seat.
_WRITTEN = (
    select(matches.c.unrated, matches.c.hinted, matches.c.undone, seats.c.user_id)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(matches.c.id == bindparam("match_id"))
    .order_by(seats.c.seat)
)
# The rows are locked: a departure or return that is noted at this moment is either found here, or
# waits and finds the new tallies.
_PRESENT = (
    select(members.c.user_id, members.c.present)
    .where(
        members.c.guild_id == bindparam("server"),
        members.c.user_id.in_(bindparam("users", expanding=True)),
    )
    .order_by(members.c.user_id)
    .with_for_update(read=True)
)
_SET_REASON = (
    update(matches).where(matches.c.id == bindparam("match_id")).values(unrated=bindparam("reason"))
)
_GIVE_ORDINAL = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"))
    .values(
        unrated=None,
        paired_with=bindparam("other_match"),
        rated_as=select(func.coalesce(func.max(matches.c.rated_as), 0) + 1)
        .where(matches.c.guild_id == bindparam("of_guild"), matches.c.rated_as.is_not(None))
        .scalar_subquery(),
    )
)
_SERIES = (
    select(func.coalesce(matches.c.series_id, matches.c.id))
    .where(matches.c.id == bindparam("match_id"))
    .scalar_subquery()
)
_EARLIER = matches.alias("earlier")
_BEFORE_IN_SERIES = (
    select(func.max(_EARLIER.c.id))
    .where(
        _EARLIER.c.id < bindparam("match_id"),
        counts_in_series(_EARLIER.c.ending),
        or_(_EARLIER.c.id == _SERIES, _EARLIER.c.series_id == _SERIES),
    )
    .scalar_subquery()
)
"""The id of the last match before `match_id` in its series that counts there."""

# The seats of the match before in a series, if that match waits to be paired.
_UNPAIRED = (
    select(
        matches.c.id,
        NotNullable(matches.c.ended_at),
        NotNullable(seats.c.user_id),
        NotNullable(seats.c.rank),
    )
    .join(seats, seats.c.match_id == matches.c.id)
    .where(matches.c.id == _BEFORE_IN_SERIES, matches.c.unrated == Unrated.UNPAIRED.value)
    .order_by(seats.c.seat)
)

_FORGET_PAST = delete(standings).where(
    standings.c.guild_id == bindparam("server"),
    standings.c.user_id == bindparam("user"),
    standings.c.period != ALL_TIME,
    standings.c.period
    < case((standings.c.period.like("%W%"), bindparam("week")), else_=bindparam("month")),
)

# Transactions that count a match share this lock; the one that recounts all matches has it alone.
COUNTING = "counting matches"

_OWN = seats.alias("own")
# A row for each member in each of the matches.
_RATED_SINCE = (
    select(matches.c.id, NotNullable(seats.c.user_id))
    .join(seats, seats.c.match_id == matches.c.id)
    .where(
        matches.c.guild_id == bindparam("server"),
        matches.c.rated_as.is_not(None),
        matches.c.ended_at >= bindparam("since"),
        select(_OWN)
        .where(
            _OWN.c.match_id == matches.c.id,
            _OWN.c.user_id.in_(bindparam("users", expanding=True)),
        )
        .exists(),
    )
)
_FIRST = (
    select(NotNullable(seats.c.user_id), func.min(seats.c.match_id))
    .where(seats.c.user_id.in_(bindparam("users", expanding=True)))
    .group_by(seats.c.user_id)
)

# A match with one of these reasons stays unrated, however it goes on.
_FOR_GOOD = (Unrated.AGREED, Unrated.TOURNAMENT, Unrated.BEFORE)


@dataclass(frozen=True)
class _Ended:
    """A match with its members and ranks by seat; it ended at `moment`, in Unix seconds."""

    match_id: MatchId
    users: Sequence[MemberId]
    ranks: Sequence[int]
    moment: int


class _Written(NamedTuple):
    """Why a match was marked as unrated while it was played, and its members by seat."""

    unrated: Unrated | None
    users: Sequence[MemberId]


@dataclass(frozen=True)
class Ledger:
    """Counts each match when it ends, up to `rated_a_day` a day between the same two members.

    Matches on a one-sided board count in pairs: two successive matches of a series, without those
    that have no result, in which everybody changes seats. Both are counted when the second ends.
    """

    rated_a_day: int = RATED_A_DAY

    def enter(
        self,
        connection: Connection,
        match_id: MatchId,
        server_id: ServerId | None,
        match: Match,
        now: int,
    ) -> Entry:
        """Count a match that has just ended, or clear the reason of one that is reopened.

        A reason that a match had from its beginning, or by an agreement, stays. Ratings belong to
        servers: without a `server_id` nothing is counted.

        Returns the changes of rating, or why the match isn't rated. `connection` is in the
        transaction that wrote the end. All old ratings are read before a new one is written. No
        other match of these members on the server is counted in between.
        """
        if not match.rated:
            return NO_ENTRY
        entry = self._entry(connection, match_id, server_id, match, now)
        if not entry.changes:
            connection.execute(_SET_REASON, {"match_id": match_id, "reason": entry.unrated})
        return entry

    def _entry(
        self,
        connection: Connection,
        match_id: MatchId,
        server_id: ServerId | None,
        match: Match,
        now: int,
    ) -> Entry:
        if match.outcome is None:
            mark = _written(connection, match_id).unrated
            return Entry(unrated=mark if mark in _FOR_GOOD else None)
        if not match.outcome.counts:
            return NO_ENTRY
        if server_id is None:
            return Entry(unrated=Unrated.ELSEWHERE)
        written = _written(connection, match_id)
        if written.unrated is not None:
            return Entry(unrated=written.unrated)
        if match.ply < fewest_plies(match):
            return Entry(unrated=Unrated.SHORT)
        _hold_members(connection, server_id, written.users)
        ended = _Ended(match_id, written.users, match.outcome.ranks, now)
        in_pairs = match.game.one_sided(match.options)
        if reason := self._no_room(connection, server_id, ended, 2 if in_pairs else 1):
            return Entry(unrated=reason)
        first = _first_of_pair(connection, ended) if in_pairs else None
        if in_pairs and first is None:
            return Entry(unrated=Unrated.UNPAIRED)
        if first is None:
            return Entry(_count(connection, server_id, match.game.key, ended))
        changes = _count(connection, server_id, match.game.key, first, ended)
        return Entry(changes, paired_with=first.match_id)

    def _no_room(
        self, connection: Connection, server_id: ServerId, ended: _Ended, more: int
    ) -> Unrated | None:
        """Return why two of the members can't have `more` rated matches that day; None if all can.

        A member's matches with a former player count for each opponent who may be that player.
        """
        today = _matches_today(connection, server_id, ended)
        with_former = {one for one, members in today.items() if any(map(is_former, members))}
        first = _first_matches(connection, ended.users) if with_former else {}
        room, reason = self.rated_a_day - more, None
        for user, opponent in permutations(ended.users, 2):
            own = {one for one, members in today.items() if user in members}
            together = {one for one in own if opponent in today[one]}
            # An erasure leaves no seat to its member, so it came before the member's next match.
            as_former = {one for one in own & with_former if one < first[opponent]}
            if len(together) > room:
                return Unrated.ENOUGH
            if len(together | as_former) > room:
                reason = Unrated.FORMER
        return reason


def _matches_today(
    connection: Connection, server_id: ServerId, ended: _Ended
) -> Mapping[MatchId, Set[MemberId]]:
    """Return the members in each rated match that any of these members has had that day."""
    asked = {"server": server_id, "since": start_of_day(ended.moment), "users": ended.users}
    today = defaultdict[MatchId, set[MemberId]](set)
    for match_id, user in connection.execute(_RATED_SINCE, asked):
        today[match_id].add(user)
    return today


def _first_matches(connection: Connection, users: Sequence[MemberId]) -> Mapping[MemberId, MatchId]:
    """Return the first match of each member, on any server."""
    found = connection.execute(_FIRST, {"users": users})
    return {user: MatchId(first) for user, first in found}


def _hold_members(connection: Connection, server_id: ServerId, users: Iterable[MemberId]) -> None:
    """Let no other match of these members on the server be counted until the transaction ends."""
    names = (f"{COUNTING} of {user} on {server_id}" for user in sorted({*users}))
    hold(connection, *names, shared=[COUNTING])


def _first_of_pair(connection: Connection, second: _Ended) -> _Ended | None:
    """Return the match that is rated together with `second`, None if there is none."""
    rows = connection.execute(_UNPAIRED, {"match_id": second.match_id}).all()
    users = [row.user_id for row in rows]
    if not rows or sorted(users) != sorted(second.users):
        return None
    if any(before == after for before, after in zip(users, second.users, strict=True)):
        return None  # somebody hasn't changed seats
    return _Ended(rows[0].id, users, [row.rank for row in rows], rows[0].ended_at)


def _count(
    connection: Connection, server_id: ServerId, game: str, *ended: _Ended
) -> tuple[Change, ...]:
    """Count one match, or the two of a pair in their order; return the changes of the last one."""
    users = (user for match in ended for user in match.users)
    periods = (period for match in ended for period in periods_of(match.moment))
    sheet = load_sheet(connection, server_id, game, users, periods)
    changes = tuple[Change, ...]()
    for match in ended:
        changes = sheet.count(game, match.users, match.ranks, match.moment)
        connection.execute(CHANGE_SEAT, list(seat_changes(match.match_id, changes)))
    absent = _absent(connection, server_id, ended[-1].users)
    save_sheet(connection, server_id, sheet, lambda key: key.user_id not in absent)
    connection.execute(
        _FORGET_PAST,
        [
            {"server": server_id, "user": user, **kept._asdict()}
            for user, kept in sheet.kept.items()
        ],
    )
    # Ordinals are given one after another. From here to the commit, all other transactions that
    # count a match on the server wait, perhaps a hundred of them, so this comes last.
    hold(connection, f"ordinals on {server_id}")
    for match in ended:
        others = [other.match_id for other in ended if other is not match]
        values = {"match_id": match.match_id, "of_guild": server_id}
        connection.execute(_GIVE_ORDINAL, values | {"other_match": next(iter(others), None)})
    return changes


def _written(connection: Connection, match_id: MatchId) -> _Written:
    """Return what is written about a match that ends or is reopened."""
    rows = connection.execute(_WRITTEN, {"match_id": match_id}).all()
    unrated, hinted, undone, *_ = rows[0]
    reason = Unrated(unrated) if unrated in _FOR_GOOD else None
    if reason is None and hinted:
        reason = Unrated.HINTED
    elif reason is None and undone:
        reason = Unrated.UNDONE
    users = [row.user_id for row in rows if row.user_id is not None]
    return _Written(reason, users)


def _absent(
    connection: Connection, server_id: ServerId, users: Iterable[MemberId]
) -> Set[MemberId]:
    """Return those of these members who are noted to have left the server."""
    asked = {"server": server_id, "users": sorted({*users})}
    return {user for user, present in connection.execute(_PRESENT, asked) if not present}
