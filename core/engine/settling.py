"""What a position of a line game is worth, however long it takes."""

from collections.abc import Sequence

from core.engine.attack import Attack, OutOfNodes
from core.engine.plans import FOREVER
from core.engine.proofs import ProofSearch
from core.engine.questions import Question
from core.engine.survey import Survey
from core.outcome import Result

PROOF_COST = 4
"""What a position of the proof search costs, in positions of the attack's."""

# How much of the budget may be spent: first by the attack, then of all by proofs, in percent; and
# how long the proofs look at each side first.
_ATTACKING, _PROVING = 15, 75
_FIRST_LOOK = 100


class Settling:
    """Asks who wins in the end, in a position in which nobody can win at once.

    The attack comes first: what it learns serves it again when the length of a win is asked for.
    What is too long for it is left to proofs.
    """

    def __init__(self, attack: Attack, proofs: ProofSearch, position: Survey):
        self.plan = 0
        self._attack = attack
        self._proofs = proofs
        self._mine = position.mine
        self._theirs = position.theirs

    def result(self, kept: Sequence[int], nodes: int, *, pressed: bool) -> Result | None:
        """Return the result, None if most of so many nodes don't tell.

        All but the `kept` moves must lose. `pressed` to less moves than there are, the mover most
        likely has none that holds. `plan` is the move that wins, where one does.
        """
        self._attack.limit = self._attack.nodes + nodes * _ATTACKING // 100
        try:
            return self._by_attack(kept, pressed=pressed)
        except OutOfNodes:
            return self._by_proofs(nodes * _PROVING // 100, pressed=pressed)

    def confirmed(self, known: Result, kept: Sequence[int], nodes: int) -> Result | None:
        """Return the `known` result if most of so many nodes find a move that leads to it.

        To a loss any does; `kept` are those that may hold.
        """
        if known is Result.LOSS:
            return known
        self._attack.limit = self._attack.nodes + nodes * _ATTACKING // 100
        try:
            found = self._can_win() if known is Result.WIN else self._can_hold(kept)
        except OutOfNodes:
            asked = self._ours() if known is Result.WIN else self._other()
            answer = self._proofs.pursue(asked, nodes * _PROVING // 100 // PROOF_COST)
            self.plan = asked.plan.move
            found = answer is (known is Result.WIN)
        return known if found else None

    def refuted(self, bit: int) -> bool:
        """Return whether proofs have shown already that the other can't win after `bit`."""
        return self._proofs.question(self._theirs, self._mine | bit).answer is False

    def _by_attack(self, kept: Sequence[int], *, pressed: bool) -> Result:
        """Return the result; raise OutOfNodes."""
        if pressed and not self._can_hold(kept):
            return Result.LOSS
        if self._can_win():
            return Result.WIN
        return Result.DRAW if pressed or self._can_hold(kept) else Result.LOSS

    def _can_win(self) -> bool:
        found = self._attack.wins(self._mine, self._theirs)
        if found is not None:
            self.plan = found.move
        return found is not None

    def _can_hold(self, kept: Sequence[int]) -> bool:
        wins = self._attack.wins
        return any(wins(self._theirs, self._mine | bit, FOREVER) is None for bit in kept)

    def _by_proofs(self, nodes: int, *, pressed: bool) -> Result | None:
        """Return the result if so many nodes prove it.

        Whether one side wins, and whether the other does, are asked in turns, ever longer, for the
        one is often much easier to answer. The likelier one has twice as long.
        """
        proofs, look = self._proofs, _FIRST_LOOK
        ours, other = self._ours(), self._other()
        last = proofs.nodes + nodes // PROOF_COST
        while proofs.nodes < last:
            if proofs.pursue(ours, look // 2 if pressed else look):
                self.plan = ours.plan.move
                return Result.WIN
            if proofs.pursue(other, look if pressed else look // 2):
                return Result.LOSS
            if ours.answer is False and other.answer is False:
                return Result.DRAW
            look = min(2 * look, 2 + last - proofs.nodes)
        return None

    def _ours(self) -> Question:
        return self._proofs.question(self._mine, self._theirs)

    def _other(self) -> Question:
        # One threat of the other's leaves no choice, two would be lost at once.
        block = self._attack.prospects.completing(self._theirs, self._mine)
        return self._proofs.question(self._theirs, self._mine | block, reply=not block)
