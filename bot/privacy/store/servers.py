"""Servers that the bot has left: when it left them, and the erasure of their data."""

from collections.abc import Callable, Iterable, Sequence
from graphlib import TopologicalSorter
from typing import TypeAlias

from sqlalchemy import Connection, Table, bindparam, delete, select, union, update

from bot.db.database import Database
from bot.db.statements import hold, upsert, write
from bot.db.store import Store, transaction
from bot.db.tables import (
    achievements,
    guild_settings,
    guilds,
    honour_roles,
    invitations,
    matches,
    members,
    metadata,
    puzzle_servers,
    ratings,
    standings,
    tournaments,
)
from bot.identity import ServerId
from bot.privacy.store.erasing import erase
from bot.ratings.ledger import COUNTING

# The most rows that one transaction erases, with the rows that belong to them.
_BATCH = 200
# It writes, so that nobody notes the server's return before the batch has ended.
_STILL_LEFT = (
    update(guilds)
    .where(guilds.c.id == bindparam("server"), guilds.c.removed_at.is_not(None))
    .values(removed_at=guilds.c.removed_at)
    .returning(guilds.c.removed_at)
)

_OnReturn: TypeAlias = Callable[[Connection, ServerId, int, int], None]
"""Acts on a server that the bot is on again: when it left, and now, in Unix seconds."""


class ServerDataStore(Store):
    """The servers of this process that have data in one database, and when the bot left them.

    `on_return` is called in the transaction that notes that the bot is on a server again.
    """

    def __init__(self, database: Database, on_return: _OnReturn):
        super().__init__(database)
        self._on_return = on_return

    async def note_left(self, server_id: ServerId, now: int) -> None:
        """Note that the bot left a server."""
        await write(self._database, upsert, guilds, [{"id": server_id, "removed_at": now}])

    async def note_present(self, server_ids: Iterable[ServerId], now: int) -> None:
        """Note that the bot is on these servers, so that their data isn't erased."""
        left = select(guilds.c.id).where(guilds.c.removed_at.is_not(None))
        for server_id in {*await self._fetch_scalars(left)} & {*server_ids}:
            await self._returned(server_id, now)

    @transaction
    def _returned(self, connection: Connection, server_id: ServerId, now: int) -> None:
        # Written first, so that only one of two processes acts on the return.
        left_at = connection.execute(_STILL_LEFT, {"server": server_id}).scalar_one_or_none()
        if left_at is not None:
            server = update(guilds).where(guilds.c.id == server_id)
            connection.execute(server.values(removed_at=None))
            self._on_return(connection, server_id, left_at, now)

    async def left_by(self, moment: int) -> Sequence[ServerId]:
        """Return the servers that the bot left by `moment` (Unix seconds)."""
        left = select(guilds.c.id).where(guilds.c.removed_at <= moment)
        return self._here(await self._fetch_scalars(left))

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
        everywhere = {*await self._fetch_scalars(known)}
        return {*self._here(everywhere - {*await self._fetch_scalars(left)})}

    def _here(self, server_ids: Iterable[ServerId]) -> list[ServerId]:
        return [server_id for server_id in server_ids if self._database.shards.serve(server_id)]

    async def erase(self, server_id: ServerId) -> bool:
        """Erase a server that the bot has left; return False if it has come back meanwhile.

        Each batch is a transaction, so that no press waits for long. A batch takes matches with
        everything that belongs to them, so the matches that are left after a crash or a return are
        whole.
        """
        for table in _ERASED:
            erased = _BATCH
            while erased:
                found = await self._erase_batch(server_id, table)
                if found is None:
                    return False
                erased = found
        forgotten = delete(guilds).where(guilds.c.id == server_id, guilds.c.removed_at.is_not(None))
        return await self._execute(forgotten) == 1

    @transaction
    def _erase_batch(self, connection: Connection, server_id: ServerId, table: Table) -> int | None:
        """Return how many rows were erased, None if the bot is on the server again."""
        if connection.execute(_STILL_LEFT, {"server": server_id}).first() is None:
            return None
        hold(connection, shared=[COUNTING])  # a recount would write ratings again
        return erase(connection, table, table.c.guild_id == server_id, _BATCH)


def _in_order() -> list[Table]:
    """Return the tables with rows of servers, each before those that it refers to.

    A tournament is erased with its games, which refer to matches. What is written of matches, by a
    recount or when achievements are looked for, comes after these. `members` is the last one: an
    export needs it to find a member's rows in other tables.
    """
    needed: dict[Table, set[Table]] = {
        table: {members}
        for table in metadata.sorted_tables
        if "guild_id" in table.c and table is not members
    }
    for table in metadata.sorted_tables:
        referred = {key.column.table for key in table.foreign_keys}
        owners = {key.column.table for key in table.foreign_keys if not key.parent.nullable}
        for one in {table, *owners} & needed.keys():
            needed[one] |= referred - {one}
    needed[matches] |= {achievements, ratings, standings}
    return [*TopologicalSorter(needed).static_order()][::-1]


_ERASED = _in_order()
