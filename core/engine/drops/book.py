"""Books of games in which pieces fall: what to play where a search would take too long.

They are made in advance (`core.engine.books.make`). A book holds the positions that arise if either
side always plays by the book and the other side makes any moves.
"""

import sys
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from core.engine.books import content
from core.views import DropBoard

_KEY_BYTES = 8


class Entry(NamedTuple):
    """The result of best play for the side to move, 1, 0 or -1, and the column of a best move."""

    score: int
    column: int


class Book:
    """Entries by the number of a position: the pieces of the side to move plus all pieces.

    Of a position and its mirror image, the book has the one with the smaller number. The numbers
    are sorted, and each entry is a byte.
    """

    def __init__(self, board: DropBoard, numbers: "array[int]", codes: bytes):
        self._columns = board.columns
        self.numbers = numbers
        self._codes = codes

    def get(self, number: int) -> Entry | None:
        """Return the entry of a position, None if the book doesn't have it."""
        at = bisect_left(self.numbers, number)
        if at == len(self.numbers) or self.numbers[at] != number:
            return None
        score, column = divmod(self._codes[at], self._columns)
        return Entry(score - 1, column)

    def __len__(self) -> int:
        return len(self.numbers)


@lru_cache(maxsize=64)
def book_of(board: DropBoard) -> Book:
    """Return the book of `board`; it is empty if there is none."""
    packed_book = content(f"{board.label}.drops")
    if packed_book is None:
        return Book(board, array("Q"), b"")
    unpacked = zlib.decompress(packed_book)
    count = len(unpacked) // (_KEY_BYTES + 1)
    planes = [unpacked[nth * count : (nth + 1) * count] for nth in range(_KEY_BYTES)]
    numbers = array("Q", b"".join(map(bytes, zip(*planes, strict=True))))
    if sys.byteorder == "big":
        numbers.byteswap()
    return Book(board, numbers, unpacked[_KEY_BYTES * count :])


def packed(board: DropBoard, entries: Mapping[int, Entry]) -> bytes:
    """Return a book in the form of its file, which `book_of` reads.

    The first bytes of all numbers stand together, then the second bytes, and so on: that packs
    best.
    """
    numbers = sorted(entries)
    planes = [bytes(number >> 8 * nth & 255 for number in numbers) for nth in range(_KEY_BYTES)]
    codes = bytes((entries[n].score + 1) * board.columns + entries[n].column for n in numbers)
    return zlib.compress(b"".join([*planes, codes]), 9)
