"""Servers that the bot has left: which are asked about, and their erasure, on both engines."""

import asyncio
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

import pytest
from sqlalchemy import Column, Connection, Integer, Table, func, insert, select
from sqlalchemy.util import await_only

from bot.achievements.rules import Achievement
from bot.achievements.store import AchievementStore
from bot.clocks.store import go_on
from bot.db.database import Database
from bot.db.tables import guild_settings, guilds, matches, metadata, seats
from bot.identity import ServerId
from bot.matches.store import MatchStore
from bot.privacy.leaving import Leaving
from bot.privacy.store import ServerDataStore, servers
from bot.privacy.store.erasing import erase
from bot.times import DAY
from tests.bot.meanwhile import meanwhile
from tests.bot.playing import ALICE_ID, NOW, SERVER, begin, create
from tests.bot.privacy.filling import value_of
from tests.bot.serving import Clock
from tests.core.boards import BOB, after

ON_POSTGRESQL = pytest.mark.parametrize("database", ["postgresql"], indirect=True)
OTHER = ServerId(11)
MATCHES = 250
# Tables of the program, and of members alone, have nothing of a server.
_TABLES = [
    table
    for table in metadata.sorted_tables
    if not table.name.startswith("member_") and table.name not in ("guilds", "facts")
]


@pytest.fixture
def left(database: Database) -> ServerDataStore:
    return ServerDataStore(database, go_on)


async def test_a_return_that_is_noted_late(database: Database, store: MatchStore) -> None:
    """The clocks of the server go on all the same, after a match there."""
    returned = list[ServerId]()
    left = ServerDataStore(database, lambda _, server_id, *__: returned.append(server_id))
    await left.note_left(SERVER, NOW)
    await create(store)
    await left.note_present([SERVER], NOW + DAY)
    assert returned == [SERVER]


def value(column: Column[Any], server_id: ServerId, first: int, number: int) -> object:
    """Return the value of a column in the `number`-th row from id `first` on."""
    if column.name == "guild_id":
        return server_id
    if column.name == "series_id":
        return None if number == first else first
    return number if isinstance(column.type, Integer) else value_of(column)


async def fill(
    database: Database,
    server_id: ServerId,
    first: int,
    count: int,
    tables: Sequence[Table] = _TABLES,
) -> None:
    """Store `count` matches of one series on a server, from id `first` on, and as much of all else.

    There is one row where a server has no more.
    """
    async with database.begin() as connection:
        await connection.execute(insert(guilds).values(id=server_id))
        for table in tables:
            rows = 1 if table.primary_key.columns.keys() == ["guild_id"] else count
            await connection.execute(
                insert(table),
                [
                    {column.name: value(column, server_id, first, n) for column in table.columns}
                    for n in range(first, first + rows)
                ],
            )


async def counted(database: Database) -> dict[str, int]:
    """Return the number of rows by table."""
    async with database.connect() as connection:
        return {
            table.name: (
                await connection.execute(select(func.count()).select_from(table))
            ).scalar_one()
            for table in (guilds, *_TABLES)
        }


async def test_all_of_a_server_is_erased_and_nothing_of_others(
    database: Database, left: ServerDataStore
) -> None:
    """More rows than a batch and matches of one series are erased, and the server's row last."""
    await fill(database, OTHER, 1001, 3)
    of_others = await counted(database)
    await fill(database, SERVER, 1, MATCHES)
    await left.note_left(SERVER, NOW)
    assert await left.left_by(NOW) == [SERVER]
    assert await left.erase(SERVER)
    assert await counted(database) == of_others
    assert await left.left_by(NOW) == []
    assert await left.not_left() == {OTHER}


@ON_POSTGRESQL
async def test_a_match_ends_meanwhile(
    database: Database, store: MatchStore, left: ServerDataStore
) -> None:
    """Its end comes first, and is erased with it: a player may be erased, and resign, then."""
    live = await create(store, after(begin(), "a1 a3 b1 b3"))
    await left.note_left(SERVER, NOW)
    async with meanwhile(database, "UPDATE seats", partial(left.erase, SERVER)):
        assert (await store.save(live, live.match.resign(BOB), NOW)).entry.changes
    assert {*(await counted(database)).values()} == {0}


@ON_POSTGRESQL
async def test_a_match_brings_achievements_meanwhile(
    database: Database, store: MatchStore, left: ServerDataStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are erased after the matches, so none is left of a match that is looked at last."""
    live = await create(store, after(begin(), "a1 a3 b1 b3"))
    over = await store.save(live, after(live.match, "c1"), NOW)
    await left.note_left(SERVER, NOW)
    award = partial(AchievementStore(database).award, over.id, over.revision)

    def after_an_award(connection: Connection, table: Table, *about: Any) -> int:
        if table is matches:
            await_only(award({ALICE_ID: [Achievement.STRAIGHT]}))
        return erase(connection, table, *about)

    monkeypatch.setattr(servers, "erase", after_an_award)
    assert await left.erase(SERVER)
    assert {*(await counted(database)).values()} == {0}


async def test_a_server_that_comes_back_keeps_the_rest(
    database: Database, left: ServerDataStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others write between the batches, and a return ends the erasure."""
    monkeypatch.setattr(servers, "_BATCH", 4)  # so that many are left, also on a busy machine
    many = 4 * MATCHES
    await fill(database, SERVER, 1, many, (matches, seats))
    await left.note_left(SERVER, NOW)
    erasing = asyncio.create_task(left.erase(SERVER))
    of_server = select(func.count()).where(matches.c.guild_id == SERVER)
    # One quick query: to count all tables takes so long that no matches may be left by then.
    async with database.connect() as connection:
        while (await connection.execute(of_server)).scalar_one() == many:
            await connection.rollback()
    await left.note_present([SERVER, OTHER], NOW)
    assert await erasing is False
    kept = await counted(database)
    assert 0 < kept["matches"] == kept["seats"] < many


async def test_a_return_while_discord_is_asked(left: ServerDataStore) -> None:
    """The event comes before the removal is noted, which would stop the server's clocks."""
    seen = set[ServerId]()

    async def is_there(server_id: ServerId) -> bool:
        seen.add(server_id)
        await left.note_present([server_id], NOW)
        return False

    leaving = Leaving(left, seen.__contains__, is_there, Random(1), lambda: NOW, 30)
    assert not await leaving.note_if_left(SERVER)
    assert await left.left_by(NOW) == []


async def test_only_what_discord_says_counts(database: Database, left: ServerDataStore) -> None:
    """It is asked before an erasure: then erase, or forget the removal, or ask again later."""
    said = {ServerId(1): False, ServerId(2): True, ServerId(3): None}
    for server_id in said:
        await fill(database, server_id, 10 * server_id, 1)
        await left.note_left(server_id, NOW)

    async def is_there(server_id: ServerId) -> bool | None:
        return said[server_id]

    clock = Clock(NOW + 29 * DAY)
    leaving = Leaving(left, lambda _: False, is_there, Random(1), clock, 30)
    await leaving.erase()
    assert await left.not_left() == set()
    clock.now += DAY
    await leaving.erase()
    async with database.connect() as connection:
        of = await connection.execute(select(matches.c.guild_id).order_by(matches.c.guild_id))
        assert list(of.scalars()) == [2, 3]
    assert await left.not_left() == {2}
    assert await left.left_by(NOW) == [3]


async def test_back_while_the_database_was_away(left: ServerDataStore) -> None:
    """A server whose return wasn't noted is noted when the bot looks for those to erase."""

    async def is_there(_: ServerId) -> None:
        return None

    await left.note_left(ServerId(1), NOW)
    leaving = Leaving(left, lambda server_id: server_id == 1, is_there, Random(1), Clock(), 30)
    await leaving.erase()
    assert await left.left_by(NOW) == []


async def test_a_server_that_is_seen_is_not_asked_for(left: ServerDataStore) -> None:
    """Otherwise the bot would ask before each loss on time."""

    async def is_there(_: ServerId) -> bool:
        raise AssertionError

    assert not await Leaving(
        left, lambda server_id: server_id == SERVER, is_there, Random(1), Clock(), 30
    ).note_if_left(SERVER)


async def test_servers_that_discord_is_asked_for(database: Database, left: ServerDataStore) -> None:
    """The bot asks for servers that it doesn't see, even with only settings, in batches.

    A server for which there is no answer doesn't count as left.
    """
    for server_id in (1, 2, 3):
        await fill(database, ServerId(server_id), 10 * server_id, 1)
    async with database.begin() as connection:
        rows = [{"guild_id": number} for number in range(100, 200)]
        await connection.execute(insert(guild_settings), rows)
    asked = set[ServerId]()

    async def is_there(server_id: ServerId) -> bool | None:
        asked.add(server_id)
        return {150: False, 151: None}.get(server_id, True)

    clock = Clock(NOW + 10 * DAY)
    leaving = Leaving(left, lambda server_id: server_id == 1, is_there, Random(1), clock, 30)
    await leaving.note_removals()
    assert len(asked) == 50
    for _ in range(20):
        await leaving.note_removals()
    assert asked == {2, 3, *range(100, 200)}
    assert await left.left_by(clock.now) == [150]
