"""Facts that the program keeps about itself from one start to the next."""

import time

from sqlalchemy import BigInteger, Text, case, cast, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.database import insert_into, upsert
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

    async def reserve(self, name: str, seconds: float) -> float:
        """Reserve the next free `seconds` of a time that all processes share.

        Returns how many seconds from now they begin.
        """
        now, length = int(1000 * time.time()), int(1000 * seconds)
        free = cast(facts.c.value, BigInteger)
        async with self._engine.begin() as connection:
            reserving = insert_into(connection, facts).values(name=name, value=str(now + length))
            reserving = reserving.on_conflict_do_update(
                index_elements=[facts.c.name],
                set_={"value": cast(case((free > now, free), else_=now) + length, Text)},
            )
            ends = (await connection.execute(reserving.returning(facts.c.value))).scalar_one()
        return (int(ends) - length - now) / 1000
