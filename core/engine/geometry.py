"""What the line searches know of a board before anybody has moved."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

from core.views import LineBoard

_MOST_BITS = 8


class Geometry:
    """The deciding sets by square, and the board's symmetries in a form that is quick to apply."""

    def __init__(self, board: LineBoard):
        self.sets = board.sets
        self.full = (1 << board.squares) - 1
        self.through = {
            1 << i: tuple(mask for mask in board.sets if mask >> i & 1)
            for i in range(board.squares)
        }
        self.squares = board.squares
        self._width = _even(board.squares, _MOST_BITS)
        self._mirrors = tuple(_by_parts(mirror, self._width) for mirror in board.symmetries)

    def canonical(self, first: int, second: int) -> int:
        """Return a number that two pairs of bitboards share if a symmetry maps one on the other."""
        least, other = first, second
        for mirror in self._mirrors:
            image = self._mapped(mirror, first)
            if image <= least:
                beside = self._mapped(mirror, second)
                if image < least or beside < other:
                    least, other = image, beside
        return least << self.squares | other

    def orbits(self, first: int, second: int, bits: int) -> list[int]:
        """Return one of each group of `bits` that the position's own symmetries interchange."""
        own = self._own(first, second)
        return [bit for bit in split(bits) if not any(self._mapped(m, bit) < bit for m in own)]

    def with_images(self, first: int, second: int, bits: Iterable[int]) -> list[int]:
        """Return `bits` and all that the position's own symmetries make of them."""
        own = self._own(first, second)
        images = ((bit, *(self._mapped(mirror, bit) for mirror in own)) for bit in bits)
        return list(dict.fromkeys(chain.from_iterable(images)))

    def _own(self, first: int, second: int) -> list[tuple[tuple[int, ...], ...]]:
        """Return the symmetries that leave the position as it is."""
        mapped = self._mapped
        return [
            m for m in self._mirrors if mapped(m, first) == first and mapped(m, second) == second
        ]

    def _mapped(self, mirror: tuple[tuple[int, ...], ...], bits: int) -> int:
        image, low = 0, (1 << self._width) - 1
        for table in mirror:
            image |= table[bits & low]
            bits >>= self._width
        return image

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


def _even(bits: int, most: int) -> int:
    """Return how wide the fewest parts of at most `most` bits are that are all about as wide."""
    return -(-bits // -(-bits // most))


def _by_parts(symmetry: tuple[int, ...], width: int) -> tuple[tuple[int, ...], ...]:
    """Return where each part of a bitboard goes, as one table for every `width` squares."""
    tables = []
    for base in range(0, len(symmetry), width):
        table = [0]
        for target in symmetry[base : base + width]:
            bit = 1 << target
            table += [image | bit for image in table]
        tables.append(tuple(table))
    return tuple(tables)
