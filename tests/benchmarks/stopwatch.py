"""How moves are timed: by the CPU time of the thread that thinks.

That is wall time where nothing else runs; what else the machine does meanwhile doesn't count.
"""

import gc
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

clock = time.thread_time
LOOK_SECONDS = 0.1


class TakesTooLong(Exception):
    """Somebody thought for longer than they were given."""


@contextmanager
def only_own_garbage() -> Iterator[None]:
    """Let the garbage collector look at nothing in the body that was there before.

    pytest itself is large, and so is what other players leave: looking at all of it takes 50 ms, in
    the middle of somebody's move.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TakesTooLong in the body when it runs for longer; where there are no signals, don't."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return
    started = clock()

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        if clock() - started >= seconds:
            raise TakesTooLong

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def seconds_of(think: Callable[[], object], cap: float) -> float:
    """Return how long `think` takes; `cap` when it is given up."""
    started = clock()
    try:
        with at_most(cap):
            think()
    except TakesTooLong:
        return cap
    return min(clock() - started, cap)
