"""SQLite's connection: writers queue, readers don't wait, and no thread outlives it."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.db import sqlite
from bot.db.tables import guilds

# Long enough for unblocked work to finish.
_A_WHILE = 0.05


@pytest.fixture
def database(sqlite_database: AsyncEngine) -> AsyncEngine:
    return sqlite_database


@asynccontextmanager
async def writing(database: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Hold a connection with an uncommitted write."""
    async with database.connect() as connection:
        await connection.execute(insert(guilds).values(id=1))
        yield connection


async def write(database: AsyncEngine, guild_id: int) -> int:
    async with database.begin() as connection:
        await connection.execute(insert(guilds).values(id=guild_id))
    return guild_id


async def written(database: AsyncEngine) -> list[int]:
    """Return the committed ids."""
    async with database.connect() as connection:
        return list((await connection.execute(select(guilds.c.id).order_by(guilds.c.id))).scalars())


async def test_writers_queue_in_order(database: AsyncEngine) -> None:
    """Writers wait for the one before, and write in order of arrival."""
    done: list[int] = []

    async def wait_and_write(guild_id: int) -> None:
        done.append(await write(database, guild_id))

    waiting = [9, 8, 7, 6]
    async with asyncio.TaskGroup() as tasks, writing(database) as first:
        for guild_id in waiting:
            tasks.create_task(wait_and_write(guild_id))
            await asyncio.sleep(0.01)
        await asyncio.sleep(_A_WHILE)
        assert done == []
        await first.commit()
    assert done == waiting


async def test_readers_dont_wait(database: AsyncEngine) -> None:
    """During a write, readers see the committed rows."""
    async with writing(database) as connection:
        assert await written(database) == []
        await connection.commit()
        assert await written(database) == [1]


@pytest.mark.parametrize("end", ["commit", "rollback", "close", "invalidate"])
async def test_every_end_releases_the_next_writer(database: AsyncEngine, end: str) -> None:
    """The next writer proceeds, however the transaction before it ended."""
    async with writing(database) as connection:
        await getattr(connection, end)()
        assert await asyncio.wait_for(write(database, 2), 5) == 2
    assert await written(database) == ([1, 2] if end == "commit" else [2])


async def test_a_failing_writer(database: AsyncEngine) -> None:
    """After a refused statement the next writer proceeds too."""
    await write(database, 1)
    for _ in range(2):
        with pytest.raises(Exception, match="UNIQUE"):
            await write(database, 1)
    assert await asyncio.wait_for(write(database, 2), 5) == 2


async def test_a_cancelled_writer(database: AsyncEngine) -> None:
    """A writer cancelled in the queue blocks no other."""
    async with writing(database) as first:
        impatient = asyncio.create_task(write(database, 2))
        patient = asyncio.create_task(write(database, 3))
        await asyncio.sleep(_A_WHILE)
        impatient.cancel()
        await first.commit()
        assert await asyncio.wait_for(patient, 5) == 3
    assert await written(database) == [1, 3]


async def test_a_statement_returns_its_rows(database: AsyncEngine) -> None:
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


@pytest.mark.parametrize("broken", ["no folder", "no database"])
async def test_a_file_that_cant_be_opened(tmp_path: Path, broken: str) -> None:
    """An error is raised after the connection's thread has ended."""
    path = tmp_path / "missing" / "rowbot.db"
    if broken == "no database":
        path = tmp_path / "rowbot.db"
        path.write_text("This is a letter, and a long one. " * 100)
    before = set(threading.enumerate())  # of which those of another test may be about to end
    with pytest.raises(sqlite3.Error):
        await sqlite.connect(str(path), asyncio.Lock())
    # The thread notifies the loop just before it ends.
    await asyncio.sleep(_A_WHILE)
    assert set(threading.enumerate()) <= before


async def test_opening_waits_while_a_new_file_is_written(tmp_path: Path) -> None:
    """Of two programs that open a new file at once, the second waits for the first."""
    path = str(tmp_path / "new.db")
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    other.execute("CREATE TABLE of_the_other (id)")
    opening = asyncio.create_task(sqlite.connect(path, asyncio.Lock()))
    await asyncio.sleep(_A_WHILE)
    assert not opening.done()
    other.execute("COMMIT")
    other.close()
    connection = await opening
    await connection.close()
    await connection.stopped()
