"""The beginning of a match: its rows, and who is on its server."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from bot.db.errors import unique
from bot.db.statements import upsert
from bot.db.tables import LIVE_CHANNEL, guilds, matches, members, seats, standings
from bot.identity import MatchId, MemberId
from bot.matches.clock import timing
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.rows import match_row, read_forms, seat_rows, with_settings
from core.players import Member

_INSERT = insert(matches).returning(matches.c.id)
_INSERT_SEATS = insert(seats)
# Of each seat of a new match: the settings that concern it, and what is known of the player there.
_KNOWN = (
    with_settings(
        select(
            seats.c.user_id,
            (guilds.c.id.is_not(None) & guilds.c.removed_at.is_(None)).label("bot_is_on"),
            members.c.name,
            members.c.present,
        ).join(matches, matches.c.id == seats.c.match_id)
    )
    .outerjoin(guilds, guilds.c.id == matches.c.guild_id)
    .outerjoin(
        members,
        (members.c.guild_id == matches.c.guild_id) & (members.c.user_id == seats.c.user_id),
    )
    .where(seats.c.match_id == bindparam("match_id"))
)
# A player is a member of the server, even if they had left it before.
_PRESENT = (
    update(standings)
    .where(
        standings.c.guild_id == bindparam("of_guild"),
        standings.c.user_id == bindparam("user"),
        standings.c.present.is_(False),
    )
    .values(present=True)
)


class _Known(NamedTuple):
    """A row of `_KNOWN`; of the computer, and of somebody who is new, no name is known."""

    user_id: MemberId | None
    bot_is_on: bool
    name: str | None
    present: bool | None
    board: str | None
    boards: str | None
    language: str | None
    boards_stay: bool


class ChannelTakenError(Exception):
    """The channel has a live match."""


def insert_match(connection: Connection, new: NewMatch, now: int) -> StoredMatch:
    """Return the match that begins `now`, written within the caller's transaction.

    Raises ChannelTakenError, after which that transaction can only be rolled back.
    """
    with unique(LIVE_CHANNEL, ChannelTakenError):
        result = connection.execute(_INSERT, match_row(new, now))
    match_id, match = MatchId(result.scalar_one()), new.match
    connection.execute(_INSERT_SEATS, seat_rows(match_id, new))
    known = [_Known._make(row) for row in connection.execute(_KNOWN, {"match_id": match_id})]
    _note_members(connection, new, known)
    return StoredMatch(
        id=match_id,
        place=new.place,
        match=match,
        names=tuple(new.names),
        series_id=new.series.id or match_id,
        brought=tuple(new.series.points.get(player, 0) for player in match.players),
        ended_at=now if match.outcome else None,
        unrated=new.unrated,
        clock=new.clock,
        timing=timing(match, new.clock, now),
        moved_at=now,
        tournament_id=new.tournament_id,
        draw_wins=new.draw_wins,
        forms=read_forms((seat.user_id, seat.board or seat.boards) for seat in known),
        language=known[0].language or new.place.locale,
        boards_stay=bool(known[0].boards_stay),
    )


def _note_members(connection: Connection, new: NewMatch, known: Sequence[_Known]) -> None:
    """Note that the bot and the players are on a server, with the players' names.

    Only what isn't known is written: all others who begin a match there wait for the server's row.
    """
    server_id = new.place.server_id
    if server_id is None:
        return
    if not known[0].bot_is_on:
        upsert(connection, guilds, [{"id": server_id, "removed_at": None}])
    here = {row.user_id: row.name for row in known if row.present}
    named = {
        player.id: name
        for player, name in zip(new.match.players, new.names, strict=True)
        if isinstance(player, Member) and name and here.get(MemberId(player.id)) != name
    }
    if named:
        noted = {"guild_id": server_id, "present": True}
        rows = [{**noted, "user_id": user, "name": name} for user, name in named.items()]
        upsert(connection, members, rows)
        connection.execute(_PRESENT, [{"of_guild": server_id, "user": user} for user in named])
