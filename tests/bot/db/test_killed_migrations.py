"""A migration is one transaction: killed anywhere, it leaves the database as it was."""

import asyncio
import signal
import sys
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, inspect, select, text
from sqlalchemy.exc import DBAPIError

from bot.db.database import Database, open_database, reach
from bot.db.migrations import MIGRATIONS, migrate, rebuilding
from bot.db.tables import guilds
from bot.failures import failure_of
from bot.identity import MatchId
from bot.matches.store import MatchStore
from tests.bot.db.dying import die_migrating, end_of, migrate_and_sign
from tests.bot.db.migrating import upgrade_to
from tests.bot.playing import begin, loaded

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

REVISIONS = [step.revision for step in ScriptDirectory(str(MIGRATIONS)).walk_revisions()][::-1]

# In each channel Alice and Bob play a match, which Alice wins.
_MATCHES = """
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count)
    INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves, computer_due,
                         started_at, ended_at)
    SELECT n, n % 100, n, 'tictactoe', '{}', :start, 'a1 b1 a2 b2 a3', false, n,
           86400 * CAST(n AS BIGINT)
    FROM numbers
"""
_SEATS = """
    INSERT INTO seats (match_id, seat, user_id, name, rank)
    SELECT id, 0, 1, 'Alice', 1 FROM matches UNION ALL SELECT id, 1, 2, 'Bob', 2 FROM matches
"""


async def _upgrade(engine: Database, revision: str, count: int) -> None:
    """Migrate up to `revision`; store `count` matches in a database that is new."""
    async with rebuilding(engine) as connection:
        if not await connection.run_sync(lambda it: inspect(it).has_table("matches")):
            await connection.run_sync(upgrade_to, REVISIONS[0])
            values = {"count": count, "start": begin().initial.notation}
            await connection.execute(text(_MATCHES), values)
            await connection.execute(text(_SEATS))
        await connection.run_sync(upgrade_to, revision)


async def _content(engine: Database) -> dict[str, Any]:
    """Return the columns, the indexes and the rows of every table."""
    schema = MetaData()
    async with engine.connect() as connection:
        await connection.run_sync(schema.reflect)
        return {
            table.name: (
                {column.name for column in table.columns},
                {index.name for index in table.indexes},
                set(map(tuple, await connection.execute(select(table)))),
            )
            for table in schema.sorted_tables
        }


async def _kill_in_each(url: str, count: int, after: Iterable[int], every: int) -> None:
    """Make all migrations; in one of `every`, and in the newest, be killed after some changes."""
    async with reach(url) as engine:
        for earlier, revision in [*pairwise([None, *REVISIONS])][::-every][::-1]:
            if earlier:
                await _upgrade(engine, earlier, count)
            before = await _content(engine)
            for changes in after:
                assert await end_of(die_migrating, url, revision, changes) == -signal.SIGKILL
                assert await _content(engine) == before, (revision, changes)
        await _upgrade(engine, REVISIONS[-1], count)


@pytest.mark.parametrize(
    ("count", "after", "every"),
    [
        pytest.param(3, (1000,), 12, id="last change"),
        pytest.param(100_000, (1, 5, 1000), 1, marks=pytest.mark.slow, id="many"),
    ],
)
async def test_a_kill_in_a_migration(
    url: str, count: int, after: tuple[int, ...], every: int
) -> None:
    """Killed in any migration, the database is unchanged, and the next start succeeds.

    CI tries one migration in twelve, the newest among them: the others don't change any more.
    """
    await _kill_in_each(url, count, after, every)
    async with open_database(url) as engine:
        assert (await loaded(MatchStore(engine), MatchId(count))).match.ply == 5


async def test_a_killed_start_is_repeated(url: str) -> None:
    """After a kill in the migration of an older database, the next start has all its work to do."""
    async with reach(url) as engine:
        await _upgrade(engine, REVISIONS[0], 3)
    assert await end_of(die_migrating, url, "0012", 1000) == -signal.SIGKILL
    async with open_database(url) as engine:
        assert (await loaded(MatchStore(engine), MatchId(3))).match.ply == 5


async def test_two_starts_at_once(url: str) -> None:
    """Two processes that migrate a new database at once do so once; both can use it."""
    # The first connection to an SQLite file makes it write ahead, and fails if another one does so
    # at that moment. Bots don't meet that: each holds its file before it connects.
    async with reach(url) as engine, engine.connect():
        pass
    ends = await asyncio.gather(*(end_of(migrate_and_sign, url, number) for number in (1, 2)))
    assert ends == [0, 0]
    async with reach(url) as engine, engine.connect() as connection:
        assert len((await connection.execute(select(guilds.c.id))).all()) == 1


async def test_tables_of_another_program(url: str) -> None:
    """Tables that only share their names aren't taken for ours, and stay as they are."""
    async with reach(url) as engine:
        async with engine.begin() as connection:
            await connection.execute(text("CREATE TABLE ratings (stars TEXT)"))
        before = await _content(engine)
        with pytest.raises(DBAPIError, match="already exists") as caught:
            await migrate(engine)
        failure = failure_of(caught.value)
        assert failure and "a database of Rowbot's own" in failure.sentence
        assert await _content(engine) == before
