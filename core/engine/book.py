"""What is known about the first moves on some boards: a table in the package, made by search.

Early positions are the dearest to search and the ones that come up most. `python -m
tests.core.books` makes the tables, and a test compares samples of them with a search.
"""

import zlib
from functools import lru_cache
from math import comb
from pathlib import Path

from core.outcome import Result

# Not importlib.resources: that costs more than all the rest of a first move on 3x3.
_FOLDER = Path(__file__).with_name("books")
_UNKNOWN = 255


class Book:
    """The value of every position with at most `marks` marks on a board of `squares` squares.

    Positions are named by `Geometry.canonical`, so of all that mirror each other one has a value.
    There is one byte for each pair of bitboards: 0 for a draw, otherwise in how many plies the game
    ends with best play; odd is won and even lost for the seat to move, which has the fewer marks.
    """

    def __init__(self, squares: int, marks: int, values: bytes):
        self.marks = marks
        self.values = values
        self._squares = squares
        self._offsets = [0]
        for count in range(marks + 1):
            width = self._width(count)
            self._offsets.append(self._offsets[-1] + comb(squares, count // 2) * width)

    @property
    def size(self) -> int:
        """How many bytes the values take."""
        return self._offsets[-1]

    def index(self, position: int) -> int:
        """Return where the value of a canonical position stands."""
        mine, theirs = position >> self._squares, position & (1 << self._squares) - 1
        count = position.bit_count()
        return self._offsets[count] + _rank(mine) * self._width(count) + _rank(theirs)

    def value(self, position: int) -> tuple[Result, int | None]:
        """Return the result for who moves next, and in how many plies unless it is a draw.

        Raises ValueError for a position that is not in the book.
        """
        code = self.values[self.index(position)]
        if code == _UNKNOWN:
            raise ValueError("not in the book")
        if code == 0:
            return Result.DRAW, None
        return (Result.WIN if code % 2 else Result.LOSS), code

    def _width(self, count: int) -> int:
        """Return how many ways the marks of who has just moved can lie."""
        return comb(self._squares, count - count // 2)


def blank(squares: int, marks: int) -> bytearray:
    """Return the values of a book in which nothing is known yet."""
    return bytearray([_UNKNOWN]) * Book(squares, marks, b"").size


@lru_cache(maxsize=64)
def book_of(label: str, squares: int) -> Book | None:
    """Return the book for a board with this label, None where there is none."""
    try:
        packed = (_FOLDER / f"{label}.book").read_bytes()
    except FileNotFoundError:
        return None
    return Book(squares, packed[0], zlib.decompress(packed[1:]))


def packed(book: Book) -> bytes:
    """Return a book as `book_of` reads it from its file."""
    return bytes([book.marks]) + zlib.compress(book.values, 9)


@lru_cache(maxsize=4096)
def _rank(bits: int) -> int:
    """Return the number of a set among those with as many bits: combinatorial number system."""
    rank = nth = 0
    while bits:
        lowest = bits & -bits
        bits ^= lowest
        nth += 1
        rank += comb(lowest.bit_length() - 1, nth)
    return rank
