"""Depth-first proof-number search: whether a set can be forced, at any distance.

A node's proof number is the least number of open leaves that would have to be proved to prove it,
its disproof number the same for disproofs; the search follows the most promising leaf (L. V. Allis,
*Searching for Solutions in Games and Artificial Intelligence*, 1994), depth first with thresholds
(A. Nagai, *Df-pn Algorithm for Searching AND/OR Trees and Its Applications*, 2002). Long forced
wins, which iterative deepening meets last, turn up after thousands of nodes instead of millions.

Two refinements are from the literature. Where a number would be the sum over the children, it is
their maximum, plus one for each other child (weak proof-number search, T. Ueda, T. Hashimoto, J.
Hashimoto and H. Iida, 2008), since lines of play transpose and a sum would count them twice.
Thresholds leave some slack before another child is followed (the 1 + epsilon trick, J. Pawlewicz
and Ł. Lew, 2007).
"""

from collections.abc import Callable

from core.engine.bitboards import split
from core.engine.lines.bounds import Bounds
from core.engine.lines.geometry import Geometry
from core.engine.lines.threats import ThreatSearch, forcing, lacking_two
from core.engine.lines.zones import UNANSWERED, ForcedWin, completion, must_play
from core.engine.search import TranspositionTable
from core.engine.stop import NEVER, Stop

INFINITY = 1_000_000_000
"""The number of a proof or disproof that is impossible."""

OR, AND = 0, 1
"""Kinds of node: at an OR node the attacker is to move, at an AND node the defender.

A node's kind is also the index of the number that the side to move wants to make small: the proof
number at an OR node, the disproof number at an AND node.
"""

# A child is followed until it is harder than the second best by one part in this many.
_SLACK_DIVISOR = 4
BIAS = {OR: 100, AND: 20}
"""The bias against a move of no weight, compared with the heaviest, in units of a proof number."""

# A node with its children takes about two kilobytes.
_TABLE_SIZE = 20_000


class Node:
    """The question whether the attacker can force a set: an OR node, or an AND node if `reply`.

    `blocks` are the squares on which the defender threatens to complete a set. `numbers` holds the
    proof number, 0 once `win` is proved, and the disproof number, 0 once the node is disproved.
    """

    __slots__ = ("attacker", "blocks", "children", "defender", "kind", "numbers", "untried", "win")

    def __init__(self, attacker: int, defender: int, blocks: int = 0, *, reply: bool = False):
        self.attacker = attacker
        self.defender = defender
        self.blocks = blocks
        self.kind = AND if reply else OR
        self.numbers = [1, 1]
        self.win: ForcedWin = UNANSWERED
        self.untried = 0
        self.children: list[Child] | None = None

    @property
    def value(self) -> bool | None:
        """Whether the attacker can force a set, None as long as that is open."""
        return None if all(self.numbers) else not self.numbers[OR]

    def prove(self, win: ForcedWin) -> None:
        """Mark the node as proved by `win`."""
        self.numbers = [0, INFINITY]
        self.win = win
        self.children = None

    def disprove(self) -> None:
        """Mark the node as disproved."""
        self.numbers = [INFINITY, 0]
        self.children = None


class Child:
    """A mark on `bit`, the reply that it `forces` if any, and the node that it leads to."""

    __slots__ = ("bias", "bit", "forces", "node")

    def __init__(self, bit: int, forces: int, bias: int):
        self.bit = bit
        self.forces = forces
        self.bias = bias
        self.node: Node | None = None


def children_of(weights: dict[int, int], forces: dict[int, int], bias: int) -> list[Child]:
    """Return a child for each square, those of less weight with more bias against them."""
    most = max(weights.values())
    return [
        Child(bit, forces.get(bit, 0), bias * (most - weight) // most if most else 0)
        for bit, weight in weights.items()
    ]


def _select(node: Node) -> tuple[Child, int]:
    """Update the numbers of an open node; return its best child and the second best's number.

    If a child has been proved or disproved since, return that one.
    """
    own, other = node.kind, 1 - node.kind
    children = node.children
    assert children, "the node is open and has been expanded"
    best = children[0]
    least = second = 2 * INFINITY
    hardest = 0
    for child in children:
        after = child.node
        number = against = 1
        if after is not None:
            number, against = after.numbers[own], after.numbers[other]
            if not (number and against):
                return child, 0
            if against > hardest:
                hardest = against
        number += child.bias
        if number < least:
            least, second, best = number, least, child
        elif number < second:
            second = number
    node.numbers[own] = least
    node.numbers[other] = max(hardest, 1) + len(children) - 1
    return best, second


class Expansion:
    """Gives a node all moves and replies that matter, or proves or disproves it without a search.

    `core.engine.lines.forcing` has another one, for a search of fewer moves.
    """

    def __init__(self, bounds: Bounds, stop: Stop = NEVER):
        self._bounds = bounds
        self._geometry = bounds.geometry
        self._threats = ThreatSearch(bounds.geometry, stop)

    def expand(self, node: Node) -> None:
        """Give an open node its children or its value."""
        if node.kind == OR:
            self._expand_or(node, node.attacker, node.defender)
        else:
            self._expand_and(node, node.attacker, node.defender)

    def _expand_or(self, node: Node, attacker: int, defender: int) -> None:
        blocks = node.blocks
        if blocks & (blocks - 1):
            node.disprove()
            return
        win = self._threats.wins(attacker, defender, blocks)
        if win is not None:
            node.prove(win)
            return
        alive = self._geometry.alive(defender)
        weights = {blocks: 0} if blocks else self._quiet_attacks(attacker, defender, alive)
        if weights:
            forces = forcing(lacking_two(attacker, alive))
            node.children = children_of(weights, forces, BIAS[OR])
        else:
            node.disprove()

    def _quiet_attacks(self, attacker: int, defender: int, alive: list[int]) -> dict[int, int]:
        """Return the attacker's moves with their weights, where it has nothing to block."""
        weights = self._bounds.attacks(attacker, defender, alive)
        if not weights:
            return weights
        useful = self._threats.defences(attacker, defender)
        return {bit: weight for bit, weight in weights.items() if bit & useful}

    def _expand_and(self, node: Node, attacker: int, defender: int) -> None:
        weights = self._bounds.replies(attacker, self._geometry.alive(defender))
        if weights is None or self._threats.wins(defender, attacker) is not None:
            node.disprove()
            return
        node.untried = self._geometry.full & ~(attacker | defender)
        unopposed = self._threats.wins(attacker, defender)
        if unopposed is not None:
            node.win = unopposed
            node.untried = must_play(self._geometry, attacker, defender, unopposed)
        every = {bit: weights.get(bit, 0) for bit in split(node.untried)}
        node.children = children_of(every, {}, BIAS[AND])


class ProofNumberSearch:
    """The search over one board, with its transposition table; counts `nodes` expanded.

    `expand` gives an open node its children or its value.
    """

    def __init__(self, geometry: Geometry, expand: Callable[[Node], None], stop: Stop = NEVER):
        self._stop = stop
        self.nodes = 0
        self._limit = 0
        self._geometry = geometry
        self._expand = expand
        self._table = TranspositionTable[tuple[int, int, bool], Node](_TABLE_SIZE)

    def node(self, attacker: int, defender: int, *, reply: bool = False) -> Node:
        """Return the node with the attacker to move, or the defender if `reply`.

        It keeps what has been searched below it until the table is emptied. At an AND node the
        defender must not be able to complete a set at once.
        """
        key = (attacker, defender, reply)
        if key in self._table:
            return self._table[key]
        if reply:
            return self._table.store(key, Node(attacker, defender, reply=True))
        blocks = self._geometry.completing(defender, attacker)
        node = self._table.store(key, Node(attacker, defender, blocks))
        if now := self._geometry.completing(attacker, defender):
            node.prove(completion(now))
        return node

    @property
    def stopped(self) -> bool:
        """Whether somebody has asked for an end, so that a search finds nothing more."""
        return self._stop.wanted

    def search(self, node: Node, nodes: int) -> bool | None:
        """Search for at most `nodes` more nodes; return the node's value, None if still open.

        A later search of the node goes on where this one stops.
        """
        self._limit = self.nodes + nodes
        if node.value is None:
            self._descend(node, [INFINITY, INFINITY])
        return node.value

    def _descend(self, node: Node, thresholds: list[int]) -> None:
        """Search below `node` until it has a value or one of its numbers reaches its threshold."""
        own, other = node.kind, 1 - node.kind
        if node.children is None and node.value is None:
            self.nodes += 1
            self._expand(node)
        while node.value is None:
            best, second = _select(node)
            if best.node is None or best.node.value is None:
                numbers = node.numbers
                over = numbers[own] >= thresholds[own] or numbers[other] >= thresholds[other]
                if over or self.nodes >= self._limit or self._stop.wanted:
                    return
                after = best.node = best.node or self._after(node, best)
                within = [0, 0]
                slack = second + 1 + second // _SLACK_DIVISOR
                within[own] = max(min(thresholds[own], slack) - best.bias, after.numbers[own] + 1)
                within[other] = max(thresholds[other] - numbers[other], 1) + after.numbers[other]
                self._descend(after, within)
            if best.node.value is not None:
                self._back_up(node, best, best.node)

    def _after(self, node: Node, child: Child) -> Node:
        """Return the node that `child` of `node` leads to."""
        attacker, defender = node.attacker, node.defender
        reply = child.forces
        if node.kind == AND:
            reply = child.bit
        else:
            attacker |= child.bit
        defender |= reply
        return self.node(attacker, defender, reply=not reply)

    def _back_up(self, node: Node, child: Child, after: Node) -> None:
        """Back the value of `after`, which `child` leads to, up to `node`."""
        assert node.children is not None, "the child is one of them"
        if node.kind == OR and after.value:
            win = after.win
            bit, forces = child.bit, child.forces
            node.prove(win.after_threat(bit, forces) if forces else win.after_quiet_move(bit))
        elif node.kind == OR:
            node.children.remove(child)
            if not node.children:
                node.disprove()
        elif after.value:
            self._answer(node, child.bit, after)
        else:
            node.disprove()

    def _answer(self, node: Node, reply: int, after: Node) -> None:
        """Take the win against `reply`: it also answers every reply that can't refute it."""
        assert node.children is not None, "the reply is one of them"
        attacker, defender = node.attacker, node.defender
        node.win = node.win.against(reply, after.win)
        node.untried &= must_play(self._geometry, attacker, defender | reply, after.win) & ~reply
        node.children = [child for child in node.children if child.bit & node.untried]
        if not node.children:
            node.prove(node.win)
