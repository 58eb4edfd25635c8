"""Work in processes of their own: however long it takes, the event loop never waits for it.

There is one pool per process, so that ending one that hangs ends no other. A process is started
when it is first needed, by `spawn`: the fork of a program with threads can lock up.
"""

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from bot.workers import child

T = TypeVar("T")


class WorkFailedError(Exception):
    """Work in a process raised, took too long, or lost its process."""


class ClosedError(Exception):
    """The program is ending, and begins no more work."""


class Processes:
    """At most `processes` pieces of work at a time, of `seconds` each; more wait their turn.

    A process whose work takes longer ends itself (`child`), which needs no timer here. One
    that has had nothing to do for `rest` seconds is ended; None keeps it.
    """

    def __init__(self, processes: int, seconds: float, rest: float | None = None):
        self._seconds = seconds
        self._rest = rest
        self._free = asyncio.Semaphore(processes)
        self._idle: dict[_Process, asyncio.TimerHandle | None] = {}
        self._busy: set[_Process] = set()
        self._closed = False

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        """Return what comes of `work`; raise WorkFailedError, ClosedError.

        `work` stands at the top of a module, since the process finds it there by its name.
        """
        async with self._free:
            if self._closed:
                raise ClosedError
            process = self._taken()
            try:
                return await process.run(child.limited, self._seconds, work, *arguments)
            except Exception as error:
                if self._closed:
                    raise ClosedError from error
                raise WorkFailedError(f"{work.__name__}: {error!r}") from error
            finally:
                self._put_back(process)

    async def close(self) -> None:
        """End every process, in the middle of its work too; whoever waits gets ClosedError."""
        self._closed = True
        for process in (*self._idle, *self._busy):
            process.end()

    def _taken(self) -> "_Process":
        """Return a process that is busy from now on, the one last used if any is idle."""
        process, timer = self._idle.popitem() if self._idle else (_Process(), None)
        if timer is not None:
            timer.cancel()
        self._busy.add(process)
        return process

    def _put_back(self, process: "_Process") -> None:
        self._busy.discard(process)
        if not process.alive:
            return
        self._idle[process] = None
        if self._rest is not None:
            loop = asyncio.get_running_loop()
            self._idle[process] = loop.call_later(self._rest, self._dismiss, process)

    def _dismiss(self, process: "_Process") -> None:
        """End a process that has been idle for long."""
        del self._idle[process]
        process.end()


class _Process:
    """One process, and the pool that hands it its work, one piece at a time."""

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
        """Wait until the process is up, a tenth of a second; it is not part of any work."""
        if self._id is None:
            self._id = self._pool.submit(child.begin).result()

    def end(self) -> None:
        """End the process, whatever it does."""
        self.alive = False
        for process in multiprocessing.active_children():
            if process.pid == self._id:
                process.kill()
        self._pool.shutdown(wait=False)
