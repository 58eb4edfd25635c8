"""A pool of child processes, for work that would hold up the event loop.

Each process is the only one of its `ProcessPoolExecutor`, so that ending one leaves the others
alone. Processes are spawned, because the fork of a program with threads can deadlock.
`docs/decisions/05-processes.md` says why no library does this.
"""

import asyncio
import logging
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar, TypeVarTuple

from bot.workers import child
from bot.workers.errors import ClosedError, WorkFailedError
from bot.workers.fair_queue import FairQueue, Ticket

log = logging.getLogger(__name__)

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class ProcessPool:
    """Runs up to `processes` pieces of work at a time; more wait in a fair queue.

    A process starts when it is first needed. It ends itself when a piece of work runs for longer
    than `seconds`, not counting the queue and the start of the process. A process that has been
    idle for `idle_seconds` is ended; None keeps idle ones.
    """

    def __init__(self, processes: int, seconds: float, idle_seconds: float | None = None):
        self._seconds = seconds
        self._idle_seconds = idle_seconds
        self.queue = FairQueue(processes)
        self._idle: dict[_Process, asyncio.TimerHandle | None] = {}
        self._busy: set[_Process] = set()
        self._closed = False

    async def run(self, ticket: Ticket, work: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Return the result of `work`; raise NoResultError.

        `work` is pickled by its name, so it must be defined at the top of a module. Cancelling this
        ends the process, unless that is still starting.
        """
        async with self.queue.place(ticket):
            if self._closed:
                raise ClosedError
            try:
                process = self._acquire()
                try:
                    return await process.run(self._seconds, work, *arguments)
                finally:
                    self._release(process)
            except Exception as error:
                if self._closed:
                    raise ClosedError from error
                # Logged here, because most callers only tell a member that there is nothing to
                # show.
                self._log(work.__name__, error)
                raise WorkFailedError(f"{work.__name__}: {error!r}") from error

    def _log(self, work: str, error: Exception) -> None:
        """Log why work has failed, with a traceback unless its process has ended."""
        if isinstance(error, BrokenProcessPool):
            log.warning(
                "%s failed: its process took longer than %g s, or was killed (is memory short?)",
                work,
                self._seconds,
            )
        else:
            log.warning("%s failed in a child process", work, exc_info=error)

    async def close(self) -> None:
        """End every process, busy or idle; calls of `run` that wait raise ClosedError."""
        self._closed = True
        ending = (
            asyncio.to_thread(process.end, wait=True) for process in (*self._idle, *self._busy)
        )
        await asyncio.gather(*ending)

    def _acquire(self) -> "_Process":
        """Return a process, marked as busy: the idle one used last, or a new one."""
        process, timer = self._idle.popitem() if self._idle else (_Process(), None)
        if timer is not None:
            timer.cancel()
        self._busy.add(process)
        return process

    def _release(self, process: "_Process") -> None:
        """Mark a process as idle, unless it has ended."""
        self._busy.discard(process)
        if not process.alive:
            return
        self._idle[process] = None
        if self._idle_seconds is not None:
            loop = asyncio.get_running_loop()
            self._idle[process] = loop.call_later(self._idle_seconds, self._dismiss, process)

    def _dismiss(self, process: "_Process") -> None:
        """End a process that has been idle for long enough."""
        del self._idle[process]
        process.end()


class _Process:
    """One child process, and the executor that hands it one piece of work at a time."""

    def __init__(self) -> None:
        self._executor = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        self._starting: asyncio.Task[None] | None = None
        self._id: int | None = None
        self.alive = True

    async def run(self, seconds: float, work: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Return the result of `work`; raise its errors, and BrokenProcessPool if it is ended."""
        try:
            await self._started()
        except Exception:
            self.end()
            raise
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(
                self._executor, child.limited, seconds, work, *arguments
            )
        except (asyncio.CancelledError, BrokenProcessPool):
            self.end()
            raise

    async def _started(self) -> None:
        """Wait until the process has started. If nobody waits any more, the next one uses it.

        Otherwise, if starts take longer than anybody waits, each would leave a process behind that
        goes on starting beside the next one, and makes that even slower.
        """
        if self._starting is None:
            self._starting = asyncio.create_task(asyncio.to_thread(self._start))
        await asyncio.shield(self._starting)

    def _start(self) -> None:
        """Start the process and wait until it is ready, about a tenth of a second."""
        self._id = self._executor.submit(child.begin).result()

    def end(self, *, wait: bool = False) -> None:
        """Kill the process, busy or idle; `wait` until it and its executor's thread have ended.

        Python complains if it ends itself while such a thread is ending.
        """
        self.alive = False
        # Only a living child of ours: the id of a dead process may belong to another process by
        # now.
        for process in multiprocessing.active_children():
            if process.pid == self._id:
                process.kill()
        self._executor.shutdown(wait=wait)
