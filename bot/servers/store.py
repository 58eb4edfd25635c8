"""The moments at which the bot joined the servers, in the database."""

from collections.abc import Mapping

from sqlalchemy import Connection, exists, or_, select, update

from bot.db.database import Database
from bot.db.statements import fetch, transaction, upsert, write
from bot.db.tables import guild_settings, guilds, invitations, matches
from bot.identity import ServerId


class JoiningStore:
    """When the bot joined the servers of one database."""

    def __init__(self, database: Database):
        self._database = database

    @transaction
    def note_joined(self, connection: Connection, server_id: ServerId, joined_at: int) -> bool:
        """Note when the bot joined a server (Unix seconds); return whether the server is new.

        It isn't if that moment was noted before, or if the server has matches, invitations or
        settings.
        """
        # This locks the row, so that the second of two such calls sees what the first has noted.
        # `ServerDataStore` notes that the bot is back, which moves the clocks on.
        upsert(connection, guilds, [{"id": server_id}])
        before = or_(guilds.c.joined_at.is_(None), guilds.c.joined_at != joined_at)
        noted = update(guilds).where(guilds.c.id == server_id, before).values(joined_at=joined_at)
        if connection.execute(noted).rowcount == 0:
            return False
        known = (matches, invitations, guild_settings)
        used = or_(*(exists().where(table.c.guild_id == server_id) for table in known))
        return not connection.execute(select(used)).scalar_one()

    async def unnoted(self, joined: Mapping[ServerId, int]) -> set[ServerId]:
        """Return the servers whose noted moment of joining is another one, or missing."""
        rows = await fetch(self._database, select(guilds.c.id, guilds.c.joined_at))
        known = {row.id: row.joined_at for row in rows}
        return {server for server, moment in joined.items() if known.get(server) != moment}

    async def note(self, joined: Mapping[ServerId, int]) -> None:
        """Note when the bot joined servers, in Unix seconds."""
        rows = [{"id": server, "joined_at": moment} for server, moment in joined.items()]
        if rows:
            await write(self._database, upsert, guilds, rows)
