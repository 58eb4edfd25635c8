"""The steps by which statements find rows, and which of them read all (`tests.plans`)."""

import pytest
from sqlalchemy import insert, select, text

from bot.db.database import Database
from bot.db.tables import guilds, standings
from tests import plans
from tests.bot.planning import planned


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("SELECT * FROM matches WHERE clock = 5", "matches"),
        ("SELECT * FROM matches AS earlier WHERE clock = 5", "matches"),
        ("SELECT * FROM matches WHERE clock = 5 ORDER BY id", "matches"),
        ("SELECT * FROM matches WHERE id = 1", None),
        ("SELECT * FROM matches WHERE due_at IS NOT NULL AND due_at < 5", None),
        ("SELECT * FROM guilds", None),
    ],
)
async def test_whole_reads_are_found(database: Database, statement: str, found: str | None) -> None:
    """They are found in a growing table, also behind an alias or along an index."""
    async with database.connect() as connection:
        steps = await connection.run_sync(plans.whole_reads, statement)
    assert len(steps) == (found is not None), steps


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM matches ORDER BY id",
        "SELECT * FROM seats WHERE user_id IN (SELECT user_id FROM members)",
        "SELECT * FROM standings WHERE guild_id = 1",
    ],
)
async def test_whole_reads_of_sqlite_are_found(sqlite_database: Database, statement: str) -> None:
    """Its plans don't depend on the rows, so joins and reads of a server's rows are found, too."""
    async with sqlite_database.connect() as connection:
        assert await connection.run_sync(plans.whole_reads, statement)
        by_key = "SELECT * FROM standings WHERE guild_id = 1 AND user_id = 1"
        assert await connection.run_sync(plans.whole_reads, by_key) == []


async def test_a_plan_changes_no_later_one(postgres_database: Database) -> None:
    """`planned` leaves nothing behind, although PostgreSQL keeps pages and counts on a rollback."""
    known = text("SELECT reltuples, pg_relation_size(oid) FROM pg_class WHERE relname = 'guilds'")
    async with postgres_database.begin() as connection:
        await connection.execute(insert(guilds).values(id=1))
        counted, size = (await connection.execute(known)).one()
    one = select(guilds).where(guilds.c.id == 1)
    assert await planned(postgres_database, one, guilds, lambda n: {"id": 1 + n})
    async with postgres_database.connect() as connection:
        counted_after, size_after = (await connection.execute(known)).one()
    assert counted_after == counted and size_after <= size


async def test_a_statement_of_a_test_is_not_watched(sqlite_database: Database) -> None:
    """It isn't, since tests look at whole tables."""
    async with sqlite_database.connect() as connection:
        await connection.execute(select(standings))
    assert await plans.reading_all(sqlite_database) == []
