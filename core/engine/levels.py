"""The computer player's levels, and who picks its moves."""

from enum import StrEnum
from random import Random

from core.engine.search import Solver
from core.engine.tactics import ALL_STEPS, tactical_moves
from core.game import Position
from core.grid import Move


class Level(StrEnum):
    """How well the computer plays."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    PERFECT = "perfect"


# A level weakens by leaving out the later steps of the same plan.
_STEPS = {Level.EASY: 1, Level.MEDIUM: 2, Level.HARD: len(ALL_STEPS)}


class Engine:
    """The computer player: a move for any position, level and source of chance."""

    def __init__(self, solver: Solver | None = None):
        self._solver = solver or Solver()

    def searches(self, level: Level) -> bool:
        """Return whether a move at `level` is searched for, rather than found at a glance.

        A search can take longer than an event loop should wait.
        """
        return level is Level.PERFECT

    def choose(self, position: Position, level: Level, rng: Random) -> Move:
        """Return a legal move.

        Raises ValueError when the game is over or, at PERFECT, the position is too large to solve.
        """
        moves = (
            self._solver.best_moves(position)
            if level is Level.PERFECT
            else tactical_moves(position, _STEPS[level])
        )
        return rng.choice(moves)
