"""An SQLite file is copied into an empty PostgreSQL database, whole or not at all."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Integer,
    String,
    Table,
    func,
    insert,
    select,
    text,
)

from bot.db.database import Database, open_database, reach
from bot.db.lease import Lease
from bot.db.tables import facts, metadata
from bot.db.transfer import transfer
from bot.failures import ExitCode
from bot.host_errors import HostError
from bot.matches.model import NewMatch
from bot.matches.store import MatchStore
from tests.bot.db.migrating import made_at
from tests.bot.playing import HERE, NAMES, NOW, begin
from tests.bot.processes import one_sentence, run_beside

_ROWS = 6
_TEXT = "Ann's “₤”\n\\N\t{}, 🦊"


def value(table: Table, column: Column[Any], row: int) -> object:
    """Return a value that a column takes: in every second row NULL if the column allows it."""
    if column.foreign_keys:
        return 1 if table.name == "matches" else row
    if column.nullable and row % 2:
        return None
    match column.type:
        case Boolean():
            return row % 3 == 0
        case Float():
            return row / 7
        case BigInteger() if not column.primary_key:
            return (1 << 62) + row
        case Integer():
            return row
        case String(length=int(length)):
            return f"é{row}".ljust(length, "x")
        case _:
            return _TEXT.format(row)


def rows_of(table: Table) -> list[dict[str, object]]:
    return [
        {column.name: value(table, column, row) for column in table.columns}
        for row in range(1, _ROWS + 1)
    ]


@pytest.fixture(scope="module")
def filled(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database with rows in every table, more than a batch of them in one."""
    file = tmp_path_factory.mktemp("filled") / "rowbot.db"
    shutil.copy(migrated, file)
    engine = sqlalchemy.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        for table in metadata.sorted_tables:
            connection.execute(insert(table), rows_of(table))
        many = [{"name": f"fact {number}", "value": "known"} for number in range(2500)]
        connection.execute(insert(facts), many)
    engine.dispose()
    return file


@pytest.fixture
def file(filled: Path, tmp_path: Path) -> Path:
    """Return a copy of the filled database."""
    return Path(shutil.copy(filled, tmp_path))


async def content(engine: Database) -> dict[str, set[tuple[Any, ...]]]:
    """Return all rows of all tables."""
    async with engine.connect() as connection:
        return {
            table.name: {tuple(row) for row in await connection.execute(table.select())}
            for table in metadata.sorted_tables
        }


async def tables(url: str) -> set[str]:
    """Return the tables of a PostgreSQL database that isn't opened by the program."""
    names = text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    async with reach(url) as engine, engine.connect() as connection:
        return set((await connection.execute(names)).scalars())


async def test_every_row_is_copied(sqlite_url: str, postgres_url: str, file: Path) -> None:
    """All values of all rows of all tables are as they were, in both databases.

    The id that PostgreSQL gives next comes after the last that SQLite gave, even to an erased row.
    """
    with closing(sqlite3.connect(file)) as rows, rows:
        rows.execute("DELETE FROM tournament_notes WHERE id = ?", (_ROWS,))
    assert await transfer(file, postgres_url) == _ROWS * len(metadata.tables) - 1 + 2500
    async with open_database(sqlite_url) as source, open_database(postgres_url) as target:
        copied = await content(target)
        assert copied == await content(source)
        async with target.connect() as connection:
            for table in ("matches", "invitations", "tournaments", "tournament_notes", "puzzles"):
                sequence = func.pg_get_serial_sequence(table, "id")
                number = await connection.execute(select(func.nextval(sequence)))
                assert number.scalar_one() == _ROWS + 1
    assert {len(rows) for rows in copied.values()} == {_ROWS - 1, _ROWS, _ROWS + 2500}


async def test_rows_in_the_log_are_copied_too(
    migrated_sqlite_url: str, migrated_postgres_url: str
) -> None:
    """The write-ahead log that a killed bot has left is part of the database."""
    async with open_database(migrated_sqlite_url) as database:
        await MatchStore(database).create(NewMatch(HERE, begin(), NAMES), NOW)
        path = Path(migrated_sqlite_url.removeprefix("sqlite:///"))
        killed = path.with_name("killed.db")
        for log in ("", "-wal"):
            shutil.copy(f"{path}{log}", f"{killed}{log}")
    await transfer(killed, migrated_postgres_url)
    async with open_database(migrated_postgres_url) as database:
        assert await MatchStore(database).live(HERE.channel_id) is not None


# --- refused


async def test_a_target_with_rows(migrated_postgres_url: str, file: Path) -> None:
    """It is refused, with the names of its tables that have rows, and stays as it is."""
    async with open_database(migrated_postgres_url) as database:
        await MatchStore(database).create(NewMatch(HERE, begin(), NAMES), NOW)
        before = await content(database)
    with pytest.raises(HostError, match=r"isn't empty: there are rows in .*matches.*seats"):
        await transfer(file, migrated_postgres_url)
    async with open_database(migrated_postgres_url) as database:
        assert await content(database) == before


async def test_a_source_in_use(sqlite_url: str, postgres_url: str, file: Path) -> None:
    """The file of a running bot is refused, since the bot would go on writing to it."""
    async with open_database(sqlite_url):
        with pytest.raises(HostError, match="Stop it first"):
            await transfer(file, postgres_url)
    assert await tables(postgres_url) == set()


async def test_a_target_in_use(migrated_postgres_url: str, file: Path) -> None:
    """A bot that is connected to the new database has to be stopped."""
    async with open_database(migrated_postgres_url) as database, database.connect():
        with pytest.raises(HostError, match="Stop it first"):
            await transfer(file, migrated_postgres_url)


async def test_a_target_with_a_lease(migrated_postgres_url: str, file: Path) -> None:
    """The connection of a lease counts as that of a bot, though it also names shards."""
    lease = Lease(migrated_postgres_url, None)
    await lease.take()
    with pytest.raises(HostError, match="Stop it first"):
        await transfer(file, migrated_postgres_url)
    await lease.let_go()


async def test_an_older_source(tmp_path: Path, postgres_url: str) -> None:
    """It is refused with the command that brings it up to date."""
    old = tmp_path / "old.db"
    await made_at(f"sqlite:///{old}", "0006")
    with pytest.raises(HostError, match=r"at revision 0006, .* bot migrate` with DATABASE_URL"):
        await transfer(old, postgres_url)
    assert await tables(postgres_url) == set()


def newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = 'ffff'")


def another_programs(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")


def nonsense(file: Path) -> None:
    file.write_text("This is a letter to my aunt.")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (newer, "at revision ffff"),
        (another_programs, "holds no database of Rowbot"),
        (nonsense, "file is not a database"),
        (Path.unlink, "unable to open database file"),
    ],
)
async def test_a_file_that_can_not_be_copied(
    postgres_url: str, file: Path, spoil: Callable[[Path], None], reason: str
) -> None:
    """The reason is told in a sentence, and nothing is made in the new database or beside it."""
    spoil(file)
    beside = {*file.parent.iterdir()}
    with pytest.raises(HostError, match=reason):
        await transfer(file, postgres_url)
    assert {*file.parent.iterdir()} == beside
    assert await tables(postgres_url) == set()


async def test_a_file_that_can_not_be_looked_at(postgres_url: str, tmp_path: Path) -> None:
    """If its folder is closed to the user that runs Rowbot, a sentence says so."""
    with pytest.raises(HostError):
        await transfer(tmp_path / ("a" * 300), postgres_url)


async def test_a_target_of_sqlite(sqlite_url: str, file: Path) -> None:
    """A host who hasn't changed DATABASE_URL yet is told to."""
    with pytest.raises(HostError, match="first set DATABASE_URL=postgresql"):
        await transfer(file, sqlite_url)


# --- whole or not at all


@pytest.mark.parametrize("wrong", ["char(97, 0, 98)", "x'00ff'", "CAST(x'ff' AS TEXT)"])
async def test_a_value_that_postgres_does_not_take(
    migrated_postgres_url: str, file: Path, wrong: str
) -> None:
    """SQLite takes any value. If PostgreSQL refuses one, an error says so; nothing is copied."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(f"UPDATE tournament_notes SET name = {wrong} WHERE id = 4")
    told = r"rows of tournament_notes can't be copied: .* Correct or delete them"
    with pytest.raises(HostError, match=told):
        await transfer(file, migrated_postgres_url)
    async with open_database(migrated_postgres_url) as database:
        assert not any((await content(database)).values())


async def test_a_target_that_is_away(tmp_path: Path, postgres_url: str, file: Path) -> None:
    """The error names the new database, not the file."""
    settings = {"DATABASE_URL": postgres_url.replace("/rowbot_", "/nowhere_")}
    ended = await run_beside(tmp_path, "import", "rowbot.db", settings=settings)
    sentence = one_sentence(ended, ExitCode.TRY_AGAIN)
    assert "The database of DATABASE_URL can't be opened" in sentence
    assert "does not exist" in sentence


async def test_import_tells_its_rows_and_runs_once(
    tmp_path: Path, postgres_url: str, file: Path
) -> None:
    """`import` prints the number of rows of each table and of all; a second `import` is refused."""
    settings = {"DATABASE_URL": postgres_url}
    ended = await run_beside(tmp_path, "import", "rowbot.db", settings=settings)
    assert ended.code == ExitCode.DONE
    assert f"seats: {_ROWS} rows" in ended.complained
    assert f"facts: {_ROWS + 2500} rows" in ended.complained
    ended = await run_beside(tmp_path, "import", "rowbot.db", settings=settings)
    assert "isn't empty" in one_sentence(ended, ExitCode.TRY_AGAIN)
