"""Work in the background that is done again and again, and that no failure ends."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from discord.utils import as_chunks

from bot.db.errors import is_passing, reason
from bot.gateway.errors import trace_of
from bot.logs import about

log = logging.getLogger(__name__)

# A round that takes longer is cut off and counted as failed: a call that never returns, say.
_ROUND_SECONDS = 600.0
# Work of many parts ends by itself after this time, and leaves the rest to the next round. If it
# were cut off, its round would count as failed although the bot is only busy.
LONGEST_WORK_SECONDS = 300.0
# Presses and owed moves come first at a start; work that can wait begins after this time.
AFTER_START_SECONDS = 5.0
# Rounds, and calls in the background, that take longer than this when the bot closes are cut off;
# their commits stay.
FINISH_WITHIN_SECONDS = 5.0
# A failed round is done again after this pause, however seldom the loop has work.
_AGAIN_SECONDS = 5.0
# A single failure may be chance. A loop that has failed this often in a row isn't well.
_UNWELL_AFTER = 3

T = TypeVar("T")


class Loop:
    """Work that is done again `seconds` after each round, or, with `once`, until it has succeeded.

    A round that raises doesn't end the loop; only closing the program does. It is done again soon,
    after a pause that doubles with each failure in a row, up to `seconds`. `first_after` is the
    number of seconds from the start to the first round, and `longest` the most that a round may
    take. An `early` loop needn't know the servers: it begins once the first shard is connected.
    """

    def __init__(
        self,
        name: str,
        seconds: float,
        work: Callable[[], Awaitable[None]],
        *,
        once: bool = False,
        first_after: float = 0.0,
        longest: float = _ROUND_SECONDS,
        early: bool = False,
    ):
        self.name = name
        self.early = early
        self.stopping = False
        self.rounds = self.failures = self.failures_in_a_row = 0
        self.succeeded_at: float | None = None
        self._seconds = seconds
        self.longest = longest
        self._once = once
        self._work = work
        self._first_after = first_after
        self._task: asyncio.Task[None] | None = None
        self._working = asyncio.Lock()

    def start(self, ready: Callable[[], Awaitable[None]]) -> None:
        """Begin once `ready` returns; each round waits for it."""
        self._task = asyncio.create_task(self._run(ready), name=self.name)

    async def stop(self, within: float = FINISH_WITHIN_SECONDS) -> None:
        """End after the current round, or in the middle of it if it takes longer than `within`.

        Work of many parts ends sooner if it looks at `stopping` between them, as `each` does. When
        this returns, a round that is cut off has let go of the database, which is closed next.
        """
        self.stopping = True
        with suppress(TimeoutError):
            async with asyncio.timeout(within), self._working:
                pass
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def each(
        self, items: Sequence[T], act: Callable[[T], Awaitable[None]], at_once: int
    ) -> None:
        """Call `act` with each of `items`, `at_once` side by side, until the loop is stopping.

        If that takes long, the rest is left to the next round. If an item fails, that is logged,
        and the others go on. If the database is away, the others would fail too: no further one is
        begun, and the error is raised once those under way have ended, so none outlasts its round.
        """

        async def try_one(item: T) -> None:
            try:
                await act(item)
            except Exception as error:
                if is_passing(error):
                    raise
                log.exception("%s failed at %r", self.name, item)

        until = time.monotonic() + LONGEST_WORK_SECONDS
        for some in as_chunks(items, at_once):
            if self.stopping or time.monotonic() > until:
                return
            ended = await asyncio.gather(*map(try_one, some), return_exceptions=True)
            for error in ended:
                if error is not None:
                    raise error

    @property
    def well(self) -> bool:
        """Whether the loop has done its work, or is running without failing again and again.

        A loop that hasn't been started is well: another process may do its work.
        """
        if self._task is None:
            return True
        if self._once and self.succeeded_at is not None:
            return True
        return self.running and self.failures_in_a_row < _UNWELL_AFTER

    @property
    def running(self) -> bool:
        """Whether it has begun, and hasn't ended."""
        return self._task is not None and not self._task.done()

    async def _run(self, ready: Callable[[], Awaitable[None]]) -> None:
        with suppress(Exception):  # the first round calls `ready` again, and notes its failure
            await ready()
        await asyncio.sleep(self._first_after)
        while not self.stopping:
            with about(loop=self.name):
                await self._try(ready)
            if self._once and self.succeeded_at is not None:
                return
            await asyncio.sleep(self._pause())

    async def _try(self, ready: Callable[[], Awaitable[None]]) -> None:
        try:
            await ready()
            async with self._working, asyncio.timeout(self.longest):
                await self._work()
        except (Exception, asyncio.CancelledError, BaseExceptionGroup) as error:
            # A CancelledError may also be that of a call within the round.
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            self._note_failure(error)
        else:
            self._note_success()

    def _note_success(self) -> None:
        self.rounds += 1
        self.succeeded_at = time.monotonic()
        if self.failures_in_a_row:
            log.info("%s works again (failures in a row: %s)", self.name, self.failures_in_a_row)
            self.failures_in_a_row = 0

    def _note_failure(self, error: BaseException) -> None:
        self.rounds += 1
        self.failures += 1
        self.failures_in_a_row += 1
        times = self.failures_in_a_row
        if times.bit_count() == 1:  # more and more seldom: the 1st, 2nd, 4th, 8th ... in a row
            told, trace = reason(error), trace_of(error)
            log.error(
                "%s failed (failures in a row: %s): %s", self.name, times, told, exc_info=trace
            )

    def _pause(self) -> float:
        """Return the seconds until the next round; they grow with the failures in a row."""
        if not self.failures_in_a_row:
            return self._seconds
        doubled = 2.0 ** min(self.failures_in_a_row - 1, 30)
        return min(_AGAIN_SECONDS * doubled, self._seconds)
