"""Places for work: servers share the time, and work for which a match waits goes first."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.workers.errors import TooLateError

# The number of urgent requests admitted in a row before one of the others gets a place.
_URGENT_IN_A_ROW = 4
# The least that a piece of work counts for, in seconds.
_LEAST_SECONDS = 0.01


@dataclass(frozen=True)
class Ticket:
    """A request for a place: by which server, whether a match waits for it, and until when.

    `queue_id` is the server's id; outside of servers, the channel's. `until` is in the event loop's
    time; None means that the work is wanted however late it is. `idle` work, for which nobody
    waits, goes last.
    """

    queue_id: int
    urgent: bool = False
    until: float | None = None
    idle: bool = False


class FairQueue:
    """Lets in as much work at a time as it has `places`.

    Among the servers that wait, the one whose work has taken the least time comes first. So a
    hundred requests of one server, or long ones, delay another server's by just one of them. A
    server without recent work counts as if it had used as much as the one let in last, so nobody
    saves up time. (Start-time fair queueing: P. Goyal, H. Vin and H. Cheng, 1996.) Urgent work goes
    first, but can't keep the other work out for ever. Idle work is let in while nobody else waits.
    """

    def __init__(self, places: int):
        self._free = places
        self._places = places
        self._usage = _Usage()
        # The waiting requests, in order of arrival; a future is done when its work has a place.
        self._waiting: dict[asyncio.Future[None], Ticket] = {}
        self._urgent_in_a_row = 0

    @property
    def running(self) -> int:
        """The number of places in use."""
        return self._places - self._free

    @property
    def waiting(self) -> int:
        """The number of requests that wait for a place, without idle work."""
        return sum(not ticket.idle for ticket in self._waiting.values())

    @property
    def waiting_urgently(self) -> int:
        """The number of urgent requests that wait for a place."""
        return sum(ticket.urgent for ticket in self._waiting.values())

    @asynccontextmanager
    async def place(self, ticket: Ticket) -> AsyncIterator[None]:
        """Hold a place; raise TooLateError if none becomes free in time."""
        await self._enter(ticket)
        begun = _now()
        try:
            yield
        finally:
            self._leave(ticket, _now() - begun)

    async def _enter(self, ticket: Ticket) -> None:
        if ticket.until is not None and _now() >= ticket.until:
            raise TooLateError
        if self._free:
            self._free -= 1
            self._usage.begin(ticket.queue_id)
            return
        let_in = asyncio.get_running_loop().create_future()
        self._waiting[let_in] = ticket
        try:
            async with asyncio.timeout_at(ticket.until):
                await let_in
        except (TimeoutError, asyncio.CancelledError) as error:
            if self._waiting.pop(let_in, None) is None:  # it was let in at the same moment
                self._leave(ticket, 0)
            if isinstance(error, TimeoutError):
                raise TooLateError from error
            raise

    def _leave(self, ticket: Ticket, seconds: float) -> None:
        """Give the place, which was held for `seconds`, to the next request."""
        self._usage.end(ticket.queue_id, seconds)
        waiting = [one for one in self._waiting if not one.done()]  # a done one was just cancelled
        if not waiting:
            self._free += 1
            return
        urgent_first = self._urgent_in_a_row < _URGENT_IN_A_ROW

        def order(one: asyncio.Future[None]) -> tuple[bool, bool, float]:
            asker = self._waiting[one]
            return asker.idle, asker.urgent != urgent_first, self._usage.of(asker.queue_id)

        let_in = min(waiting, key=order)
        following = self._waiting.pop(let_in)
        self._usage.begin(following.queue_id)
        passing = following.urgent and self.waiting > self.waiting_urgently
        self._urgent_in_a_row = self._urgent_in_a_row + 1 if passing else 0
        let_in.set_result(None)


class _Usage:
    """The seconds that servers have used, on a clock that moves only when work is let in."""

    def __init__(self) -> None:
        self._now = 0.0
        self._used: dict[int, float] = {}

    def of(self, queue_id: int) -> float:
        """Return the time that a server has used; without recent work, the time on the clock."""
        return max(self._used.get(queue_id, 0.0), self._now)

    def begin(self, queue_id: int) -> None:
        """Count the least for work that begins, so that other servers come before more of it."""
        self._now = self.of(queue_id)
        self._used[queue_id] = self._now + _LEAST_SECONDS

    def end(self, queue_id: int, seconds: float) -> None:
        """Count the rest of the time of some work; forget servers that the clock has passed."""
        self._used[queue_id] = self.of(queue_id) + max(0.0, seconds - _LEAST_SECONDS)
        self._used = {server: used for server, used in self._used.items() if used > self._now}


def _now() -> float:
    return asyncio.get_running_loop().time()
