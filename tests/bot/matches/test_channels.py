"""A channel has one live match at most, on both databases."""

import asyncio

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from bot.db import tables
from bot.db.database import Database
from bot.identity import ChannelId, MatchId, Place
from bot.matches.model import NewMatch, Series
from bot.matches.occupancy import Occupancy
from bot.matches.service import MatchService
from bot.matches.store import ChannelTakenError, MatchStore, insert_match
from bot.times import DAY
from core.players import Member
from tests.bot.playing import HERE, NAMES, NOW, SERVER, X_WINS, begin, create, names_of
from tests.bot.serving import Clock
from tests.core.boards import ALICE, ROBOT, after


async def test_a_refused_start_leaves_nothing(database: Database, store: MatchStore) -> None:
    """A match refused because its channel is taken leaves no seats behind."""
    await create(store)
    with pytest.raises(ChannelTakenError):
        await create(store)
    async with database.connect() as connection:
        assert len((await connection.execute(select(tables.matches))).all()) == 1
        assert len((await connection.execute(select(tables.seats))).all()) == 2


async def test_only_a_taken_channel_is_told_so(store: MatchStore) -> None:
    """Another violated constraint, here a missing series, isn't reported as a taken channel."""
    with pytest.raises(IntegrityError):
        await store.create(NewMatch(HERE, begin(), NAMES, Series(MatchId(999))), NOW)
    stored = await store.create(NewMatch(HERE, begin(), NAMES), NOW)
    with pytest.raises(ChannelTakenError):
        await store.create(NewMatch(HERE, begin(), NAMES, Series(stored.id)), NOW)


async def test_a_channel_whose_match_can_not_be_read_is_not_free(
    database: Database, store: MatchStore, matches: MatchService, clock: Clock
) -> None:
    """It counts as taken."""
    occupancy, other = Occupancy(matches, store, clock), ChannelId(77)
    await create(store)
    assert await occupancy.free([HERE.channel_id, other]) == other
    async with database.begin() as connection:
        await connection.exec_driver_sql("UPDATE matches SET moves = '?'")
    assert await occupancy.free([HERE.channel_id, other]) == other
    assert await occupancy.free([HERE.channel_id]) is None


async def test_any_idle_match_gives_its_channel_up(
    store: MatchStore, matches: MatchService, clock: Clock
) -> None:
    """If all channels are taken, one is free whose match a member has left lying for long."""
    occupancy, idle = Occupancy(matches, store, clock), ChannelId(21)
    await create(store)
    await create(store, begin(ALICE, ROBOT), idle)
    assert await occupancy.free([HERE.channel_id, idle]) is None
    clock.now += DAY
    assert await occupancy.free([HERE.channel_id, idle]) == idle
    assert await store.live(idle) is None


async def test_other_channels_are_free(store: MatchStore) -> None:
    """A channel and its thread have a match each."""
    here, there = await asyncio.gather(create(store), create(store, channel_id=21))
    assert await store.live(HERE.channel_id) == here
    assert await store.live(ChannelId(21)) == there


async def test_matches_of_a_server_begin_side_by_side(postgres_database: Database) -> None:
    """A match that begins doesn't wait for the open transaction of another that begins."""
    store = MatchStore(postgres_database)
    await create(store, channel_id=21)
    async with postgres_database.begin() as connection:
        others, place = begin(Member(7), Member(8)), Place(SERVER, ChannelId(22))
        await connection.run_sync(insert_match, NewMatch(place, others, names_of(others)), NOW)
        async with asyncio.timeout(5):
            await create(store, channel_id=23)


async def test_a_finished_match_frees_its_channel(store: MatchStore) -> None:
    """After the last move the channel accepts another match, which becomes its latest."""
    first = await create(store)
    over = await store.save(first, after(first.match, X_WINS), NOW)
    assert await store.live(HERE.channel_id) is None
    assert await store.latest(HERE.channel_id) == over
    second = await create(store)
    assert await store.live(HERE.channel_id) == second
    assert await store.latest(HERE.channel_id) == second
