"""The bot's processes, which share an event loop here: a killed one does nothing more."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from tests.discord.killing import KilledError
from tests.discord.orders.second import Feed


class Process:
    """A process of the bot. The tasks that it begins belong to it, and those that they begin."""

    def __init__(self) -> None:
        self.alive = True

    @contextmanager
    def runs(self) -> Iterator[None]:
        """Let the tasks that begin in this context belong to this process."""
        token = _PROCESS.set(self)
        try:
            yield
        finally:
            _PROCESS.reset(token)

    def fed(self, feed: Feed) -> Feed:
        """Return a feed of events whose handlers belong to this process, whoever causes them."""

        def fed(event: str, payload: Mapping[str, Any]) -> None:
            with self.runs():
                feed(event, payload)

        return fed


_PROCESS: ContextVar[Process | None] = ContextVar("process", default=None)


def check_alive() -> None:
    """End the current task by KilledError if it belongs to a process that was killed."""
    process, task = _PROCESS.get(), asyncio.current_task()
    if process is not None and task is not None and not process.alive:
        task.cancel()  # by the error alone, a loop would only end a round
        raise KilledError
