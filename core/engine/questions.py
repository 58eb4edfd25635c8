"""The questions of a proof-number search, and how near each is to its answer."""

from core.engine.plans import NO_PLAN, Plan

NEVER = 1_000_000_000
"""The number of an answer that can't come any more."""

PROOF, DISPROOF = 0, 1
"""The sides: the attacker wants a proof, the defender a disproof."""


class Question:
    """Whether the attacker can own a set, with the attacker to move, or the defender if `reply`.

    The attacker must take `blocks` first, on which the defender threatens to complete sets.
    `numbers` are those of proof and disproof: the first is 0 when it can, and `plan` says how; the
    second is 0 when it can't.
    """

    __slots__ = ("attacker", "blocks", "defender", "numbers", "options", "plan", "side", "untried")

    def __init__(self, attacker: int, defender: int, blocks: int = 0, *, reply: bool = False):
        self.attacker = attacker
        self.defender = defender
        self.blocks = blocks
        self.side = DISPROOF if reply else PROOF
        self.numbers = [1, 1]
        self.plan: Plan = NO_PLAN
        self.untried = 0
        self.options: list[Option] | None = None

    @property
    def answer(self) -> bool | None:
        """Whether it can, None as long as that is open."""
        return None if all(self.numbers) else not self.numbers[PROOF]

    def prove(self, plan: Plan) -> None:
        """Keep that the attacker can."""
        self.numbers, self.plan, self.options = [0, NEVER], plan, None

    def refute(self) -> None:
        """Keep that it can't."""
        self.numbers, self.options = [NEVER, 0], None


class Option:
    """A mark on `bit`, the reply that it `forces` if any, and the question that it leads to."""

    __slots__ = ("bias", "bit", "forces", "question")

    def __init__(self, bit: int, forces: int, bias: int):
        self.bit = bit
        self.forces = forces
        self.bias = bias
        self.question: Question | None = None


def options(weights: dict[int, int], forces: dict[int, int], bias: int) -> list[Option]:
    """Return an option for each square, the less weight the more biased against."""
    most = max(weights.values())
    return [
        Option(bit, forces.get(bit, 0), bias * (most - weight) // most if most else 0)
        for bit, weight in weights.items()
    ]


def weigh(question: Question) -> tuple[Option, int]:
    """Work out a question's numbers; return the best option, and how hard the second best is.

    If one of the options has been answered meanwhile it is that one.
    """
    own, other, options = question.side, 1 - question.side, question.options
    assert options, "it is open, and has been looked at"
    best, least, second, hardest = options[0], 2 * NEVER, 2 * NEVER, 0
    for option in options:
        asked, hard, against = option.question, 1, 1
        if asked is not None:
            hard, against = asked.numbers[own], asked.numbers[other]
            if not (hard and against):
                return option, 0
            if against > hardest:
                hardest = against
        hard += option.bias
        if hard < least:
            least, second, best = hard, least, option
        elif hard < second:
            second = hard
    question.numbers[own] = least
    question.numbers[other] = max(hardest, 1) + len(options) - 1
    return best, second
