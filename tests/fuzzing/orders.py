"""Orders of concurrent work that a seed decides, and repeats.

asyncio runs callbacks in the order in which they became ready, and simcord answers at once. On
Discord either of two requests may take longer. Here chance decides which callback runs next, and
how long each request is on its way. Nothing else depends on the machine: the event loop stands
still while a thread of the database works, and the machine's clock fires no timers
(`tests.fuzzing.timers`).
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from queue import SimpleQueue
from random import Random
from threading import Event
from typing import Any

import aiosqlite
import pytest
from simcord.gateway import FakeWebSocket

from tests.discord.calls import Sent, intercept

# All acts come to rest within this number of turns of the event loop, and are begun in the first.
_TURNS, _BEGINNING = 4000, 500
# The number of turns for which a request, or its answer, is on its way.
_LATE = (0, 30, 300)


class AnyOrder(deque[asyncio.Handle]):
    """The ready handles of an event loop; chance takes the next one."""

    def __init__(self, ready: deque[asyncio.Handle], rng: Random):
        super().__init__(ready)
        self._rng = rng

    def popleft(self) -> asyncio.Handle:
        """Remove and return any handle."""
        if len(self) > 1:
            self.rotate(self._rng.randrange(len(self)))
        return super().popleft()


class PromptQueue(SimpleQueue[Any]):
    """The queue of work for a connection's thread; adding work waits until the thread is idle."""

    def __init__(self) -> None:
        self._idle = Event()

    def get(self, *args: Any, **kwargs: Any) -> Any:
        """Return the next work, once there is some."""
        self._idle.set()
        return super().get(*args, **kwargs)

    def put_nowait(self, item: Any) -> None:
        """Add work, and return when it is done."""
        future, function = item

        def work() -> Any:
            done = function()
            if done is aiosqlite.core._STOP_RUNNING_SENTINEL:  # noqa: SLF001
                self._idle.set()  # the thread ends, and asks for nothing more
            return done

        self._idle.clear()
        super().put_nowait((future, work))
        self._idle.wait()


def wait_for_threads(patch: pytest.MonkeyPatch) -> None:
    """Let the event loop stand still while the threads of connections opened from now on work."""
    patch.setattr(aiosqlite.core, "SimpleQueue", PromptQueue)


def delay_requests(patch: pytest.MonkeyPatch, rng: Random) -> None:
    """Let requests and their answers arrive late, and so in other orders."""

    async def be_late() -> None:
        for _ in range(rng.choice(_LATE)):
            await asyncio.sleep(0)

    async def late(_: Sent, carry_out: Callable[[], Awaitable[Any]]) -> Any:
        await be_late()
        answer = await carry_out()
        await be_late()
        return answer

    intercept(patch, late)


def answer_when_awaited(patch: pytest.MonkeyPatch) -> None:
    """Let simcord send the members of a server once discord.py waits for them.

    It sends them two turns after the request, which in any order may be too early.
    """
    deliver = FakeWebSocket._deliver_chunks  # noqa: SLF001

    async def delivered(socket: Any, payloads: Any, guild_id: int, nonce: str) -> None:
        asked = socket._gateway._state._chunk_requests  # noqa: SLF001
        while not asked[nonce].waiters:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0)
        await deliver(socket, payloads, guild_id, nonce)

    patch.setattr(FakeWebSocket, "_deliver_chunks", delivered)


async def begin_in_any_order(acts: list[Callable[[], object]], rng: Random) -> None:
    """Begin all acts in any order, and let all further callbacks run in any order."""
    loop: Any = asyncio.get_running_loop()
    rng.shuffle(acts)
    moments = sorted(rng.choice((0, rng.randrange(_BEGINNING))) for _ in acts)
    loop._ready = AnyOrder(loop._ready, rng)  # noqa: SLF001 - there is no public way
    try:
        for turn in range(_TURNS):
            while moments and moments[0] <= turn:
                del moments[0]
                acts.pop()()
            await asyncio.sleep(0)
    finally:
        loop._ready = deque(loop._ready)  # noqa: SLF001
