"""A lease that the bots of one test hold in turn, without a server or a timer."""

import asyncio
from collections import deque

from bot.client import Rowbot
from bot.db.lease import Lease
from tests.discord.patches.settling import SERVING, STANDING_BY


class Baton:
    """What one of the leases made here holds at a time; those that wait get it in their order."""

    def __init__(self) -> None:
        self.holder: Lease | None = None
        self.waiting: deque[tuple[Lease, asyncio.Future[None]]] = deque()

    def lease(self, *, has_all: bool = True) -> "HandedLease":
        """Return the lease of one more process, which has all shards, or says that it has two."""
        return HandedLease(self, has_all=has_all)

    def pass_on(self) -> None:
        """Give it to the process that has waited longest."""
        self.holder = None
        while self.waiting and self.holder is None:
            lease, waiter = self.waiting.popleft()
            if not waiter.done():
                self.holder = lease
                waiter.set_result(None)


class HandedLease(Lease):
    """The lease of one process, held while it has the baton instead of a server's locks.

    `asked` is set once the process has asked for it.
    """

    def __init__(self, baton: Baton, *, has_all: bool):
        self.names = ["lease"] if has_all else ["lease 0", "lease 1"]
        self.others = "lease %" if has_all else "lease"
        self._baton = baton
        self._lost = asyncio.Event()
        self.asked = asyncio.Event()

    async def take(self) -> bool:
        """Wait for the baton."""
        self._lost.clear()
        if (task := asyncio.current_task()) is not None:
            STANDING_BY.add(task)
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._baton.waiting.append((self, waiter))
        self.asked.set()
        free = self._baton.holder is None
        if free:
            self._baton.pass_on()
        await waiter
        return free

    async def lost(self) -> None:
        """Wait until the baton is taken away."""
        await self._lost.wait()

    async def is_awaited(self) -> bool:
        """Return whether anybody waits."""
        return any(not waiter.done() for _, waiter in self._baton.waiting)

    async def let_go(self) -> None:
        """Pass on the baton, if this process holds it."""
        self._lost.set()
        if self._baton.holder is self:
            self._baton.pass_on()

    lose = let_go  # what a kill does


def keep(bot: Rowbot) -> None:
    """Let a bot in a simulated Discord take its lease once it is set up, until its end."""

    async def begin() -> None:
        SERVING.add(bot.serving._serves)  # noqa: SLF001
        STANDING_BY.add(asyncio.create_task(bot.serving.keep()))

    bot.on_setup.append(begin)
