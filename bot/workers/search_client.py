"""The computer player's searches, run in child processes by `search_worker`."""

from collections.abc import Sequence

from bot.workers import search_worker
from bot.workers.fair_queue import FairQueue, Ticket
from bot.workers.processes import ProcessPool
from bot.workers.search_worker import Found
from core.engine.analysis import Analysis
from core.engine.levels import Level
from core.engine.player import Engine
from core.grid import Move
from core.position import Position
from core.puzzles.finding import Puzzle

# The share of a search's time after which a move is chosen from what is known by then. If other
# moves wait, this time is divided among them, but each has at least the second value, in seconds.
_THINKING, _LEAST_THINKING = 0.4, 0.5


class SearchClient:
    """Runs up to `processes` searches at a time, of `seconds` each at most; more wait in a queue.

    A long search for a move is told to end well before `seconds`, and gives the best move so far.
    The more moves wait, the sooner it ends; on an ordinary core few searches are cut short. A
    ticket says for whom a search is. Each process makes its own `engine`, a class defined at the
    top of a module.
    """

    def __init__(self, engine: type[Engine], processes: int, seconds: float):
        self.processes = processes
        self._engine = engine
        self._pool = ProcessPool(processes, seconds)
        self._thinking = seconds * _THINKING

    @property
    def queue(self) -> FairQueue:
        """The searches that wait and run."""
        return self._pool.queue

    async def choose(
        self,
        ticket: Ticket,
        position: Position,
        level: Level,
        seed: int,
        history: Sequence[Position] = (),
    ) -> Move:
        """Return the engine's move; raise NoResultError.

        `history` holds the match's positions so far, oldest first; `seed` decides all chance.
        """
        share = self._thinking / (1 + self.queue.waiting_urgently)
        thinking = max(share, min(_LEAST_THINKING, self._thinking))
        return await self._pool.run(
            ticket, search_worker.choose, self._engine, position, level, seed, history, thinking
        )

    async def analyse(self, ticket: Ticket, position: Position) -> Found:
        """Return the engine's analysis of a position, and how long it took; raise NoResultError."""
        return await self._pool.run(ticket, search_worker.analyse, self._engine, position)

    async def line(
        self, ticket: Ticket, position: Position, analysis: Analysis, plies: int
    ) -> tuple[Move, ...]:
        """Return a line of best play of at most `plies` moves from an analysed position.

        Raises NoResultError.
        """
        return await self._pool.run(
            ticket, search_worker.line, self._engine, position, analysis, plies
        )

    async def puzzle(self, ticket: Ticket, position: Position) -> Puzzle | None:
        """Return the puzzle that a position is, None if it is none.

        Raises NoResultError.
        """
        return await self._pool.run(ticket, search_worker.puzzle, position)

    async def close(self) -> None:
        """End every process, even in the middle of a search, which then raises ClosedError."""
        await self._pool.close()
