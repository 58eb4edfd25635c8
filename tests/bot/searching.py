"""Searches by the tests' engines, in processes that end with the test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.workers.fair_queue import Ticket
from bot.workers.search_client import SearchClient
from core.engine.levels import Level
from core.engine.player import Engine
from core.grid import Move
from tests.bot.engines import OPEN
from tests.bot.playing import SERVER, begin
from tests.bot.processes import children, until

START = begin().position
LIMIT = 0.3  # the time limit of an endless search, in seconds


@asynccontextmanager
async def searching(
    engine: type[Engine], processes: int = 1, seconds: float = LIMIT
) -> AsyncIterator[SearchClient]:
    """Yield a search client for `engine`; none of its processes outlives the test."""
    before = children()
    searches = SearchClient(engine, processes, seconds)
    try:
        yield searches
    finally:
        await searches.close()
    await until(lambda: not children() - before)


@dataclass(frozen=True)
class Gate:
    """A folder where each search leaves a file at its start; WaitingEngine waits for `OPEN`."""

    folder: Path

    def begun(self) -> int:
        """Return the number of searches started."""
        return sum(path.name != OPEN for path in self.folder.iterdir())

    def open(self) -> None:
        """Let all waiting searches continue, and later ones start without waiting."""
        (self.folder / OPEN).touch()


async def choose(searches: SearchClient, seed: int = 1) -> Move:
    return await searches.choose(Ticket(SERVER), START, Level.PERFECT, seed)
