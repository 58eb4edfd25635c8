"""Facts that the program keeps about itself from one start to the next."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.database import upsert
from bot.db.tables import facts


class FactStore:
    """The facts in one database, by name."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    async def get(self, name: str) -> str | None:
        """Return a fact, None if it isn't known."""
        async with self._engine.connect() as connection:
            found = await connection.execute(select(facts.c.value).where(facts.c.name == name))
            return found.scalar_one_or_none()

    async def put(self, name: str, value: str) -> None:
        """Keep a fact, in the place of an older value."""
        async with self._engine.begin() as connection:
            await connection.run_sync(upsert, facts, [{"name": name, "value": value}])
