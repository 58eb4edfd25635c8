"""Code that runs inside a child process: its start, and its end."""

import faulthandler
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import wait
from pathlib import Path
from typing import TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

# If all cores are busy, the bot's own process comes first: it answers members.
_NICENESS = 5


def begin() -> int:
    """Prepare this process for work, and return its id."""
    # Ctrl-C in a terminal reaches every process of the program; the bot ends the others itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    return os.getpid()


def _end_with_parent() -> None:
    """End this process when the bot's process ends, even if that one was killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "this runs in a child"
    wait([parent.sentinel])
    os._exit(1)


def limited(seconds: float, work: Callable[[*Ts], T], *arguments: *Ts) -> T:
    """Return the result of `work`; after `seconds`, end this process.

    The timer is a thread of `faulthandler`, which needs no lock of the interpreter. So it even ends
    work that never returns from C code, and needs nothing from the bot, which may be busy. Its
    tracebacks go nowhere; the bot logs a line instead.
    """
    with Path(os.devnull).open("w") as nowhere:
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
        try:
            return work(*arguments)
        finally:
            faulthandler.cancel_dump_traceback_later()
