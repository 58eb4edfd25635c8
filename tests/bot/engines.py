"""Computer players that search slowly, or not well; search processes import them from here.

All of them search at the level perfect alone, so that what is played instead is a glance.
"""

import os
import signal
import time
from collections.abc import Sequence
from random import Random

from core.engine.analysis import Analysis
from core.engine.levels import Engine, Level
from core.grid import Move
from core.position import Position


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
    """Its searches take longer than a press may wait unanswered."""

    def search(self) -> None:
        time.sleep(2)


class EndlessEngine(SearchingEngine):
    """Its searches have no end."""

    def search(self) -> None:
        while True:
            pass


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
