"""Searching matches for puzzles, beside the searches that members wait for."""

import asyncio
from random import Random

import pytest
from sqlalchemy import update

from bot.db import tables
from bot.db.database import Database
from bot.identity import ChannelId, Place, ServerId
from bot.matches.model import NewMatch
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.puzzles import search
from bot.puzzles.search import PuzzleSearch
from bot.puzzles.store import PuzzleStore, SearchedStore
from bot.workers.search_client import SearchClient
from tests.bot.engines import WaitingEngine
from tests.bot.playing import NAMES, NOW, SERVER, X_WINS, begin, create
from tests.bot.processes import until
from tests.bot.searching import Gate, choose, searching
from tests.bot.serving import Clock
from tests.core.boards import after

LATER = NOW + 2 * 86_400


async def test_a_busy_bot(
    database: Database,
    store: MatchStore,
    matches: MatchService,
    clock: Clock,
    gate: Gate,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A round in which members keep the process busy ends, and leaves the match to a later one."""
    stored = await create(store)
    await store.save(stored, after(begin(), X_WINS), NOW)
    clock.now = LATER
    searched = SearchedStore(database)
    await PuzzleStore(database, Random(1)).note_wanted(SERVER, clock.now)
    monkeypatch.setattr(search, "LONGEST_WORK_SECONDS", 0.1)
    async with searching(WaitingEngine, seconds=20) as searches:
        waiting = asyncio.create_task(choose(searches))
        await until(lambda: gate.begun() == 1)
        looking = PuzzleSearch(searched, matches, searches, clock)
        async with asyncio.timeout(5):
            await looking.search()
        assert await searched.unsearched(SERVER, clock.now) == (stored.id, NOW)
        gate.open()
        await waiting
        monkeypatch.undo()
        await looking.search()
    assert await searched.unsearched(SERVER, clock.now) is None


async def test_every_server_has_its_turn(
    database: Database,
    store: MatchStore,
    matches: MatchService,
    clock: Clock,
    searches: SearchClient,
) -> None:
    """A round searches for five servers, and the next round begins with the sixth."""
    searched, asked = SearchedStore(database), PuzzleStore(database, Random(1))
    servers = [ServerId(number) for number in range(1, 7)]
    for number, server_id in enumerate(servers + servers, start=1):
        place = Place(server_id, ChannelId(number))
        stored = await store.create(NewMatch(place, begin(), NAMES), NOW)
        await store.save(stored, after(stored.match, X_WINS), NOW + number)
        await asked.note_wanted(server_id, clock.now)
    async with database.begin() as connection:  # so that none of them takes a search
        await connection.execute(update(tables.matches).values(moves="?"))
    clock.now = LATER
    looking = PuzzleSearch(searched, matches, searches, clock)
    for _ in range(2):
        await looking.search()
    following = [await searched.unsearched(server_id, clock.now) for server_id in servers]
    assert [one and one[0] for one in following] == [None] * 4 + [11, 12]
