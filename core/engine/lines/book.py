"""Books of first moves: the values of early positions, made in advance (`core.engine.books.make`).

Early positions cost most to search, and come up most often.
"""

import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

from core.engine.books import content
from core.engine.lines.geometry import geometry
from core.engine.lines.symmetry import Symmetry
from core.outcome import Result
from core.views import LineBoard

WON, LOST, UNKNOWN = 253, 254, 255
"""The codes of a win and a loss at an unknown distance, and of a position not in the book."""


class Book:
    """The value of every position with at most `marks` marks on a board.

    A position is known by its canonical number (`Symmetry.canonical`). Values are ordered by the
    number of marks, then by the marks of the seat to move, which has the fewer, then by those of
    the other. Each is a byte: 0 for a draw, otherwise the plies to the end with best play, odd if
    the seat to move wins and even if it loses, or WON or LOST at an unknown distance.
    """

    def __init__(self, symmetry: Symmetry, starts: Sequence[int], values: bytearray):
        self.starts = starts
        self.values = values
        self._symmetry = symmetry

    @property
    def marks(self) -> int:
        """The number of marks up to which positions are in the book."""
        return len(self.starts) - 1

    def index(self, position: int) -> int:
        """Return the index of the value of a canonical position."""
        squares = self._symmetry.squares
        count = position.bit_count()
        mine, theirs = position >> squares, position & (1 << squares) - 1
        number = numbered(self._symmetry, count // 2)[mine]
        ways = comb(squares - count // 2, count - count // 2)
        return self.starts[count] + number * ways + _rank(theirs, mine)

    def value(self, position: int) -> tuple[Result, int | None]:
        """Return the result for the seat to move, and the plies to the end if they are known.

        A draw has no plies. Raises KeyError for a position that isn't in the book, such as one in
        which the game is over.
        """
        code = self.values[self.index(position)]
        if code == UNKNOWN:
            raise KeyError(position)
        if code == 0:
            return Result.DRAW, None
        return (Result.WIN if code % 2 else Result.LOSS), code if code < WON else None

    def wins(self, position: int) -> bool:
        """Return whether the seat to move wins a canonical position; False if the game is over."""
        code = self.values[self.index(position)]
        return code % 2 == 1 and code != UNKNOWN

    def write(self, position: int, code: int) -> None:
        """Set the value of a canonical position."""
        self.values[self.index(position)] = code


def blank(symmetry: Symmetry, marks: int) -> Book:
    """Return a book of positions with up to `marks` marks, all of them unknown."""
    starts = []
    size = 0
    for count in range(marks + 1):
        starts.append(size)
        ways = comb(symmetry.squares - count // 2, count - count // 2)
        size += len(numbered(symmetry, count // 2)) * ways
    return Book(symmetry, starts, bytearray([UNKNOWN]) * size)


@lru_cache(maxsize=64)
def book_of(board: LineBoard) -> Book | None:
    """Return the book of `board`, None if it has none."""
    packed = content(f"{board.label}.book")
    if packed is None:
        return None
    starts = struct.unpack_from(f">{packed[0] + 1}I", packed, 1)
    values = bytearray(zlib.decompress(packed[1 + 4 * len(starts) :]))
    return Book(geometry(board).symmetry, starts, values)


def packed(book: Book) -> bytes:
    """Return a book in the form of its file, which `book_of` reads."""
    starts = struct.pack(f">{len(book.starts)}I", *book.starts)
    return bytes([book.marks]) + starts + zlib.compress(book.values, 9)


@lru_cache(maxsize=64)
def numbered(symmetry: Symmetry, marks: int) -> dict[int, int]:
    """Return every placement of `marks` marks with its number, one of each symmetric group."""
    found = dict[int, int]()
    for squares in combinations([1 << i for i in range(symmetry.squares)], marks):
        found.setdefault(symmetry.least(sum(squares)), len(found))
    return found


def _rank(bits: int, taken: int) -> int:
    """Return the rank of a set among those of its size, squares in `taken` not being counted.

    This is its number in the combinatorial number system.
    """
    rank = nth = 0
    while bits:
        lowest = bits & -bits
        bits ^= lowest
        nth += 1
        rank += comb((lowest - 1 & ~taken).bit_count(), nth)
    return rank
