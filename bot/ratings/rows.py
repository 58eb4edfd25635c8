"""The rows of ratings, standings and rated seats, read into a `Sheet` and written from it."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from sqlalchemy import ColumnElement, Connection, bindparam, func, literal, select, update

from bot.db.statements import upsert
from bot.db.tables import ratings, seats, standings
from bot.identity import MatchId, MemberId, ServerId, is_former
from bot.ratings.model import ALL_GAMES, Change, Rating
from bot.ratings.standings import RatingKey, Sheet, Tally, TallyKey
from core.outcome import NO_RESULT

CHANGE_SEAT = (
    update(seats)
    .where(seats.c.match_id == bindparam("of_match"), seats.c.seat == bindparam("of_seat"))
    .values(
        rating_before=bindparam("before"),
        rating_after=bindparam("after"),
        provisional=bindparam("still_provisional"),
    )
)
"""Writes the change of a seat's rating, with the parameters that `seat_changes` yields."""

# Column by column: in a list of tuples SQLite would compare all rows of the server with the list.
_RATINGS = select(ratings.c.user_id, ratings.c.mu, ratings.c.sigma).where(
    ratings.c.guild_id == bindparam("server"),
    ratings.c.user_id.in_(bindparam("users", expanding=True)),
    ratings.c.game == bindparam("game"),
)
_TALLIES = select(
    standings.c.user_id,
    standings.c.game,
    standings.c.period,
    standings.c.wins,
    standings.c.draws,
    standings.c.losses,
    standings.c.rating,
    standings.c.settled,
).where(
    standings.c.guild_id == bindparam("server"),
    standings.c.user_id.in_(bindparam("users", expanding=True)),
    standings.c.game.in_(bindparam("games", expanding=True)),
    standings.c.period.in_(bindparam("periods", expanding=True)),
)


def counts_in_series(ending: ColumnElement[str | None]) -> ColumnElement[bool]:
    """Return the condition that a match hasn't ended without a result.

    A match without a result is passed over where the matches of a series count in pairs.
    """
    return func.coalesce(ending, "").not_in([literal(one.value) for one in sorted(NO_RESULT)])


def load_sheet(
    connection: Connection,
    server_id: ServerId,
    game: str,
    user_ids: Iterable[MemberId],
    periods: Iterable[str],
) -> Sheet:
    """Return the stored ratings of members at a game, and their tallies in these periods.

    A newcomer has none.
    """
    asked = {
        "server": server_id,
        "users": sorted({*user_ids}),
        "games": [game, ALL_GAMES],
        "periods": sorted({*periods}),
    }
    tallies = connection.execute(_TALLIES, asked)
    return Sheet(
        {
            RatingKey(user_id, game): Rating(mu, sigma)
            for user_id, mu, sigma in connection.execute(_RATINGS, asked | {"game": game})
        },
        {
            TallyKey(user_id, game, period): Tally(wins, draws, losses, rating, settled)
            for user_id, game, period, wins, draws, losses, rating, settled in tallies
        },
    )


def save_sheet(
    connection: Connection,
    server_id: ServerId,
    sheet: Sheet,
    lists: Callable[[TallyKey], bool],
) -> None:
    """Write a sheet over the rows of its keys; leave out periods that aren't kept.

    `lists` returns whether the member of a new tally is listed. A row that exists stays listed, or
    unlisted; former players are never listed.
    """
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
            "settled": tally.settled,
            "present": not is_former(key.user_id) and lists(key),
        }
        for key, tally in sheet.tallies.items()
        if sheet.kept[key.user_id].has(key.period)
    ]
    upsert(connection, ratings, rated)
    upsert(connection, standings, counted, keep=["present"])


def seat_changes(match_id: MatchId, changes: Sequence[Change]) -> Iterator[dict[str, int]]:
    """Yield the parameters of CHANGE_SEAT for each seat of a match."""
    for seat, change in enumerate(changes):
        yield {
            "of_match": match_id,
            "of_seat": seat,
            "before": change.before,
            "after": change.after,
            "still_provisional": change.provisional,
        }
