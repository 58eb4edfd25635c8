"""The result of a position of a line game, by two searches that share a node budget.

The position is one in which nobody completes a set at once.
"""

from collections.abc import Sequence
from typing import TypeAlias

from core.engine.lines.bounds import ONE
from core.engine.lines.candidates import Candidates
from core.engine.lines.dfpn import OR, Node
from core.engine.lines.zones import UNLIMITED, ForcedWin
from core.engine.search import OutOfNodes
from core.outcome import Result

# The nodes that the proof-number search spends on one side before it may turn to the other, and the
# percentage by which they grow each time.
_FIRST_TURN_NODES, _TURN_GROWTH_PERCENT = 100, 10
# Up to this potential of both sides the AND/OR search soon sees that nobody can force a set.
_LOW_POTENTIAL = 2 * ONE

Solution: TypeAlias = tuple[Result | None, Sequence[int]]
"""The result of a position, None if it isn't known, and if it is a win, moves that win, as bits."""
_UNKNOWN: Solution = None, ()


def solve(candidates: Candidates) -> Solution:
    """Return the solution of a position, as far as the budget goes."""
    found = _by_and_or(candidates)
    return _by_proof_numbers(candidates) if found == _UNKNOWN else found


def verify(candidates: Candidates, known: Result) -> Solution:
    """Return the solution of a position whose result is `known`, as far as the budget goes.

    A loss takes no search: every move leads to it.
    """
    if known is Result.LOSS:
        return known, ()
    found = _by_and_or(candidates, known)
    if found != _UNKNOWN:
        return found
    node = _our_win(candidates) if known is Result.WIN else _their_win(candidates)
    value = candidates.searches.proof_number.search(node, candidates.budget.proof_nodes_left)
    if value is not (known is Result.WIN):
        return _UNKNOWN
    return known, [node.win.move] if value else ()


def _by_and_or(candidates: Candidates, known: Result | None = None) -> Solution:
    """Return the solution by the AND/OR search, none if potentials are high.

    A position that is known to be drawn isn't searched for a win.
    """
    mine, theirs = candidates.mine, candidates.theirs
    search = candidates.searches.and_or
    if candidates.potential > _LOW_POTENTIAL:
        return _UNKNOWN
    end = search.nodes + candidates.budget.left_for_proving

    def wins(attacker: int, defender: int) -> ForcedWin | None:
        return search.wins(attacker, defender, UNLIMITED, nodes=end - search.nodes)

    try:
        if known is not Result.DRAW and (win := wins(mine, theirs)):
            return Result.WIN, [win.move]
        lost = all(wins(theirs, mine | bit) for bit in candidates.moves())
    except OutOfNodes:
        return _UNKNOWN
    return (Result.LOSS if lost else Result.DRAW), ()


def _by_proof_numbers(candidates: Candidates) -> Solution:
    """Return the solution by proof-number search, as far as the budget goes.

    The search takes turns between "we win" and "they win", ever longer ones, and each time follows
    the one that is nearer to a proof.
    """
    search = candidates.searches.proof_number
    ours, theirs = _our_win(candidates), _their_win(candidates)
    end = search.nodes + candidates.budget.proof_nodes_left
    turn = _FIRST_TURN_NODES
    while search.nodes < end and not search.stopped:
        nearer = min(ours, theirs, key=_proof_distance)
        if search.search(nearer, min(turn, end - search.nodes)):
            return (Result.WIN, [ours.win.move]) if nearer is ours else (Result.LOSS, ())
        if ours.value is False and theirs.value is False:
            return Result.DRAW, ()
        turn += turn * _TURN_GROWTH_PERCENT // 100
    return _UNKNOWN


def _our_win(candidates: Candidates) -> Node:
    return candidates.searches.proof_number.node(candidates.mine, candidates.theirs)


def _their_win(candidates: Candidates) -> Node:
    # One threat of theirs leaves us no choice; with two they would win at once.
    mine, theirs = candidates.mine, candidates.theirs
    block = candidates.geometry.completing(theirs, mine)
    return candidates.searches.proof_number.node(theirs, mine | block, reply=not block)


def _proof_distance(node: Node) -> int:
    """Return the proof number, which is infinite once the node is disproved."""
    return node.numbers[OR]
