"""Places for work: servers share the time, and work that a match waits for goes first."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

# The number of urgent requests admitted in a row before one of the others gets a place.
_URGENT_IN_A_ROW = 4
# The least that a piece of work counts for, in seconds.
_LEAST_SECONDS = 0.01


class TooLateError(Exception):
    """No place became free while the asker could still be answered."""


@dataclass(frozen=True)
class Ticket:
    """Who waits for a place: the server, whether a match waits for it, and until when.

    `queue_id` is the server's id; outside of servers, the channel's. `until` is in the event loop's
    time; None is for work that is wanted however late it is. `idle` work, which nobody waits for,
    goes last.
    """

    queue_id: int
    urgent: bool = False
    until: float | None = None
    idle: bool = False


class FairQueue:
    """Lets in as much work at a time as it has `places`.

    Among the servers that wait, the one whose work has taken the least time comes first, so that a
    hundred requests of one server, or long ones, delay another's by one of them. A server that
    comes anew has used as much as the one let in last: nobody saves up time. (Start-time fair
    queueing: P. Goyal, H. Vin and H. Cheng, 1996.) Urgent work goes first, but can't keep the other
    work out for ever. Idle work is let in while nobody else waits.
    """

    def __init__(self, places: int):
        self._free = places
        self._places = places
        self._usage = _Usage()
        self._urgent, self._patient = _Lane(self._usage), _Lane(self._usage)
        self._idle = _Lane(self._usage)
        self._urgent_in_a_row = 0

    @property
    def running(self) -> int:
        """The number of places in use."""
        return self._places - self._free

    @property
    def waiting(self) -> int:
        """The number of those that wait for a place, apart from idle work."""
        return len(self._urgent) + len(self._patient)

    @property
    def waiting_urgently(self) -> int:
        """The number of urgent ones among those."""
        return len(self._urgent)

    @asynccontextmanager
    async def place(self, ticket: Ticket) -> AsyncIterator[None]:
        """Hold a place; raise TooLateError if none becomes free in time."""
        await self._enter(ticket)
        begun = _now()
        try:
            yield
        finally:
            self._leave(ticket.queue_id, _now() - begun)

    async def _enter(self, ticket: Ticket) -> None:
        if ticket.until is not None and _now() >= ticket.until:
            raise TooLateError
        if self._free:
            self._free -= 1
            self._usage.begin(ticket.queue_id)
            return
        lane = self._idle if ticket.idle else self._urgent if ticket.urgent else self._patient
        let_in = lane.add(ticket.queue_id)
        try:
            async with asyncio.timeout_at(ticket.until):
                await let_in
        except (TimeoutError, asyncio.CancelledError) as error:
            if let_in.cancelled():
                lane.discard(ticket.queue_id, let_in)
            else:
                self._leave(ticket.queue_id, 0)  # it was let in at the same moment
            if isinstance(error, TimeoutError):
                raise TooLateError from error
            raise

    def _leave(self, queue_id: int, seconds: float) -> None:
        """Give the place, which was held for `seconds`, to the next that waits."""
        self._usage.end(queue_id, seconds)
        let_in = self._next()
        if let_in is None:
            self._free += 1
        else:
            let_in.set_result(None)

    def _next(self) -> asyncio.Future[None] | None:
        lanes = [self._urgent, self._patient]
        if self._urgent_in_a_row == _URGENT_IN_A_ROW:
            lanes.reverse()
        for lane in (*lanes, self._idle):
            if (let_in := lane.pop()) is not None:
                passing = lane is self._urgent and len(self._patient) > 0
                self._urgent_in_a_row = self._urgent_in_a_row + 1 if passing else 0
                return let_in
        return None


class _Usage:
    """The seconds that servers have used, on a clock that only moves with what is let in."""

    def __init__(self) -> None:
        self._now = 0.0
        self._used: dict[int, float] = {}

    def of(self, queue_id: int) -> float:
        """Return what a server has used; one without recent work stands where the clock does."""
        return max(self._used.get(queue_id, 0.0), self._now)

    def begin(self, queue_id: int) -> None:
        """Count the least for work that begins, so that others come before more of it."""
        self._now = self.of(queue_id)
        self._used[queue_id] = self._now + _LEAST_SECONDS

    def end(self, queue_id: int, seconds: float) -> None:
        """Count the rest of what work has taken, and forget the servers that the clock passed."""
        self._used[queue_id] = self.of(queue_id) + max(0.0, seconds - _LEAST_SECONDS)
        self._used = {server: used for server, used in self._used.items() if used > self._now}


class _Lane:
    """Those that wait, by server; of servers that have used as much, the first comes first."""

    def __init__(self, usage: _Usage) -> None:
        self._usage = usage
        self._waiting: dict[int, deque[asyncio.Future[None]]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def add(self, queue_id: int) -> asyncio.Future[None]:
        """Return a future that is done when its place is free."""
        let_in = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(queue_id, deque()).append(let_in)
        return let_in

    def discard(self, queue_id: int, let_in: asyncio.Future[None]) -> None:
        """Forget one that doesn't wait any more."""
        if let_in in (waiting := self._waiting.get(queue_id, deque())):
            waiting.remove(let_in)
            if not waiting:
                del self._waiting[queue_id]

    def pop(self) -> asyncio.Future[None] | None:
        """Return the next in turn, whose work begins now; None if nobody waits."""
        while self._waiting:
            queue_id = min(self._waiting, key=self._usage.of)
            waiting = self._waiting.pop(queue_id)
            let_in = waiting.popleft()
            if waiting:
                self._waiting[queue_id] = waiting  # behind the other servers
            if not let_in.done():  # a cancelled one is about to be discarded
                self._usage.begin(queue_id)
                return let_in
        return None


def _now() -> float:
    return asyncio.get_running_loop().time()
