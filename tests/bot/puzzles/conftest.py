"""The stores of puzzles."""

from random import Random

import pytest

from bot.db.database import Database
from bot.puzzles.store import DailyStore, PuzzleStore, SearchedStore, TryStore


@pytest.fixture
def puzzle_store(database: Database) -> PuzzleStore:
    return PuzzleStore(database, Random(1))


@pytest.fixture
def tries(database: Database) -> TryStore:
    return TryStore(database)


@pytest.fixture
def posts(database: Database) -> DailyStore:
    return DailyStore(database)


@pytest.fixture
def searched(database: Database) -> SearchedStore:
    return SearchedStore(database)
