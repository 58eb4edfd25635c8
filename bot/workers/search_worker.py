"""Code that runs in a search process. It imports the core, and nothing of Discord or the database.

The arguments are values of the core. The result is a `Move`, an `Analysis` with its time, or a
`Puzzle`.
"""

from collections.abc import Sequence
from random import Random
from threading import Timer
from time import perf_counter
from typing import NamedTuple

from core.engine.analysis import Analysis
from core.engine.levels import Level
from core.engine.player import Engine
from core.grid import Move
from core.position import Position
from core.puzzles.finding import Puzzle, find


class Found(NamedTuple):
    """An analysis, and how many seconds the search took, without its time in the queue."""

    analysis: Analysis
    seconds: float


_engines: dict[type[Engine], Engine] = {}


def _engine(kind: type[Engine]) -> Engine:
    """Return the one engine of this class in this process: later searches use its tables."""
    if kind not in _engines:
        _engines[kind] = kind()
    return _engines[kind]


def choose(
    kind: type[Engine],
    position: Position,
    level: Level,
    seed: int,
    history: Sequence[Position],
    seconds: float,
) -> Move:
    """Return the engine's move.

    `history` holds the match's positions so far, oldest first; `seed` decides all chance. After
    `seconds` the search ends, with the best move that it has found.
    """
    engine = _engine(kind)
    timer = Timer(seconds, engine.stop)
    timer.start()
    try:
        return engine.choose(position, level, Random(seed), history)
    finally:
        timer.cancel()
        timer.join()  # otherwise a timer that has just run out could stop the next search


def analyse(kind: type[Engine], position: Position) -> Found:
    """Return the engine's analysis of a position, and its time."""
    begun = perf_counter()
    analysis = _engine(kind).analyse(position)
    return Found(analysis, perf_counter() - begun)


def line(
    kind: type[Engine], position: Position, analysis: Analysis, plies: int
) -> tuple[Move, ...]:
    """Return a line of best play of at most `plies` moves from an analysed position."""
    return _engine(kind).line(position, analysis, plies)


def puzzle(position: Position) -> Puzzle | None:
    """Return the puzzle that a position is, None if it is none."""
    return find(position)
