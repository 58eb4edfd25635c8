"""A process of the bot's own, from the inside: how it begins, and how it ends itself."""

import faulthandler
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import wait
from typing import Any, TypeVar

T = TypeVar("T")

# The event loop has the first word on a machine whose cores are all at work.
_NICENESS = 5


def begin() -> int:
    """Get the process ready, and return its id."""
    # Ctrl-C in a terminal reaches every process there; the bot's own ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    return os.getpid()


def _end_with_parent() -> None:
    """Leave nothing behind when the bot is killed: nobody else would tell this process to end."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "this runs in a child"
    wait([parent.sentinel])
    os._exit(1)


def limited(seconds: float, work: Callable[..., T], *arguments: Any) -> T:
    """Return what comes of `work`; if it takes longer, tell standard error where, and end.

    Nothing else stops it: it has no clock, and asks nobody.
    """
    faulthandler.dump_traceback_later(seconds, exit=True)
    try:
        return work(*arguments)
    finally:
        faulthandler.cancel_dump_traceback_later()
