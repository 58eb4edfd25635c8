"""What is known about the first moves on some boards: a table in the package, made by search.

Early positions are the dearest to search and the ones that come up most. `python -m
tests.core.books` makes the tables, and a test compares samples of them with a search.
"""

import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from pathlib import Path

from core.engine.geometry import geometry
from core.engine.mirrors import Mirrors
from core.outcome import Result
from core.views import LineBoard

# Not importlib.resources: that costs more than all the rest of a first move on 3x3. Nor is a path
# joined there: that would be a tenth of it.
_FOLDER = str(Path(__file__).with_name("books"))
WON, LOST, UNKNOWN = 253, 254, 255
"""What stands for a win or loss in nobody knows how many plies, and where nothing is known."""


class Book:
    """The value of every position with at most `marks` marks on a board.

    Positions are named by `Mirrors.canonical`, so of all that mirror each other one has a value.
    They stand by their number of marks, then by the marks of who moves next, which has the fewer,
    then by those of the other. A position has one byte: 0 for a draw, otherwise in how many plies
    the game ends with best play; odd is won and even lost for the seat to move. Where that number
    isn't known it is WON or LOST.
    """

    def __init__(self, mirrors: Mirrors, starts: Sequence[int], values: bytearray):
        self.starts = starts
        self.values = values
        self._mirrors = mirrors

    @property
    def marks(self) -> int:
        """How many marks the positions have at most."""
        return len(self.starts) - 1

    def index(self, position: int) -> int:
        """Return where the value of a canonical position stands."""
        squares, count = self._mirrors.squares, position.bit_count()
        mine, theirs = position >> squares, position & (1 << squares) - 1
        number = kinds(self._mirrors, count // 2)[mine]
        ways = comb(squares - count // 2, count - count // 2)
        return self.starts[count] + number * ways + _rank(theirs, mine)

    def value(self, position: int) -> tuple[Result, int | None]:
        """Return the result for who moves next, and in how many plies if known and no draw.

        Raises KeyError for what the book doesn't hold, such as a game that is over.
        """
        code = self.values[self.index(position)]
        if code == UNKNOWN:
            raise KeyError(position)
        if code == 0:
            return Result.DRAW, None
        return (Result.WIN if code % 2 else Result.LOSS), code if code < WON else None

    def wins(self, position: int) -> bool:
        """Return whether who moves next in a canonical position wins; False where it is over."""
        code = self.values[self.index(position)]
        return code % 2 == 1 and code != UNKNOWN

    def write(self, position: int, code: int) -> None:
        """Keep the value of a canonical position."""
        self.values[self.index(position)] = code


def blank(mirrors: Mirrors, marks: int) -> Book:
    """Return a book in which nothing is known yet."""
    starts, size = [], 0
    for count in range(marks + 1):
        starts.append(size)
        ways = comb(mirrors.squares - count // 2, count - count // 2)
        size += len(kinds(mirrors, count // 2)) * ways
    return Book(mirrors, starts, bytearray([UNKNOWN]) * size)


@lru_cache(maxsize=64)
def book_of(board: LineBoard) -> Book | None:
    """Return the book for `board`, None where there is none."""
    try:
        with open(f"{_FOLDER}/{board.label}.book", "rb") as file:  # noqa: PTH123 - no path is joined
            packed = file.read()
    except FileNotFoundError:
        return None
    starts = struct.unpack_from(f">{packed[0] + 1}I", packed, 1)
    return Book(
        geometry(board).mirrors, starts, bytearray(zlib.decompress(packed[1 + 4 * len(starts) :]))
    )


def packed(book: Book) -> bytes:
    """Return a book as `book_of` reads it from its file."""
    starts = struct.pack(f">{len(book.starts)}I", *book.starts)
    return bytes([book.marks]) + starts + zlib.compress(book.values, 9)


@lru_cache(maxsize=64)
def kinds(mirrors: Mirrors, marks: int) -> dict[int, int]:
    """Return the ways in which so many marks can lie, of mirror images one, with their numbers."""
    found = dict[int, int]()
    for squares in combinations([1 << i for i in range(mirrors.squares)], marks):
        found.setdefault(mirrors.least(sum(squares)), len(found))
    return found


def _rank(bits: int, taken: int) -> int:
    """Return the number of a set among those with as many bits: combinatorial number system.

    The squares that are `taken` aren't counted.
    """
    rank = nth = 0
    while bits:
        lowest = bits & -bits
        bits ^= lowest
        nth += 1
        rank += comb((lowest - 1 & ~taken).bit_count(), nth)
    return rank
