"""Fixtures for orders that chance decides."""

from collections.abc import AsyncIterator
from random import Random

import pytest

from bot.app import create_bot
from bot.client import Rowbot
from bot.db.database import Database
from bot.settings import Settings
from tests.conftest import Calendar
from tests.fuzzing.orders import answer_when_awaited, wait_for_threads
from tests.fuzzing.timers import simulate_all_time


@pytest.fixture(autouse=True)
def nothing_by_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave nothing to threads and clocks; this comes before the database is opened."""
    wait_for_threads(monkeypatch)
    answer_when_awaited(monkeypatch)
    simulate_all_time(monkeypatch)


@pytest.fixture
async def second(
    settings: Settings, database: Database, calendar: Calendar
) -> AsyncIterator[Rowbot]:
    """A second process of the bot, which `connect` connects."""
    bot = create_bot(settings, database, rng=Random(2), now=calendar)
    yield bot
    await bot.finish()
