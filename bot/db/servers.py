"""Conditions for rows: of a server, also of its guests, and of servers that removed the bot."""

from sqlalchemy import ColumnElement, Table, bindparam, exists
from sqlalchemy.sql.expression import ColumnOperators

from bot.db.tables import guilds


def removed(server_id: ColumnOperators) -> ColumnElement[bool]:
    """Return the condition that the bot was removed from the server in a column."""
    return exists().where(guilds.c.id == server_id, guilds.c.removed_at.is_not(None))


def in_channels_of_server(table: Table) -> list[ColumnElement[bool]]:
    """Return the conditions, of which one holds for a row in a channel of the server `server_id`.

    The first says that the row is the server's own, the other that only members had the bot there.
    """
    columns = (table.c.guild_id, table.c.guest_of)
    return [column == bindparam("server_id") for column in columns]
