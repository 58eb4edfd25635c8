"""Counting matches: ratings and standings, in the transaction that ends a match.

Whether a match is rated is decided once, when it ends, and stored as its number on its server
(`matches.rated_as`); everything else here follows from the rated matches in that order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, tuple_, update

from bot.db.server_tables import guilds, ratings, standings
from bot.db.tables import matches, seats
from bot.db.upsert import upsert
from bot.matches.model import Change
from bot.ratings.model import FEWEST_PLIES, Rating, day_of
from bot.ratings.standings import RatingKey, Sheet, Tally, TallyKey, keys_of
from core.match import Match
from core.players import Member

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
CHANGED = (
    update(seats)
    .where(seats.c.match_id == bindparam("of_match"), seats.c.seat == bindparam("of_seat"))
    .values(rating_before=bindparam("before"), rating_after=bindparam("after"))
)

# Whoever counts holds the server's row: the numbers of one server are written one after another.
COUNTING = select(guilds.c.id).order_by(guilds.c.id).with_for_update()


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
        connection.execute(COUNTING.where(guilds.c.id == guild_id))
        if self._had_enough(connection, guild_id, users, now):
            return ()
        numbered = connection.execute(_NUMBER, {"match_id": match_id, "of_guild": guild_id})
        if numbered.rowcount != 1:
            return ()  # a hint was asked in the same moment
        sheet = _load(connection, guild_id, *keys_of(match.game.key, users, now))
        changes = sheet.count(match.game.key, users, match.outcome.ranks, now)
        save_sheet(connection, guild_id, sheet)
        connection.execute(CHANGED, list(changed_rows(match_id, changes)))
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


def changed_rows(match_id: int, changes: Sequence[Change]) -> Iterator[dict[str, Any]]:
    """Yield what CHANGED takes for each seat of a match."""
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


def save_sheet(
    connection: Connection, guild_id: int, sheet: Sheet, absent: frozenset[int] = frozenset()
) -> None:
    """Write a sheet over what was there; `absent` are members who have left the server."""
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
