"""Facts that the program keeps about itself from one start to the next."""

import time

from sqlalchemy import BigInteger, Connection, Text, case, cast, delete, select

from bot.db.statements import insert_into, upsert, write
from bot.db.store import Store, transaction
from bot.db.tables import facts


class FactStore(Store):
    """The facts in one database, by name."""

    async def get(self, name: str) -> str | None:
        """Return a fact, None if it isn't known."""
        return await self._fetch_scalar_or_none(select(facts.c.value).where(facts.c.name == name))

    async def put(self, name: str, value: str) -> None:
        """Keep a fact, in the place of an older value."""
        await write(self._database, upsert, facts, [{"name": name, "value": value}])

    async def forget(self, names: str) -> None:
        """Erase the facts with these names, a pattern of SQL's LIKE."""
        await self._execute(delete(facts).where(facts.c.name.like(names)))

    async def reserve(self, name: str, seconds: float, within: float) -> float:
        """Reserve the next free `seconds` of a time that all processes share.

        Returns how many seconds from now they begin, at most `within`. If time is reserved beyond
        that, the clock has been set back since, and the reservation is ignored.
        """
        now, length, most = (int(1000 * each) for each in (time.time(), seconds, within))
        ends = await self._reserve(name, now, length, most)
        return (ends - length - now) / 1000

    @transaction
    def _reserve(self, connection: Connection, name: str, now: int, length: int, most: int) -> int:
        """Reserve the next free `length`, and return when it ends; all are milliseconds."""
        free = cast(facts.c.value, BigInteger)
        ends = case((free.between(now, now + most), free), else_=now) + length
        reserving = insert_into(connection, facts).values(name=name, value=str(now + length))
        reserving = reserving.on_conflict_do_update(
            index_elements=[facts.c.name], set_={"value": cast(ends, Text)}
        )
        return int(connection.execute(reserving.returning(facts.c.value)).scalar_one())
