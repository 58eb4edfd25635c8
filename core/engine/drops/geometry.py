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

    `lower` holds the squares with an odd number of squares above them, which are the lower ones of
    the pairs into which a column with an even number of free squares falls apart. `columns` are the
    squares of each column, from the middle outwards. `completing(own)` returns the squares, free or
    not, that would complete a line of `own`, and some that aren't on the board; `has_line(own)` is
    not 0 if `own` has a line.
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
        self.completing = _COMPLETING[board.line](board.rows)
        self.has_line = _HAS_LINE[board.line](board)

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


def _completing_four(rows: int) -> Callable[[int], int]:
    down, across, up = rows, rows + 1, rows + 2
    down2, across2, up2 = 2 * down, 2 * across, 2 * up
    down3, across3, up3 = 3 * down, 3 * across, 3 * up

    def completing(own: int) -> int:
        found = own << 1 & own << 2 & own << 3
        before, after = own << across, own >> across
        found |= (before & own << across2) & (own << across3 | after)
        found |= (after & own >> across2) & (own >> across3 | before)
        before, after = own << down, own >> down
        found |= (before & own << down2) & (own << down3 | after)
        found |= (after & own >> down2) & (own >> down3 | before)
        before, after = own << up, own >> up
        found |= (before & own << up2) & (own << up3 | after)
        return found | (after & own >> up2) & (own >> up3 | before)

    return completing


def _completing_five(rows: int) -> Callable[[int], int]:
    def completing(own: int) -> int:
        found = own << 1 & own << 2 & own << 3 & own << 4
        for step in (rows, rows + 1, rows + 2):
            before, after = own << step, own >> step
            before2, after2 = before & own << 2 * step, after & own >> 2 * step
            before3, after3 = before2 & own << 3 * step, after2 & own >> 3 * step
            found |= before3 & (own << 4 * step | after) | before2 & after2
            found |= after3 & (own >> 4 * step | before)
        return found

    return completing


def _has_four(board: DropBoard) -> Callable[[int], int]:
    upward, down, across, up = board.steps

    def has_line(own: int) -> int:
        found = own & own >> across
        if found & found >> 2 * across:
            return 1
        found = own & own >> down
        if found & found >> 2 * down:
            return 1
        found = own & own >> up
        if found & found >> 2 * up:
            return 1
        found = own & own >> upward
        return found & found >> 2 * upward

    return has_line


def _has_five(board: DropBoard) -> Callable[[int], int]:
    def has_line(own: int) -> int:
        for step in board.steps:
            found = own & own >> step
            if found & found >> 2 * step & own >> 4 * step:
                return 1
        return 0

    return has_line


_COMPLETING = {4: _completing_four, 5: _completing_five}
_HAS_LINE = {4: _has_four, 5: _has_five}
