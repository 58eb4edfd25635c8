"""The symmetries of a board, in a form that is quick to apply to bitboards."""

from collections.abc import Iterable, Sequence
from itertools import chain

_MOST_BITS = 8


class Mirrors:
    """The ways to turn and mirror a board: permutations of its squares, the identity left out."""

    def __init__(self, squares: int, symmetries: Sequence[tuple[int, ...]]):
        self.squares = squares
        ways = (tuple(range(squares)), *symmetries)
        self._images_of_one = {1 << i: [1 << way[i] for way in ways] for i in range(squares)}
        self._width = _even(squares, _MOST_BITS)
        self._tables = tuple(_by_parts(symmetry, self._width) for symmetry in symmetries)

    def canonical(self, first: int, second: int) -> int:
        """Return a number that two pairs of bitboards share if a symmetry maps one on the other."""
        least, other = first, second
        for mirror in self._tables:
            image = self._mapped(mirror, first)
            if image <= least:
                beside = self._mapped(mirror, second)
                if image < least or beside < other:
                    least, other = image, beside
        return least << self.squares | other

    def canonicals(self, first: int, second: int, bits: Iterable[int]) -> list[int]:
        """Return that number for `first` beside `second` with each of `bits` more."""
        images, beside, added = self._images(first), self._images(second), self._images_of_one
        least = min(images)
        leading = [way for way, image in enumerate(images) if image == least]
        above = least << self.squares
        return [above | min([beside[way] | added[bit][way] for way in leading]) for bit in bits]

    def least(self, bits: int) -> int:
        """Return a number that two bitboards share if a symmetry maps one on the other."""
        return min(self._images(bits))

    def orbits(self, first: int, second: int, bits: Iterable[int]) -> list[int]:
        """Return one of each group of `bits` that the position's own symmetries interchange."""
        own = self._own(first, second)
        return [bit for bit in bits if min(self._by(own, bit)) == bit]

    def with_images(self, first: int, second: int, bits: Iterable[int]) -> list[int]:
        """Return `bits` and all that the position's own symmetries make of them."""
        own = self._own(first, second)
        return list(dict.fromkeys(chain.from_iterable(self._by(own, bit) for bit in bits)))

    def _own(self, first: int, second: int) -> list[int]:
        """Return which ways to mirror leave the position as it is: 0, which does nothing, first."""
        pairs = zip(self._images(first), self._images(second), strict=True)
        return [way for way, pair in enumerate(pairs) if pair == (first, second)]

    def _by(self, ways: list[int], bit: int) -> list[int]:
        images = self._images_of_one[bit]
        return [images[way] for way in ways]

    def _images(self, bits: int) -> list[int]:
        """Return a bitboard and its images by each symmetry."""
        if bits in self._images_of_one:
            return self._images_of_one[bits]
        return [bits, *[self._mapped(mirror, bits) for mirror in self._tables]]

    def _mapped(self, mirror: tuple[tuple[int, ...], ...], bits: int) -> int:
        image, low = 0, (1 << self._width) - 1
        for table in mirror:
            image |= table[bits & low]
            bits >>= self._width
        return image


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
