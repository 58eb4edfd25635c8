"""One position of a line game under study: which moves win, which hold, which set traps."""

from collections.abc import Callable, Sequence

from core.engine.attack import Attack, OutOfNodes
from core.engine.budget import Budget
from core.engine.geometry import split
from core.engine.plans import FOREVER
from core.engine.proofs import ProofSearch
from core.engine.settling import Settling
from core.engine.survey import Survey
from core.outcome import Result

# A reply goes wrong where it loses to at most this many moves.
_TRAP_MOVES = 4
# Where sets of 3 can be forced at all, it takes 3 moves; sets of 4 take up to 6.
_SHALLOW = 3


class Study(Survey):
    """A position, and the searches that are asked about it under one budget."""

    def __init__(self, attack: Attack, proofs: ProofSearch, mine: int, theirs: int):
        super().__init__(attack.prospects.geometry, mine, theirs)
        self.shallow = _SHALLOW * (min(mask.bit_count() for mask in self.geometry.sets) - 2)
        self.budget = Budget(attack, proofs)
        self._prospects = attack.prospects
        self._settling = Settling(self.budget, proofs, attack.prospects, self)

    def settle(self) -> Result | None:
        """Return the result, however long it takes; None if most of the budget doesn't tell."""
        return self._settling.result(self.choices())

    def confirm(self, known: Result) -> Result | None:
        """Return the result if a move is found that leads to it; None as above."""
        return self._settling.confirmed(known, self.choices())

    def plan(self) -> list[int]:
        """Return the move of a won position that settled it."""
        return [self._settling.plan]

    def can_win(self, moves: int) -> bool:
        """Return whether the seat to move can force a set within so many of its own moves."""
        return self.budget.attack.wins(self.mine, self.theirs, moves) is not None

    def winning(self, moves: int) -> list[int]:
        """Return the choices that force a set within so many moves; all, if the budget allows."""
        plan, choices = self.budget.attack.wins(self.mine, self.theirs, moves), self.choices()
        if plan is not None:  # what is known to win comes first, and costs nothing
            known = self.mirrored([plan.move])
            choices.sort(key=lambda bit: bit not in known)
        return self.passing(choices, lambda bit: self.wins_by(bit, moves))

    def wins_by(self, bit: int, moves: int) -> bool:
        """Return whether a mark on `bit` begins a forced set of so many moves, itself counted."""
        return self.budget.attack.wins_with(self.mine, self.theirs, bit, moves)

    def lasting(self, among: Sequence[int], moves: int) -> list[int]:
        """Return those of `among` after which the other can't force a set within so many moves."""
        spoiling = self._spoiling(moves)
        return [bit for bit in among if bit & spoiling and self._lasts(bit, moves)]

    def outlasting(self, among: Sequence[int], moves: int) -> list[int]:
        """Return the same where there is one for certain: all, if the budget allows."""
        spoiling = self._spoiling(moves)
        return self.passing(
            [bit for bit in among if bit & spoiling], lambda bit: self._lasts(bit, moves)
        )

    def _spoiling(self, moves: int) -> int:
        """Return the squares of which one has to be taken, or the other forces a set in time."""
        plan = self.budget.attack.wins(self.theirs, self.mine, moves)
        if plan is None:
            return self.free
        return self._prospects.refuting(self.theirs, self.mine, plan)

    def _lasts(self, bit: int, moves: int) -> bool:
        return self.budget.attack.wins(self.theirs, self.mine | bit, moves) is None

    def holding(self, among: Sequence[int]) -> list[int]:
        """Return those of `among` after which the other can never force a set.

        All, if the budget allows; raises OutOfNodes before the first.
        """
        refuted = {bit: self._settling.refuted(bit) for bit in among}
        likely = sorted(among, key=refuted.__getitem__, reverse=True)
        return self.passing(likely, lambda bit: refuted[bit] or self._lasts(bit, FOREVER))

    def traps(self, bit: int, moves: int = _TRAP_MOVES) -> int:
        """Return how many replies to `bit` lose to a set that is forced in so many moves."""
        mine, free = self.mine | bit, self.free & ~bit
        wins = self.budget.attack.wins
        threat = self.geometry.completing(mine, self.theirs)
        if threat:
            lost = wins(mine, self.theirs | threat, moves) is not None
            return free.bit_count() - 1 + lost
        plan = wins(mine, self.theirs, moves)
        if plan is None:
            return 0
        spoiling = self._prospects.refuting(mine, self.theirs, plan)
        lost_on = [wins(mine, self.theirs | reply, moves) for reply in split(spoiling)]
        return (free & ~spoiling).bit_count() + sum(lost is not None for lost in lost_on)

    def slips(self, bit: int, moves: int) -> int:
        """Return how many replies to `bit`, which loses in so many moves, don't win that fast."""
        mine, free = self.mine | bit, self.free & ~bit
        if moves == 1:
            return (free & ~self.geometry.completing(self.theirs, mine)).bit_count()
        wins = self.budget.attack.wins_with
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
                        self.budget.allow_extra()
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
        self.budget.allow_extra()
        try:
            for bit in bits:
                worths[bit] = worth(bit)
        except OutOfNodes:
            pass
        ranked = {bit: (value, self.urgency(bit)) for bit, value in worths.items()}
        best = max(ranked.values())
        return [bit for bit, rank in ranked.items() if rank == best]
