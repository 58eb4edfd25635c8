"""Can a set be forced, however long it takes? Depth-first proof-number search.

A. Nagai, *Df-pn algorithm for searching AND/OR trees and its applications* (2002), after L. V.
Allis's proof numbers (1994). Each question keeps how many open ones would have to come out right to
prove it, and to disprove it; what is nearest to an answer is looked at next. Long forced wins,
which a search of one depth after another meets last, are found among thousands of positions instead
of millions. What depends on many open questions is as hard as the hardest of them and one for each
other, not as their sum: lines of play meet again, and would count twice.
"""

from core.engine.first_look import FirstLook
from core.engine.plans import completion
from core.engine.prospects import Prospects
from core.engine.questions import DISPROOF, NEVER, PROOF, Option, Question, weigh
from core.engine.table import Table

# A question is followed until it looks harder than the next one by this share, not at every turn.
_PATIENCE = 4
# A question and its options take about two kilobytes.
_TABLE_SIZE = 20_000


class ProofSearch:
    """The search over one board, with the questions that were asked; counts `nodes`."""

    def __init__(self, prospects: Prospects):
        self.nodes = 0
        self._limit = 0
        self._prospects = prospects
        self._geometry = prospects.geometry
        self._look = FirstLook(prospects)
        self._asked: Table[tuple[int, int, bool], Question] = Table(_TABLE_SIZE)

    def question(self, attacker: int, defender: int, *, reply: bool = False) -> Question:
        """Return the question, as far as it has been answered and not been forgotten.

        With the attacker to move, or the defender if `reply`, who mustn't be able to win at once.
        """
        key = (attacker, defender, reply)
        if key in self._asked:
            return self._asked[key]
        if reply:
            return self._asked.keep(key, Question(attacker, defender, reply=True))
        blocks = self._geometry.completing(defender, attacker)
        question = self._asked.keep(key, Question(attacker, defender, blocks))
        if now := self._geometry.completing(attacker, defender):
            question.prove(completion(now))
        return question

    def pursue(self, question: Question, nodes: int) -> bool | None:
        """Return the answer if so many positions more give it, else None; what they gave stays."""
        self._limit = self.nodes + nodes
        if question.answer is None:
            self._follow(question, [NEVER, NEVER])
        return question.answer

    def _follow(self, question: Question, bounds: list[int]) -> None:
        """Look at what is most promising for the side to move, until a number reaches its bound."""
        own, other = question.side, 1 - question.side
        if question.options is None and question.answer is None:
            self.nodes += 1
            self._look.at(question)
        while question.answer is None:
            best, second = weigh(question)
            if best.question is None or best.question.answer is None:
                numbers = question.numbers
                over = numbers[own] >= bounds[own] or numbers[other] >= bounds[other]
                if over or self.nodes >= self._limit:
                    return
                asked = best.question = best.question or self._after(question, best)
                within, patience = [0, 0], second + 1 + second // _PATIENCE
                within[own] = max(min(bounds[own], patience) - best.bias, asked.numbers[own] + 1)
                within[other] = max(bounds[other] - numbers[other], 1) + asked.numbers[other]
                self._follow(asked, within)
            if best.question.answer is not None:
                self._conclude(question, best, best.question)

    def _after(self, question: Question, option: Option) -> Question:
        """Return the question that an option leads to."""
        attacker, defender, reply = question.attacker, question.defender, option.forces
        if question.side == DISPROOF:
            reply = option.bit
        else:
            attacker |= option.bit
        defender |= reply
        key = (attacker, defender, not reply)
        if key in self._asked:
            return self._asked[key]
        blocks = self._geometry.threats(reply, defender, attacker) if reply else 0
        return self._asked.keep(key, Question(attacker, defender, blocks, reply=not reply))

    def _conclude(self, question: Question, option: Option, asked: Question) -> None:
        """Take the answer that an option has found."""
        assert question.options is not None, "it is one of them"
        if question.side == PROOF and asked.answer:
            plan, bit, forces = asked.plan, option.bit, option.forces
            question.prove(plan.after(bit, forces) if forces else plan.quietly(bit))
        elif question.side == PROOF:
            question.options.remove(option)
            if not question.options:
                question.refute()
        elif asked.answer:
            self._meet(question, option.bit, asked)
        else:
            question.refute()

    def _meet(self, question: Question, reply: int, asked: Question) -> None:
        """Take a plan against a reply: it serves against all that it doesn't depend on as well."""
        assert question.options is not None, "it is one of them"
        attacker, defender = question.attacker, question.defender
        question.plan = question.plan.against(reply, asked.plan)
        spoiling = self._prospects.refuting(attacker, defender | reply, asked.plan)
        question.untried &= spoiling & ~reply
        question.options = [o for o in question.options if o.bit & question.untried]
        if not question.options:
            question.prove(question.plan)
