"""What a position of a line game is worth, however long it takes."""

from core.engine.proofs import ProofSearch
from core.engine.questions import Question
from core.engine.survey import Survey
from core.outcome import Result

# How long the proofs look at each side first.
_FIRST_LOOK = 100


class Settling:
    """Asks who wins in the end, in a position in which nobody can win at once."""

    def __init__(self, proofs: ProofSearch, position: Survey):
        self.plan = 0
        self._proofs = proofs
        self._mine = position.mine
        self._theirs = position.theirs
        self._threats = position.geometry.completing(self._theirs, self._mine)

    def result(self, looks: int, *, pressed: bool) -> Result | None:
        """Return the result, None if so many looks don't tell.

        `pressed` to less moves than there are, the mover most likely has none that holds. `plan`
        is the move that wins, where one does. Whether one side wins, and whether the other does,
        are asked in turns, ever longer, for the one is often much easier to answer; the likelier
        one has four times as long.
        """
        ours, other = self._ours(), self._other()
        behind = pressed or self._mine.bit_count() < self._theirs.bit_count()
        turns = (other, ours) if behind else (ours, other)
        look, last = _FIRST_LOOK, self._proofs.nodes + looks
        while self._proofs.nodes < last:
            for question, share in zip(turns, (2 * look, look // 2), strict=True):
                self._proofs.pursue(question, min(share, last - self._proofs.nodes))
                if question.answer:
                    self.plan = ours.plan.move
                    return Result.WIN if question is ours else Result.LOSS
            if ours.answer is False and other.answer is False:
                return Result.DRAW
            look *= 2
        return None

    def confirmed(self, known: Result, looks: int) -> Result | None:
        """Return the `known` result if so many looks find a move that leads to it.

        To a loss any does.
        """
        if known is Result.LOSS:
            return known
        asked = self._ours() if known is Result.WIN else self._other()
        answer = self._proofs.pursue(asked, looks)
        self.plan = asked.plan.move
        return known if answer is (known is Result.WIN) else None

    def refuted(self, bit: int) -> bool:
        """Return whether proofs have shown already that the other can't win after `bit`."""
        return self._proofs.question(self._theirs, self._mine | bit).answer is False

    def _ours(self) -> Question:
        return self._proofs.question(self._mine, self._theirs)

    def _other(self) -> Question:
        # One threat of the other's leaves no choice, two would be lost at once.
        block = self._threats
        return self._proofs.question(self._theirs, self._mine | block, reply=not block)
