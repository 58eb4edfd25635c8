"""The condition for rows of servers that removed the bot."""

from sqlalchemy import ColumnElement, exists
from sqlalchemy.sql.expression import ColumnOperators

from bot.db.tables import guilds


def removed(server_id: ColumnOperators) -> ColumnElement[bool]:
    """Return the condition that the bot was removed from the server in a column."""
    return exists().where(guilds.c.id == server_id, guilds.c.removed_at.is_not(None))
