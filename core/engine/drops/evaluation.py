"""Estimates for positions into which pieces fall."""

from collections.abc import Callable
from functools import lru_cache

from core.engine.bitboards import split
from core.engine.drops.geometry import Geometry

# The worth of a threat whose square the side gets by follow-up, and of any other threat.
_GIVEN, _HARD = 30, 12

_Estimate = Callable[[int, int, int, int, int], int]


@lru_cache(maxsize=64)
def estimate_of(geometry: Geometry) -> _Estimate:
    """Return the evaluation of a board for one side.

    It takes the pieces of this side and of the other one, the number of free squares, and the
    threats of both in the same order.

    Squares count by the lines through them. A square that completes a line counts by the side that
    will get it if all columns are filled by follow-up: the side that moves second on a board with
    an even number of squares gets those in `upper`, the other one those in `lower`.
    """
    planes = _planes(geometry)
    lower, upper = geometry.lower, geometry.upper
    even = geometry.cells % 2 == 0

    def estimate(mine: int, theirs: int, left: int, own: int, other: int) -> int:
        first_moves = left % 2 == geometry.cells % 2
        follows = first_moves != even  # whether the side of `mine` gets the upper squares
        good, bad = (upper, lower) if follows else (lower, upper)
        score = _GIVEN * ((own & good).bit_count() - (other & bad).bit_count())
        score += _HARD * ((own & bad).bit_count() - (other & good).bit_count())
        for weight, plane in planes:
            score += weight * ((mine & plane).bit_count() - (theirs & plane).bit_count())
        return score

    return estimate


def _planes(geometry: Geometry) -> tuple[tuple[int, int], ...]:
    """Return weights with bitboards: those that hold a square add up to its number of lines."""
    board = geometry.board
    lines = [sum(map(board.bit, run)) for run in board.grid.runs(board.line)]
    through = {bit: sum(bit & line > 0 for line in lines) for bit in split(geometry.full)}
    weights = [1 << nth for nth in range(max(through.values()).bit_length())]
    return tuple((w, sum(bit for bit, count in through.items() if count & w)) for w in weights)
