"""Threats, lines and the order of moves on the bitboards of a `DropBoard`.

A threat of a side is a free square that would complete a line of it.
"""

from collections.abc import Callable
from functools import lru_cache

from core.engine.search import Memo
from core.views import DropBoard

MOST_COLUMNS = 10
"""The most columns that a board has.

Moves are ordered by their threats, then by the places of their columns, so each threat counts for
this many places.
"""


class Geometry:
    """The constants of a board, and the questions that a search asks most.

    `lower` holds the squares with an odd number of squares above them, the lower squares of the
    pairs that make up a column with an even number of free squares. `columns` are the
    squares of each column, from the middle outwards. `completing(own)` returns the squares, free or
    not, that would complete a line of `own`, and some that aren't on the board; `has_line(own)`
    says whether `own` has a line.
    """

    def __init__(self, board: DropBoard):
        self.board = board
        self.cells = board.columns * board.rows
        self.full, self.floor, self.playable = board.full, board.floor, board.playable
        middle = (board.columns - 1) / 2
        distances = sorted(range(board.columns), key=lambda c: (abs(c - middle), c))
        self.columns = tuple(board.files[c] for c in distances)
        self.lower = sum(
            board.bit(square) for square in board.grid.squares if (board.rows - square.row) % 2 == 0
        )
        self.upper = self.full ^ self.lower
        self.completing = _completing(board)
        self.has_line = _has_line(board)

    def mirrored(self, bits: int) -> int:
        """Return a bitboard with the columns from right to left."""
        height = self.board.rows + 1
        found = 0
        for _ in self.columns:
            found = found << height | bits & (1 << height) - 1
            bits >>= height
        return found

    def memo(self) -> Memo[int, int]:
        """Return `completing` with a memory, since a search asks often about the same pieces."""
        return Memo(self.completing)

    def threats(self, own: int, taken: int) -> int:
        """Return the threats of the side of `own`."""
        return self.completing(own) & (self.full ^ taken)

    def ordered(self, own: int, moves: int, free: int, completing: Memo[int, int]) -> list[int]:
        """Return `moves`, those with most threats first, then those nearest to the middle.

        None of them completes a line of the side of `own`. `completing` is a search's `memo`.
        """
        found = []
        for place, column in enumerate(self.columns):
            move = moves & column
            if move:
                threats = completing[own | move] & free
                found.append((place - MOST_COLUMNS * threats.bit_count(), move))
        found.sort()
        return [move for _, move in found]


def safe(playable: int, threats: int) -> int:
    """Return the squares of `playable` after which the side with these `threats` can't win at once.

    The side to move must not be able to complete a line itself.
    """
    forced = threats & playable
    if forced & (forced - 1):
        return 0
    return (forced or playable) & ~(threats >> 1)


@lru_cache(maxsize=64)
def geometry(board: DropBoard) -> Geometry:
    """Return the geometry of a board."""
    return Geometry(board)


# Boards with lines of another length are refused.
_IS_FIVE = {4: False, 5: True}


def _completing(board: DropBoard) -> Callable[[int], int]:
    """Return `Geometry.completing` for lines of four or of five."""
    upward, *sideways = board.steps
    five = _IS_FIVE[board.line]

    def completing(own: int) -> int:
        found = own << upward & own << 2 * upward & own << 3 * upward
        if five:
            found &= own << 4 * upward
        for step in sideways:
            # The squares before and after which there are one, two and three pieces in a row.
            before, after = own << step, own >> step
            before2, after2 = before & own << 2 * step, after & own >> 2 * step
            before3, after3 = before2 & own << 3 * step, after2 & own >> 3 * step
            if five:
                found |= before3 & (own << 4 * step | after) | before2 & after2
                found |= after3 & (own >> 4 * step | before)
            else:
                found |= before3 | before2 & after | after2 & before | after3
        return found

    return completing


def _has_line(board: DropBoard) -> Callable[[int], bool]:
    """Return `Geometry.has_line` for lines of four or of five."""
    steps = board.steps
    five = _IS_FIVE[board.line]

    def has_line(own: int) -> bool:
        for step in steps:
            pairs = own & own >> step
            fours = pairs & pairs >> 2 * step
            if fours and (not five or fours & own >> 4 * step):
                return True
        return False

    return has_line
