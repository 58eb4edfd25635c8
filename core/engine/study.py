"""One position of a line game under study: which moves win, which hold, which set traps."""

from collections.abc import Callable, Iterable, Sequence

from core.engine.attack import FOREVER, Attack, OutOfNodes
from core.engine.geometry import Geometry, split

# A reply goes wrong where it loses to at most this many moves.
_TRAP_MOVES = 4
# Where sets of 3 can be forced at all, it takes 3 moves; sets of 4 take up to 6.
_SHALLOW = 3
# The share of the budget that choosing among equally good moves may cost on top of it.
_EXTRA = 40
# What a set is worth to who has marks in it: each mark more makes it four times as urgent.
_URGENCY = 2


class Study:
    """A position: bitboards of the seat to move and of the other, and the search that is asked."""

    def __init__(self, attack: Attack, geometry: Geometry, mine: int, theirs: int):
        self.mine = mine
        self.theirs = theirs
        self.free = geometry.full & ~(mine | theirs)
        self.shallow = _SHALLOW * (min(mask.bit_count() for mask in geometry.sets) - 2)
        self._attack = attack
        self._geometry = geometry
        self._nodes = 0

    def allow(self, nodes: int) -> None:
        """Let what is asked next meet that many positions more before it raises OutOfNodes."""
        self._nodes = nodes
        self._attack.limit = self._attack.nodes + nodes

    def renew(self) -> None:
        """Allow as many nodes as at first once more."""
        self.allow(self._nodes)

    def _allow_extra(self) -> None:
        self._attack.limit = self._attack.nodes + self._nodes // _EXTRA

    @property
    def nodes(self) -> int:
        """How many positions the search has met in its life."""
        return self._attack.nodes

    def can_win(self, moves: int = FOREVER) -> bool:
        """Return whether the seat to move can force a set within so many of its own moves."""
        return self._attack.wins(self.mine, self.theirs, moves) is not None

    def winning(self, moves: int) -> list[int]:
        """Return the choices that force a set within so many moves; all, if the budget allows."""
        plan, choices = self._attack.wins(self.mine, self.theirs, moves), self.choices()
        if plan is not None:  # what is known to win comes first, and costs nothing
            known = self.mirrored([plan.move])
            choices.sort(key=lambda bit: bit not in known)
        return self.passing(choices, lambda bit: self.wins_by(bit, moves))

    def wins_by(self, bit: int, moves: int) -> bool:
        """Return whether a mark on `bit` begins a forced set of so many moves, itself counted."""
        return self._attack.wins_with(self.mine, self.theirs, bit, moves)

    @property
    def code(self) -> int:
        """The position's canonical number."""
        return self._geometry.canonical(self.mine, self.theirs)

    def after(self, bit: int) -> int:
        """Return the canonical number of the position after a mark on `bit`."""
        return self._geometry.canonical(self.theirs, self.mine | bit)

    def after_replies(self, bit: int) -> list[int]:
        """Return the canonical numbers of the positions after `bit` and each reply to it."""
        mine, canonical = self.mine | bit, self._geometry.canonical
        return [canonical(mine, self.theirs | reply) for reply in split(self.free & ~bit)]

    def holding(self, among: Sequence[int], moves: int = FOREVER) -> list[int]:
        """Return those of `among` after which the other can't force a set within so many moves."""
        plan = self._attack.wins(self.theirs, self.mine, moves)
        if plan is None:  # not even if this side passes
            return list(among)
        spoiling = self._attack.refuting(self.theirs, self.mine, plan)
        return [bit for bit in among if bit & spoiling and self.holds(bit, moves)]

    def holds(self, bit: int, moves: int = FOREVER) -> bool:
        """Return whether the other can't force a set within so many moves after `bit`."""
        return self._attack.wins(self.theirs, self.mine | bit, moves) is None

    def can_hold(self, among: Sequence[int]) -> bool:
        """Return whether there is one of `among` after which the other can never force a set."""
        return any(self.holds(bit) for bit in among)

    def choices(self) -> list[int]:
        """Return the moves, the most urgent first; of those that mirror each other only one."""
        bits = self._geometry.orbits(self.mine, self.theirs, self.free)
        return sorted(bits, key=self.urgency, reverse=True)

    def urgency(self, bit: int) -> int:
        """Return how much a mark does there: for sets of one's own, and against the other's."""
        total = 0
        for mask in self._geometry.through[bit]:
            if not mask & self.theirs:
                total += 1 << _URGENCY * (mask & self.mine).bit_count() + 1
            if not mask & self.mine:
                total += 1 << _URGENCY * (mask & self.theirs).bit_count()
        return total

    def blocking(self, among: Sequence[int]) -> list[int]:
        """Return those of `among` that prevent one of the sets that the other completes next."""
        threats = self._geometry.completing(self.theirs, self.mine)
        return [bit for bit in among if bit & threats] or list(among)

    def traps(self, bit: int, moves: int = _TRAP_MOVES) -> int:
        """Return how many replies to `bit` lose to a set that is forced in so many moves."""
        mine, free = self.mine | bit, self.free & ~bit
        wins = self._attack.wins
        threat = self._geometry.completing(mine, self.theirs)
        if threat:
            lost = wins(mine, self.theirs | threat, moves) is not None
            return free.bit_count() - 1 + lost
        plan = wins(mine, self.theirs, moves)
        if plan is None:
            return 0
        spoiling = self._attack.refuting(mine, self.theirs, plan)
        lost_on = [wins(mine, self.theirs | reply, moves) for reply in split(spoiling)]
        return (free & ~spoiling).bit_count() + sum(lost is not None for lost in lost_on)

    def slips(self, bit: int, moves: int) -> int:
        """Return how many replies to `bit`, which loses in so many moves, don't win that fast."""
        mine, free = self.mine | bit, self.free & ~bit
        wins = self._attack.wins_with
        return sum(not wins(self.theirs, mine, reply, moves) for reply in split(free))

    def passing(self, bits: Sequence[int], test: Callable[[int], bool]) -> list[int]:
        """Return the bits that pass: the first at any cost, others as the extra budget allows.

        Raises OutOfNodes before the first.
        """
        found: list[int] = []
        try:
            for bit in bits:
                if test(bit):
                    if not found:
                        self._allow_extra()
                    found.append(bit)
        except OutOfNodes:
            if not found:
                raise
        return found

    def most(self, bits: Sequence[int], worth: Callable[[int], int]) -> list[int]:
        """Return the bits of most worth, then urgency; what the extra budget misses has 0."""
        if len(bits) == 1:
            return list(bits)
        worths = dict.fromkeys(bits, 0)
        self._allow_extra()
        try:
            for bit in bits:
                worths[bit] = worth(bit)
        except OutOfNodes:
            pass
        ranked = {bit: (value, self.urgency(bit)) for bit, value in worths.items()}
        best = max(ranked.values())
        return [bit for bit, rank in ranked.items() if rank == best]

    def potential(self) -> float:
        """Return the larger of both sides' Erdős-Selfridge sums: how open the game still is."""
        return max(
            sum(2.0 ** -(m & ~own).bit_count() for m in self._geometry.sets if not m & other)
            for own, other in ((self.mine, self.theirs), (self.theirs, self.mine))
        )

    def estimate(self) -> float:
        """Return how the seat to move stands, from 0 to 1, by the sets that are still open."""
        chances = [
            sum(1 << _URGENCY * (m & own).bit_count() for m in self._geometry.sets if not m & other)
            for own, other in ((self.mine, self.theirs), (self.theirs, self.mine))
        ]
        # The tempo is worth a share as well; nothing that is only estimated counts as decided.
        return (2 * chances[0] + 1) / (2 * chances[0] + chances[1] + 2)

    def mirrored(self, bits: Iterable[int]) -> list[int]:
        """Return `bits` and all that the position's symmetries make of them."""
        return self._geometry.with_images(self.mine, self.theirs, bits)
