"""What can be seen of a position of a line game without a search."""

from collections.abc import Iterable, Sequence

from core.engine.geometry import Geometry, split

# What a set is worth to who has marks in it: each mark more makes it four times as urgent.
_URGENCY = 2


class Survey:
    """A position: bitboards of the seat to move and of the other."""

    def __init__(self, geometry: Geometry, mine: int, theirs: int):
        self.geometry = geometry
        self.mine = mine
        self.theirs = theirs
        self.free = geometry.full & ~(mine | theirs)

    @property
    def code(self) -> int:
        """The position's canonical number."""
        return self.geometry.mirrors.canonical(self.mine, self.theirs)

    def after(self, bits: Iterable[int]) -> list[int]:
        """Return the canonical numbers of the positions after a mark on each of `bits`."""
        return self.geometry.mirrors.canonicals(self.theirs, self.mine, bits)

    def after_replies(self, bit: int) -> list[int]:
        """Return the canonical numbers of the positions after `bit` and each reply to it."""
        return self.geometry.mirrors.canonicals(
            self.mine | bit, self.theirs, split(self.free & ~bit)
        )

    def choices(self) -> list[int]:
        """Return the moves, the most urgent first; of those that mirror each other only one."""
        bits = self.geometry.mirrors.orbits(self.mine, self.theirs, split(self.free))
        return sorted(bits, key=self.urgency, reverse=True)

    def urgency(self, bit: int) -> int:
        """Return how much a mark does there: for sets of one's own, and against the other's."""
        total = 0
        for mask in self.geometry.through[bit]:
            if not mask & self.theirs:
                total += 1 << _URGENCY * (mask & self.mine).bit_count() + 1
            if not mask & self.mine:
                total += 1 << _URGENCY * (mask & self.theirs).bit_count()
        return total

    def blocking(self, among: Sequence[int]) -> list[int]:
        """Return those of `among` that prevent one of the sets that the other completes next."""
        threats = self.geometry.completing(self.theirs, self.mine)
        return [bit for bit in among if bit & threats] or list(among)

    def estimate(self) -> float:
        """Return how the seat to move stands, from 0 to 1, by the sets that are still open."""
        chances = [
            sum(1 << _URGENCY * (m & own).bit_count() for m in self.geometry.sets if not m & other)
            for own, other in ((self.mine, self.theirs), (self.theirs, self.mine))
        ]
        # The tempo is worth a share as well; nothing that is only estimated counts as decided.
        return (2 * chances[0] + 1) / (2 * chances[0] + chances[1] + 2)

    def mirrored(self, bits: Iterable[int]) -> list[int]:
        """Return `bits` and all that the position's symmetries make of them."""
        return self.geometry.mirrors.with_images(self.mine, self.theirs, bits)
