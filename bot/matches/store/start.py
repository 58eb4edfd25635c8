"""The beginning of a match: its rows, and who is on its server."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from sqlalchemy import Connection, bindparam, insert, select

from bot.db.errors import unique
from bot.db.statements import upsert
from bot.db.tables import LIVE_CHANNEL, guilds, matches, members, seats
from bot.identity import MatchId, MemberId, ServerId
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.rows import match_row, read_match, reading, seat_rows, seat_rows_of
from bot.ratings.presence import list_again
from core.players import Member

Insert: TypeAlias = Callable[[Connection, NewMatch, int], StoredMatch]
"""Writes a match that begins at a moment (Unix seconds), and what belongs to it; returns it."""

_INSERT = insert(matches).returning(matches.c.id)
_INSERT_SEATS = insert(seats)
BY_ID = reading(matches.c.id == bindparam("match_id"))
# For each seat of a new match on a server: whether the server is known, and the player's row.
_KNOWN = (
    select(
        seats.c.user_id,
        guilds.c.id.is_not(None).label("server_known"),
        members.c.name,
        members.c.present,
    )
    .join(matches, matches.c.id == seats.c.match_id)
    .outerjoin(guilds, guilds.c.id == matches.c.guild_id)
    .outerjoin(
        members, (members.c.guild_id == matches.c.guild_id) & (members.c.user_id == seats.c.user_id)
    )
    .where(seats.c.match_id == bindparam("match_id"))
)


class ChannelTakenError(Exception):
    """The channel has a live match."""


def insert_match(connection: Connection, new: NewMatch, now: int) -> StoredMatch:
    """Return the match that begins `now`, written within the caller's transaction.

    Raises ChannelTakenError, after which that transaction can only be rolled back.
    """
    with unique(LIVE_CHANNEL, ChannelTakenError):
        result = connection.execute(_INSERT, match_row(new, now))
    match_id = MatchId(result.scalar_one())
    connection.execute(_INSERT_SEATS, seat_rows(match_id, new))
    if new.place.server_id is not None:
        _note_members(connection, match_id, new.place.server_id, new, now)
    begun = read_match(seat_rows_of(connection.execute(BY_ID, {"match_id": match_id})))
    return replace(begun, board_unsure=False)  # no board of it was sent, so none can be lost


def _note_members(
    connection: Connection, match_id: MatchId, server_id: ServerId, new: NewMatch, now: int
) -> None:
    """Note the server, and that the players are on it, with their names.

    Only what isn't known yet is written. A write of the server's row would hold up all
    others who begin a match there at the same time.
    """
    known = connection.execute(_KNOWN, {"match_id": match_id}).all()
    if not known[0].server_known:
        upsert(connection, guilds, [{"id": server_id}])
    here = {row.user_id: row.name for row in known if row.present}
    named = {
        player.id: name
        for player, name in zip(new.match.players, new.names, strict=True)
        if isinstance(player, Member) and name and here.get(MemberId(player.id)) != name
    }
    if named:
        noted = {"guild_id": server_id, "present": True}
        rows = [{**noted, "user_id": user, "name": name} for user, name in sorted(named.items())]
        upsert(connection, members, rows)
    if back := [row.user_id for row in known if row.present is False]:
        list_again(connection, server_id, back, now)
