"""A database that is away for a while."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from bot.db.database import CONNECTIONS, LENT
from tests.discord.world import World

TABLES = ("matches", "invitations")


@asynccontextmanager
async def away(world: World, *tables: str) -> AsyncIterator[None]:
    """Take tables away in this context, so that every statement of a loop fails."""
    for table in tables or TABLES:
        await world.sql(f"ALTER TABLE {table} RENAME TO {table}_away")
    yield
    for table in tables or TABLES:
        await world.sql(f"ALTER TABLE {table}_away RENAME TO {table}")


async def only_reading(world: World, switch: str) -> None:
    """Make all connections to the database read-only, or let them write again."""
    async with AsyncExitStack() as stack:
        for number in range(CONNECTIONS):
            borrowed = world.database.lent() if number < LENT else world.database.connect()
            connection = await stack.enter_async_context(borrowed)
            await connection.exec_driver_sql(f"PRAGMA query_only = {switch}")
