"""A position of a line game: its moves in order, and an evaluation without a search."""

from collections.abc import Iterable, Sequence

from core.engine.bitboards import split
from core.engine.lines.geometry import Geometry

# Each mark more in a set multiplies its worth by 2 to the power of this, which is four.
_MARK_BITS = 2
# How many times one's own sets count in the order of moves.
_OWN = 2
# The same two for moves that lead to the same end, which only a slip of the other changes.
_CHANCES_MARK_BITS, _CHANCES_OWN = 1, 4
# In an opening, the worth of a set that a move takes from the other side; an open one is worth 2.
_BESIDE = 3
# How many times the seat to move counts its own sets in an estimate. In an opening this agrees with
# what the principal-variation search says of the next positions.
_TEMPO, _OPENING_TEMPO = 2, 1.25


class LinePosition:
    """The marks of the seat to move and of the other one, as bitboards, and the free squares."""

    def __init__(self, geometry: Geometry, mine: int, theirs: int):
        self.geometry = geometry
        self.mine = mine
        self.theirs = theirs
        self.free = geometry.full & ~(mine | theirs)

    @property
    def canonical(self) -> int:
        """The number that symmetric positions share."""
        return self.geometry.symmetry.canonical(self.mine, self.theirs)

    def canonical_after(self, bits: Iterable[int]) -> list[int]:
        """Return the canonical numbers of the positions after a mark on each of `bits`."""
        return self.geometry.symmetry.canonical_successors(self.theirs, self.mine, bits)

    def canonical_after_replies(self, bit: int) -> list[int]:
        """Return the canonical numbers of the positions after `bit` and each reply to it."""
        return self.geometry.symmetry.canonical_successors(
            self.mine | bit, self.theirs, split(self.free & ~bit)
        )

    def moves(self) -> list[int]:
        """Return the moves, the most urgent first, one for each group of symmetric ones."""
        symmetry = self.geometry.symmetry
        bits = symmetry.representatives(self.mine, self.theirs, split(self.free))
        return sorted(bits, key=self.urgency, reverse=True)

    def with_symmetric(self, bits: Iterable[int]) -> list[int]:
        """Return `bits` and the moves symmetric to them."""
        return self.geometry.symmetry.orbits(self.mine, self.theirs, bits)

    def urgency(self, bit: int) -> int:
        """Return the weight of the open sets through `bit`, own ones counting twice."""
        return self._open_sets(bit, _MARK_BITS, _OWN)

    def chances(self, bit: int) -> int:
        """Return the weight of the open sets through `bit` among moves that lead to the same end.

        Only a slip of the other changes that end. So one's own sets count four times, and those
        with few marks count for more than in `urgency`.
        """
        return self._open_sets(bit, _CHANCES_MARK_BITS, _CHANCES_OWN)

    def _open_sets(self, bit: int, mark_bits: int, own: int) -> int:
        """Return the weight of the open sets through `bit`, own ones counting `own` times.

        Each mark in a set doubles its weight `mark_bits` times.
        """
        total = 0
        for mask in self.geometry.through[bit]:
            if not mask & self.theirs:
                total += own << mark_bits * (mask & self.mine).bit_count()
            if not mask & self.mine:
                total += 1 << mark_bits * (mask & self.theirs).bit_count()
        return total

    @property
    def marks(self) -> int:
        """The number of marks."""
        return (self.mine | self.theirs).bit_count()

    @property
    def opens(self) -> bool:
        """Whether there is at most one mark."""
        return self.marks < 2

    def opening(self) -> list[int]:
        """Return the best moves with at most one mark, on a board that is too large to search.

        The squares in most open sets are best; beside the other's mark they are better still.
        """

        def worth(bit: int) -> int:
            through = self.geometry.through[bit]
            blocked = sum(bool(mask & self.theirs) for mask in through)
            return 2 * (len(through) - blocked) + _BESIDE * blocked

        worths = {bit: worth(bit) for bit in self.moves()}
        most = max(worths.values())
        return [bit for bit, value in worths.items() if value == most]

    def blocking(self, among: Sequence[int]) -> list[int]:
        """Return those of `among` that block a set which the other completes next, all if none."""
        threats = self.geometry.completing(self.theirs, self.mine)
        return [bit for bit in among if bit & threats] or list(among)

    def estimate(self) -> float:
        """Return the outlook of the seat to move, from 0 to 1, by the weight of the open sets."""
        mine, theirs = (
            sum(
                1 << _MARK_BITS * (mask & own).bit_count()
                for mask in self.geometry.sets
                if not mask & other
            )
            for own, other in ((self.mine, self.theirs), (self.theirs, self.mine))
        )
        leading = mine * (_OPENING_TEMPO if self.opens else _TEMPO)
        # Nothing that is only estimated counts as decided.
        return (leading + 1) / (leading + theirs + 2)
