"""The stores of puzzles."""

from random import Random

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.puzzles.store import DailyStore, PuzzleStore, SearchedStore, TryStore


@pytest.fixture
def puzzle_store(database: AsyncEngine) -> PuzzleStore:
    return PuzzleStore(database, Random(1))


@pytest.fixture
def tries(database: AsyncEngine) -> TryStore:
    return TryStore(database)


@pytest.fixture
def posts(database: AsyncEngine) -> DailyStore:
    return DailyStore(database)


@pytest.fixture
def searched(database: AsyncEngine) -> SearchedStore:
    return SearchedStore(database)
