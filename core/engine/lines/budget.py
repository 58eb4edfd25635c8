"""The two searches for proofs on a line board, and the node budget that they share."""

from core.engine.lines.and_or import AndOrSearch
from core.engine.lines.bounds import Bounds
from core.engine.lines.dfpn import Expansion, ProofNumberSearch
from core.engine.stop import Stop

# The cost of a node of the proof-number search, in nodes of the AND/OR search.
_PROOF_NODE_COST = 2
# The share of the remaining budget that a search for the result may use: the rest is for the moves
# that lead to it.
_PROVING_PERCENT = 90
# The share of the budget that choosing among equally good moves may cost on top of it.
_CHOOSING_PERCENT = 5


class Searches:
    """Both searches of a board, with empty transposition tables: made for one move and dropped.

    Tables that outlived a move would make the next one depend on what was searched before.
    """

    def __init__(self, bounds: Bounds, stop: Stop):
        self.bounds = bounds
        self.and_or = AndOrSearch(bounds, stop)
        self.proof_number = ProofNumberSearch(bounds.geometry, Expansion(bounds, stop).expand, stop)

    @property
    def nodes(self) -> int:
        """The cost of both searches so far, in nodes of the AND/OR search."""
        return self.and_or.nodes + _PROOF_NODE_COST * self.proof_number.nodes


class Budget:
    """The nodes left to the searches of a position, in those of the AND/OR search."""

    def __init__(self, searches: Searches, nodes: int):
        self._searches = searches
        self.restart(nodes)

    def restart(self, nodes: int) -> None:
        """Allow `nodes` from here on, whatever was left."""
        self._nodes = nodes
        self._end = self._searches.nodes + nodes

    def restart_for_choosing(self) -> None:
        """Allow the share for choosing among equally good moves from here on."""
        self._end = self._searches.nodes + self._nodes * _CHOOSING_PERCENT // 100

    @property
    def spent(self) -> int:
        """The cost of the searches so far."""
        return self._searches.nodes

    @property
    def left(self) -> int:
        """How many nodes are left; negative if the last search took more than it was given."""
        return self._end - self._searches.nodes

    @property
    def left_for_proving(self) -> int:
        """How many nodes a search for the result may cost."""
        return self.left * _PROVING_PERCENT // 100

    @property
    def proof_nodes_left(self) -> int:
        """How many nodes of its own the proof-number search may expand for the result."""
        return self.left_for_proving // _PROOF_NODE_COST
