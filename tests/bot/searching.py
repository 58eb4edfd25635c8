"""Searches by the tests' engines, in processes that end with the test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.workers.search_client import SearchClient
from core.engine.levels import Level
from core.engine.player import Engine
from core.games import GAMES
from core.grid import Move
from tests.bot.engines import OPEN
from tests.bot.playing import begin
from tests.bot.processes import children, until

GAME = GAMES["tictactoe"]
START = begin().position
LIMIT = 0.3  # seconds that an endless search is given


@asynccontextmanager
async def searching(
    engine: type[Engine], processes: int = 1, seconds: float = LIMIT
) -> AsyncIterator[SearchClient]:
    """Yield a client of searches by `engine`; afterwards none of its processes is left."""
    before = children()
    searches = SearchClient(engine, processes, seconds)
    try:
        yield searches
    finally:
        await searches.close()
    await until(lambda: not children() - before)


@dataclass(frozen=True)
class Gate:
    """A folder in which a search leaves a file when it begins; WaitingEngine's wait for `OPEN`."""

    folder: Path

    def begun(self) -> int:
        """Return the number of searches that have begun."""
        return sum(path.name != OPEN for path in self.folder.iterdir())

    def open(self) -> None:
        """Let every waiting search go on, and those that begin later not wait."""
        (self.folder / OPEN).touch()


async def choose(searches: SearchClient, seed: int = 1) -> Move:
    return await searches.choose(GAME, START, Level.PERFECT, seed)
