"""Work in the background that is done again and again, and that no failure ends."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any, TypeVar

import discord
from discord.ext import tasks
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
# A round that takes longer than this when the bot closes is cut off; its commits stay.
_FINISH_WITHIN_SECONDS = 5.0
# A failed round is done again after this pause, however seldom the loop has work.
_AGAIN_SECONDS = 5.0
# A loop that goes on failing is logged this often, not in each of its rounds.
_LOG_EVERY_SECONDS = 60.0
# A single failure may be chance. A loop that has failed this often in a row isn't well.
_UNWELL_AFTER = 3

T = TypeVar("T")


class Loop:
    """Work that is done every `seconds`, or, with `once`, until it has succeeded once.

    A round that raises doesn't end the loop; only closing the program does. It is done again soon,
    after a pause that doubles with each failure in a row, up to `slowest` (in seconds, by default
    `seconds`). `first_after` is the number of seconds from the start to the first round, and
    `longest` the most that a round may take. An `early` loop needn't know the servers: it begins
    once the first shard is connected.
    """

    def __init__(
        self,
        name: str,
        seconds: float,
        work: Callable[[], Awaitable[None]],
        *,
        once: bool = False,
        slowest: float | None = None,
        first_after: float = 0.0,
        longest: float = _ROUND_SECONDS,
        early: bool = False,
    ):
        self.name = name
        self.early = early
        self._started = False
        self.stopping = False
        self.rounds = self.failures = self.failures_in_a_row = 0
        self.succeeded_at: float | None = None
        self._seconds = seconds
        self._slowest = slowest or seconds
        self.longest = longest
        self._once = once
        self._work = work
        self._begun = not first_after
        self._restarting = False
        self._loop = tasks.loop(seconds=first_after or seconds)(self._round)
        self._ready: Callable[[], Coroutine[Any, Any, None]]  # given at the start
        self._working = asyncio.Lock()
        self._logged_at: float | None = None
        self._failures_logged = 0

    def start(self, ready: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Begin once `ready` returns."""
        self._started, self._ready = True, ready
        self._loop.start()

    async def stop(self, within: float = _FINISH_WITHIN_SECONDS) -> None:
        """End after the current round, or in the middle of it if it takes longer than `within`.

        Work of many parts ends sooner if it looks at `stopping` between them, as `each` does.
        """
        self.stopping = True
        self._loop.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(within), self._working:
                pass
        self._loop.cancel()

    async def each(
        self, items: Sequence[T], act: Callable[[T], Awaitable[None]], at_once: int
    ) -> None:
        """Call `act` with each of `items`, `at_once` side by side, until the loop is stopping.

        If that takes long, the rest is left to the next round. If an item fails, that is logged,
        and the others go on. Raises the errors of a database that is away, since all items would
        meet them.
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
            await asyncio.gather(*map(try_one, some))

    @property
    def well(self) -> bool:
        """Whether the loop has done its work, or is running without failing again and again.

        It is also well before its start: another process may do its work.
        """
        if not self._started:
            return True
        if self._once and self.succeeded_at is not None:
            return True
        return self.running and self.failures_in_a_row < _UNWELL_AFTER

    @property
    def running(self) -> bool:
        """Whether it has begun, and hasn't ended."""
        return self._restarting or self._loop.is_running()

    async def _round(self) -> None:
        self._restarting = False
        if self.stopping:
            self._loop.stop()
            return
        with about(loop=self.name):
            await self._try()
        self._pace()

    async def _try(self) -> None:
        try:
            await self._ready()
            if not self._begun:
                self._begun = True
                return
            async with self._working, asyncio.timeout(self.longest):
                await self._work()
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():  # somebody wants the loop to end
                raise
            # discord.py would end the loop, even for a CancelledError of some call within it.
            self._note_failure(error)
        else:
            self._note_success()

    def _note_success(self) -> None:
        self.rounds += 1
        self.succeeded_at = time.monotonic()
        if self.failures_in_a_row:
            log.info("%s works again (failures in a row: %s)", self.name, self.failures_in_a_row)
            self.failures_in_a_row = 0
        if self._once:
            self._loop.stop()

    def _note_failure(self, error: BaseException) -> None:
        self.rounds += 1
        self.failures += 1
        self.failures_in_a_row += 1
        now = time.monotonic()
        if self._logged_at is None or now - self._logged_at >= _LOG_EVERY_SECONDS:
            times = self.failures - self._failures_logged
            log.error(
                "%s failed (failures since it was last logged: %s): %s",
                self.name,
                times,
                reason(error),
                exc_info=trace_of(error),
            )
            self._logged_at, self._failures_logged = now, self.failures

    def _pace(self) -> None:
        """Set the pause until the next round, by the failures in a row; restart a shifted schedule.

        discord.py plans the rounds by the wall clock. After that clock jumps, or after a long
        round, discord.py would wait for hours, or make up for all missed rounds without a pause. A
        plain sleep would avoid this, but simcord takes a bot to be at rest only in the pauses of
        discord.py's loops.
        """
        if not self.rounds:
            return
        pause = self._seconds
        if self.failures_in_a_row:
            doubled = 2.0 ** min(self.failures_in_a_row - 1, 30)
            pause = min(min(pause, _AGAIN_SECONDS) * doubled, self._slowest)
        if pause != self._loop.seconds:
            self._loop.change_interval(seconds=pause)
        following = self._loop.next_iteration
        if following is not None and not self.stopping:
            ahead = following - discord.utils.utcnow()
            if not timedelta(seconds=-pause) <= ahead <= timedelta(seconds=2 * pause):
                self._restarting = True  # for a moment, discord.py says that it has ended
                self._loop.restart()
