"""Computer players whose searches are slow, endless or failing, or find what a test has fixed.

Search processes import them, so this module imports the core alone: to import the whole bot takes
some seconds. They search at one level only, perfect unless they say otherwise, so the level to
which the bot falls back needs no search.
"""

import os
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from core.engine.analysis import Analysis, Value
from core.engine.levels import Level
from core.engine.player import Engine
from core.grid import Move
from core.position import Position

# What KnowingEngine finds on a board, by its width: the value, and each player's prospects.
KNOWN: Mapping[int, tuple[Value | None, tuple[float, float]]] = {
    3: (Value((1, 2), 5), (1, 0)),
    4: (Value((2, 1), 8), (0, 1)),
    5: (Value((1, 1), None), (0.5, 0.5)),
    6: (None, (0.7, 0.3)),
    7: (None, (0.5, 0.5)),
    8: (None, (0.0, 1.0)),
    9: (None, (1.0, 0.0)),
}

# The environment variable with a `Gate`'s folder, and the name of the file that opens it.
GATE = "TESTS_GATE"
OPEN = "open"


class SearchingEngine(Engine):
    """Calls `search`, then plays at the level hard."""

    searching = Level.PERFECT

    def searches(self, position: Position, level: Level) -> bool:
        return level is self.searching

    def analyses_quickly(self, position: Position) -> bool:
        return False

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
    """Its searches take so long that the bot shows the member's move before the answer."""

    def search(self) -> None:
        time.sleep(0.4)


class WaitingEngine(SearchingEngine):
    """Its searches wait until the gate is open."""

    def search(self) -> None:
        mark()
        while not Path(os.environ[GATE], OPEN).exists():
            time.sleep(0.005)


class WaitingStrongEngine(WaitingEngine):
    """Waits at the level strong, which Tribolo has, too."""

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
    gate = Path(os.environ.get(GATE, ""))
    if GATE in os.environ and gate.is_dir():
        (gate / f"{os.getpid()}-{time.monotonic_ns()}").touch()


class DyingEngine(SearchingEngine):
    """Its searches kill their process, as the system does when memory runs out."""

    def search(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class FailingEngine(SearchingEngine):
    """Its searches raise."""

    def search(self) -> None:
        raise ArithmeticError("no value")


class FalteringEngine(SearchingEngine):
    """An engine whose first search raises."""

    def search(self) -> None:
        mark()
        if len([*Path(os.environ[GATE]).iterdir()]) == 1:
            raise ArithmeticError("no value")


class HopelessEngine(FailingEngine):
    """Finds no move, with or without a search."""

    def choose(
        self, position: Position, level: Level, rng: Random, history: Sequence[Position] = ()
    ) -> Move:
        raise ArithmeticError("no move")


class StumblingEngine(Engine):
    """Fails on its first `stumbles` moves: by default once in the turn, once for the board."""

    stumbles = 2

    def choose(
        self, position: Position, level: Level, rng: Random, history: Sequence[Position] = ()
    ) -> Move:
        if self.stumbles:
            self.stumbles -= 1
            raise ArithmeticError("no move yet")
        return super().choose(position, level, rng, history)


class LosingProcessEngine(DyingEngine):
    """An engine whose searches kill their process. It searches for every move."""

    def searches(self, position: Position, level: object) -> bool:
        return True


class KnowingEngine(SearchingEngine):
    """A computer player with one answer for every width of board."""

    def analyse(self, position: Position) -> Analysis:
        value, outlook = KNOWN[position.grid.columns]
        return Analysis((Move.parse("a1"),), value, outlook)

    def line(self, position: Position, first: Analysis, plies: int) -> tuple[Move, ...]:
        return first.best


class GuessingEngine(Engine):
    """A computer player that proves nothing and always favours the player to move."""

    def analyse(self, position: Position) -> Analysis:
        outlook = (0.9, 0.1) if position.to_move == 0 else (0.1, 0.9)
        return Analysis((position.legal_moves()[-1],), None, outlook)


class ShiftyEngine(Engine):
    """An engine that judges every move a mistake."""

    def analyse(self, position: Position) -> Analysis:
        won = (1, 2) if position.to_move == 0 else (2, 1)
        return Analysis((position.legal_moves()[-1],), Value(won, 3), (won[1] - 1, won[0] - 1))
