"""The computer player's searches, run in child processes by `search_worker`."""

from collections.abc import Callable, Sequence
from typing import TypeVar, TypeVarTuple

from bot.workers import search_worker
from bot.workers.fair_queue import FairQueue, Ticket
from bot.workers.processes import ProcessPool, WorkFailedError
from bot.workers.search_worker import Found
from core.engine.analysis import Analysis
from core.engine.levels import Level
from core.engine.player import Engine
from core.game import Game
from core.grid import Move
from core.position import Position

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class SearchFailedError(Exception):
    """A search raised, took too long, or lost its process."""


class SearchClient:
    """Runs up to `processes` searches at a time, of `seconds` each at most; more wait in a queue.

    A ticket tells for whom a search is. Each process makes its own `engine`, a class defined at the
    top of a module.
    """

    def __init__(self, engine: type[Engine], processes: int = 1, seconds: float = 10):
        self._engine = engine
        self._pool = ProcessPool(processes, seconds)

    @property
    def queue(self) -> FairQueue:
        """The searches that wait and run."""
        return self._pool.queue

    async def choose(
        self,
        ticket: Ticket,
        game: Game,
        position: Position,
        level: Level,
        seed: int,
        history: Sequence[Position] = (),
    ) -> Move:
        """Return the engine's move; raise SearchFailedError, TooLateError, ClosedError.

        `history` holds the match's positions so far, oldest first; `seed` decides all chance.
        """
        past = tuple(before.notation for before in history)
        return await self._run(ticket, search_worker.choose, game, position, level, seed, past)

    async def analyse(self, ticket: Ticket, game: Game, position: Position) -> Found:
        """Return the engine's analysis of a position, and how long it took.

        Raises SearchFailedError, TooLateError, ClosedError.
        """
        return await self._run(ticket, search_worker.analyse, game, position)

    async def line(
        self, ticket: Ticket, game: Game, position: Position, analysis: Analysis, plies: int
    ) -> tuple[Move, ...]:
        """Return a line of best play of at most `plies` moves from an analysed position.

        Raises SearchFailedError, TooLateError, ClosedError.
        """
        return await self._run(ticket, search_worker.line, game, position, analysis, plies)

    async def close(self) -> None:
        """End every process, even in the middle of a search, which then raises ClosedError."""
        await self._pool.close()

    async def _run(
        self,
        ticket: Ticket,
        work: Callable[[type[Engine], Game, str, *Ts], T],
        game: Game,
        position: Position,
        *arguments: *Ts,
    ) -> T:
        try:
            return await self._pool.run(
                ticket, work, self._engine, game, position.notation, *arguments
            )
        except WorkFailedError as error:
            raise SearchFailedError(f"{work.__name__} {game.key} {position.notation}") from error
