"""Databases that fail for a while: what is tried again, which errors pass, and nothing is lost."""

import asyncio
import sqlite3
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import Connection, func, insert, select, text, update
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from bot.db.database import ConnectionLimits, Database, create_engine, open_database
from bot.db.errors import is_passing
from bot.db.facts import FactStore
from bot.db.statements import hold, read, write
from bot.db.tables import facts, matches
from bot.failures import failure_of
from bot.identity import ChannelId, MatchId, Place
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.store import MatchStore
from core.grid import Move
from tests.bot.playing import HERE, NAMES, NOW, SERVER, X_WINS, begin, loaded
from tests.core.boards import after

LIMITS = ConnectionLimits(size=2, overflow=0, connect_seconds=2, statement_seconds=1)


# --- PostgreSQL


async def test_a_deadlock_is_tried_again(postgres_database: Database) -> None:
    """A match whose end loses a deadlock against another transaction is saved all the same."""
    store = MatchStore(postgres_database)
    stored = await store.create(NewMatch(HERE, begin(), NAMES), NOW)
    async with postgres_database.connect() as other:
        await other.execute(text("SET LOCAL deadlock_timeout = '20s'"))
        await other.run_sync(hold, f"ordinals on {SERVER}")
        ending = asyncio.create_task(store.save(stored, after(stored.match, X_WINS), NOW))
        await _waits_for_a_lock(postgres_database)
        await other.execute(update(matches).values(board_id=7))
        await other.commit()
        assert (await ending).entry.changes
    assert (await store.load(stored.id)) is not None


async def test_a_transaction_that_loses_is_done_again(postgres_database: Database) -> None:
    """Its writes are undone first, so it can write the same row; the last try's result counts."""
    tries = list[int]()

    def work(connection: Connection) -> int:
        tries.append(connection.execute(insert(facts), {"name": "a", "value": "b"}).rowcount)
        if len(tries) == 1:
            connection.execute(text("DO $$ BEGIN RAISE SQLSTATE '40001'; END $$"))
        return len(tries)

    assert await write(postgres_database, work) == 2
    assert await FactStore(postgres_database).get("a") == "b"


async def test_only_a_write_begins_a_transaction(postgres_database: Database) -> None:
    """So a read needs no round trips for a beginning and an end, and a write is undone whole."""

    def in_transaction(connection: Connection) -> bool:
        connection.execute(text("SELECT 1"))
        driver: Any = connection.connection.driver_connection
        return bool(driver.is_in_transaction())

    assert await write(postgres_database, in_transaction)
    assert not await read(postgres_database, in_transaction)


async def test_the_servers_default_isolation_has_no_effect(migrated_postgres_url: str) -> None:
    """What waits for a lock has to see then what the transaction before it has written."""
    change = "ALTER DATABASE {} SET default_transaction_isolation = serializable"
    admin = create_engine(migrated_postgres_url, LIMITS)
    async with admin.lent_to_read() as connection:
        await connection.execute(text(change.format(admin.url.database)))
    await admin.dispose()
    engine = create_engine(migrated_postgres_url, LIMITS)
    async with engine.lent_to_read() as connection:
        await connection.execute(text("SELECT 1"))
    async with engine.connect() as connection:
        isolation = await connection.execute(text("SHOW transaction_isolation"))
        assert isolation.scalar_one() == "read committed"
    await engine.dispose()


async def _waits_for_a_lock(database: Database) -> None:
    waiting = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    async with asyncio.timeout(10), database.connect() as connection:
        while not (await connection.execute(waiting)).scalar_one():
            await asyncio.sleep(0.01)
            await connection.rollback()


async def test_the_server_stops_and_starts_during_play(
    postgres: Any, migrated_postgres_url: str
) -> None:
    """Every error meanwhile is one that may pass, no accepted move is lost, each match goes on."""
    accepted: dict[MatchId, Sequence[Move]] = {}
    refused: list[Exception] = []
    stopped = asyncio.Event()

    async def play(store: MatchStore, stored: StoredMatch) -> None:
        while not stored.match.outcome:
            await asyncio.sleep(0.1)
            if len(stored.match.moves) == 4:
                # However long the server takes to stop, each match has moves left for afterwards.
                await stopped.wait()
            try:
                # The last move may be saved although nobody was told so.
                stored = await store.load(stored.id) or stored
                assert len(stored.match.moves) >= len(accepted.get(stored.id, ()))
                if moves := stored.match.position.legal_moves():
                    stored = await store.save(stored, stored.match.play(moves[0]), NOW)
                    accepted[stored.id] = stored.match.moves
            except Exception as error:
                refused.append(error)

    async with open_database(migrated_postgres_url, limits=LIMITS) as database:
        store = MatchStore(database)
        places = [Place(SERVER, ChannelId(channel)) for channel in (1, 2, 3)]
        begun = [await store.create(NewMatch(place, begin(), NAMES), NOW) for place in places]
        async with asyncio.TaskGroup() as tasks:
            for stored in begun:
                tasks.create_task(play(store, stored))
            await asyncio.sleep(0.25)
            try:
                await asyncio.to_thread(postgres.stop)
            finally:
                stopped.set()
                await asyncio.sleep(0.25)
                await asyncio.to_thread(postgres.ensure_postgres_running)
        assert refused
        assert [error for error in refused if not is_passing(error)] == []
        for match_id, moves in accepted.items():
            over = await loaded(store, match_id)
            assert over.match.outcome
            assert over.match.moves[: len(moves)] == moves


async def test_a_connection_that_the_server_ends_while_nobody_uses_it(postgres_server: str) -> None:
    """The next use takes a new one, and doesn't fail."""
    engine, other = create_engine(postgres_server, LIMITS), create_engine(postgres_server, LIMITS)
    backend, end = text("SELECT pg_backend_pid()"), text("SELECT pg_terminate_backend(:ended)")
    async with engine.lent_to_read() as connection:
        ended = (await connection.execute(backend)).scalar_one()
    async with other.connect() as connection:
        await connection.execute(end, {"ended": ended})
    await asyncio.sleep(0.2)  # until asyncpg is told
    async with engine.lent_to_read() as connection:
        assert (await connection.execute(backend)).scalar_one() != ended
    await engine.dispose()
    await other.dispose()


async def test_a_read_that_finds_its_connection_lost(postgres: Any, postgres_server: str) -> None:
    """It is done again, since asyncpg may not know yet; the other connections are replaced, too."""
    engine, backend = create_engine(postgres_server, LIMITS), select(func.pg_backend_pid())

    def asked(connection: Connection) -> int | None:
        return connection.scalar(backend)

    lost = await asyncio.gather(*[read(engine, asked) for _ in range(LIMITS.size)])
    for one in lost:
        postgres.psql(f"SELECT pg_terminate_backend({one})")
    assert await read(engine, asked) not in lost
    assert await write(engine, asked) not in lost
    await engine.dispose()


async def test_a_statement_has_a_time_limit(postgres_server: str) -> None:
    """A statement that takes too long is given up, and may pass; the connection is good."""
    engine = create_engine(postgres_server, LIMITS)
    async with engine.connect() as connection:
        with pytest.raises(DBAPIError, match="statement timeout") as caught:
            await connection.execute(text("SELECT pg_sleep(30)"))
        assert is_passing(caught.value)
        await connection.rollback()
        assert (await connection.execute(text("SELECT 1"))).scalar_one() == 1
    await engine.dispose()


@pytest.mark.parametrize(
    ("part", "wrong"), [("/postgres?", "/nowhere?"), ("postgres:@", "no_one@")]
)
async def test_the_server_refuses_the_connection(
    postgres_server: str, part: str, wrong: str
) -> None:
    """This may pass, since a password may be changing, or the database being created anew."""
    engine = create_engine(postgres_server.replace(part, wrong, 1), LIMITS)
    with pytest.raises(DBAPIError, match="does not exist") as caught:
        async with engine.connect():
            pytest.fail("there is none")
    assert is_passing(caught.value)


async def test_a_full_pool(postgres_server: str) -> None:
    """If no connection comes free in time, that may pass too."""
    engine = create_engine(postgres_server, LIMITS)
    async with engine.connect(), engine.connect():
        with pytest.raises(Exception, match="QueuePool limit") as caught:
            async with engine.connect():
                pytest.fail("there were only two")
    assert is_passing(caught.value)
    await engine.dispose()


@pytest.mark.parametrize("query", ["sslmode=prefer", "ssl=disable&application_name=theirs"])
async def test_an_address_with_the_names_of_libpq(migrated_postgres_url: str, query: str) -> None:
    """The addresses that database hosters give out are understood, with libpq's parameters."""
    address = f"{migrated_postgres_url}&{query}"
    async with open_database(address, limits=LIMITS) as database, database.connect() as connection:
        named = await connection.execute(text("SHOW application_name"))
        assert named.scalar_one() == "rowbot", "`restore` looks for that name"


@pytest.mark.parametrize(
    ("query", "reason"),
    [("sslmode=always", "must be one of: disable"), ("channel_binding=require", "unrecognized")],
)
async def test_an_address_with_unknown_words(postgres_server: str, query: str, reason: str) -> None:
    """An unknown parameter ends the program with a sentence for the host."""
    with pytest.raises(SQLAlchemyError, match=reason) as caught:
        async with open_database(f"{postgres_server}&{query}"):
            pytest.fail("it was opened")
    failure = failure_of(caught.value)
    assert failure is not None and reason in failure.sentence


# --- SQLite


async def test_a_locked_file_may_pass(sqlite_database: Database) -> None:
    """A file that another program writes to is busy for a while."""
    other = sqlite3.connect(str(sqlite_database.url.database))
    other.execute("BEGIN IMMEDIATE")
    async with sqlite_database.connect() as connection:
        await connection.execute(text("PRAGMA busy_timeout = 1"))
        with pytest.raises(OperationalError, match="locked") as caught:
            await connection.execute(text("DELETE FROM guilds"))
    other.close()
    assert is_passing(caught.value)


def test_a_lock_on_readers_may_pass() -> None:
    """SQLite has another error code for a lock for which readers have waited ten seconds."""
    met = sqlite3.OperationalError("locking protocol")
    met.sqlite_errorname = "SQLITE_PROTOCOL"
    assert is_passing(OperationalError("SELECT", {}, met))


async def test_a_full_disk_may_pass(sqlite_database: Database) -> None:
    """A database that can't grow is full for a while."""
    async with sqlite_database.connect() as connection:
        await connection.execute(text("PRAGMA max_page_count = 1"))  # at least what it has
        with pytest.raises(OperationalError, match="full") as caught:
            await connection.execute(text("CREATE TABLE more AS SELECT zeroblob(1000000)"))
    assert is_passing(caught.value)


async def test_a_wrong_statement_wont_pass(database: Database) -> None:
    """An error of ours is unexpected, on both engines."""
    async with database.connect() as connection:
        with pytest.raises(DBAPIError) as caught:
            await connection.execute(text("SELECT * FROM nothing"))
    assert not is_passing(caught.value)
