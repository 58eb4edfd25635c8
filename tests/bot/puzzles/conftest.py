"""The stores of puzzles."""

from random import Random

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.puzzles.store import DailyStore, PuzzleStore, SearchedStore, TryStore
from tests.bot.serving import Clock


@pytest.fixture
def puzzle_store(database: AsyncEngine, clock: Clock) -> PuzzleStore:
    return PuzzleStore(database, clock, Random(1))


@pytest.fixture
def tries(database: AsyncEngine, clock: Clock) -> TryStore:
    return TryStore(database, clock)


@pytest.fixture
def posts(database: AsyncEngine, clock: Clock) -> DailyStore:
    return DailyStore(database, clock)


@pytest.fixture
def searched(database: AsyncEngine, clock: Clock) -> SearchedStore:
    return SearchedStore(database, clock)
