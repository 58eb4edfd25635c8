"""How moves are timed: by the CPU time of the thread that thinks.

That is wall time where nothing else runs; what else the machine does meanwhile doesn't count.
"""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

clock = time.thread_time


class TakesTooLong(Exception):
    """Somebody thought for longer than they were given."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TakesTooLong in the body when it runs for longer; where there are no signals, don't."""
    if not hasattr(signal, "SIGPROF"):
        yield
        return

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise TakesTooLong

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def seconds_of(think: Callable[[], object], cap: float) -> float:
    """Return how long `think` takes; `cap` when it is given up."""
    started = clock()
    try:
        with at_most(cap):
            think()
    except TakesTooLong:
        return cap
    return min(clock() - started, cap)
