"""A database whose tables are away for a while."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.discord.world import World

TABLES = ("matches", "invitations")


@asynccontextmanager
async def away(world: World, *tables: str) -> AsyncIterator[None]:
    """Take the tables away, so that every statement of a loop fails."""
    for table in tables or TABLES:
        await world.sql(f"ALTER TABLE {table} RENAME TO {table}_away")
    yield
    for table in tables or TABLES:
        await world.sql(f"ALTER TABLE {table}_away RENAME TO {table}")
