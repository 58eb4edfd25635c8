"""Fixtures for all tests: a migrated database, the bot over it, and its settings."""

import asyncio
import gc
import importlib
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import hypothesis
import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from bot.app import create_bot, unix_now
from bot.client import Rowbot
from bot.db.database import Database, create_engine, open_database
from bot.i18n import outdated
from bot.settings import Settings
from bot.shards import Shards
from core.engine.player import Engine
from tests import plans
from tests.bot.engines import GATE
from tests.bot.searching import Gate

MEMORY = Path("/dev/shm")
_PREFIX = "rowbot-tests-"
_ROOM = 32 << 20  # a container has 64 MiB, and a test's database takes less than one
# After this many new objects Python collects garbage, in the middle of a test. Its default of 700
# cost a quarter of the CPU time; 100,000 cost a sixth of the CPU time of tests in Discord.
_GARBAGE = 1_000_000


# The same examples on every run, without a time limit: on a loaded machine an example may take
# longer than hypothesis's 200 ms. By hand, `--hypothesis-profile=search` tries other examples.
hypothesis.settings.register_profile(
    "tests", deadline=None, database=None, derandomize=True, max_examples=25
)
hypothesis.settings.register_profile("search", deadline=None, max_examples=1000)
hypothesis.settings.load_profile("tests")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the changed catalogues once, before the workers of xdist start."""
    gc.set_threshold(_GARBAGE, 10, 10)
    gc.freeze()  # the modules stay, and pytest would look through them five times at the end
    if hasattr(config, "workerinput"):
        return
    for source in outdated():
        with source.open("rb") as written, source.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, read_po(written, locale=source.parents[1].name))


def pytest_collection(session: pytest.Session) -> None:
    """In a worker of xdist, import the worker's share of the test modules before collecting all.

    Pytest rewrites the assertions of each module that has no cached copy yet, which is as much work
    as all imports. If all workers imported the modules in the same order, each would rewrite all.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    root = session.config.rootpath
    asked = [root / argument.split("::")[0] for argument in session.config.args]
    files = sorted(file for path in asked for file in path.rglob("test_*.py"))
    for file in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        with suppress(Exception, pytest.skip.Exception):  # raised again when pytest collects it
            importlib.import_module(".".join(file.relative_to(root).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Exempt the imported modules from garbage collection: they stay until the end."""
    gc.freeze()


def pytest_runtest_logfinish() -> None:
    """Free the garbage of each test at once, so that the next test uses the same memory.

    To free the garbage of fifty tests together took a tenth more CPU time, and 100 MB.
    """
    gc.collect(0)


@pytest.fixture
def settings() -> Settings:
    """The default settings, independent of the environment, with the shards that simcord needs."""
    return Settings.model_construct(shards=Shards.ALL)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The URL of a new database file."""
    return f"sqlite:///{tmp_path / 'rowbot.db'}"


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database file to copy, which is quicker than migrating for each test."""
    path = tmp_path_factory.mktemp("migrated") / "rowbot.db"

    async def migrate() -> None:
        async with open_database(f"sqlite:///{path}"):
            pass

    asyncio.run(migrate())
    return path


def _memory() -> Path | None:
    """Return the folder that the system keeps in memory if it has room.

    Removes what killed tests left there, whose process is in the folder's name.
    """
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < _ROOM:
        return None
    for left in MEMORY.glob(f"{_PREFIX}*-*"):
        with suppress(OSError):  # the folder is another user's, or another worker removed it
            if not _lives(int(left.name.split("-")[2])):
                shutil.rmtree(left)
    return MEMORY


def _lives(process: int) -> bool:
    """Return whether a process with this number lives, perhaps another user's."""
    try:
        os.kill(process, 0)
    except OSError as error:
        return isinstance(error, PermissionError)
    return True


@contextmanager
def quick_folder() -> Iterator[Path]:
    """Yield a temporary folder, in memory if the system has room there, since it needn't last."""
    prefix = f"{_PREFIX}{os.getpid()}-"
    with TemporaryDirectory(prefix=prefix, dir=_memory()) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def sqlite_engine() -> Iterator[Database]:
    """One engine for all tests, so that each statement is compiled once."""
    with quick_folder() as folder:
        engine = create_engine(f"sqlite:///{folder}/rowbot.db")

        async def learn_the_version() -> None:
            async with engine.connect():
                pass
            await engine.dispose()

        asyncio.run(learn_the_version())
        plans.watch(engine)
        yield engine


@pytest.fixture
async def sqlite_database(migrated: Path, sqlite_engine: Database) -> AsyncIterator[Database]:
    """A migrated SQLite database in a file."""
    file = Path(str(sqlite_engine.url.database))
    for left in file.parent.iterdir():
        left.unlink()
    shutil.copy(migrated, file)
    # The queues of an engine belong to an event loop, and each test has its own.
    sqlite_engine.sync_engine.pool = create_engine(f"sqlite:///{file}").sync_engine.pool
    engine = type(sqlite_engine)(sqlite_engine.sync_engine)
    yield engine
    found = await plans.reading_all(engine)
    await engine.dispose()
    assert found == []


@pytest.fixture
def database(sqlite_database: Database) -> Database:
    """A migrated database without rows."""
    return sqlite_database


@dataclass
class Calendar:
    """The bot's clock: the simulated clock plus `ahead` seconds, so that days pass at once."""

    ahead: int = 0

    def __call__(self) -> int:
        return unix_now() + self.ahead


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture(scope="session")
def gates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the test's gate, where processes started from now on look for it."""
    folder = tmp_path_factory.mktemp("gates") / "gate"
    os.environ[GATE] = str(folder)
    return folder


@pytest.fixture
def gate(gates: Path, tmp_path: Path) -> Iterator[Gate]:
    """Yield the gate of this test's searches."""
    gates.mkdir()
    yield Gate(gates)
    gates.rename(tmp_path / "gate")  # so that a search that goes on finds no gate


@pytest.fixture
async def simcord_bot(
    settings: Settings, database: Database, calendar: Calendar, request: pytest.FixtureRequest
) -> AsyncIterator[Rowbot]:
    """The real bot, with a fixed random seed, so that every run of a test plays the same.

    The parameter may be a computer player's class. The bot's background tasks end with the test.
    """
    engine = getattr(request, "param", Engine)
    bot = create_bot(settings, database, engine=engine, rng=Random(1), now=calendar)
    yield bot
    await bot.finish()
