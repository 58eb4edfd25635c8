"""The engine's searches, in processes of their own."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from bot import worker
from bot.processes import Processes, WorkFailedError
from core.engine.analysis import Analysis
from core.engine.levels import Level
from core.engine.player import Engine
from core.game import Game
from core.grid import Move
from core.position import Position

T = TypeVar("T")


class SearchFailedError(Exception):
    """A search raised, took too long, or lost its process."""


class Searches:
    """At most `processes` searches at a time, of at most `seconds` each; more wait their turn.

    Each process makes an `engine` of its own, so that must be a class at the top of a module.
    """

    def __init__(self, engine: type[Engine], processes: int = 1, seconds: float = 10):
        self._engine = engine
        self._processes = Processes(processes, seconds)

    async def choose(
        self,
        game: Game,
        position: Position,
        level: Level,
        seed: int,
        history: Sequence[Position] = (),
    ) -> Move:
        """Return the engine's move; raise SearchFailedError, ClosedError."""
        past = tuple(before.notation for before in history)
        return Move.parse(await self._run(worker.choose, game, position, level.value, seed, past))

    async def analyse(self, game: Game, position: Position) -> Analysis:
        """Return what the engine knows; raise SearchFailedError, ClosedError."""
        return await self._run(worker.analyse, game, position)

    async def close(self) -> None:
        """End every process, in the middle of a search too; whoever waits gets ClosedError."""
        await self._processes.close()

    async def _run(
        self,
        work: Callable[..., T],
        game: Game,
        position: Position,
        *arguments: str | int | tuple[str, ...],
    ) -> T:
        try:
            return await self._processes.run(
                work, self._engine, game, position.notation, *arguments
            )
        except WorkFailedError as error:
            raise SearchFailedError(f"{work.__name__} {game.key} {position.notation}") from error
