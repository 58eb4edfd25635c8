"""Counting a match when it ends: ratings and standings, in the transaction that ends it.

Whether a match is rated is decided once, when it ends, and stored as its ordinal among the rated
matches of its server (`matches.rated_as`). Everything else follows from the rated matches in that
order, so `bot.ratings.rerate` can work it out anew.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypedDict

from sqlalchemy import Connection, bindparam, func, select, tuple_, update

from bot.db.database import upsert
from bot.db.tables import guilds, matches, ratings, seats, standings
from bot.identity import MatchId, MemberId, ServerId, is_former
from bot.ratings.model import FEWEST_PLIES, Change, Entry, Rating, Unrated, day_of
from bot.ratings.standings import RatingKey, Sheet, Tally, TallyKey, keys_of
from core.match import Match
from core.players import Member

# Read after the end is written: only a live match can be marked, so no later hint can be missed.
_MARKS = select(matches.c.hinted, matches.c.undone).where(matches.c.id == bindparam("match_id"))
_SET_REASON = (
    update(matches).where(matches.c.id == bindparam("match_id")).values(unrated=bindparam("reason"))
)
_GIVE_ORDINAL = (
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


class SeatChange(TypedDict):
    """The parameters of CHANGE_SEAT: a seat, with its rating before and after the match."""

    of_match: MatchId
    of_seat: int
    before: int
    after: int


CHANGE_SEAT = (
    update(seats)
    .where(seats.c.match_id == bindparam("of_match"), seats.c.seat == bindparam("of_seat"))
    .values(rating_before=bindparam("before"), rating_after=bindparam("after"))
)

# Matches of one server are counted one after another: a transaction that counts holds the server's
# row on PostgreSQL. SQLite has only one writer.
LOCK_SERVERS = select(guilds.c.id).order_by(guilds.c.id).with_for_update()


@dataclass(frozen=True)
class Ledger:
    """Counts each match when it ends, up to `rated_a_day` a day between the same two members."""

    rated_a_day: int = 10

    def enter(
        self, connection: Connection, match_id: MatchId, server_id: ServerId, match: Match, now: int
    ) -> Entry:
        """Count a match that has just ended, or clear the reason of one that is reopened.

        Returns the changes of rating, or why the match isn't rated. `connection` is in the
        transaction that wrote the end. All old ratings are read before any new one is written, and
        no other match of the server is counted in between.
        """
        if not match.rated:
            return Entry()
        entry = self._entry(connection, match_id, server_id, match, now)
        if entry.unrated or match.outcome is None:
            connection.execute(_SET_REASON, {"match_id": match_id, "reason": entry.unrated})
        return entry

    def _entry(
        self, connection: Connection, match_id: MatchId, server_id: ServerId, match: Match, now: int
    ) -> Entry:
        users = [MemberId(player.id) for player in match.players if isinstance(player, Member)]
        if match.outcome is None or not match.outcome.counts:
            return Entry()
        if match.ply < FEWEST_PLIES:
            return Entry(unrated=_mark(connection, match_id) or Unrated.SHORT)
        connection.execute(LOCK_SERVERS.where(guilds.c.id == server_id))
        if self._had_enough(connection, server_id, users, now):
            return Entry(unrated=_mark(connection, match_id) or Unrated.ENOUGH)
        given = connection.execute(_GIVE_ORDINAL, {"match_id": match_id, "of_guild": server_id})
        if given.rowcount != 1:
            return Entry(unrated=_mark(connection, match_id))
        sheet = _load(connection, server_id, *keys_of(match.game.key, users, now))
        changes = sheet.count(match.game.key, users, match.outcome.ranks, now)
        save_sheet(connection, server_id, sheet)
        connection.execute(CHANGE_SEAT, list(seat_changes(match_id, changes)))
        return Entry(changes)

    def _had_enough(
        self, connection: Connection, server_id: ServerId, users: Sequence[MemberId], now: int
    ) -> bool:
        """Return whether any two of `users` have had all the rated matches of their day."""
        today = select(matches.c.id).where(
            matches.c.guild_id == server_id,
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
            counted = select(func.count()).select_from(of_pair)
            if connection.execute(counted).scalar_one() >= self.rated_a_day:
                return True
        return False


def _mark(connection: Connection, match_id: MatchId) -> Unrated | None:
    """Return the reason for which a match was marked as unrated while it was played."""
    hinted, undone = connection.execute(_MARKS, {"match_id": match_id}).one()
    if hinted:
        return Unrated.HINTED
    return Unrated.UNDONE if undone else None


def seat_changes(match_id: MatchId, changes: Sequence[Change]) -> Iterator[SeatChange]:
    """Yield the parameters of CHANGE_SEAT for each seat of a match."""
    for seat, (before, after) in enumerate(changes):
        yield {"of_match": match_id, "of_seat": seat, "before": before, "after": after}


def _load(
    connection: Connection,
    server_id: ServerId,
    rating_keys: Sequence[RatingKey],
    tally_keys: Sequence[TallyKey],
) -> Sheet:
    """Return the stored ratings and tallies of these keys; keys without a row are left out."""
    rated = select(ratings.c.user_id, ratings.c.game, ratings.c.mu, ratings.c.sigma).where(
        ratings.c.guild_id == server_id, tuple_(ratings.c.user_id, ratings.c.game).in_(rating_keys)
    )
    counted = select(
        standings.c.user_id,
        standings.c.game,
        standings.c.period,
        standings.c.wins,
        standings.c.draws,
        standings.c.losses,
        standings.c.rating,
    ).where(
        standings.c.guild_id == server_id,
        tuple_(standings.c.user_id, standings.c.game, standings.c.period).in_(tally_keys),
    )
    return Sheet(
        {
            RatingKey(user_id, game): Rating(mu, sigma)
            for user_id, game, mu, sigma in connection.execute(rated)
        },
        {
            TallyKey(user_id, game, period): Tally(wins, draws, losses, rating)
            for user_id, game, period, wins, draws, losses, rating in connection.execute(counted)
        },
    )


def save_sheet(
    connection: Connection,
    server_id: ServerId,
    sheet: Sheet,
    absent: frozenset[MemberId] = frozenset(),
) -> None:
    """Write a sheet over the rows of its keys; `absent` are members who have left the server."""
    rated = [
        {"guild_id": server_id, **key._asdict(), "mu": rating.mu, "sigma": rating.sigma}
        for key, rating in sheet.ratings.items()
    ]
    counted = [
        {
            "guild_id": server_id,
            **key._asdict(),
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "rating": tally.rating,
            "ranked": tally.rating is not None and tally.ranked,
            "present": not is_former(key.user_id) and key.user_id not in absent,
        }
        for key, tally in sheet.tallies.items()
    ]
    upsert(connection, ratings, rated)
    upsert(connection, standings, counted)
