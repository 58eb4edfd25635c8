"""Shards: each server is served by exactly one of a bot's processes."""

import asyncio
import time
from random import Random

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import BigInteger, insert, literal, select

from bot.app import create_bot
from bot.clocks.store import DueStore, go_on
from bot.db.database import Database
from bot.db.facts import FactStore
from bot.db.tables import guilds
from bot.identity import ChannelId, MatchId, Place, ServerId
from bot.matches.model import NewMatch
from bot.matches.store import MatchStore
from bot.privacy.store import ServerDataStore
from bot.settings import Settings
from bot.shards import Shards
from core.engine.levels import Level
from core.players import Computer
from tests.bot.playing import NOW, begin
from tests.core.boards import ALICE

PROCESSES = [Shards(0, 2, 8), Shards(3, 3, 8), Shards(4, 7, 8)]
# A server of each shard.
SERVERS = [ServerId((number << 22) + 5) for number in range(8)]


@pytest.mark.parametrize(
    ("text", "ids", "count"),
    [("0-7/32", list(range(8)), 32), ("3/8", [3], 8), (" 0/1 ", [0], 1), ("31-31/32", [31], 32)],
)
def test_shards_are_written_as_a_range(text: str, ids: list[int], count: int) -> None:
    shards = Shards.parse(text)
    assert (shards.ids, shards.count) == (ids, count)


@pytest.mark.parametrize(
    "text", ["", "8/8", "3-1/8", "0-8/8", "-1/8", "1,2/8", "0-7", "0/0", "٣/8"]
)
def test_other_texts_name_no_shards(text: str) -> None:
    with pytest.raises(ValueError, match="shards"):
        Shards.parse(text)


@given(st.integers(1, 2**63 - 1))
def test_each_server_has_one_process(number: int) -> None:
    """It is the process that Discord sends the server's events to."""
    serving = [shards for shards in PROCESSES if shards.serve(ServerId(number))]
    assert [(number >> 22) % 8 in shards.ids for shards in PROCESSES].count(True) == 1
    assert len(serving) == 1 and (number >> 22) % 8 in serving[0].ids


async def test_the_database_knows_the_same_servers(database: Database) -> None:
    """The condition in SQL is that of `serve`; rows without a server are the first shard's."""
    rng = Random(1)
    numbers = [
        ServerId(n) for n in (1, 2**22, 2**62 + 7, *(rng.getrandbits(63) for _ in range(50)))
    ]
    async with database.connect() as connection:
        for shards in (*PROCESSES, Shards.ALL):
            for number in (None, *numbers):
                row = select(literal(number, BigInteger).label("server")).subquery()
                here = (
                    select(literal(1))
                    .select_from(row)
                    .where(database.serving(shards).serves(row.c.server))
                )
                found = (await connection.execute(here)).all()
                assert bool(found) == (shards.leads if number is None else shards.serve(number))


async def test_each_process_does_what_is_due_on_its_servers(sqlite_database: Database) -> None:
    """Deadlines and owed moves of all servers come up in one process each, and in none twice."""
    everywhere = MatchStore(sqlite_database)
    for number, server in enumerate(SERVERS):
        owing = begin(ALICE, Computer(Level.EASY)).play("b2")
        place = Place(server, ChannelId(100 + number))
        await everywhere.create(NewMatch(place, owing, ("Alice", None)), NOW)
    due, owed = [], list[MatchId]()
    for shards in PROCESSES:
        database = sqlite_database.serving(shards)
        store = MatchStore(database)
        late = NOW + 30 * 86_400
        due += [one.match_id for one in await DueStore(database).due(late, 99)]
        owed += await store.computer_due()
        assert await everywhere.computer_due()
    assert len(due) == len(set(due)) == 8
    assert len(owed) == len(set(owed)) == 8


async def test_each_process_looks_after_its_servers(sqlite_database: Database) -> None:
    """It doesn't ask whether other servers have removed the bot, and erases none of them."""
    async with sqlite_database.begin() as connection:
        await connection.execute(insert(guilds), [{"id": server} for server in SERVERS])
    stores = [ServerDataStore(sqlite_database.serving(shards), go_on) for shards in PROCESSES]
    assert sorted([server for store in stores for server in await store.not_left()]) == SERVERS
    for server in SERVERS:
        await stores[0].note_left(server, NOW)
    assert sorted([server for store in stores for server in await store.left_by(NOW)]) == SERVERS


async def test_one_process_works_for_all_servers(
    settings: Settings, sqlite_database: Database
) -> None:
    """Only the process with the first shard tells Discord the commands."""
    for shards in PROCESSES:
        bot = create_bot(settings.model_copy(update={"shards": shards}), sqlite_database)
        await bot.watch.start("127.0.0.1", 0)
        metrics = f"http://127.0.0.1:{bot.watch.port}/metrics"
        async with aiohttp.ClientSession() as session, session.get(metrics) as response:
            loops = await response.text()
        assert ("telling Discord the commands" in loops) == shards.leads
        await bot.watch.close()
        await bot.close()


async def test_reserved_times_follow_each_other(database: Database) -> None:
    """Processes that want the same time at once get one part of it each, without gaps."""
    stores = [FactStore(database) for _ in range(4)]
    waits = await asyncio.gather(*(store.reserve("identify 0", 5.5, 60) for store in stores))
    assert [round(wait - number * 5.5) for number, wait in enumerate(sorted(waits))] == [0] * 4
    assert await stores[0].reserve("identify 1", 5.5, 60) == 0


async def test_a_clock_that_was_ahead_reserves_nothing(sqlite_database: Database) -> None:
    """Once the machine's clock is set back, nobody waits for times reserved by the wrong clock."""
    store = FactStore(sqlite_database)
    await store.put("identify 0", str(int(1000 * (time.time() + 3600))))
    waits = [await store.reserve("identify 0", 5.5, 60) for _ in range(2)]
    assert waits == [0, pytest.approx(5.5, abs=1)]
