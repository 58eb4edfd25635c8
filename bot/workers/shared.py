"""Work that is shared by all who ask for the same while it is in flight."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
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
            own = key not in self._tasks
            if own:
                self._tasks[key] = asyncio.create_task(work(ticket))
                self._tasks[key].add_done_callback(lambda task: self._forget(key, task))
            try:
                # Shielded, because a caller that gives up must not cancel the work for the others.
                return await asyncio.shield(self._tasks[key])
            except TooLateError:
                if own:
                    raise

    def _forget(self, key: K, task: asyncio.Task[T]) -> None:
        del self._tasks[key]
        if not task.cancelled():
            task.exception()  # seen, even if all askers have gone
