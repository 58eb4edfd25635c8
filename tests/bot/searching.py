"""Searches by the engines of tests, in processes that end with the test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.searches import Searches
from core.engine.levels import Engine, Level
from core.games import GAMES
from core.grid import Move
from tests.bot.playing import begin
from tests.bot.processes import children, until

GAME = GAMES["tictactoe"]
START = begin().position
LIMIT = 0.5  # seconds for a search that has no end


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


async def choose(searches: Searches, seed: int = 1) -> Move:
    return await searches.choose(GAME, START, Level.PERFECT, seed)
