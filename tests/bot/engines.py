"""Computer players whose searches are slow, endless or failing; search processes import them.

They search at one level only, perfect unless they say otherwise, so the fallback level needs no
search.
"""

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from core.engine.analysis import Analysis
from core.engine.levels import Level
from core.engine.player import Engine
from core.grid import Move
from core.position import Position

# The environment variable with a `Gate`'s folder, and the name of the file that opens it.
GATE = "TESTS_GATE"
OPEN = "open"


class SearchingEngine(Engine):
    """Calls `search`, then plays at the level hard."""

    searching = Level.PERFECT

    def searches(self, position: Position, level: Level) -> bool:
        return level is self.searching

    def choose(
        self, position: Position, level: Level, rng: Random, history: Sequence[Position] = ()
    ) -> Move:
        if level is self.searching:
            self.search()
            level = Level.HARD
        return super().choose(position, level, rng, history)

    def analyse(self, position: Position) -> Analysis:
        self.search()
        return super().analyse(position)

    def search(self) -> None:
        """Do nothing; subclasses take their time."""


class SlowEngine(SearchingEngine):
    """Its searches take longer than a second, after which a press is deferred."""

    def search(self) -> None:
        time.sleep(1.25)


class WaitingEngine(SearchingEngine):
    """Its searches wait until the gate is open."""

    def search(self) -> None:
        mark()
        while not Path(os.environ[GATE], OPEN).exists():
            time.sleep(0.005)


class WaitingStrongEngine(WaitingEngine):
    """Waits at the level strong, which Tribolo has too."""

    searching = Level.STRONG


class EndlessEngine(SearchingEngine):
    """Its searches never end."""

    def search(self) -> None:
        mark()
        while True:
            pass


class HastyEngine(Engine):
    """Its budget is a small part of the usual one."""

    def __init__(self) -> None:
        super().__init__(50_000)


class ThoroughEngine(Engine):
    """Its budget would last for hours."""

    def __init__(self) -> None:
        super().__init__(10**12)


def mark() -> None:
    """Leave a file for this search at the gate, if the test has one."""
    if GATE in os.environ:
        Path(os.environ[GATE], f"{os.getpid()}-{time.monotonic_ns()}").touch()


class DyingEngine(SearchingEngine):
    """Its searches kill their process, as the system does when memory runs out."""

    def search(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class FailingEngine(SearchingEngine):
    """Its searches raise."""

    def search(self) -> None:
        raise ArithmeticError("no value")


class HopelessEngine(FailingEngine):
    """Finds no move, with or without a search."""

    def choose(
        self, position: Position, level: Level, rng: Random, history: Sequence[Position] = ()
    ) -> Move:
        raise ArithmeticError("no move")
