"""The data of one member or one server in the database: export and erasure."""

import json
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.tables import (
    guild_settings,
    guilds,
    invitation_seats,
    invitations,
    matches,
    members,
    offers,
    ratings,
    seats,
    standings,
)
from bot.identity import MatchId, MemberId, ServerId

_PSEUDONYM_BITS = 62


class PersonalStore:
    """The personal data of one database; `rng` makes up the ids of former players."""

    def __init__(self, engine: AsyncEngine, rng: Random):
        self._engine = engine
        self._rng = rng

    async def export(self, user_id: MemberId) -> dict[str, Any]:
        """Return everything that is stored about a member, on every server, as JSON's types.

        Other players are left out: their data isn't the member's.
        """
        async with self._engine.connect() as connection:
            return await connection.run_sync(_export, user_id)

    async def live(self, user_id: MemberId) -> Sequence[MatchId]:
        """Return the ids of the matches that a member is playing."""
        playing = (
            select(seats.c.match_id)
            .join(matches, matches.c.id == seats.c.match_id)
            .where(seats.c.user_id == user_id, matches.c.ended_at.is_(None))
            .distinct()
        )
        async with self._engine.connect() as connection:
            return (await connection.execute(playing)).scalars().all()

    async def forget(self, user_id: MemberId) -> None:
        """Erase a member; on each server, their seats go to a former player with a random id.

        The seats of one former player stay together, because the others' ratings follow from them.
        Nothing tells who that player was, or that two servers had the same one.
        """
        async with self._engine.begin() as connection:
            await connection.run_sync(self._forget, user_id)

    def _forget(self, connection: Connection, user_id: MemberId) -> None:
        sat = select(matches.c.guild_id).join(seats, seats.c.match_id == matches.c.id)
        found = connection.execute(sat.where(seats.c.user_id == user_id).distinct())
        for server_id in found.scalars().all():
            former = MemberId(-1 - self._rng.getrandbits(_PSEUDONYM_BITS))
            here = select(matches.c.id).where(matches.c.guild_id == server_id)
            connection.execute(
                update(seats)
                .where(seats.c.user_id == user_id, seats.c.match_id.in_(here))
                .values(user_id=former, name=None)
            )
            for table, also in ((ratings, {}), (standings, {"present": False})):
                connection.execute(
                    update(table)
                    .where(table.c.guild_id == server_id, table.c.user_id == user_id)
                    .values(user_id=former, **also)
                )
        connection.execute(delete(members).where(members.c.user_id == user_id))
        _erase_invitations(connection, _concerns(user_id))

    async def note_guilds(self, present: Iterable[ServerId], now: int) -> None:
        """Note the servers that the bot is on, and that it was removed from the others by `now`."""
        there = set(present)
        async with self._engine.begin() as connection:
            known = (await connection.execute(select(guilds))).all()
            for guild in known:
                if (guild.removed_at is None) != (guild.id in there):
                    await connection.execute(
                        update(guilds)
                        .where(guilds.c.id == guild.id)
                        .values(removed_at=None if guild.id in there else now)
                    )

    async def note_guild(self, server_id: ServerId, removed_at: int | None) -> None:
        """Note when the bot was removed from a server, None if it is there."""
        async with self._engine.begin() as connection:
            await connection.execute(
                update(guilds).where(guilds.c.id == server_id).values(removed_at=removed_at)
            )

    async def erase_guilds(self, before: int) -> Sequence[ServerId]:
        """Erase and return the servers that the bot left by `before` (Unix seconds)."""
        gone = select(guilds.c.id).where(guilds.c.removed_at <= before)
        async with self._engine.begin() as connection:
            found = (await connection.execute(gone)).scalars().all()
            for server_id in found:
                await connection.run_sync(_erase_guild, server_id)
        return found


def _concerns(user_id: MemberId) -> ColumnElement[bool]:
    """Return the condition for invitations of this member, or with a seat kept for them."""
    seated = select(invitation_seats.c.invitation_id).where(invitation_seats.c.user_id == user_id)
    return or_(invitations.c.owner_id == user_id, invitations.c.id.in_(seated))


def _erase_invitations(connection: Connection, which: ColumnElement[bool]) -> None:
    found = connection.execute(select(invitations.c.id).where(which)).scalars().all()
    for number in found:
        seated = invitation_seats.c.invitation_id == number
        connection.execute(delete(invitation_seats).where(seated))
        connection.execute(delete(invitations).where(invitations.c.id == number))


def _erase_guild(connection: Connection, server_id: ServerId) -> None:
    of_guild = select(matches.c.id).where(matches.c.guild_id == server_id)
    for table in (offers, seats):
        connection.execute(delete(table).where(table.c.match_id.in_(of_guild)))
    # The matches of a series refer to each other, so the references go first.
    connection.execute(
        update(matches).where(matches.c.guild_id == server_id).values(series_id=None)
    )
    _erase_invitations(connection, invitations.c.guild_id == server_id)
    for of_server in (matches, ratings, standings, members, guild_settings):
        connection.execute(delete(of_server).where(of_server.c.guild_id == server_id))
    connection.execute(delete(guilds).where(guilds.c.id == server_id))


_OF_MATCH = ("id", "guild_id", "channel_id", "game", "options", "start", "moves", "withdrawals")
_OF_RESULT = (
    "ending",
    "ending_seat",
    "started_at",
    "ended_at",
    "hinted",
    "undone",
    "rated_as",
    "unrated",
    "clock",
)
_OF_SEAT = ("seat", "name", "rank", "points", "rating_before", "rating_after")


def _export(connection: Connection, user_id: MemberId) -> dict[str, Any]:
    def rows(statement: Select[Any]) -> list[dict[str, Any]]:
        return [_readable(dict(row)) for row in connection.execute(statement).mappings()]

    played = (
        select(
            *(matches.c[name] for name in (*_OF_MATCH, *_OF_RESULT)),
            *(seats.c[name].label(f"your_{name}") for name in _OF_SEAT),
        )
        .join(seats, seats.c.match_id == matches.c.id)
        .where(seats.c.user_id == user_id)
        .order_by(matches.c.id)
    )
    theirs = ("guild_id", "channel_id", "game", "options", "status", "expires_at")
    concerning = select(
        *(invitations.c[name] for name in theirs),
        (invitations.c.owner_id == user_id).label("you_invited"),
    ).where(_concerns(user_id))
    return {
        "user_id": user_id,
        "called": rows(select(members).where(members.c.user_id == user_id)),
        "matches": rows(played),
        "ratings": rows(select(ratings).where(ratings.c.user_id == user_id)),
        "standings": rows(select(standings).where(standings.c.user_id == user_id)),
        "invitations": rows(concerning),
    }


def _readable(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its options as an object; they are stored as JSON text."""
    return row | {"options": json.loads(row["options"])} if "options" in row else row
