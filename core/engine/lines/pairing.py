"""Pairing strategies: proofs that a side can't own a set, however it plays.

If every set that the attacker could still own holds a pair of free squares, and no two pairs share
a square, the defender answers each mark on a square of a pair by the other one, and so gets a mark
into every set (A. W. Hales and R. I. Jewett, *Regularity and positional games*, 1963). Few marks in
advance often make such pairs possible, so each of the attacker's moves is tried with a few replies
(as in C. Hsu et al., *Solving 7,7,5-game and 8,8,5-game*, 2020). Where it takes more replies, a
book has the positions that are held (`core.engine.lines.held`).
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from core.engine.bitboards import split
from core.engine.lines.geometry import Geometry

# The most nodes of one search for pairs, and of the cheaper one that `reply` makes before it.
_NODES_EACH, _NODES_AT_FIRST = 600, 30
# How many replies to a move a proof tries.
_REPLIES = 8


class PairingSearch:
    """Proofs on one board. They meet `nodes` nodes in all; beyond that nothing is proved.

    The positions in the book `held` need no proof.
    """

    def __init__(self, geometry: Geometry, nodes: int, held: frozenset[int] = frozenset()):
        self._geometry = geometry
        self._left = nodes
        self._held = held

    def holds(self, attacker: int, defender: int) -> bool:
        """Return whether it is proved that the attacker, to move, can't force a set."""
        if self._held and self._geometry.symmetry.canonical(attacker, defender) in self._held:
            return True
        lacking = self._lacking(attacker, defender)
        if any(mask & (mask - 1) == 0 for mask in lacking):
            return False
        if self._paired(lacking):
            return True
        moves = self._geometry.symmetry.representatives(attacker, defender, _heaviest(lacking))
        return all(self._answered(attacker | bit, defender) for bit in moves)

    def reply(self, attacker: int, defender: int) -> int:
        """Return a mark of the defender, to move, after which there are pairs, 0 if none is found.

        All marks are tried with few nodes before any is tried with more.
        """
        lacking = self._lacking(attacker, defender)
        replies = _replies(lacking)
        for nodes in (_NODES_AT_FIRST, _NODES_EACH):
            for bit in replies:
                if self._paired([mask for mask in lacking if not mask & bit], nodes):
                    return bit
        return 0

    def _answered(self, attacker: int, defender: int) -> bool:
        """Return whether the defender, to move, has a mark after which there are pairs."""
        lacking = self._lacking(attacker, defender)
        replies = _replies(lacking)[:_REPLIES]
        return any(self._paired([mask for mask in lacking if not mask & bit]) for bit in replies)

    def _lacking(self, attacker: int, defender: int) -> list[int]:
        """Return what the attacker's sets lack, without sets that hold others."""
        every = {mask & ~attacker for mask in self._geometry.sets if not mask & defender}
        least = list[int]()
        for mask in sorted(every, key=lambda mask: (mask.bit_count(), mask)):
            if not any(mask & smaller == smaller for smaller in least):
                least.append(mask)
        return least

    def _paired(self, lacking: Sequence[int], nodes: int = _NODES_EACH) -> bool:
        """Return whether disjoint pairs are found, one in each of `lacking`, within `nodes`."""
        allowed = min(self._left, nodes)
        self._left -= allowed
        found, unused = _pairs(lacking, 0, allowed)
        self._left += max(unused, 0)
        return found


def _pairs(lacking: Sequence[int], used: int, nodes: int) -> tuple[bool, int]:
    """Return whether pairs beside the `used` squares are found, and how many nodes are left.

    The set with the fewest squares left is given a pair first, one that serves the most sets.
    """
    if not lacking:
        return True, nodes
    if nodes <= 0:
        return False, nodes
    nodes -= 1
    tightest = min((mask & ~used for mask in lacking), key=int.bit_count)
    if tightest & (tightest - 1) == 0:
        return False, nodes
    pairs = [one | other for one, other in combinations(split(tightest), 2)]
    rests = [[mask for mask in lacking if mask & pair != pair] for pair in pairs]
    for rest, pair in sorted(zip(rests, pairs, strict=True), key=lambda item: len(item[0])):
        found, nodes = _pairs(rest, used | pair, nodes)
        if found or nodes <= 0:
            return found, nodes
    return False, nodes


def _replies(lacking: Sequence[int]) -> list[int]:
    """Return the defender's replies, as bits, in the order of `_heaviest`.

    If the attacker threatens to complete a set, the only reply blocks it. If it threatens to on
    several squares, there is none.
    """
    completing = 0
    for mask in lacking:
        if mask & (mask - 1) == 0:
            completing |= mask
    if completing & (completing - 1):
        return []
    return [completing] if completing else _heaviest(lacking)


def _heaviest(lacking: Iterable[int]) -> list[int]:
    """Return the squares of sets as bits, those in the most sets and in the smallest first."""
    weights = dict[int, float]()
    for mask in lacking:
        for bit in split(mask):
            weights[bit] = weights.get(bit, 0) + 0.5 ** mask.bit_count()
    return sorted(weights, key=weights.__getitem__, reverse=True)
