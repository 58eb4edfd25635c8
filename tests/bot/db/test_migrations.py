"""Migrations build the declared schema and never touch a newer database."""

import re
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, delete, insert, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from bot.db.database import Database, open_database, reach
from bot.db.migrations import migrate
from bot.db.tables import guilds, metadata, old_boards
from bot.failures import failure_of
from bot.host_errors import LastingError
from tests.bot.db.migrating import made_at
from tests.bot.privacy.filling import value_of

_SCHEMA = {
    "sqlite": "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL",
    "postgresql": """
        SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' UNION ALL
        SELECT 'column', concat_ws('.', table_name, column_name),
               concat_ws(' ', data_type, character_maximum_length, is_nullable, column_default)
        FROM information_schema.columns WHERE table_schema = 'public'
    """,
}

# More than SQLite keeps in memory until the end of a transaction.
_LARGE = """
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
    INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves, computer_due,
                         started_at, ended_at)
    SELECT n, 1, n, 'tictactoe', '{}', hex(zeroblob(1000)), '', false, 0, 0 FROM numbers
"""


def _normalised(sql: str) -> str:
    """Return a statement on one line without quotes, which not all statements have."""
    return re.sub(r"\s+", " ", sql.replace('"', "")).replace("( ", "(").replace(" )", ")").strip()


async def _statements(engine: Database) -> dict[str, str]:
    """Return the database's own definitions by name, except Alembic's table."""
    async with engine.connect() as connection:
        rows = (await connection.execute(text(_SCHEMA[engine.dialect.name]))).all()
    return {f"{k} {name}": _normalised(sql) for k, name, sql in rows if "alembic" not in name}


async def _empty(engine: Database) -> None:
    """Drop everything the migrations built, and Alembic's table."""
    async with engine.begin() as connection:
        await connection.run_sync(metadata.drop_all)
        await connection.execute(text("DROP TABLE alembic_version"))


def _differences(connection: Connection) -> list[Any]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, metadata))


async def test_alembic_finds_no_difference(database: Database) -> None:
    """Alembic would generate no further migration."""
    async with database.connect() as connection:
        assert await connection.run_sync(_differences) == []


async def test_migrations_build_the_declared_schema(migrated_url: str) -> None:
    """Migrations and the declared tables give the same schema, including partial indexes.

    Columns have the declared type, length, default and nullability. A new one is declared last,
    where a migration adds it.
    """
    async with open_database(migrated_url) as engine:
        migrated = await _statements(engine)
        await _empty(engine)
        async with engine.begin() as connection:
            await connection.run_sync(metadata.create_all)
        assert migrated == await _statements(engine)
        assert "index uq_matches_live_channel" in migrated


async def test_migrating_again_changes_nothing(database: Database) -> None:
    """Migrating an up-to-date database changes neither schema nor revision."""
    before = await _statements(database)
    async with database.connect() as connection:
        version = await connection.run_sync(_revision)
    await migrate(database)
    assert await _statements(database) == before
    async with database.connect() as connection:
        assert await connection.run_sync(_revision) == version


async def test_references_are_checked_after_a_migration(database: Database) -> None:
    """On SQLite they aren't checked while tables are rebuilt, so they are afterwards."""
    await migrate(database)
    with pytest.raises(IntegrityError):
        async with database.begin() as connection:
            await connection.execute(insert(old_boards).values(message_id=1, match_id=1))


async def test_an_id_is_given_once(database: Database) -> None:
    """If the last row of a table was erased, the next row doesn't get its id."""
    numbered = [
        table for table in metadata.sorted_tables if "id" in table.c and table is not guilds
    ]
    assert len(numbered) == 6
    async with database.begin() as connection:
        for table in numbered:
            row = {column.name: value_of(column) for column in table.c if column.name != "id"}
            row |= {name: 2 for name in ("match_id", "tournament_id") if name in row}
            for number in (1, 2):
                await connection.execute(delete(table))
                inserted = await connection.execute(insert(table).values(row))
                assert inserted.inserted_primary_key == (number,), table.name


async def test_a_disk_without_room(sqlite_url: str) -> None:
    """A migration that finds no room says so, and changes nothing."""
    resource = pytest.importorskip("resource", reason="Windows has no limits for files")
    await made_at(sqlite_url, "0037", _LARGE)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    async with reach(sqlite_url) as engine:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, before[1]))
        try:
            with pytest.raises(OperationalError, match="disk"):
                await migrate(engine)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        async with engine.connect() as connection:
            assert await connection.run_sync(_revision) == "0037"
            assert await connection.scalar(text("SELECT count(*) FROM matches")) == 3000


def _revision(connection: Connection) -> str:
    return str(MigrationContext.configure(connection).get_current_revision())


async def test_a_newer_database_is_refused(migrated_url: str) -> None:
    """A database of an unknown revision is refused and unchanged; the error says what to do."""
    async with reach(migrated_url) as engine:
        async with engine.begin() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = 'ffff'"))
        with pytest.raises(LastingError, match=r"revision ffff.*Update Rowbot, or restore"):
            async with open_database(migrated_url):
                pytest.fail("a newer database was opened")
        async with engine.connect() as connection:
            assert await connection.run_sync(_revision) == "ffff"


async def test_a_database_of_several_revisions_is_refused(migrated_url: str) -> None:
    """Reading a dump into a database that has rows leaves both revisions; the error says so."""
    async with reach(migrated_url) as engine:
        async with engine.begin() as connection:
            await connection.execute(text("INSERT INTO alembic_version VALUES ('0006')"))
        with pytest.raises(LastingError, match=r"several revisions at once: 0006, .* Restore"):
            async with open_database(migrated_url):
                pytest.fail("a mixed database was opened")


@pytest.mark.parametrize(
    ("change", "remedy"),
    [
        ("CREATE VIEW mine AS SELECT ranked, id FROM standings, matches", "Drop what was added"),
        ("DROP TABLE offers", "Restore a backup"),
        ("ALTER TABLE matches DROP COLUMN moved_at", "Restore a backup"),
    ],
)
async def test_a_schema_that_was_changed_by_hand(url: str, change: str, remedy: str) -> None:
    """If a migration can't change it, the host is told what to do, and nothing is changed."""
    await made_at(url, "0015", change)
    with pytest.raises(DBAPIError) as caught:
        async with open_database(url):
            pytest.fail("a half of the schema was opened")
    failure = failure_of(caught.value)
    assert failure is not None and remedy in failure.sentence
    async with reach(url) as engine, engine.connect() as connection:
        assert await connection.run_sync(_revision) == "0015"


async def test_the_servers_time_limit_holds_for_no_migration(postgres_url: str) -> None:
    """Hosters of databases set one, which would end the statements of a large update each time."""
    async with reach(postgres_url) as engine, engine.begin() as connection:
        name = engine.url.database
        await connection.execute(text(f"ALTER DATABASE {name} SET statement_timeout = 1"))
    await made_at(postgres_url, "0006", "SELECT pg_sleep(0.05)")
    async with open_database(postgres_url) as engine, engine.connect() as connection:
        await connection.execute(text("SELECT pg_sleep(0.05)"))


async def test_sqlite_is_opened_safely(migrated_sqlite_url: str) -> None:
    """Every SQLite connection has a write-ahead log, full synchronisation and foreign keys."""
    safe = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    async with (
        open_database(migrated_sqlite_url) as engine,
        engine.connect() as first,
        engine.connect() as second,
    ):
        for connection in (first, second):
            for pragma, value in safe.items():
                found = await connection.execute(text(f"PRAGMA {pragma}"))
                assert found.scalar_one() == value, pragma
