"""What is found out about a question of the proof search when it is met for the first time."""

from core.engine.geometry import split
from core.engine.prospects import Prospects
from core.engine.questions import DISPROOF, PROOF, Question, options
from core.engine.threats import ThreatSearch, forcing, lacking_two

# How much later than the square of most weight one of none is tried, by the side that is to move.
_BIAS = {PROOF: 100, DISPROOF: 20}


class FirstLook:
    """Answers questions that can be answered without a search, and finds the options of others."""

    def __init__(self, prospects: Prospects):
        self._prospects = prospects
        self._threats = ThreatSearch(prospects)

    def at(self, question: Question) -> None:
        """Answer the question, or give it its options."""
        if question.side == PROOF:
            self._at_attacks(question, question.attacker, question.defender)
        else:
            self._at_replies(question, question.attacker, question.defender)

    def _at_attacks(self, question: Question, attacker: int, defender: int) -> None:
        blocks = question.blocks
        if blocks & (blocks - 1):
            question.refute()
            return
        plan = self._threats.wins(attacker, defender, blocks)
        if plan is not None:
            question.prove(plan)
            return
        alive = self._prospects.geometry.alive(defender)
        weights = {blocks: 0} if blocks else self._quiet_attacks(attacker, defender, alive)
        if weights:
            threats = forcing(lacking_two(attacker, alive))
            question.options = options(weights, threats, _BIAS[PROOF])
        else:
            question.refute()

    def _quiet_attacks(self, attacker: int, defender: int, alive: list[int]) -> dict[int, int]:
        """Return the attacker's moves with their weights, where it needn't block anything."""
        weights = self._prospects.attacks(attacker, defender, alive)
        if not weights:
            return weights
        spoiling = self._threats.spoiling(attacker, defender)
        return {bit: weight for bit, weight in weights.items() if bit & spoiling}

    def _at_replies(self, question: Question, attacker: int, defender: int) -> None:
        weights = self._prospects.replies(attacker, self._prospects.geometry.alive(defender))
        if weights is None or self._threats.wins(defender, attacker) is not None:
            question.refute()
            return
        question.untried = self._prospects.geometry.full & ~(attacker | defender)
        passing = self._threats.wins(attacker, defender)
        if passing is not None:
            question.plan = passing
            question.untried = self._prospects.refuting(attacker, defender, passing)
        every = {bit: weights.get(bit, 0) for bit in split(question.untried)}
        question.options = options(every, {}, _BIAS[DISPROOF])
