"""The points that each level takes from the next in misère on 3x3, reckoned exactly.

    python -m tests.strength.exact

There are 4,520 positions to move in. In each of them, the chances of a level's moves follow from
its lots, and from the moves that it holds for equally good. As in the games of the other boards,
the first two marks are random, and each opening is played from both sides. Takes some ten seconds.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from random import Random
from typing import TypeAlias, TypeVar

from core.engine.levels import Depth, Level, levels_of
from core.engine.player import Engine
from core.options import Options
from core.outcome import Result
from core.position import Position
from tests.core.boards import TICTACTOE, start
from tests.strength.tables import markdown_row

T = TypeVar("T")

Chances: TypeAlias = Callable[[Position], Sequence[float]]
"""Returns the chance of each legal move in a position, from 0 to 1."""

_OPENING = 2
_POINTS = {Result.WIN: 1.0, Result.DRAW: 0.5, Result.LOSS: 0.0}
_OPTIONS: Options = {"variant": "misere"}


class _Drawing(Random):
    """Draws the lot with a given number, and notes how many lots there are and the best moves."""

    def __init__(self, number: int):
        super().__init__(0)
        self._number = number
        self.lots = 1
        self.best: Sequence[object] = ()

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override] # of sequences alone
        if isinstance(seq[0], Depth):
            self.lots = len(seq)
            return seq[self._number]
        self.best = seq
        return seq[0]


def at_random(position: Position) -> Sequence[float]:
    """Return the chances of random play."""
    count = len(position.legal_moves())
    return [1 / count] * count


def chances_of(level: Level) -> Chances:
    """Return the chances of a level's moves."""
    engine = Engine()

    def drawn(position: Position, number: int) -> _Drawing:
        drawing = _Drawing(number)
        engine.choose(position, level, drawing)
        return drawing

    @cache
    def chances(position: Position) -> Sequence[float]:
        found = [0.0] * len(position.legal_moves())
        if len(found) == 1:
            return [1.0]
        lots = drawn(position, 0).lots
        for number in range(lots):
            best = drawn(position, number).best
            for index in best:
                assert isinstance(index, int)
                found[index] += 1 / len(best) / lots
        return found

    return chances


def points(one: Chances, other: Chances) -> float:
    """Return the part of the points that `one` takes from `other`, from both seats."""

    def taken(seat: int) -> float:
        @cache
        def of(position: Position, ply: int) -> float:
            if (outcome := position.outcome()) is not None:
                return _POINTS[outcome.result(seat)]
            mover = one if position.to_move == seat else other
            chances = (at_random if ply < _OPENING else mover)(position)
            moves = zip(position.legal_moves(), chances, strict=True)
            return sum(
                chance * of(position.play(move), ply + 1) for move, chance in moves if chance
            )

        return of(start(TICTACTOE, _OPTIONS), 0)

    return (taken(0) + taken(1)) / 2


def row() -> str:
    """Return the row of the table of levels."""
    levels = levels_of(TICTACTOE, TICTACTOE.resolve(_OPTIONS))
    ladder = [at_random, *map(chances_of, levels)]
    steps = (points(one, other) for other, one in pairwise(ladder))
    return markdown_row(("3x3 line 3 misere", *(f"{step:.1%}" for step in steps)))


if __name__ == "__main__":
    print(row())
