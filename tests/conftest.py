"""What tests of the bot share: a migrated database, the bot over it, and its settings."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.app import create_bot, unix_now
from bot.client import Rowbot
from bot.db.database import create_engine, open_database
from bot.settings import Settings
from core.engine.player import Engine


@pytest.fixture
def settings() -> Settings:
    """The defaults, whatever the machine's environment says."""
    return Settings.model_construct()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A database file of this test's own."""
    return f"sqlite:///{tmp_path / 'rowbot.db'}"


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file that has been migrated, to be copied: that is quicker than migrating each."""
    path = tmp_path_factory.mktemp("migrated") / "rowbot.db"

    async def migrate() -> None:
        async with open_database(f"sqlite:///{path}"):
            pass

    asyncio.run(migrate())
    return path


@pytest.fixture
async def sqlite_database(migrated: Path, sqlite_url: str) -> AsyncIterator[AsyncEngine]:
    """A migrated SQLite database in a real file."""
    shutil.copy(migrated, sqlite_url.removeprefix("sqlite:///"))
    engine = create_engine(sqlite_url)
    yield engine
    await engine.dispose()


@pytest.fixture
def database(sqlite_database: AsyncEngine) -> AsyncEngine:
    """A migrated database without rows."""
    return sqlite_database


@dataclass
class Calendar:
    """The bot's clock, so many seconds ahead of the simulated one: days pass without their work."""

    ahead: int = 0

    def __call__(self) -> int:
        return unix_now() + self.ahead


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
async def simcord_bot(
    settings: Settings, database: AsyncEngine, calendar: Calendar, request: pytest.FixtureRequest
) -> AsyncIterator[Rowbot]:
    """The real bot; its dice are loaded, so that a test plays the same game every time.

    A test can bring a computer player of its own, a class, as the parameter. What runs beside the
    bot ends with the test.
    """
    engine = getattr(request, "param", Engine)
    bot = create_bot(settings, database, engine=engine, rng=Random(1), clock=calendar)
    yield bot
    for stop in bot.on_closing:
        await stop()
