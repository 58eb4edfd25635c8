"""The stopwatch for moves: CPU time of the thread that searches.

On an idle machine that is wall time; on a busy one the other programs don't count.
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
    """A player took longer than it was given."""


@contextmanager
def only_own_garbage() -> Iterator[None]:
    """Let the garbage collector in the body look at new objects only.

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
    """Raise TakesTooLong once the body runs for longer, on systems that have signals."""
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
    """Return the seconds that `think` takes, at most `cap`, at which it is given up."""
    started = clock()
    try:
        with at_most(cap):
            think()
    except TakesTooLong:
        return cap
    return min(clock() - started, cap)
