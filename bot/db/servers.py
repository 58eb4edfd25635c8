"""Conditions for rows: of servers that this process serves, of servers that removed the bot."""

from sqlalchemy import ColumnElement, Integer, exists, func, literal, true
from sqlalchemy.sql.expression import ColumnOperators

from bot.db.tables import guilds
from bot.shards import SERVER_BITS, Shards


def served(server_id: ColumnOperators, shards: Shards) -> ColumnElement[bool]:
    """Return the condition that the server in a column belongs to one of these shards.

    Rows without a server belong to the first shard, as direct messages do.
    """
    if shards.are_all:
        return true()
    by = literal(SERVER_BITS, Integer)  # PostgreSQL shifts by no other type
    shard = func.coalesce(server_id, 0).bitwise_rshift(by) % shards.count
    return shard.between(shards.first, shards.last)


def removed(server_id: ColumnOperators) -> ColumnElement[bool]:
    """Return the condition that the bot was removed from the server in a column."""
    return exists().where(guilds.c.id == server_id, guilds.c.removed_at.is_not(None))
