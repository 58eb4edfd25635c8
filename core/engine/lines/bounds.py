"""Bounds that need no search: the sets the attacker can still own, and the moves worth searching.

The attacker wants to own a set whole; the defender is content with anything else. Each cut is
sound:

- Dead sets. A set with a defender's mark never counts again, nor does a set that lacks more squares
  than the attacker has moves left.
- Sets within sets. If a set lacks all squares that another lacks, and one more, only the smaller
  counts: the owner of five in a row owns the first four of them.
- Pairing. Of two squares that lie in the same set and in no other, the defender always gets one, so
  the set is dead.
- The Erdős-Selfridge potential. With the attacker to move, sets that each lack e squares can all be
  blocked if the sum of 2^-e is below 1/2 (P. Erdős and J. Selfridge, *On a combinatorial game*,
  1973). The defender's own wins and threats only help the defender, so the bound holds here too. A
  move after which a single reply could push the sum below 1/2 needn't be tried either.
"""

from functools import lru_cache, partial
from operator import itemgetter
from struct import Struct

from core.engine.bitboards import split
from core.engine.lines.geometry import Geometry, geometry
from core.engine.lines.zones import UNLIMITED
from core.engine.search import Memo
from core.views import LineBoard

ONE = 1 << 20
"""The weight of a set that lacks nothing; each square that it lacks halves it."""
_HALF = ONE >> 1
_FIELD_BITS = 32


class Bounds:
    """The bounds on one board. They remember facts about sets, nothing that depends on a search."""

    def __init__(self, geometry: Geometry):
        self.geometry = geometry
        squares = geometry.symmetry.squares
        self._bits = [1 << square for square in range(squares)]
        # For the squares that a set may lack: the same squares without each one of them.
        self._smaller = Memo[int, list[int]](lambda mask: [mask ^ bit for bit in split(mask)])
        self._packed = Memo[int, int](partial(_packed, top=squares * _FIELD_BITS))
        self._fields = Struct(f"<{squares + 1}I")
        self._longest = max(mask.bit_count() for mask in geometry.sets)

    def potential(self, attacker: int, defender: int) -> int:
        """Return the Erdős-Selfridge sum over the attacker's sets, in units of 1/ONE."""
        lacking = self._lacking(attacker, self.geometry.alive(defender), UNLIMITED)
        return sum(ONE >> mask.bit_count() for mask in lacking)

    def attacks(
        self, attacker: int, defender: int, alive: list[int], moves: int = UNLIMITED
    ) -> dict[int, int]:
        """Return the attacker's moves that are worth a search with their weights, heaviest first.

        `alive` are the sets without a defender's mark, `moves` the number of moves that the
        attacker has left.
        """
        minimal = self._lacking(attacker, alive, moves)
        *by_square, total = self._weights(_unpaired(minimal))
        if total < _HALF:
            return {}
        weights = self._heaviest_first(by_square)
        best = max(by_square)
        # After a lighter move the reply on the heaviest square leaves a sum below 1/2.
        least = _HALF + best - total
        if least > 0:
            heavy = {bit: w for bit, w in weights.items() if w >= least or w == best}
            # A mark on one square of a pair doubles the weight of its set. If the set lacks only
            # these two squares, the mark is a threat, which has to be answered before anything
            # else.
            enough = min(least, _HALF)
            pairs = [mask for mask in minimal if 2 * ONE >> mask.bit_count() >= enough]
            others = self._exchanges(attacker, defender, pairs, moves)
        else:
            heavy = weights
            # A square in none of the attacker's sets can still block one of the defender's.
            others = split(self.geometry.full & ~(attacker | defender))
        return heavy | {bit: 0 for bit in others if bit not in weights}

    def _exchanges(self, attacker: int, defender: int, pairs: list[int], moves: int) -> list[int]:
        """Return the squares of `pairs`' sets on which a mark blocks a set of the defender's.

        A mark on one of a pair makes the defender take the other: that gains the attacker no set,
        but the turn comes back. Only sets that the defender could threaten in time need blocking.
        """
        lacking = threatening = 0
        for mask in pairs:
            lacking |= mask
        for mask in self.geometry.sets:
            if not mask & attacker and (mask & ~defender).bit_count() < moves:
                threatening |= mask
        return split(lacking & threatening)

    def replies(
        self, attacker: int, alive: list[int], moves: int = UNLIMITED
    ) -> dict[int, int] | None:
        """Return the squares worth a reply of the defender, with their weights, heaviest first.

        Return None if one reply blocks all sets for good.
        """
        *by_square, total = self._weights(self._lacking(attacker, alive, moves))
        if total < _HALF or total - max(by_square) < _HALF:
            return None
        return self._heaviest_first(by_square)

    def _lacking(self, attacker: int, alive: list[int], moves: int) -> list[int]:
        """Return what the attacker's sets lack, of those that `moves` moves can complete.

        Sets that hold a smaller one are left out.
        """
        free = ~attacker
        if moves >= self._longest:
            return self._minimal([mask & free for mask in alive])
        return self._minimal([m for mask in alive if (m := mask & free).bit_count() <= moves])

    def _minimal(self, lacking: list[int]) -> list[int]:
        """Return `lacking` without those that hold another of them and one square more."""
        there = set(lacking)
        smaller = self._smaller
        return [mask for mask in there if there.isdisjoint(smaller[mask])]

    def _weights(self, lacking: list[int]) -> tuple[int, ...]:
        """Return for each square the weight of the sets that lack it, and at the end the total."""
        packed = sum([self._packed[mask] for mask in lacking])
        return self._fields.unpack(packed.to_bytes(self._fields.size, "little"))

    def _heaviest_first(self, by_square: list[int]) -> dict[int, int]:
        """Return the squares of some weight as bits with their weights, heaviest first."""
        weights = {bit: w for bit, w in zip(self._bits, by_square, strict=True) if w}
        return dict(sorted(weights.items(), key=itemgetter(1), reverse=True))


def _packed(lacking: int, top: int) -> int:
    """Return the weight of what a set lacks, at each of its squares, as one number of fields.

    The field above those of the squares, from bit `top` on, holds the weight once more, so that a
    sum of such numbers holds the weight of each square and the total.
    """
    weight = ONE >> lacking.bit_count()
    found = weight << top
    for bit in split(lacking):
        found |= weight << (bit.bit_length() - 1) * _FIELD_BITS
    return found


@lru_cache(maxsize=8)  # for a torus with long lines, one takes up to 20 MB
def bounds(board: LineBoard) -> Bounds:
    """Return the bounds on `board`."""
    return Bounds(geometry(board))


def _unpaired(lacking: list[int]) -> list[int]:
    """Return `lacking` without those that hold two squares that are in no other."""
    while True:
        once = twice = 0
        for mask in lacking:
            twice |= once & mask
            once |= mask
        single = once & ~twice
        if not single:
            return lacking
        kept = [mask for mask in lacking if not (p := mask & single) & (p - 1)]
        if len(kept) == len(lacking):
            return lacking
        lacking = kept
