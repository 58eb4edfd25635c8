"""What the line searches know of a board before anybody has moved."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

from core.views import LineBoard

_BYTE = 8
_BYTES = 256


class Geometry:
    """The deciding sets by square, and the board's symmetries in a form that is quick to apply."""

    def __init__(self, board: LineBoard):
        self.sets = board.sets
        self.full = (1 << board.squares) - 1
        self.through = {
            1 << i: tuple(mask for mask in board.sets if mask >> i & 1)
            for i in range(board.squares)
        }
        self._squares = board.squares
        self._mirrors = tuple(_by_bytes(symmetry) for symmetry in board.symmetries)
        # The same for two bitboards side by side.
        both = ((*s, *(board.squares + i for i in s)) for s in board.symmetries)
        self._pairs = tuple(_by_bytes(symmetry) for symmetry in both)

    def canonical(self, first: int, second: int) -> int:
        """Return a number that two pairs of bitboards share if a symmetry maps one on the other."""
        pair = first << self._squares | second
        least = pair
        for mirror in self._pairs:
            image = 0
            rest = pair
            for table in mirror:
                image |= table[rest & 255]
                rest >>= _BYTE
            if image < least:
                least = image
        return least

    def orbits(self, first: int, second: int, bits: int) -> list[int]:
        """Return one of each group of `bits` that the position's own symmetries interchange."""
        own = self._own(first, second)
        return [bit for bit in split(bits) if not any(_mapped(m, bit) < bit for m in own)]

    def with_images(self, first: int, second: int, bits: Iterable[int]) -> list[int]:
        """Return `bits` and all that the position's own symmetries make of them."""
        own = self._own(first, second)
        images = ((bit, *(_mapped(mirror, bit) for mirror in own)) for bit in bits)
        return list(dict.fromkeys(chain.from_iterable(images)))

    def _own(self, first: int, second: int) -> list[tuple[tuple[int, ...], ...]]:
        """Return the symmetries that leave the position as it is."""
        images = self._images(first, second)[1:]
        return [
            mirror
            for mirror, image in zip(self._mirrors, images, strict=True)
            if image == (first, second)
        ]

    def _images(self, first: int, second: int) -> list[tuple[int, int]]:
        images = [(first, second)]
        images += [(_mapped(m, first), _mapped(m, second)) for m in self._mirrors]
        return images

    def completing(self, mine: int, theirs: int) -> int:
        """Return the squares on which `mine` would complete a set."""
        found = 0
        for mask in self.sets:
            if not mask & theirs:
                missing = mask & ~mine
                if not missing & (missing - 1):
                    found |= missing
        return found


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


def _by_bytes(symmetry: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return where each byte of a bitboard goes, as one table a byte."""
    tables = []
    for base in range(0, len(symmetry), _BYTE):
        targets = [1 << target for target in symmetry[base : base + _BYTE]]
        table = [0] * _BYTES
        for byte in range(1, _BYTES):
            lowest = (byte & -byte).bit_length() - 1
            if lowest < len(targets):
                table[byte] = table[byte & (byte - 1)] | targets[lowest]
        tables.append(tuple(table))
    return tuple(tables)


def _mapped(mirror: tuple[tuple[int, ...], ...], bits: int) -> int:
    image = 0
    for table in mirror:
        image |= table[bits & 255]
        bits >>= _BYTE
    return image
