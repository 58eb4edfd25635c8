"""Work that is shared by all who ask for the same while it is in flight."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, Generic, TypeVar

from bot.workers.fair_queue import Ticket, TooLateError

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class SharedWork(Generic[K, T]):
    """Pieces of work in flight, by what is asked."""

    def __init__(self) -> None:
        self._tasks: dict[K, asyncio.Task[T]] = {}

    async def ask(
        self, key: K, ticket: Ticket, work: Callable[[Ticket], Coroutine[Any, Any, T]]
    ) -> T:
        """Return the result of `work`, or of the same work that has begun; raise its errors.

        If work that waits with somebody else's ticket is dropped, it is begun with this one.
        """
        while True:
            task = self._tasks.get(key)
            # Awaiting one that has just ended would never let the loop run on and forget it.
            if own := task is None or task.done():
                task = self._tasks[key] = asyncio.create_task(work(ticket))
                task.add_done_callback(partial(self._forget, key))
            try:
                # Shielded, because a caller that gives up must not cancel the work for the others.
                return await asyncio.shield(task)
            except TooLateError:
                if own:
                    raise

    def _forget(self, key: K, task: asyncio.Task[T]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if not task.cancelled():
            task.exception()  # seen, even if all askers have gone
