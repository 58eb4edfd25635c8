"""What the searches of one position may cost together."""

from core.engine.attack import Attack
from core.engine.proofs import ProofSearch

# What a position of the proof search costs, in positions of the attack's.
_PROOF_COST = 2
# The share of the budget that proofs may have, in percent, for somebody has to use what they found.
_PROVING = 90
# The share of the budget that choosing among equally good moves may cost on top of it.
_EXTRA = 100


class Budget:
    """How many positions an attack and proofs may still meet; both have met others before."""

    def __init__(self, attack: Attack, proofs: ProofSearch):
        self._attack = attack
        self._proofs = proofs
        self._nodes = self._last = 0

    def allow(self, nodes: int) -> None:
        """Let what is asked next meet that many positions more before it raises OutOfNodes."""
        self._nodes = nodes
        self._last = self.nodes + nodes

    def allow_extra(self) -> None:
        """Let what is asked next meet a small share of those, however many were met before."""
        self._last = self.nodes + self._nodes // _EXTRA

    @property
    def nodes(self) -> int:
        """How many positions the searches have met in their lives, the dear ones more than once."""
        return self._attack.nodes + _PROOF_COST * self._proofs.nodes

    @property
    def attack(self) -> Attack:
        """The attack, bounded by what is left; raises OutOfNodes."""
        self._attack.limit = self._attack.nodes + self._last - self.nodes
        return self._attack

    @property
    def half(self) -> Attack:
        """The attack, bounded by half of what is left; raises OutOfNodes."""
        self._attack.limit = self._attack.nodes + (self._last - self.nodes) // 2
        return self._attack

    @property
    def looks(self) -> int:
        """How many positions proofs may meet of what is left."""
        return (self._last - self.nodes) * _PROVING // 100 // _PROOF_COST
