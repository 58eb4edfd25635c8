"""The symmetries of a board, as tables that are quick to apply to bitboards."""

from collections.abc import Iterable, Sequence
from itertools import chain

# Squares are mapped in groups of at most this many, by one table lookup for each group.
_GROUP_BITS = 8


class Symmetry:
    """The symmetry group of a board: permutations of its squares.

    `symmetries` leaves the identity out, as `core.views.LineBoard` does. Inside, a permutation is
    known by its index in the group, the identity being 0.
    """

    def __init__(self, squares: int, symmetries: Sequence[tuple[int, ...]]):
        self.squares = squares
        group = (tuple(range(squares)), *symmetries)
        self._images_of_bit = {1 << i: [1 << to[i] for to in group] for i in range(squares)}
        self._width = _even_width(squares)
        self._tables = tuple(_tables(symmetry, self._width) for symmetry in symmetries)

    def canonical(self, first: int, second: int) -> int:
        """Return a number shared by exactly those pairs of bitboards that are symmetric."""
        least, other = first, second
        for tables in self._tables:
            image = self._image(tables, first)
            if image <= least:
                beside = self._image(tables, second)
                if image < least or beside < other:
                    least, other = image, beside
        return least << self.squares | other

    def canonical_successors(self, first: int, second: int, bits: Iterable[int]) -> list[int]:
        """Return `canonical(first, second | bit)` for each of `bits`."""
        images, beside = self.images(first), self.images(second)
        added = self._images_of_bit
        least = min(images)
        leading = [index for index, image in enumerate(images) if image == least]
        above = least << self.squares
        return [above | min([beside[i] | added[bit][i] for i in leading]) for bit in bits]

    def least(self, bits: int) -> int:
        """Return a number shared by exactly those bitboards that are symmetric."""
        return min(self.images(bits))

    def representatives(self, first: int, second: int, bits: Iterable[int]) -> list[int]:
        """Return one of `bits` from each orbit under the position's own symmetries."""
        stabilizer = self._stabilizer(first, second)
        return [bit for bit in bits if min(self._orbit(stabilizer, bit)) == bit]

    def orbits(self, first: int, second: int, bits: Iterable[int]) -> list[int]:
        """Return `bits` and their images under the position's own symmetries."""
        stabilizer = self._stabilizer(first, second)
        return list(dict.fromkeys(chain.from_iterable(self._orbit(stabilizer, b) for b in bits)))

    def _stabilizer(self, first: int, second: int) -> list[int]:
        """Return the indices of the permutations that leave the position as it is."""
        pairs = zip(self.images(first), self.images(second), strict=True)
        return [index for index, pair in enumerate(pairs) if pair == (first, second)]

    def _orbit(self, indices: list[int], bit: int) -> list[int]:
        images = self._images_of_bit[bit]
        return [images[index] for index in indices]

    def images(self, bits: int) -> list[int]:
        """Return the image of a bitboard under each permutation of the group."""
        if bits in self._images_of_bit:
            return self._images_of_bit[bits]
        return [bits, *[self._image(tables, bits) for tables in self._tables]]

    def _image(self, tables: tuple[tuple[int, ...], ...], bits: int) -> int:
        image = 0
        low = (1 << self._width) - 1
        for table in tables:
            image |= table[bits & low]
            bits >>= self._width
        return image


def _even_width(bits: int) -> int:
    """Return the width of the fewest groups of at most `_GROUP_BITS`, all about as wide."""
    return -(-bits // -(-bits // _GROUP_BITS))


def _tables(symmetry: tuple[int, ...], width: int) -> tuple[tuple[int, ...], ...]:
    """Return for each group of `width` squares the image of every subset of it."""
    tables = []
    for base in range(0, len(symmetry), width):
        table = [0]
        for target in symmetry[base : base + width]:
            bit = 1 << target
            table += [image | bit for image in table]
        tables.append(tuple(table))
    return tuple(tables)
