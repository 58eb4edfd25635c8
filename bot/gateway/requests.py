"""The bot's own requests to Discord: within its budget, at once or in the background.

Work in the background may fail because of Discord or of the database, and is then done again.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Container, Iterable, Sequence
from contextlib import suppress
from typing import TypeAlias, TypeVar

from bot.db.errors import is_passing, reason
from bot.gateway.budget import Budget, Urgency
from bot.gateway.errors import CALL_FAILED, NoWayError, answered_within, may_pass
from bot.identity import MemberId, Place, ServerId

log = logging.getLogger(__name__)

# For all tries that discord.py makes at a request.
_SECONDS = 10.0
# By this time, an answer whose call has failed has arrived, or never will.
LATE_SECONDS = 30.0
# After a failure that may pass, work in the background is done again after these pauses.
PAUSES = (30.0, 120.0, 600.0)
_MOST_PUT_OFF = 1000
# The pause between tries at the end of the bot.
_LAST_PAUSE_SECONDS = 1.0

T = TypeVar("T")

Work: TypeAlias = Callable[[], Awaitable[object]]
"""Work in the background: requests, and the reading for them."""


class Requests:
    """Makes the bot's requests; `part` is this process's part of the bot's budget.

    Work in the background that fails is logged, and done again later if that may help. On the
    servers among those `blocked` by the host, nothing new is posted or opened unasked. The members
    among them are never notified, since they couldn't answer.
    """

    def __init__(self, part: float = 1.0, blocked: Container[int] = ()):
        self._budget = Budget(part=part)
        self._blocked = blocked
        self._under_way: set[asyncio.Task[None]] = set()
        self._put_off: dict[asyncio.TimerHandle, Callable[[], None]] = {}
        self._closing = False
        self._closed = False

    @property
    def backlog(self) -> dict[str, int]:
        """How much work in the background is under way, and how much is put off."""
        return {"under way": len(self._under_way), "put off": len(self._put_off)}

    async def make(self, urgency: Urgency, request: Callable[[], Awaitable[T]]) -> T:
        """Make a request within the budget, and return its result; raise one of CALL_FAILED."""
        await self._budget.turn(urgency)
        if self._closed:
            raise ConnectionAbortedError("the bot is closed")
        async with answered_within(_SECONDS):
            return await request()

    def is_blocked(self, who: MemberId | ServerId | None) -> bool:
        """Return whether the host has blocked a member or a server; False for None."""
        return who in self._blocked

    def check_served(self, place: Place) -> None:
        """Raise NoWayError if the host has blocked the server of a place."""
        if self.is_blocked(place.server_id):
            raise NoWayError("the host has blocked this server")

    def served(self, notify: Iterable[MemberId | None]) -> tuple[MemberId, ...]:
        """Return those of these members whom the host hasn't blocked, without None."""
        return tuple(one for one in notify if one and not self.is_blocked(one))

    def later(self, work: Work, pauses: Sequence[float] = PAUSES) -> None:
        """Do work in the background; if it fails, do it again after each of `pauses`.

        It is given up after a failure that won't pass.
        """
        if self._closed:
            log.info("a call to Discord is given up: the bot is closed")
            return
        task = asyncio.create_task(self._do(work, pauses))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def now_or_later(self, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of `work`; if it fails, raise its error, and do it again later."""
        try:
            return await work()
        except Exception:
            self.put_off(work)
            raise

    def put_off(self, work: Work, pauses: Sequence[float] = PAUSES) -> None:
        """Do work after the first of `pauses`; if it fails, again after each of the others."""
        if not pauses or self._closing or len(self._put_off) >= _MOST_PUT_OFF:
            log.warning("a call to Discord is given up")
            return

        def begin() -> None:
            handle.cancel()
            del self._put_off[handle]
            self.later(work, pauses[1:])

        handle = asyncio.get_running_loop().call_later(pauses[0], begin)
        self._put_off[handle] = begin

    async def finish(self, seconds: float) -> None:
        """Begin the work that was put off, and wait up to `seconds` for all work in the background.

        Work that fails is tried again every second: the database may be away for a moment. When
        this returns, work that is cut off has let go of the database, which is closed next.
        """
        self._closing = True
        for begin in list(self._put_off.values()):
            begin()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._under_way:
                    await asyncio.wait(self._under_way)
        self._closed = True
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _do(self, work: Work, pauses: Sequence[float]) -> None:
        try:
            await work()
        except Exception as error:
            if not isinstance(error, CALL_FAILED) and not is_passing(error):
                log.exception("a call to Discord failed")
                return
            log.info("a call to Discord failed: %s", reason(error))
            if may_pass(error) and self._closing and pauses:
                await asyncio.sleep(_LAST_PAUSE_SECONDS)
                self.later(work, pauses[1:])
            elif may_pass(error):
                self.put_off(work, pauses)
