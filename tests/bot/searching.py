"""Searches by the engines of tests, in processes that end with the test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.workers.searches import Searches
from core.engine.levels import Level
from core.engine.player import Engine
from core.games import GAMES
from core.grid import Move
from tests.bot.engines import OPEN
from tests.bot.playing import begin
from tests.bot.processes import children, until

GAME = GAMES["tictactoe"]
START = begin().position
LIMIT = 0.3  # seconds for a search that has no end


@asynccontextmanager
async def searching(
    engine: type[Engine], processes: int = 1, seconds: float = LIMIT
) -> AsyncIterator[Searches]:
    """Yield searches by `engine`; afterwards none of their processes is left."""
    before = children()
    searches = Searches(engine, processes, seconds)
    try:
        yield searches
    finally:
        await searches.close()
    await until(lambda: not children() - before)


@dataclass(frozen=True)
class Gate:
    """A folder where searches leave a mark when they begin, and those of WaitingEngine wait."""

    folder: Path

    def begun(self) -> int:
        """Return how many searches have begun."""
        return sum(path.name != OPEN for path in self.folder.iterdir())

    def open(self) -> None:
        """Let every search end, also those that begin later."""
        (self.folder / OPEN).touch()


async def choose(searches: Searches, seed: int = 1) -> Move:
    return await searches.choose(GAME, START, Level.PERFECT, seed)
