"""Who wins a position of a line game in the end: two searches that share a node budget."""

from collections.abc import Sequence

from core.engine.lines.and_or import AndOrSearch
from core.engine.lines.bounds import ONE, Bounds
from core.engine.lines.dfpn import OR, Expansion, Node, ProofNumberSearch
from core.engine.lines.evaluation import LinePosition
from core.engine.lines.zones import UNLIMITED, ForcedWin
from core.engine.search import OutOfNodes
from core.engine.stop import Stop
from core.outcome import Result

# The cost of a node of the proof-number search, in nodes of the AND/OR search.
_PROOF_NODE_COST = 2
# The share of the remaining budget that a search for the result may use: the rest is for the moves
# that lead to it.
_PROVING_PERCENT = 90
# The share of the budget that choosing among equally good moves may cost on top of it.
_CHOOSING_PERCENT = 5

# The nodes that the proof-number search spends on one side before it may turn to the other, and the
# percentage by which they grow each time.
_FIRST_TURN_NODES, _TURN_GROWTH_PERCENT = 100, 10
# Up to this potential of both sides the AND/OR search soon sees that nobody can force a set.
_LOW_POTENTIAL = 2 * ONE


class Searches:
    """Both searches of a board, with empty transposition tables: made for one move and dropped.

    Tables that outlived a move would make the next one depend on what was searched before.
    """

    def __init__(self, bounds: Bounds, stop: Stop):
        self.bounds = bounds
        self.and_or = AndOrSearch(bounds, stop)
        self.proof_number = ProofNumberSearch(bounds.geometry, Expansion(bounds).expand, stop)

    @property
    def nodes(self) -> int:
        """What both searches have cost so far, in nodes of the AND/OR search."""
        return self.and_or.nodes + _PROOF_NODE_COST * self.proof_number.nodes


class Budget:
    """How many more nodes, in those of the AND/OR search, the searches of a position may cost."""

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
        """What the searches have cost so far."""
        return self._searches.nodes

    @property
    def left(self) -> int:
        """How many nodes are left; negative if the last search took more than it was given."""
        return self._end - self._searches.nodes

    @property
    def left_for_proving(self) -> int:
        """How many nodes of its own the proof-number search may expand."""
        return self.left * _PROVING_PERCENT // 100 // _PROOF_NODE_COST


class Solver:
    """Finds the result of a position in which nobody completes a set at once."""

    def __init__(self, searches: Searches, budget: Budget, position: LinePosition):
        self.winning_move = 0
        self._bounds = searches.bounds
        self._and_or = searches.and_or
        self._proof_number = searches.proof_number
        self._budget = budget
        self._mine = position.mine
        self._theirs = position.theirs

    def result(self, moves: Sequence[int]) -> Result | None:
        """Return the result, `moves` being those to choose from; None if the budget is too small.

        If it is a win, `winning_move` is a move that wins.
        """
        return self._by_and_or(moves) or self._by_proof_numbers()

    def verify(self, known: Result, moves: Sequence[int]) -> Result | None:
        """Return the `known` result once a move that leads to it is found, None if none is.

        Every move leads to a loss. If it is a win, `winning_move` is a move that wins.
        """
        if known is Result.LOSS or self._by_and_or(moves, known) is known:
            return known
        node = self._our_win() if known is Result.WIN else self._their_win()
        value = self._proof_number.search(node, self._budget.left_for_proving)
        self.winning_move = node.win.move
        return known if value is (known is Result.WIN) else None

    def is_safe(self, bit: int) -> bool:
        """Return whether it is already disproved that the other wins after a mark on `bit`."""
        return self._proof_number.node(self._theirs, self._mine | bit).value is False

    def _by_and_or(self, moves: Sequence[int], known: Result | None = None) -> Result | None:
        """Return the result by the AND/OR search, None if potentials are high or nodes run out.

        It leaves a tenth of the budget. A position that is known to be drawn isn't searched for a
        win.
        """
        potential, mine, theirs = self._bounds.potential, self._mine, self._theirs
        if max(potential(mine, theirs), potential(theirs, mine)) > _LOW_POTENTIAL:
            return None
        end = self._and_or.nodes + self._budget.left * _PROVING_PERCENT // 100

        def wins(attacker: int, defender: int) -> ForcedWin | None:
            left = end - self._and_or.nodes
            return self._and_or.wins(attacker, defender, UNLIMITED, nodes=left)

        try:
            if known is not Result.DRAW and (win := wins(mine, theirs)):
                self.winning_move = win.move
                return Result.WIN
            lost = all(wins(theirs, mine | bit) for bit in moves)
        except OutOfNodes:
            return None
        return Result.LOSS if lost else Result.DRAW

    def _by_proof_numbers(self) -> Result | None:
        """Return the result by proof numbers, None if the budget is too small.

        The search takes turns between "we win" and "they win", ever longer ones, and each time
        follows the one that is nearer to a proof.
        """
        ours, theirs = self._our_win(), self._their_win()
        turn, end = _FIRST_TURN_NODES, self._proof_number.nodes + self._budget.left_for_proving
        while self._proof_number.nodes < end and not self._proof_number.stopped:
            nearer = min(ours, theirs, key=_proof_distance)
            if self._proof_number.search(nearer, min(turn, end - self._proof_number.nodes)):
                self.winning_move = ours.win.move
                return Result.WIN if nearer is ours else Result.LOSS
            if ours.value is False and theirs.value is False:
                return Result.DRAW
            turn += turn * _TURN_GROWTH_PERCENT // 100
        return None

    def _our_win(self) -> Node:
        return self._proof_number.node(self._mine, self._theirs)

    def _their_win(self) -> Node:
        # One threat of theirs leaves us no choice; with two they would win at once.
        block = self._bounds.geometry.completing(self._theirs, self._mine)
        return self._proof_number.node(self._theirs, self._mine | block, reply=not block)


def _proof_distance(node: Node) -> int:
    """Return the proof number, which is infinite once the node is disproved."""
    return node.numbers[OR]
