"""The computer player's levels, and who picks its moves."""

from enum import StrEnum
from random import Random

from core.engine.analysis import Analysis, Value
from core.engine.search import Solver
from core.engine.tactics import ALL_STEPS, tactical_moves
from core.game import Game, Options, Position
from core.grid import Move


class Level(StrEnum):
    """How well the computer plays."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    PERFECT = "perfect"
    STRONG = "strong"


def levels_of(game: Game, options: Options) -> tuple[Level, ...]:
    """Return the levels for resolved `options`, weakest first: the last is perfect where it can be.

    Where a board is too large to be solved it is strong instead.
    """
    best = Level.PERFECT if game.solved(options) else Level.STRONG
    return (Level.EASY, Level.MEDIUM, Level.HARD, best)


# A level weakens by leaving out the later steps of the same plan.
_STEPS = {Level.EASY: 1, Level.MEDIUM: 2, Level.HARD: len(ALL_STEPS)}


class Engine:
    """The computer player: a move for any position, level and source of chance."""

    def __init__(self, solver: Solver | None = None):
        self._solver = solver or Solver()

    def searches(self, position: Position, level: Level) -> bool:
        """Return whether choosing can take longer than an event loop should wait: 5 ms."""
        return level in (Level.PERFECT, Level.STRONG)

    def choose(self, position: Position, level: Level, rng: Random) -> Move:
        """Return a legal move.

        Raises ValueError when the game is over.
        """
        if level in (Level.PERFECT, Level.STRONG):
            return rng.choice(self.analyse(position).best)
        return rng.choice(tactical_moves(position, _STEPS[level]))

    def analyse(self, position: Position) -> Analysis:
        """Return the best moves and what they lead to; raise ValueError when the game is over."""
        try:
            best = tuple(self._solver.best_moves(position))
            value = self._solver.value(position)
        except ValueError:
            moves = tuple(tactical_moves(position, len(ALL_STEPS)))
            return Analysis(moves, None, (0.5, 0.5))
        won = [1.0 if rank == 1 else 0.0 for rank in value.ranks]
        drawn = value.ranks.count(1) > 1
        return Analysis(
            best,
            Value(value.ranks, None if drawn else value.plies),
            (0.5, 0.5) if drawn else tuple(won),
        )
