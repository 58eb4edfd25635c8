"""The data of servers that the bot has left: when that was, and erasure."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeAlias

from sqlalchemy import (
    Connection,
    Table,
    bindparam,
    delete,
    select,
    tuple_,
    union,
    update,
)
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.statements import fetch_scalars, transaction, upsert, write
from bot.db.tables import (
    achievements,
    given_roles,
    guild_settings,
    guilds,
    honour_roles,
    invitations,
    matches,
    members,
    offers,
    old_boards,
    puzzle_servers,
    puzzle_tries,
    puzzles,
    questions,
    ratings,
    seats,
    standings,
    tournament_entrants,
    tournament_games,
    tournament_notes,
    tournaments,
)
from bot.identity import ServerId
from bot.privacy.store.invitations import erase_invitations
from bot.shards import Shards

# Rows that one transaction erases, with those that belong to them.
_BATCH = 200
# A write, so that nobody notes the server's return before the batch has ended.
_STILL_LEFT = (
    update(guilds)
    .where(guilds.c.id == bindparam("server"), guilds.c.removed_at.is_not(None))
    .values(removed_at=guilds.c.removed_at)
    .returning(guilds.c.removed_at)
)


_OnReturn: TypeAlias = Callable[[Connection, ServerId, int, int], None]
"""Acts on a server that the bot is on again: when it left, and now, in Unix seconds."""


class ServerDataStore:
    """The servers of `shards` that have data in one database, and when the bot left them.

    `on_return` is part of the transaction that notes that the bot is on a server again.
    """

    def __init__(self, engine: AsyncEngine, on_return: _OnReturn, shards: Shards = Shards.ALL):
        self._engine = engine
        self._on_return = on_return
        self._shards = shards

    async def note_left(self, server_id: ServerId, now: int) -> None:
        """Note that the bot left a server."""
        await write(self._engine, upsert, guilds, [{"id": server_id, "removed_at": now}])

    async def note_present(self, server_ids: Iterable[ServerId], now: int) -> None:
        """Note that the bot is on these servers, so that none of them is erased."""
        left = select(guilds.c.id).where(guilds.c.removed_at.is_not(None))
        for server_id in {*await fetch_scalars(self._engine, left)} & {*server_ids}:
            await self._returned(server_id, now)

    @transaction
    def _returned(self, connection: Connection, server_id: ServerId, now: int) -> None:
        # Written first, so that of two processes one acts on the return.
        left_at = connection.execute(_STILL_LEFT, {"server": server_id}).scalar_one_or_none()
        if left_at is not None:
            server = update(guilds).where(guilds.c.id == server_id)
            connection.execute(server.values(removed_at=None))
            self._on_return(connection, server_id, left_at, now)

    async def left_by(self, moment: int) -> Sequence[ServerId]:
        """Return the servers that the bot left by `moment` (Unix seconds)."""
        left = select(guilds.c.id).where(guilds.c.removed_at <= moment)
        return self._here(await fetch_scalars(self._engine, left))

    async def not_left(self) -> set[ServerId]:
        """Return the servers with data that the bot isn't known to have left."""
        left = select(guilds.c.id).where(guilds.c.removed_at.is_not(None))
        known = union(
            select(guilds.c.id),
            select(guild_settings.c.guild_id),
            select(honour_roles.c.guild_id),
            select(puzzle_servers.c.guild_id),
            select(invitations.c.guild_id).where(invitations.c.guild_id != 0),
            select(tournaments.c.guild_id),
        )
        everywhere = {*await fetch_scalars(self._engine, known)}
        return {*self._here(everywhere - {*await fetch_scalars(self._engine, left)})}

    def _here(self, server_ids: Iterable[ServerId]) -> list[ServerId]:
        return [server_id for server_id in server_ids if self._shards.serve(server_id)]

    async def idle(self, server_ids: Collection[ServerId], since: int) -> Sequence[ServerId]:
        """Return those of these servers on which no match has begun `since` (Unix seconds)."""
        begun = select(matches.c.guild_id).where(
            matches.c.guild_id.in_(server_ids), matches.c.started_at >= since
        )
        busy = {*await fetch_scalars(self._engine, begun.distinct())}
        return [server_id for server_id in server_ids if server_id not in busy]

    async def erase(self, server_id: ServerId) -> bool:
        """Erase a server that the bot has left; return False if it has come back meanwhile.

        Each batch is a transaction, so that no press waits for long. It takes matches with all that
        belongs to them, so those that are left after a crash or a return are whole.
        """
        for erase_some in _ERASURES:
            erased = _BATCH
            while erased:
                found = await self._erase_batch(server_id, erase_some)
                if found is None:
                    return False
                erased = found
        return True

    @transaction
    def _erase_batch(
        self,
        connection: Connection,
        server_id: ServerId,
        erase_some: Callable[[Connection, ServerId], int],
    ) -> int | None:
        """Return how many rows were erased, None if the bot is on the server again."""
        left = connection.execute(_STILL_LEFT, {"server": server_id}).first()
        return erase_some(connection, server_id) if left else None


def _erase_matches(connection: Connection, server_id: ServerId) -> int:
    some = select(matches.c.id).where(matches.c.guild_id == server_id).limit(_BATCH)
    ids = connection.execute(some).scalars().all()
    for table in (offers, questions, old_boards, seats):
        connection.execute(delete(table).where(table.c.match_id.in_(ids)))
    # The matches of a series refer to its first.
    connection.execute(update(matches).where(matches.c.series_id.in_(ids)).values(series_id=None))
    connection.execute(delete(matches).where(matches.c.id.in_(ids)))
    return len(ids)


def _erase_tournaments(connection: Connection, server_id: ServerId) -> int:
    some = select(tournaments.c.id).where(tournaments.c.guild_id == server_id).limit(_BATCH)
    ids = connection.execute(some).scalars().all()
    for table in (tournament_games, tournament_entrants, tournament_notes):
        connection.execute(delete(table).where(table.c.tournament_id.in_(ids)))
    connection.execute(delete(tournaments).where(tournaments.c.id.in_(ids)))
    return len(ids)


def _erase_server_invitations(connection: Connection, server_id: ServerId) -> int:
    return erase_invitations(connection, invitations.c.guild_id == server_id, _BATCH)


def _rows_of(table: Table) -> Callable[[Connection, ServerId], int]:
    """Return the function that erases some rows of a server from a table without references."""
    key = tuple_(*table.primary_key)

    def erase_some(connection: Connection, server_id: ServerId) -> int:
        of_server = table.c.guild_id == server_id
        some = select(*table.primary_key).where(of_server).limit(_BATCH)
        return connection.execute(delete(table).where(key.in_(some))).rowcount

    return erase_some


def _erase_server(connection: Connection, server_id: ServerId) -> int:
    connection.execute(delete(guilds).where(guilds.c.id == server_id))
    return 0


# The last one forgets that there was a server.
_ERASURES: tuple[Callable[[Connection, ServerId], int], ...] = (
    _erase_tournaments,  # their games refer to matches
    _erase_matches,
    _erase_server_invitations,
    *map(_rows_of, (ratings, standings, achievements)),
    _rows_of(members),  # by which a member's rows in those are found
    *map(_rows_of, (guild_settings, honour_roles, given_roles)),
    *map(_rows_of, (puzzle_tries, puzzles, puzzle_servers)),
    _erase_server,
)
