"""What a search process runs: it knows the core, and nothing of Discord or the database.

What comes in and goes out is small: keys, texts, numbers, and an `Analysis`.
"""

import faulthandler
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from random import Random

from core.engine.analysis import Analysis
from core.engine.levels import Engine, Level
from core.games import GAMES

# The event loop has the first word on a machine whose cores are all searching.
_NICENESS = 5

_engines: dict[type[Engine], Engine] = {}


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


def _engine(kind: type[Engine]) -> Engine:
    """Return this process's own engine: what it has found out serves the next search."""
    if kind not in _engines:
        _engines[kind] = kind()
    return _engines[kind]


@contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """End the process when the search within takes longer, telling on standard error where it was.

    Nothing else stops a search: it has no clock, and asks nobody.
    """
    faulthandler.dump_traceback_later(seconds, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def choose(
    kind: type[Engine],
    seconds: float,
    game: str,
    position: str,
    level: str,
    seed: int,
    history: tuple[str, ...],
) -> str:
    """Return a move in notation for a position, and those before it, in their game's text."""
    with _limit(seconds):
        parse = GAMES[game].parse
        past = [parse(text) for text in history]
        move = _engine(kind).choose(parse(position), Level(level), Random(seed), past)
    return str(move)


def analyse(kind: type[Engine], seconds: float, game: str, position: str) -> Analysis:
    """Return what the engine knows about a position in its game's text."""
    with _limit(seconds):
        return _engine(kind).analyse(GAMES[game].parse(position))
