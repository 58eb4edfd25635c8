"""Searches, in processes of their own: however long one takes, the event loop never waits for it.

There is one pool per process, so that ending a search that hangs ends no other one. A process is
started when it is first needed, by `spawn`: the fork of a program with threads can lock up.
"""

import asyncio
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from bot import worker
from core.engine.analysis import Analysis
from core.engine.levels import Engine, Level
from core.game import Game, Position
from core.grid import Move

T = TypeVar("T")


class SearchFailedError(Exception):
    """A search raised, took too long, or lost its process."""


class ClosedError(Exception):
    """The program is ending and searches no more."""


class Searches:
    """At most `processes` searches at a time, of at most `seconds` each; more wait their turn.

    A process whose search takes longer ends itself (`bot.worker`), which needs no timer here.
    Each process makes an `engine` of its own, so that must be a class at the top of a module.
    """

    def __init__(self, engine: type[Engine], processes: int = 1, seconds: float = 10):
        self._engine = engine
        self._seconds = seconds
        self._free = asyncio.Semaphore(processes)
        self._idle: list[_Process] = []
        self._busy: set[_Process] = set()
        self._closed = False

    async def choose(
        self,
        game: Game,
        position: Position,
        level: Level,
        seed: int,
        history: Sequence[Position] = (),
    ) -> Move:
        """Return the engine's move; raise SearchFailedError, ClosedError."""
        past = tuple(map(str, history))
        return Move.parse(await self._run(worker.choose, game, position, level.value, seed, past))

    async def analyse(self, game: Game, position: Position) -> Analysis:
        """Return what the engine knows; raise SearchFailedError, ClosedError."""
        return await self._run(worker.analyse, game, position)

    async def close(self) -> None:
        """End every process, in the middle of a search too; whoever waits gets ClosedError."""
        self._closed = True
        for process in (*self._idle, *self._busy):
            process.end()

    async def _run(
        self,
        work: Callable[..., T],
        game: Game,
        position: Position,
        *arguments: str | int | tuple[str, ...],
    ) -> T:
        async with self._free:
            if self._closed:
                raise ClosedError
            process = self._idle.pop() if self._idle else _Process()
            self._busy.add(process)
            try:
                limits = (self._engine, self._seconds)
                return await process.run(work, *limits, game.key, str(position), *arguments)
            except Exception as error:
                if self._closed:
                    raise ClosedError from error
                raise SearchFailedError(f"{work.__name__} {game.key} {position}") from error
            finally:
                self._busy.discard(process)
                if process.alive:
                    self._idle.append(process)


class _Process:
    """One process, and the pool that hands it its searches, one at a time."""

    def __init__(self) -> None:
        self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        self._id: int | None = None
        self.alive = True

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        """Return what comes of `work`; raise what it raises, BrokenProcessPool where it dies."""
        try:
            await asyncio.to_thread(self._start)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, work, *arguments)
        except (asyncio.CancelledError, BrokenProcessPool):
            self.end()
            raise

    def _start(self) -> None:
        """Wait until the process is up, a tenth of a second; it is not part of any search."""
        if self._id is None:
            self._id = self._pool.submit(worker.begin).result()

    def end(self) -> None:
        """End the process, whatever it does."""
        self.alive = False
        for child in multiprocessing.active_children():
            if child.pid == self._id:
                child.kill()
        self._pool.shutdown(wait=False)
