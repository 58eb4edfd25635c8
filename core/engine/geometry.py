"""What the line searches know of a board before anybody has moved."""

from functools import lru_cache

from core.engine.mirrors import Mirrors
from core.views import LineBoard


class Geometry:
    """The deciding sets by square, and the board's symmetries."""

    def __init__(self, board: LineBoard):
        self.sets = board.sets
        self.full = (1 << board.squares) - 1
        self.through = {
            1 << i: tuple(mask for mask in board.sets if mask >> i & 1)
            for i in range(board.squares)
        }
        self.mirrors = Mirrors(board.squares, board.symmetries)

    def completing(self, mine: int, theirs: int) -> int:
        """Return the squares on which `mine` would complete a set."""
        found = 0
        for mask in self.sets:
            if not mask & theirs:
                missing = mask & ~mine
                if not missing & (missing - 1):
                    found |= missing
        return found

    def threats(self, bit: int, mine: int, theirs: int) -> int:
        """Return the same of the sets through `bit` alone."""
        found = 0
        for mask in self.through[bit]:
            if not mask & theirs:
                missing = mask & ~mine
                if not missing & (missing - 1):
                    found |= missing
        return found

    def alive(self, defender: int) -> list[int]:
        """Return the sets in which the defender has no mark."""
        return [mask for mask in self.sets if not mask & defender]


@lru_cache(maxsize=64)
def geometry(board: LineBoard) -> Geometry:
    """Return the geometry of `board`."""
    return Geometry(board)


def split(bits: int) -> list[int]:
    """Return each bit of `bits` by itself, lowest first."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest)
        bits ^= lowest
    return found
