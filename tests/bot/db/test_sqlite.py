"""SQLite's connection: writers queue, readers don't wait, and no thread outlives it."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path

import aiosqlite
import pytest
from sqlalchemy import Connection, insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

import bot.db.database
from bot.db import sqlite
from bot.db.database import CONNECTIONS, LENT, Database, create_engine
from bot.db.errors import is_passing
from bot.db.statements import do, read
from bot.db.statements import write as write_in_one_trip
from bot.db.tables import guilds
from bot.identity import ServerId
from bot.matches.store import MatchStore
from tests.bot.playing import NOW, create, loaded
from tests.bot.processes import longest_pause, until

_LOCKED_SECONDS = 0.8
# Two copies of 48 bytes: https://sqlite.org/walformat.html#the_wal_index_file_format
_INDEX_HEADER = 96
# Long enough for unblocked work to finish.
_A_WHILE = 0.05


@pytest.fixture
def database(sqlite_database: Database) -> Database:
    return sqlite_database


@asynccontextmanager
async def writing(database: Database) -> AsyncIterator[AsyncConnection]:
    """Hold a connection with an uncommitted write."""
    async with database.connect() as connection:
        await connection.execute(insert(guilds).values(id=1))
        yield connection


async def write(database: Database, guild_id: int) -> int:
    async with database.begin() as connection:
        await connection.execute(insert(guilds).values(id=guild_id))
    return guild_id


async def written(database: Database) -> list[int]:
    """Return the committed ids."""
    async with database.connect() as connection:
        return list((await connection.execute(select(guilds.c.id).order_by(guilds.c.id))).scalars())


async def test_writers_queue_in_order(database: Database) -> None:
    """Writers wait for the one before, and write in order of arrival."""
    done: list[int] = []

    async def wait_and_write(connection: AsyncConnection, guild_id: int) -> None:
        await connection.execute(insert(guilds).values(id=guild_id))
        await connection.commit()
        done.append(guild_id)

    waiting = [9, 8, 7, 6]
    async with AsyncExitStack() as stack:
        # Opening a connection takes a while, and not the same for each.
        opened = [await stack.enter_async_context(database.connect()) for _ in waiting]
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        first = await stack.enter_async_context(writing(database))
        for connection, guild_id in zip(opened, waiting, strict=True):
            tasks.create_task(wait_and_write(connection, guild_id))
        await asyncio.sleep(_A_WHILE)
        assert done == []
        await first.commit()
    assert done == waiting


async def test_readers_dont_wait(database: Database) -> None:
    """During a write, readers see the committed rows."""
    async with writing(database) as connection:
        assert await written(database) == []
        await connection.commit()
        assert await written(database) == [1]


@pytest.mark.parametrize("end", ["commit", "rollback", "close", "invalidate"])
async def test_every_end_releases_the_next_writer(database: Database, end: str) -> None:
    """The next writer proceeds, however the transaction before it ended."""
    async with writing(database) as connection:
        await getattr(connection, end)()
        assert await asyncio.wait_for(write(database, 2), 5) == 2
    assert await written(database) == ([1, 2] if end == "commit" else [2])


async def test_a_failing_writer(database: Database) -> None:
    """After a refused statement the next writer proceeds too."""
    await write(database, 1)
    for _ in range(2):
        with pytest.raises(Exception, match="UNIQUE"):
            await write(database, 1)
    assert await asyncio.wait_for(write(database, 2), 5) == 2


async def test_a_cancelled_writer(database: Database) -> None:
    """A writer cancelled in the queue blocks no other."""
    async with writing(database) as first:
        impatient = asyncio.create_task(write(database, 2))
        patient = asyncio.create_task(write(database, 3))
        await asyncio.sleep(_A_WHILE)
        impatient.cancel()
        await first.commit()
        assert await asyncio.wait_for(patient, 5) == 3
    assert await written(database) == [1, 3]


async def test_a_statement_returns_its_rows(database: Database) -> None:
    """Rows, the number of changed rows, and generated ids are returned unchanged."""
    async with database.begin() as connection:
        many = [{"id": number, "removed_at": number} for number in range(100)]
        await connection.execute(insert(guilds), many)
        some = select(guilds.c.id, guilds.c.removed_at).where(guilds.c.id < 3)
        assert [tuple(row) for row in await connection.execute(some)] == [(0, 0), (1, 1), (2, 2)]
        changed = await connection.execute(text("UPDATE guilds SET removed_at = 5 WHERE id < 7"))
        assert changed.rowcount == 7
        one = insert(guilds).values(id=1000).returning(guilds.c.id)
        assert (await connection.execute(one)).scalar_one() == 1000


@pytest.mark.parametrize("by", ["a statement", "a piece of work"])
async def test_the_first_trip_knows_sqlalchemys_functions(database: Database, by: str) -> None:
    """SQLAlchemy defines them when it connects."""
    asked = text("SELECT 'rowbot' REGEXP '^r.*t$', floor(1.5)")
    if by == "a statement":
        async with database.connect() as connection:
            found = (await connection.execute(asked)).one()
    else:
        found = await read(database, lambda connection: connection.execute(asked).one())
    assert tuple(found) == (1, 1)


@pytest.mark.parametrize("broken", ["no folder", "no database"])
async def test_a_file_that_cant_be_opened(tmp_path: Path, broken: str) -> None:
    """An error is raised, and the connection's thread ends."""
    path = tmp_path / "missing" / "rowbot.db"
    if broken == "no database":
        path = tmp_path / "rowbot.db"
        path.write_text("This is a letter, and a long one. " * 100)
    before = set(threading.enumerate())  # threads of another test may be about to end
    engine = create_engine(f"sqlite:///{path}")
    with pytest.raises(DBAPIError):
        await engine.connect()
    await engine.dispose()
    await until(lambda: set(threading.enumerate()) <= before)


# --- One trip to the thread


def add(connection: Connection, guild_id: int) -> int:
    connection.execute(insert(guilds).values(id=guild_id))
    return guild_id


def ids(connection: Connection) -> list[ServerId]:
    return list(connection.execute(select(guilds.c.id)).scalars())


async def test_a_piece_of_work_is_one_trip_to_its_thread(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A piece of work is one trip, with its commit; so is a statement by itself, and a commit."""
    async with database.connect(), database.connect():
        pass  # opens those of `write_in_one_trip` and of `written`
    trips, execute = list[object](), aiosqlite.Connection._execute  # noqa: SLF001

    def counted(connection: aiosqlite.Connection, work: object, *args: object) -> object:
        trips.append(work)
        return execute(connection, work, *args)  # type: ignore[no-untyped-call]

    monkeypatch.setattr(aiosqlite.Connection, "_execute", counted)
    assert await write_in_one_trip(database, add, 1) == 1
    assert len(trips) == 1
    assert await read(database, ids) == await written(database) == [1]
    assert len(trips) == 3
    await write(database, 2)
    assert len(trips) == 5


async def test_a_trip_that_fails(database: Database) -> None:
    """Its error arrives as SQLAlchemy's, nothing is written, and the next writer proceeds."""
    await write_in_one_trip(database, add, 1)

    def add_both(connection: Connection) -> None:
        add(connection, 2)
        add(connection, 1)

    for _ in range(2):
        with pytest.raises(IntegrityError, match="UNIQUE"):
            await write_in_one_trip(database, add_both)
    assert await asyncio.wait_for(write(database, 3), 5) == 3
    assert await written(database) == [1, 3]


async def test_a_connection_comes_back_without_a_transaction(database: Database) -> None:
    """A lent connection sees what was committed since it read, and keeps nothing uncommitted."""
    async with database.lent() as reading:
        assert await do(reading, ids) == []
    async with database.lent() as unfinished:
        await do(unfinished, add, 2, writes=True)
    assert not reading.in_transaction()
    await asyncio.wait_for(write_in_one_trip(database, add, 1), 5)
    assert await read(database, ids) == [1]


async def test_a_trip_without_a_commit(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others wait for the end of its transaction, instead of meeting SQLite's lock."""
    monkeypatch.setattr(sqlite, "_WAIT_SECONDS", 0.0)
    async with asyncio.TaskGroup() as tasks, database.lent() as unfinished:
        await do(unfinished, add, 2, writes=True)
        tasks.create_task(write_in_one_trip(database, add, 1))
        await asyncio.sleep(_A_WHILE)
    assert await read(database, ids) == [1]


async def test_connections_are_lent_in_turn(database: Database) -> None:
    """A task that waits for a connection gets it before tasks that come later."""
    users, served = range(20), list[int]()
    async with AsyncExitStack() as stack:  # they are opened at their first use, which takes a while
        for _ in range(LENT):
            await stack.enter_async_context(database.lent())

    async def use_twice(user: int) -> None:
        for _ in range(2):
            async with database.lent():
                served.append(user)
                await asyncio.sleep(0)

    async with asyncio.TaskGroup() as tasks:
        for user in users:
            tasks.create_task(use_twice(user))
    assert sorted(served[: len(users)]) == [*users]


async def test_nobody_waits_for_a_connection_for_ever(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the database hangs, waiting tasks get an error that may pass; then all goes on."""
    monkeypatch.setattr(bot.db.database, "_LENT_WITHIN_SECONDS", _A_WHILE)
    async with AsyncExitStack() as stack:
        for _ in range(LENT):
            await stack.enter_async_context(database.lent())
        with pytest.raises(TimeoutError) as hanging:
            await read(database, ids)
    assert is_passing(hanging.value)
    assert await read(database, ids) == []


async def test_all_connections_can_be_had(database: Database) -> None:
    """The connections that are kept for trips leave enough for others."""
    async with AsyncExitStack() as stack:
        for _ in range(LENT):
            await stack.enter_async_context(database.lent())
        for _ in range(CONNECTIONS - LENT):
            await asyncio.wait_for(stack.enter_async_context(database.connect()), 5)


async def test_trips_queue_with_other_writers(database: Database) -> None:
    """A trip that writes waits for the writer before; one that reads doesn't."""
    async with asyncio.TaskGroup() as tasks, writing(database) as first:
        waiting = tasks.create_task(write_in_one_trip(database, add, 2))
        await asyncio.sleep(_A_WHILE)
        assert await read(database, ids) == []
        assert not waiting.done()
        await first.commit()
    assert await written(database) == [1, 2]


@pytest.mark.parametrize("times", [1, 2])
async def test_a_cancelled_trip(database: Database, times: int) -> None:
    """A task that is cancelled in a trip waits for its end, so that the connection is free then.

    A task that was cancelled twice before its first statement didn't: its turn to write was over
    while it still wrote, on a connection that others could have by then.
    """
    begun, go_on = threading.Event(), threading.Event()

    def slow(connection: Connection) -> None:
        begun.set()
        go_on.wait(5)
        add(connection, 1)

    trip = asyncio.create_task(write_in_one_trip(database, slow))
    await asyncio.to_thread(begun.wait, 5)
    for _ in range(times):
        trip.cancel()
        await asyncio.sleep(_A_WHILE)
    assert not trip.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await trip
    assert await asyncio.wait_for(write(database, 2), 5) == 2
    assert await written(database) == [1, 2]


# --- Locks


@pytest.mark.parametrize("readers_wait", [False, True])
async def test_a_database_lock_doesnt_hold_the_event_loop(
    database: Database, *, readers_wait: bool
) -> None:
    """While another program holds SQLite's lock, a move waits for it, and the bot goes on.

    Readers wait too, if that program has also left the index of the WAL to be rebuilt, as one that
    was killed in the middle of a commit does.
    """
    store = MatchStore(database)
    stored = await create(store)
    path = str(database.url.database)

    async def play() -> None:
        read = await loaded(store, stored.id)
        await store.save(read, read.match.play("b2"), NOW)

    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        if readers_wait:
            spoil_index(path)
        move = asyncio.create_task(play())
        passing = asyncio.ensure_future(asyncio.sleep(_LOCKED_SECONDS))
        assert await longest_pause(passing) < 0.5
        assert not move.done()
        other.execute("ROLLBACK")
    await asyncio.wait_for(move, 6)
    assert (await loaded(store, stored.id)).match.ply == 1


def spoil_index(path: str) -> None:
    with Path(f"{path}-shm").open("r+b") as index:
        index.write(bytes(_INDEX_HEADER))
