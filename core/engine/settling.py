"""What a position of a line game is worth, however long it takes."""

from collections.abc import Sequence

from core.engine.attack import OutOfNodes
from core.engine.budget import Budget
from core.engine.parts import ONE
from core.engine.proofs import ProofSearch
from core.engine.prospects import Prospects
from core.engine.questions import PROOF, Question
from core.engine.survey import Survey
from core.outcome import Result

# How long the proofs look at one side first, and by what share longer each time.
_FIRST_LOOK, _LONGER = 100, 10
# Where nobody has more than that to hope for, an attack soon sees that nothing comes of it.
_LITTLE = 2 * ONE


class Settling:
    """Asks who wins in the end, in a position in which nobody can win at once."""

    def __init__(self, budget: Budget, proofs: ProofSearch, prospects: Prospects, position: Survey):
        self.plan = 0
        self._budget = budget
        self._proofs = proofs
        self._prospects = prospects
        self._mine = position.mine
        self._theirs = position.theirs

    def result(self, choices: Sequence[int]) -> Result | None:
        """Return the result where there are these choices, None if most of the budget doesn't tell.

        `plan` is the move that wins, where one does.
        """
        return self._by_attack(choices) or self._by_proofs()

    def confirmed(self, known: Result, choices: Sequence[int]) -> Result | None:
        """Return the `known` result if most of the budget finds a move that leads to it.

        To a loss any does.
        """
        if known is Result.LOSS or self._by_attack(choices, known) is known:
            return known
        asked = self._ours() if known is Result.WIN else self._other()
        answer = self._proofs.pursue(asked, self._budget.looks)
        self.plan = asked.plan.move
        return known if answer is (known is Result.WIN) else None

    def refuted(self, bit: int) -> bool:
        """Return whether proofs have shown already that the other can't win after `bit`."""
        return self._proofs.question(self._theirs, self._mine | bit).answer is False

    def _by_attack(self, choices: Sequence[int], known: Result | None = None) -> Result | None:
        """Return the result where it is worth asking an attack, and half of the budget tells.

        What is known to be drawn isn't asked for a win.
        """
        hopes = self._prospects.hopes
        if max(hopes(self._mine, self._theirs), hopes(self._theirs, self._mine)) > _LITTLE:
            return None
        wins = self._budget.half.wins
        try:
            if known is not Result.DRAW and (found := wins(self._mine, self._theirs)):
                self.plan = found.move
                return Result.WIN
            after = ((self._theirs, self._mine | bit) for bit in choices)
            return Result.DRAW if any(wins(*pair) is None for pair in after) else Result.LOSS
        except OutOfNodes:
            return None

    def _by_proofs(self) -> Result | None:
        """Return the result if proofs tell.

        Whether one side wins, and whether the other does, are asked in turns, ever longer: of the
        two what is nearer to a proof.
        """
        ours, other = self._ours(), self._other()
        look, last = _FIRST_LOOK, self._proofs.nodes + self._budget.looks
        while self._proofs.nodes < last:
            asked = min(ours, other, key=_distance)
            if self._proofs.pursue(asked, min(look, last - self._proofs.nodes)):
                self.plan = ours.plan.move
                return Result.WIN if asked is ours else Result.LOSS
            if ours.answer is False and other.answer is False:
                return Result.DRAW
            look += look // _LONGER
        return None

    def _ours(self) -> Question:
        return self._proofs.question(self._mine, self._theirs)

    def _other(self) -> Question:
        # One threat of the other's leaves no choice, two would be lost at once.
        block = self._prospects.geometry.completing(self._theirs, self._mine)
        return self._proofs.question(self._theirs, self._mine | block, reply=not block)


def _distance(question: Question) -> int:
    """Return how far a question is from a proof; from what is refuted nothing comes any more."""
    return question.numbers[PROOF]
