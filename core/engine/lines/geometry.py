"""A line board before anybody has moved: its sets by square, and its symmetries."""

from functools import lru_cache

from core.engine.lines.symmetry import Symmetry
from core.views import LineBoard


class Geometry:
    """The deciding sets of a board, `through[bit]` those that hold a square, and its symmetries."""

    def __init__(self, board: LineBoard):
        self.sets = board.sets
        self.full = (1 << board.squares) - 1
        self.through = {
            1 << i: tuple(mask for mask in board.sets if mask >> i & 1)
            for i in range(board.squares)
        }
        self.symmetry = Symmetry(board.squares, board.symmetries)

    def completing(self, mine: int, theirs: int) -> int:
        """Return the squares on which a mark of `mine` would complete a set."""
        return _completing(self.sets, mine, theirs)

    def threats(self, bit: int, mine: int, theirs: int) -> int:
        """Return the squares on which a mark would complete a set through `bit`."""
        return _completing(self.through[bit], mine, theirs)

    def alive(self, defender: int) -> list[int]:
        """Return the sets in which the defender has no mark."""
        return [mask for mask in self.sets if not mask & defender]


def _completing(sets: tuple[int, ...], mine: int, theirs: int) -> int:
    found = 0
    for mask in sets:
        if not mask & theirs:
            missing = mask & ~mine
            if not missing & (missing - 1):
                found |= missing
    return found


@lru_cache(maxsize=64)
def geometry(board: LineBoard) -> Geometry:
    """Return the geometry of `board`."""
    return Geometry(board)
