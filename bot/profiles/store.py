"""One member's finished matches in a place, by page, and their sums for a profile."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, TypeVarTuple

from sqlalchemy import CTE, Connection, Select, case, exists, func, or_, select

from bot.db.store import Store
from bot.db.tables import matches, seats
from bot.identity import MatchId, MemberId, Place
from bot.matches.store import EVENTFUL, IN_PLACE, ended_by_none_of
from bot.pictures.model import Point
from bot.profiles.model import Career, Results, Streak, Trend
from core.engine.levels import Level
from core.games import GAMES
from core.outcome import UNCOUNTED, Result

Ts = TypeVarTuple("Ts")

# The most points of a chart for each game; a finer line wouldn't look different.
_MOST_POINTS = 200
_OTHER = seats.alias("other")


class HistoryStore(Store):
    """The finished matches of one database, by member."""

    async def count(self, place: Place, member_id: MemberId) -> int:
        """Return the number of matches that a member has finished in a place."""
        found = _finished(select(func.count()).select_from(seats), place, member_id)
        return await self._fetch_scalar(found)

    async def page(
        self, place: Place, member_id: MemberId, offset: int, limit: int
    ) -> Sequence[MatchId]:
        """Return `limit` of a member's finished matches from `offset` on, the newest first."""
        newest = _finished(select(matches.c.id).select_from(seats), place, member_id)
        newest = newest.order_by(seats.c.match_id.desc()).offset(offset).limit(limit)
        return await self._fetch_scalars(newest)

    async def career(self, place: Place, member_id: MemberId, rival_id: MemberId | None) -> Career:
        """Return the sums of a member's matches in a place that have a result.

        The database adds them up, so that memory doesn't grow with their number.
        """
        own = _own(place, member_id)
        async with self._database.connect() as connection:
            return await connection.run_sync(_career, own, rival_id)


def _finished(statement: Select[*Ts], place: Place, member_id: MemberId) -> Select[*Ts]:
    """Return `statement`, which selects from seats, for a member's seats in finished matches.

    Matches without a move and without a result, such as one restarted at once, are left out.
    """
    found = statement.join(matches, matches.c.id == seats.c.match_id).where(
        seats.c.user_id == member_id, IN_PLACE, matches.c.ended_at.is_not(None), EVENTFUL
    )
    return found.params(channel_id=place.channel_id, server_id=place.server_id)


def _own(place: Place, member_id: MemberId) -> CTE:
    """Return a member's matches that have a result: the seat, its result and its rating.

    Matches of a game that this version doesn't know are left out.
    """
    shared = exists().where(
        _OTHER.c.match_id == seats.c.match_id, _OTHER.c.seat != seats.c.seat, _OTHER.c.rank == 1
    )
    result = case(
        (seats.c.rank > 1, Result.LOSS.value), (shared, Result.DRAW.value), else_=Result.WIN.value
    )
    rated = case((matches.c.rated_as.is_not(None), seats.c.rating_after))
    own = select(
        matches.c.id,
        matches.c.game,
        matches.c.ended_at,
        matches.c.rated_as,
        seats.c.seat,
        seats.c.rank,
        rated.label("rating"),
        result.label("result"),
    ).select_from(seats)
    known = matches.c.game.in_([*GAMES])
    counting = _finished(own, place, member_id).where(ended_by_none_of(UNCOUNTED), known)
    return counting.cte("own")


def _career(connection: Connection, own: CTE, rival_id: MemberId | None) -> Career:
    rated = select(own).where(own.c.rating.is_not(None)).cte("rated")
    games = connection.execute(
        select(own.c.game, func.count(), func.min(own.c.id)).group_by(own.c.game)
    ).all()
    most = sorted(games, key=lambda row: (-row[1], row[2]))
    return Career(
        rated=_results(connection, rated),
        with_members=_results(connection, _with_members(own)),
        streak=_streak(connection, rated),
        longest=_longest(connection, rated),
        favourite=most[0][0] if most else None,
        played=sum(row[1] for row in games),
        levels=_levels(connection, own),
        against=None if rival_id is None else _against(connection, own, rival_id),
        trends=_trends(connection, rated),
    )


def _with_members(own: CTE) -> CTE:
    """Return those of a member's matches that another member has played too."""
    other = exists().where(
        seats.c.match_id == own.c.id, seats.c.seat != own.c.seat, seats.c.user_id.is_not(None)
    )
    return select(own).where(other).cte("with_members")


def _results(connection: Connection, counting: CTE) -> Results:
    """Return the numbers of matches by result."""
    counted = select(counting.c.result, func.count()).group_by(counting.c.result)
    return Results({Result(result): count for result, count in connection.execute(counted)})


def _streak(connection: Connection, rated: CTE) -> Streak | None:
    last = select(rated.c.result).order_by(rated.c.rated_as.desc()).limit(1)
    result = connection.execute(last).scalar()
    if result is None:
        return None
    broken = select(func.max(rated.c.rated_as)).where(rated.c.result != result).scalar_subquery()
    since = select(func.count()).where(rated.c.rated_as > func.coalesce(broken, 0))
    return Streak(Result(result), connection.execute(since).scalar_one())


def _longest(connection: Connection, rated: CTE) -> int:
    """Return the most wins in a row: before all wins of a run come as many other results."""
    won = rated.c.result == Result.WIN.value
    before = func.sum(case((won, 0), else_=1)).over(order_by=rated.c.rated_as)
    numbered = select(won.label("won"), before.label("before")).subquery()
    runs = select(func.count().label("wins")).where(numbered.c.won).group_by(numbered.c.before)
    longest = select(func.max(runs.subquery().c.wins))
    return connection.execute(longest).scalar() or 0


def _levels(connection: Connection, own: CTE) -> dict[Level, Results]:
    """Return the results of matches with the computer at all the other seats, by its level."""
    with_others = exists().where(
        seats.c.match_id == own.c.id, seats.c.seat != own.c.seat, seats.c.level.is_(None)
    )
    statement = (
        select(_OTHER.c.level, own.c.result, func.count(own.c.id.distinct()))
        .join(own, (_OTHER.c.match_id == own.c.id) & (_OTHER.c.seat != own.c.seat))
        .where(~with_others, _OTHER.c.level.in_([*Level]))
        .group_by(_OTHER.c.level, own.c.result)
    )
    found = defaultdict[Level, Results](Results)
    for level, result, count in connection.execute(statement):
        found[Level(level)][Result(result)] = count
    return {level: found[level] for level in Level if level in found}


def _against(connection: Connection, own: CTE, rival_id: MemberId) -> Results:
    """Return a member's results against one other, in the matches that both played."""
    result = case(
        (own.c.rank < _OTHER.c.rank, Result.WIN.value),
        (own.c.rank > _OTHER.c.rank, Result.LOSS.value),
        else_=Result.DRAW.value,
    ).label("result")
    together = (
        select(result)
        .join_from(own, _OTHER, _OTHER.c.match_id == own.c.id)
        .where(_OTHER.c.user_id == rival_id)
        .cte("together")
    )
    return _results(connection, together)


def _trends(connection: Connection, rated: CTE) -> dict[str, Trend]:
    """Return the ratings by game, evenly thinned out; the first, the last and the best are kept."""
    game, order = rated.c.game, rated.c.rated_as
    best_first = (rated.c.rating.desc(), order)
    numbered = select(
        game,
        rated.c.ended_at,
        rated.c.rating,
        order,
        func.row_number().over(order_by=order).label("number"),
        func.row_number().over(partition_by=game, order_by=order).label("of_game"),
        func.row_number().over(partition_by=game, order_by=best_first).label("place"),
        func.count().over(partition_by=game).label("count"),
    ).subquery()
    step = numbered.c.count // _MOST_POINTS + 1
    thinned = (numbered.c.of_game - 1) % step == 0
    shown = or_(thinned, numbered.c.of_game == numbered.c.count, numbered.c.place == 1)
    statement = select(numbered).where(shown).order_by(numbered.c.rated_as)
    found = defaultdict[str, list[Any]](list)
    for row in connection.execute(statement):
        found[row.game].append(row)
    return {
        game: Trend([Point(r.number, r.ended_at, r.rating) for r in rows], rows[0].count)
        for game, rows in found.items()
    }
