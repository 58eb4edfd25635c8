"""The candidate moves of one position of a line game: which win, which draw, which set traps."""

from collections.abc import Callable, Sequence

from core.engine.bitboards import split
from core.engine.lines.budget import Budget, Searches
from core.engine.lines.evaluation import LinePosition
from core.engine.lines.zones import UNLIMITED, ForcedWin, must_play
from core.engine.search import OutOfNodes

# A trap is a reply that loses to a set forced within this many moves.
_TRAP_MOVES = 4
# Most sets of 3 that can be forced take up to 3 moves, and most of 4 up to 6.
_SHALLOW_MOVES_PER_SQUARE = 3


class Candidates(LinePosition):
    """A position with the searches of its moves, under one budget of `nodes`.

    Unless it `chooses`, only the value is wanted: nothing is spent on choosing among equally good
    moves. Unless their docstrings say otherwise, methods raise OutOfNodes when the budget is spent.
    """

    def __init__(
        self, searches: Searches, mine: int, theirs: int, nodes: int, *, chooses: bool = True
    ):
        super().__init__(searches.bounds.geometry, mine, theirs)
        shortest = min(mask.bit_count() for mask in self.geometry.sets)
        self.shallow_moves = _SHALLOW_MOVES_PER_SQUARE * max(1, shortest - 2)
        self.budget = Budget(searches, nodes)
        self.searches = searches
        self._chooses = chooses

    @property
    def potential(self) -> int:
        """The greater of the Erdős-Selfridge sums of both sides, in units of 1/`bounds.ONE`."""
        potential = self.searches.bounds.potential
        return max(potential(self.mine, self.theirs), potential(self.theirs, self.mine))

    def can_win(self, moves: int) -> bool:
        """Return whether the seat to move can force a set within `moves` of its own moves."""
        return self._forced(self.mine, self.theirs, moves) is not None

    def _forced(self, attacker: int, defender: int, moves: int) -> ForcedWin | None:
        """Return how the attacker, to move, forces a set within `moves` moves, None if it can't."""
        return self.searches.and_or.wins(attacker, defender, moves, nodes=self.budget.left)

    def winning(self, moves: int) -> list[int]:
        """Return the moves that force a set within `moves` moves, in a position that has one.

        If the budget for choosing runs out, return those found so far.
        """
        win = self._forced(self.mine, self.theirs, moves)
        among = self.moves()
        if win is not None:  # the move that is known to win is tried first, and costs nothing
            known = self.with_symmetric([win.move])
            among.sort(key=lambda bit: bit not in known)
        return self._proved(among, lambda bit: self.move_wins(bit, moves))

    def move_wins(self, bit: int, moves: int) -> bool:
        """Return whether a mark on `bit` forces a set within `moves` moves, itself counted."""
        nodes = self.budget.left
        return self.searches.and_or.move_wins(self.mine, self.theirs, bit, moves, nodes=nodes)

    def safe(self, among: Sequence[int], moves: int) -> list[int]:
        """Return those of `among` after which the other can't force a set within `moves` moves."""
        is_safe = self._safety(moves)
        return [bit for bit in among if is_safe(bit)]

    def proved_safe(self, among: Sequence[int], moves: int) -> list[int]:
        """Return those of `among`, which include a safe move, that are proved to be safe.

        After a safe one, the other can't force a set within `moves` moves. If the budget for
        choosing runs out, return those proved so far.
        """
        return self._proved(among, self._safety(moves))

    def drawing(self, among: Sequence[int]) -> list[int]:
        """Return those of `among` after which the other can never force a set, in a drawn position.

        If the budget for choosing runs out, return those proved so far.
        """
        if not self._chooses:
            return list(among)
        node = self.searches.proof_number.node
        disproved = {bit: node(self.theirs, self.mine | bit).value is False for bit in among}
        likely = sorted(among, key=disproved.__getitem__, reverse=True)
        return self._proved(likely, lambda bit: disproved[bit] or self._is_safe(bit, UNLIMITED))

    def _safety(self, moves: int) -> Callable[[int], bool]:
        """Return a test whether a mark keeps the other from forcing a set within `moves` moves.

        If the other side couldn't even if it moved now, every mark is safe.
        """
        win = self._forced(self.theirs, self.mine, moves)
        if win is None:
            return lambda _bit: True
        defending = must_play(self.geometry, self.theirs, self.mine, win)
        return lambda bit: bool(bit & defending) and self._is_safe(bit, moves)

    def _is_safe(self, bit: int, moves: int) -> bool:
        return self._forced(self.theirs, self.mine | bit, moves) is None

    def traps(self, bit: int, moves: int = _TRAP_MOVES) -> int:
        """Return how many replies to `bit` lose to a set forced within `moves` moves."""
        mine, free = self.mine | bit, self.free & ~bit

        def loses(reply: int) -> bool:
            return self._forced(mine, self.theirs | reply, moves) is not None

        threats = self.geometry.completing(mine, self.theirs)
        if threats & (threats - 1):
            return free.bit_count()
        if threats:
            return free.bit_count() - 1 + loses(threats)
        win = self._forced(mine, self.theirs, moves)
        if win is None:
            return 0
        defending = must_play(self.geometry, mine, self.theirs, win)
        return (free & ~defending).bit_count() + sum(map(loses, split(defending)))

    def slips(self, bit: int, moves: int) -> int:
        """Return how many replies to `bit`, which loses in `moves` moves, take longer to win."""
        mine, free = self.mine | bit, self.free & ~bit
        if moves == 1:
            return (free & ~self.geometry.completing(self.theirs, mine)).bit_count()
        return sum(
            not self.searches.and_or.move_wins(
                self.theirs, mine, reply, moves, nodes=self.budget.left
            )
            for reply in split(free)
        )

    def _proved(self, bits: Sequence[int], proves: Callable[[int], bool]) -> list[int]:
        """Return the bits for which `proves` is true, as far as the budgets go.

        The first proof may cost what is left of the budget, the others the budget for choosing.
        Raises OutOfNodes if none is proved before the budget is spent.
        """
        found: list[int] = []
        try:
            for bit in filter(proves, bits):
                if not found:
                    self.budget.restart_for_choosing()
                found.append(bit)
                if not self._chooses:
                    break
        except OutOfNodes:
            if not found:
                raise
        return found

    def most(self, bits: Sequence[int], worth: Callable[[int], int]) -> list[int]:
        """Return the bits of the greatest worth and, among these, the best chances of a set.

        Never raises OutOfNodes: the worth of bits beyond the budget for choosing counts as 0.
        """
        if len(bits) == 1 or not self._chooses:
            return list(bits)
        worths = dict.fromkeys(bits, 0)
        self.budget.restart_for_choosing()
        try:
            for bit in bits:
                worths[bit] = worth(bit)
        except OutOfNodes:
            pass
        ranked = {bit: (value, self.chances(bit)) for bit, value in worths.items()}
        best = max(ranked.values())
        return [bit for bit, rank in ranked.items() if rank == best]
