"""Alpha-beta to a depth, with estimates, for positions into which pieces fall."""

from collections.abc import Sequence

from core.engine.drops.evaluation import estimate_of
from core.engine.drops.geometry import Geometry, safe
from core.engine.search import DECIDED, EXACT, WIN, OutOfNodes, TranspositionTable, kind_of, settles
from core.engine.stop import Stop

_TABLE_SIZE = 100_000
# An entry of the table: how deep it was searched, what kind of score it has, the score, the move.
_UNKNOWN = -1, EXACT, 0, 0


class DepthSearch:
    """Alpha-beta to a depth, by iterative deepening; it may meet `nodes` positions."""

    def __init__(self, geometry: Geometry, nodes: int, stop: Stop):
        self._geometry = geometry
        self._estimate = estimate_of(geometry)
        self._completing = geometry.memo()
        self._nodes_left = nodes
        self._stop = stop
        self._table = TranspositionTable[int, tuple[int, int, int, int]](_TABLE_SIZE)

    def choose(
        self, mine: int, taken: int, moves: Sequence[int], depth: int
    ) -> tuple[list[int], int]:
        """Return the best move and its score, searched up to `depth` plies ahead.

        If the nodes don't even allow one ply, return all `moves` with the score 0. None of the
        moves completes a line.
        """
        best, score = list(moves), 0
        try:
            for plies in range(1, depth + 1):
                ordered = [*best, *(move for move in moves if move not in best)]
                move, score = self._deepened(mine, taken, ordered, plies)
                best = [move]
                if abs(score) > DECIDED or plies > (self._geometry.full ^ taken).bit_count():
                    break
        except OutOfNodes:
            pass  # the last complete search counts
        return best, score

    def _deepened(self, mine: int, taken: int, moves: Sequence[int], plies: int) -> tuple[int, int]:
        """Return the first of the best moves, and its score; raise OutOfNodes."""
        best, alpha = moves[0], -WIN
        for move in moves:
            score = -self._search(mine ^ taken, taken | move, plies - 1, -WIN, -alpha, 1)
            if score > alpha:
                best, alpha = move, score
        return best, alpha

    def _search(self, mine: int, taken: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the score of a position `ply` plies from the root."""
        self._nodes_left -= 1
        if self._nodes_left < 0 or self._stop.wanted:
            raise OutOfNodes
        geometry, theirs = self._geometry, mine ^ taken
        free, playable = geometry.full ^ taken, geometry.playable(taken)
        own, other = self._completing[mine] & free, self._completing[theirs] & free
        if own & playable:
            return WIN - ply - 1
        moves = safe(playable, other)
        if not moves:
            return ply + 2 - WIN if free else 0
        # A forced move is searched beyond the depth, but no second one: a win or loss at the end of
        # a longer line would hide a shorter one that isn't forced.
        if depth < 0 or (not depth and moves & (moves - 1)):
            return self._estimate(mine, theirs, free.bit_count(), own, other)
        searched, kind, score, first = self._table.get(mine + taken, _UNKNOWN)
        # A decided score counts plies from the root, and other ways here may take more or fewer.
        if searched >= depth and abs(score) < DECIDED and settles(kind, score, alpha, beta):
            return score
        best, choice, floor = -WIN, 0, alpha
        for move in self._ordered(mine, moves, free, first):
            score = -self._search(theirs, taken | move, depth - 1, -beta, -floor, ply + 1)
            if score > best:
                best, choice, floor = score, move, max(floor, score)
                if floor >= beta:
                    break
        self._table.store(mine + taken, (depth, kind_of(best, alpha, beta), best, choice))
        return best

    def _ordered(self, mine: int, moves: int, free: int, first: int) -> list[int]:
        """Return `moves`: the `first` one, then those with most threats, then by the column."""
        found = self._geometry.ordered(mine, moves, free, self._completing)
        if first in found:
            found.remove(first)
            found.insert(0, first)
        return found
