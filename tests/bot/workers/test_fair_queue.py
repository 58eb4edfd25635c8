"""The order in which waiting work gets a place."""

import asyncio
from collections.abc import Callable

import pytest

from bot.workers.errors import TooLateError
from bot.workers.fair_queue import FairQueue, Ticket

BIG, SMALL = 1, 2


class Line:
    """A queue with one place, which is taken, and the order in which others got it."""

    def __init__(self) -> None:
        self.queue = FairQueue(1)
        self.order: list[str] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def add(self, name: str, ticket: Ticket) -> asyncio.Task[None]:
        """Wait for a place under a name."""
        task = asyncio.create_task(self._wait(name, ticket))
        self._tasks.append(task)
        await asyncio.sleep(0)
        return task

    async def _wait(self, name: str, ticket: Ticket) -> None:
        async with self.queue.place(ticket):
            self.order.append(name)

    async def ended(self) -> list[str]:
        """Return the order when all have had a place."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
        return self.order


@pytest.fixture
async def pass_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Stop the event loop's clock, and return a function that sets it forward by some seconds."""
    loop = asyncio.get_running_loop()
    now = loop.time()

    def pass_time(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr(loop, "time", lambda: now)
    return pass_time


async def test_servers_take_turns() -> None:
    """Requests of one server delay another server's by the one that runs."""
    line = Line()
    async with line.queue.place(Ticket(BIG)):
        for name in ("big 1", "big 2", "big 3"):
            await line.add(name, Ticket(BIG))
        await line.add("small", Ticket(SMALL))
        assert (line.queue.running, line.queue.waiting) == (1, 4)
    assert await line.ended() == ["small", "big 1", "big 2", "big 3"]
    assert (line.queue.running, line.queue.waiting) == (0, 0)


async def test_servers_share_the_time(pass_time: Callable[[float], None]) -> None:
    """A server whose searches are long waits for as many short ones as take that time."""
    line = Line()
    async with line.queue.place(Ticket(BIG)):
        pass_time(0.1)
        await line.add("big 1", Ticket(BIG))
        for number in range(3):
            await line.add(f"small {number}", Ticket(SMALL))
    assert await line.ended() == ["small 0", "small 1", "small 2", "big 1"]


async def test_nobody_saves_up_time(pass_time: Callable[[float], None]) -> None:
    """Time that a server hasn't used before doesn't let it pass another."""
    line = Line()
    for _ in range(3):
        async with line.queue.place(Ticket(BIG)):
            pass_time(0.05)
    async with line.queue.place(Ticket(SMALL)):
        await line.add("big 1", Ticket(BIG))
        for number in range(12):
            await line.add(f"small {number}", Ticket(SMALL))
    assert (await line.ended()).index("big 1") <= 6


async def test_work_that_a_match_waits_for_goes_first() -> None:
    """Urgent work passes earlier work of any server."""
    line = Line()
    async with line.queue.place(Ticket(BIG)):
        await line.add("hint", Ticket(SMALL))
        await line.add("move", Ticket(BIG, urgent=True))
    assert await line.ended() == ["move", "hint"]


async def test_idle_work_goes_last() -> None:
    """Idle work, for which nobody waits, is let in after all other work, of any server."""
    line = Line()
    async with line.queue.place(Ticket(BIG)):
        await line.add("idle 1", Ticket(SMALL, idle=True))
        await line.add("idle 2", Ticket(SMALL, idle=True))
        await line.add("big", Ticket(BIG))
        await line.add("urgent", Ticket(BIG, urgent=True))
        assert line.queue.waiting == 2
    assert await line.ended() == ["urgent", "big", "idle 1", "idle 2"]


async def test_nobody_starves() -> None:
    """However much urgent work there is, other work gets every fifth place."""
    line = Line()
    async with line.queue.place(Ticket(BIG)):
        for number in range(2):
            await line.add(f"hint {number}", Ticket(SMALL))
        for number in range(10):
            await line.add(f"move {number}", Ticket(BIG, urgent=True))
    order = await line.ended()
    assert [order.index("hint 0"), order.index("hint 1")] == [4, 9]


async def test_only_passing_others_counts() -> None:
    """Urgent work that nobody waited behind doesn't count towards the others' turn."""
    line = Line()
    async with line.queue.place(Ticket(BIG)):
        for number in range(5):
            await line.add(f"alone {number}", Ticket(BIG, urgent=True))
    await line.ended()
    async with line.queue.place(Ticket(BIG)):
        await line.add("hint", Ticket(SMALL))
        await line.add("move", Ticket(BIG, urgent=True))
    assert (await line.ended())[-2:] == ["move", "hint"]


async def test_work_that_comes_too_late_is_dropped() -> None:
    """After its time, work leaves the queue and the place goes to the next."""
    line, now = Line(), asyncio.get_running_loop().time()
    async with line.queue.place(Ticket(BIG)):
        late = await line.add("late", Ticket(SMALL, until=now + 0.01))
        await line.add("next", Ticket(BIG, until=now + 60))
        with pytest.raises(TooLateError):
            await late
        assert line.queue.waiting == 1
    assert await line.ended() == ["next"]
    with pytest.raises(TooLateError):
        await (await line.add("past", Ticket(BIG, until=now)))


@pytest.mark.parametrize("let_in_first", [False, True])
async def test_a_cancelled_one_keeps_no_place(let_in_first: bool) -> None:
    """Cancelled work passes its place on, even if it is cancelled as it is let in."""
    line = Line()
    async with line.queue.place(Ticket(BIG)):
        cancelled = await line.add("cancelled", Ticket(BIG))
        await line.add("next", Ticket(BIG))
        if not let_in_first:
            cancelled.cancel()
    cancelled.cancel()
    assert await line.ended() == ["next"]
    assert (line.queue.running, line.queue.waiting) == (0, 0)
