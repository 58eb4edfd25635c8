"""Computer players that search slowly, or not well; search processes import them from here.

All of them search at the level perfect alone, so that what is played instead is a glance.
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

# The environment's name for a folder: each search leaves its mark in it, and waits for `OPEN`.
GATE = "TESTS_GATE"
OPEN = "open"


class SearchingEngine(Engine):
    """A computer player that searches in its own way, and then plays as at the level hard."""

    def searches(self, position: Position, level: Level) -> bool:
        return level is Level.PERFECT

    def choose(
        self, position: Position, level: Level, rng: Random, history: Sequence[Position] = ()
    ) -> Move:
        if level is Level.PERFECT:
            self.search()
            level = Level.HARD
        return super().choose(position, level, rng, history)

    def analyse(self, position: Position) -> Analysis:
        self.search()
        return super().analyse(position)

    def search(self) -> None:
        """Do what takes time."""


class SlowEngine(SearchingEngine):
    """Its searches take longer than a press waits unanswered, which is a second."""

    def search(self) -> None:
        time.sleep(1.25)


class WaitingEngine(SearchingEngine):
    """Its searches wait at the gate."""

    def search(self) -> None:
        mark()
        while not Path(os.environ[GATE], OPEN).exists():
            time.sleep(0.005)


class EndlessEngine(SearchingEngine):
    """Its searches have no end."""

    def search(self) -> None:
        mark()
        while True:
            pass


def mark() -> None:
    """Leave a mark of this search at the gate, where there is one."""
    if GATE in os.environ:
        Path(os.environ[GATE], f"{os.getpid()}-{time.monotonic_ns()}").touch()


class DyingEngine(SearchingEngine):
    """Its searches end the process, as when the system has run out of memory."""

    def search(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class FailingEngine(SearchingEngine):
    """Its searches raise."""

    def search(self) -> None:
        raise ArithmeticError("no value")


class HopelessEngine(FailingEngine):
    """It finds no move in any way."""

    def choose(
        self, position: Position, level: Level, rng: Random, history: Sequence[Position] = ()
    ) -> Move:
        raise ArithmeticError("no move")
