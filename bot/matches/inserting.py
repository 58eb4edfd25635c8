"""A match written down for the first time, and with it who plays where."""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, insert, update
from sqlalchemy.exc import IntegrityError

from bot.db.database import upsert
from bot.db.tables import guilds, matches, members, seats, standings
from bot.matches.clock import timing
from bot.matches.model import Place, Series, StoredMatch
from bot.matches.rows import match_row, seat_rows
from bot.matches.turns import ChannelTakenError
from core.match import Match
from core.players import Member

# Whoever plays is a member, whatever was known before.
_BACK = (
    update(standings)
    .where(
        standings.c.guild_id == bindparam("of_guild"),
        standings.c.user_id.in_(bindparam("users", expanding=True)),
        standings.c.present.is_(False),
    )
    .values(present=True)
)


def insert_match(
    connection: Connection,
    place: Place,
    match: Match,
    names: Sequence[str | None],
    series: Series,
    now: int,
    clock: int | None = None,
) -> StoredMatch:
    """Return the new match, written within the caller's transaction.

    Raises ChannelTakenError, after which that transaction can only be rolled back.
    """
    row = match_row(place, match, series, now, clock)
    try:
        result = connection.execute(insert(matches).returning(matches.c.id), row)
    except IntegrityError as error:
        raise ChannelTakenError from error
    match_id: int = result.scalar_one()
    sitting = seat_rows(match_id, match, names, series)
    connection.execute(insert(seats), sitting)
    _note_members(connection, place.guild_id, match, names)
    brought = tuple(seat["points"] for seat in sitting)
    return StoredMatch(
        id=match_id,
        place=place,
        match=match,
        names=tuple(names),
        series_id=series.id or match_id,
        brought=brought,
        ended_at=row["ended_at"],
        clock=clock,
        timing=timing(match, clock, now),
    )


def _note_members(
    connection: Connection, guild_id: int, match: Match, names: Sequence[str | None]
) -> None:
    """Write down that bot and players are on this server, and what these are called."""
    upsert(connection, guilds, [{"id": guild_id, "removed_at": None}])
    here = {"guild_id": guild_id, "present": True}
    called = {
        player.id: name
        for player, name in zip(match.players, names, strict=True)
        if isinstance(player, Member) and name
    }
    if called:
        named = [{**here, "user_id": user, "name": name} for user, name in called.items()]
        upsert(connection, members, named)
        connection.execute(_BACK, {"of_guild": guild_id, "users": list(called)})
