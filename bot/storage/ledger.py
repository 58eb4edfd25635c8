"""Counting matches: ratings and standings, in the transaction that ends a match, or all anew.

Whether a match is rated is decided once, when it ends, and stored as its number on its server
(`matches.rated_as`); everything else here follows from the rated matches in that order.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Any

from sqlalchemy import Connection, Table, bindparam, delete, func, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite

from bot.ratings import FEWEST_PLIES, Rating, day_of
from bot.records import Change
from bot.standings import RatingKey, Sheet, Tally, TallyKey, keys_of
from bot.storage.tables import guilds, matches, members, ratings, seats, standings
from core.match import Match, Member

_ROWS_AT_ONCE = 500  # SQLite takes at most 32,766 parameters in a statement

_INSERT: dict[str, Callable[[Table], Any]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}

_NUMBER = (
    update(matches)
    .where(
        matches.c.id == bindparam("match_id"),
        matches.c.hinted.is_(False),
        matches.c.undone.is_(False),
    )
    .values(
        rated_as=select(func.coalesce(func.max(matches.c.rated_as), 0) + 1)
        .where(matches.c.guild_id == bindparam("of_guild"), matches.c.rated_as.is_not(None))
        .scalar_subquery()
    )
)
_CHANGED = (
    update(seats)
    .where(seats.c.match_id == bindparam("of_match"), seats.c.seat == bindparam("of_seat"))
    .values(rating_before=bindparam("before"), rating_after=bindparam("after"))
)

# Whoever counts holds the server's row: the numbers of one server are written one after another.
_COUNTING = select(guilds.c.id).order_by(guilds.c.id).with_for_update()


@dataclass(frozen=True)
class Ledger:
    """Counts each match when it ends, up to `rated_a_day` between the same two members."""

    rated_a_day: int = 10

    def enter(
        self, connection: Connection, match_id: int, guild_id: int, match: Match, now: int
    ) -> tuple[Change, ...]:
        """Count a match that has just ended; return each seat's change, nothing if it's unrated.

        Belongs into the transaction that wrote the end. All old ratings are read before any new
        one is written, and no other match of the server is counted in between.
        """
        users = [player.id for player in match.players if isinstance(player, Member)]
        if not match.rated or match.ply < FEWEST_PLIES or match.outcome is None:
            return ()
        if not match.outcome.counts:
            return ()
        # SQLite has one writer anyway. Elsewhere others wait here.
        connection.execute(_COUNTING.where(guilds.c.id == guild_id))
        if self._had_enough(connection, guild_id, users, now):
            return ()
        numbered = connection.execute(_NUMBER, {"match_id": match_id, "of_guild": guild_id})
        if numbered.rowcount != 1:
            return ()  # a hint was asked in the same moment
        sheet = _load(connection, guild_id, *keys_of(match.game.key, users, now))
        changes = sheet.count(match.game.key, users, match.outcome.ranks, now)
        _save(connection, guild_id, sheet)
        connection.execute(_CHANGED, list(_changed(match_id, changes)))
        return changes

    def _had_enough(
        self, connection: Connection, guild_id: int, users: Sequence[int], now: int
    ) -> bool:
        today = select(matches.c.id).where(
            matches.c.guild_id == guild_id,
            matches.c.rated_as.is_not(None),
            matches.c.ended_at >= day_of(now),
        )
        for pair in combinations(users, 2):
            one, other = (
                select(seats.c.match_id)
                .where(seats.c.user_id == user, seats.c.match_id == matches.c.id)
                .exists()
                for user in pair
            )
            of_pair = today.where(one, other).subquery()
            if connection.execute(select(func.count()).select_from(of_pair)).scalar_one() >= (
                self.rated_a_day
            ):
                return True
        return False


def _changed(match_id: int, changes: Sequence[Change]) -> Iterator[dict[str, Any]]:
    for seat, (before, after) in enumerate(changes):
        yield {"of_match": match_id, "of_seat": seat, "before": before, "after": after}


def _load(
    connection: Connection,
    guild_id: int,
    rating_keys: Sequence[RatingKey],
    tally_keys: Sequence[TallyKey],
) -> Sheet:
    rated = select(ratings).where(
        ratings.c.guild_id == guild_id, tuple_(ratings.c.user_id, ratings.c.game).in_(rating_keys)
    )
    counted = select(standings).where(
        standings.c.guild_id == guild_id,
        tuple_(standings.c.user_id, standings.c.game, standings.c.period).in_(tally_keys),
    )
    return Sheet(
        {
            RatingKey(row.user_id, row.game): Rating(row.mu, row.sigma)
            for row in connection.execute(rated)
        },
        {
            TallyKey(r.user_id, r.game, r.period): Tally(r.wins, r.draws, r.losses, r.rating)
            for r in connection.execute(counted)
        },
    )


def _save(
    connection: Connection, guild_id: int, sheet: Sheet, absent: frozenset[int] = frozenset()
) -> None:
    rated = [
        {"guild_id": guild_id, **key._asdict(), "mu": rating.mu, "sigma": rating.sigma}
        for key, rating in sheet.ratings.items()
    ]
    counted = [
        {
            "guild_id": guild_id,
            **key._asdict(),
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "rating": tally.rating,
            "ranked": tally.rating is not None and tally.ranked,
            "present": key.user_id > 0 and key.user_id not in absent,  # negative: a former player
        }
        for key, tally in sheet.tallies.items()
    ]
    upsert(connection, ratings, rated)
    upsert(connection, standings, counted)


def upsert(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows, over those that have the same primary key."""
    statement = _INSERT[connection.dialect.name](table)
    keys = [column.name for column in table.primary_key]
    others = {c.name: statement.excluded[c.name] for c in table.columns if c.name in rows[0]}
    statement = statement.on_conflict_do_update(
        index_elements=keys, set_={name: v for name, v in others.items() if name not in keys}
    )
    connection.execute(statement, rows)


# --- all anew


def rerate(connection: Connection) -> int:
    """Work out all ratings and standings from the rated matches; return how many there are.

    The numbers are those that counting them one by one gave.
    """
    connection.execute(_COUNTING)  # what ends in the meantime is counted afterwards
    connection.execute(delete(ratings))
    connection.execute(delete(standings))
    rows = connection.execute(
        select(
            matches.c.guild_id,
            matches.c.rated_as,
            matches.c.id,
            matches.c.game,
            matches.c.ended_at,
            seats.c.user_id,
            seats.c.rank,
        )
        .join(seats, seats.c.match_id == matches.c.id)
        .where(matches.c.rated_as.is_not(None))
        .order_by(matches.c.guild_id, matches.c.rated_as, seats.c.seat)
    ).all()
    count = 0
    for guild_id, of_guild in groupby(rows, key=lambda row: row.guild_id):
        sheet, changed = Sheet(), list[dict[str, Any]]()
        for match_id, of_match in groupby(of_guild, key=lambda row: row.id):
            sat = list(of_match)
            users, ranks = [row.user_id for row in sat], [row.rank for row in sat]
            changes = sheet.count(sat[0].game, users, ranks, sat[0].ended_at)
            changed += _changed(match_id, changes)
            count += 1
        _save(connection, guild_id, sheet, _absent(connection, guild_id))
        for some in _batches(changed):
            connection.execute(_CHANGED, some)
    return count


def _absent(connection: Connection, guild_id: int) -> frozenset[int]:
    """Return who is known to have left a server."""
    gone = select(members.c.user_id).where(
        members.c.guild_id == guild_id, members.c.present.is_(False)
    )
    return frozenset(connection.execute(gone).scalars())


def _batches(rows: Sequence[dict[str, Any]]) -> Iterable[Sequence[dict[str, Any]]]:
    return (rows[i : i + _ROWS_AT_ONCE] for i in range(0, len(rows), _ROWS_AT_ONCE))
