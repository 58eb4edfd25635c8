"""Victory by continuous threats, threes and fours: proof-number search over these alone.

Each move of the attacker threatens to complete a set, or, as an open three does, to win by
continuous fours. The defender's replies are those that could refute that threat, found by its
relevance zone. So the tree is narrow, and its wins are proofs.
"""

from core.engine.lines.dfpn import AND, BIAS, OR, Node, ProofNumberSearch, children_of
from core.engine.lines.fours import FourSearch
from core.engine.lines.geometry import Geometry
from core.engine.lines.order import OTHERS, OWN
from core.engine.lines.patterns import FOUR_MASK, THREE_MASK, PatternPosition
from core.engine.lines.zones import ForcedWin, fork, must_play
from core.engine.stop import NEVER, Stop

# What a search for fours may cost in a node, in its own nodes.
_FOURS_NODES = 200
# The most threats that are tried in a node.
_WIDTH = 16


class ForcingSearch:
    """The search for wins by threes and fours of one side, from any position of a game.

    `side` is that of the attacker in `position`, 0 or 1. The search changes the state of
    `position`.
    """

    def __init__(
        self,
        geometry: Geometry,
        position: PatternPosition,
        fours: FourSearch,
        side: int,
        stop: Stop = NEVER,
    ):
        self._position = position
        self._patterns = position.patterns
        self._geometry = geometry
        self._fours = fours
        self._side = side
        self._search = ProofNumberSearch(geometry, self._expand, stop)

    @property
    def nodes(self) -> int:
        """The nodes expanded so far."""
        return self._search.nodes

    def win(self, attacker: int, defender: int, nodes: int) -> ForcedWin | None:
        """Return how the attacker, to move, forces a set by threes and fours.

        Return None if it can't, or if `nodes` nodes don't show it.
        """
        node = self._search.node(attacker, defender)
        return node.win if self._search.search(node, nodes) else None

    def _expand(self, node: Node) -> None:
        """Give an open node its children or its value, as `ProofNumberSearch` asks for."""
        sides = node.attacker, node.defender
        first, second = sides[self._side], sides[1 - self._side]
        total = self._position.go_to(first, second)
        marks = first | second << self._patterns.squares
        if node.kind == OR:
            self._expand_or(node, total, marks)
        else:
            self._expand_and(node, total, marks)

    def _expand_or(self, node: Node, total: int, marks: int) -> None:
        blocks = node.blocks
        if blocks & (blocks - 1):
            node.disprove()
            return
        found = self._fours.win(total, marks, self._side, _FOURS_NODES)
        if found is not None:
            node.prove(found.win)
            return
        own, others = self._position.fields(total, self._side)
        threats = [s for s, field in enumerate(own) if field & (FOUR_MASK | THREE_MASK)]
        if blocks:
            threats = [blocks.bit_length() - 1]
        weights = {square: OWN[own[square]] + OTHERS[others[square]] for square in threats}
        heaviest = sorted(threats, key=weights.__getitem__, reverse=True)[:_WIDTH]
        if not heaviest:
            node.disprove()
            return
        fours = [square for square in heaviest if own[square] & FOUR_MASK]
        forces = {1 << square: self._completing(total, square) for square in fours}
        for bit, forced in forces.items():
            if forced & (forced - 1):
                node.prove(fork(bit, forced))
                return
        among = {1 << square: weights[square] + 1 for square in heaviest}
        node.children = children_of(among, forces, BIAS[OR])

    def _completing(self, total: int, square: int) -> int:
        """Return the squares on which the attacker completes a set after a mark on `square`."""
        after = self._position.play(total, square, self._side)
        self._position.undo(square, self._side)
        completing = self._patterns.squares_of(after & self._patterns.fives[self._side])
        return sum(1 << each for each in completing)

    def _expand_and(self, node: Node, total: int, marks: int) -> None:
        side = self._side
        if self._fours.win(total, marks, 1 - side, _FOURS_NODES) is not None:
            node.disprove()
            return
        found = self._fours.win(total, marks, side, _FOURS_NODES)
        if found is None:
            node.disprove()
            return
        node.win = found.win
        zone = must_play(self._geometry, node.attacker, node.defender, node.win)
        if not zone:
            node.prove(node.win)
            return
        node.untried = zone
        own, others = self._position.fields(total, 1 - side)
        among = {
            1 << square: OWN[field] + OTHERS[others[square]] + 1
            for square, field in enumerate(own)
            if zone >> square & 1
        }
        node.children = children_of(among, {}, BIAS[AND])
