"""What a server's moderators have chosen, in the database."""

from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.database import upsert
from bot.db.tables import guild_settings
from bot.matches.model import ServerSettings

_OF = select(guild_settings).where(guild_settings.c.guild_id == bindparam("guild_id"))


class ServerStore:
    """The settings of all servers in one database."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    async def settings(self, guild_id: int) -> ServerSettings:
        """Return a server's settings, the defaults where nothing was chosen."""
        async with self._engine.connect() as connection:
            row = (await connection.execute(_OF, {"guild_id": guild_id})).one_or_none()
        if row is None:
            return ServerSettings()
        channels = tuple(int(word) for word in row.channels.split() if word.isdecimal())
        return ServerSettings(channels, row.clock, row.challenge_seconds, row.boards_stay)

    async def change(self, guild_id: int, changes: dict[str, Any]) -> None:
        """Write down what is chosen anew, given by the names in ServerSettings; at least one."""
        row = {"guild_id": guild_id, **changes}
        if "channels" in row:
            row["channels"] = " ".join(map(str, row["channels"]))
        async with self._engine.begin() as connection:
            await connection.run_sync(upsert, guild_settings, [row])
