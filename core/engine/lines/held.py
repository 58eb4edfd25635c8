"""Books of held positions: the side to move can't force a set, but no search proves it soon.

They are made in advance (`core.engine.books.make`). A book is closed: the second side can answer
every mark so that the position is again in the book, or that there are pairs
(`core.engine.lines.pairing`). So the second side never loses.
"""

import zlib
from collections.abc import Iterable
from functools import lru_cache

from core.engine.books import content
from core.views import LineBoard


@lru_cache(maxsize=64)
def held_positions(board: LineBoard) -> frozenset[int]:
    """Return the canonical numbers (`Symmetry.canonical`) of the positions in a board's book.

    In each number the attacker, who is to move, comes first. Without a book the set is empty.
    """
    packed_numbers = content(f"{board.label}.held")
    if packed_numbers is None:
        return frozenset()
    numbers = zlib.decompress(packed_numbers)
    size = _size(board)
    starts = range(0, len(numbers), size)
    return frozenset(int.from_bytes(numbers[at : at + size], "big") for at in starts)


def packed(board: LineBoard, numbers: Iterable[int]) -> bytes:
    """Return a book in the form of its file, which `held_positions` reads."""
    size = _size(board)
    return zlib.compress(b"".join(number.to_bytes(size, "big") for number in sorted(numbers)), 9)


def _size(board: LineBoard) -> int:
    """Return how many bytes a position takes."""
    return -(-2 * board.squares // 8)
