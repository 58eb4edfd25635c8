"""The results of all positions of connect four with twelve pieces.

A proof from such a position takes long: 25,000 nodes on average, often far more. With these
results, a search from an earlier position needn't look any further.

The file of a board holds no positions. It is a static function, laid out as in T. M. Graf and D.
Lemire, *Binary Fuse Filters* (2022): the number of a position leads to three cells, and their sum
modulo 3 is its result. A cell is worth 1.6 bits, five to a byte, and there are 1.13 cells for each
position. For any other number it answers at random, so a search asks it only about positions that
arise in play.
"""

import struct
from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import count

from core.engine.bitboards import split
from core.engine.books import content
from core.views import DropBoard

# The pieces of the positions, the seed, and the number of windows in which a first cell may lie.
_HEADER = struct.Struct("<BBH")
# The three cells of a number lie in three neighbouring windows, one in each.
_WINDOW_BITS = 14
_WINDOW = 1 << _WINDOW_BITS
_CELLS_FOR_EACH = 1.13
_CELLS_A_BYTE = 5
_ALL_BITS = (1 << 64) - 1


class Results:
    """The results of the positions with `pieces` pieces that aren't decided at sight.

    A position is decided at sight if the side to move can complete a line at once, or if every move
    lets the other side complete one.
    """

    def __init__(self, file: bytes):
        self.pieces, self._seed, self._starts = _HEADER.unpack_from(file)
        self._bytes = file[_HEADER.size :]

    def get(self, number: int) -> int:
        """Return what best play leads to for the side to move, 1, 0 or -1.

        `number` is that of the position or of its mirror image, the smaller of both.
        """
        total = 0
        for cell in _cells_of(number, self._seed, self._starts):
            at, place = divmod(cell, _CELLS_A_BYTE)
            total += self._bytes[at] // 3**place
        return total % 3 - 1


@lru_cache(maxsize=64)
def results_of(board: DropBoard) -> Results | None:
    """Return the results of `board`, None if there are none."""
    file = content(f"{board.label}.results")
    return None if file is None else Results(file)


def results_from(board: DropBoard, mine: int, taken: int) -> Results | None:
    """Return the results that a search from a position may look up, None if there are none.

    There are none if no play leads to the position: they don't hold what follows it.
    """
    results = results_of(board)
    if results is None or taken.bit_count() > results.pieces:
        return None
    return results if _arises(mine ^ taken, taken, set()) else None


def _arises(last: int, taken: int, tried: set[int]) -> bool:
    """Return whether pieces can have been put down in turns; `last` are those of the last mover.

    `tried` has the `taken` squares of the positions that have been looked at so far.
    """
    if not taken:
        return True
    if taken in tried:
        return False
    tried.add(taken)
    tops = taken & ~(taken >> 1) & last
    return any(_arises(taken ^ last, taken ^ top, tried) for top in split(tops))


def packed(pieces: int, results: Mapping[int, int]) -> bytes:
    """Return the results of positions, by their numbers, in the form of a file.

    It tries one seed after the other, each with a window more, until the cells can be filled: for
    millions of positions, nearly always the first seed does.
    """
    fewest = max(1, round(_CELLS_FOR_EACH * len(results) / _WINDOW) - 2)
    for seed in count():
        starts = fewest + seed
        found = [_cells_of(number, seed, starts) for number in results]
        cells = [array("I", (three[nth] for three in found)) for nth in range(3)]
        order = _peeled(cells, (starts + 2) * _WINDOW)
        if len(order) == len(results):
            break
    known = array("b", results.values())
    values = bytearray((starts + 2) * _WINDOW + _CELLS_A_BYTE)
    for nth, own in reversed(order):
        values[own] = (known[nth] + 1 - sum(values[cell[nth]] for cell in cells)) % 3
    fives = zip(*(values[nth::_CELLS_A_BYTE] for nth in range(_CELLS_A_BYTE)), strict=False)
    return _HEADER.pack(pieces, seed, starts) + bytes(
        sum(value * 3**place for place, value in enumerate(five)) for five in fives
    )


def _peeled(cells: Sequence[Sequence[int]], size: int) -> list[tuple[int, int]]:
    """Return positions in an order in which each has a cell that no later one has, with that cell.

    `cells` holds the first, the second and the third cell of each position. Positions that can't be
    brought into such an order are left out.
    """
    # For each cell, the number of positions that have it, and the exclusive or of their indices:
    # with one position, its index.
    owners, joined = bytearray(size), array("I", bytes(4 * size))
    for column in cells:
        for nth, cell in enumerate(column):
            owners[cell] += 1
            joined[cell] ^= nth
    order = []
    single = [cell for cell in range(size) if owners[cell] == 1]
    while single:
        own = single.pop()
        if owners[own] != 1:
            continue
        nth = joined[own]
        order.append((nth, own))
        for column in cells:
            cell = column[nth]
            owners[cell] -= 1
            joined[cell] ^= nth
            if owners[cell] == 1:
                single.append(cell)
    return order


def _cells_of(number: int, seed: int, starts: int) -> tuple[int, int, int]:
    """Return the three cells of a number."""
    mixed = (number + seed) * 0x9E3779B97F4A7C15 & _ALL_BITS
    mixed = (mixed ^ mixed >> 32) * 0xC2B2AE3D27D4EB4F & _ALL_BITS
    start = (mixed >> 3 * _WINDOW_BITS) * starts >> 64 - 3 * _WINDOW_BITS << _WINDOW_BITS
    first = start + (mixed & _WINDOW - 1)
    second = start + _WINDOW + (mixed >> _WINDOW_BITS & _WINDOW - 1)
    third = start + 2 * _WINDOW + (mixed >> 2 * _WINDOW_BITS & _WINDOW - 1)
    return first, second, third
