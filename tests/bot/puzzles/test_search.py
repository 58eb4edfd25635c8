"""Searching matches for puzzles, beside the searches that members wait for."""

import asyncio
from random import Random

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.matches.service import MatchService
from bot.puzzles import search
from bot.puzzles.search import PuzzleSearch
from bot.puzzles.store import PuzzleStore, SearchedStore
from tests.bot.engines import WaitingEngine
from tests.bot.playing import NOW, SERVER, X_WINS, begin, create
from tests.bot.processes import until
from tests.bot.searching import Gate, choose, searching
from tests.bot.serving import Clock
from tests.core.boards import after

LATER = NOW + 2 * 86_400


async def test_a_busy_bot(
    database: AsyncEngine,
    matches: MatchService,
    clock: Clock,
    gate: Gate,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A round in which members keep the process busy ends, and leaves the match to a later one."""
    stored = await create(matches.store)
    await matches.store.save(stored, after(begin(), X_WINS), NOW)
    clock.now = LATER
    store = SearchedStore(database, clock)
    await PuzzleStore(database, clock, Random(1)).asked(SERVER)
    monkeypatch.setattr(search, "LONGEST_WORK_SECONDS", 0.1)
    async with searching(WaitingEngine, seconds=20) as searches:
        waiting = asyncio.create_task(choose(searches))
        await until(lambda: gate.begun() == 1)
        looking = PuzzleSearch(store, matches, searches)
        async with asyncio.timeout(5):
            await looking.search()
        assert await store.unsearched(SERVER) == (stored.id, NOW)
        gate.open()
        await waiting
        monkeypatch.undo()
        await looking.search()
    assert await store.unsearched(SERVER) is None
