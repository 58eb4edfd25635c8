"""Proofs for positions into which pieces fall: alpha-beta with a transposition table.

A score is the number of squares that are free when the game ends, and one more: positive if the
side to move wins, negative if it loses, 0 for a draw. So a sooner win is a greater score.

Two bounds come from the board alone, by the rules of follow-up and odd threats (V. Allis, *A
Knowledge-Based Approach of Connect-Four*, 1988), here for boards of any height. In both, one side
answers each move in the same column, or the first of an odd number of free squares by another such
first one. It can do so whenever the number of columns with an odd number of free squares is even;
then the other side gets no square but those first ones and the lower of each pair.

- If that makes no line, the other side doesn't win; and if all the rest makes a line for the side
  that answers, it loses.
- The side that answers may leave out a column from the square below one of its threats upwards: at
  the end the other side has to move there.
"""

from core.engine.drops.geometry import Geometry
from core.engine.search import NEVER, OutOfNodes, Stop, TranspositionTable

_TABLE_SIZE = 200_000


class Solver:
    """Searches of positions of one board, which may meet `nodes_left` positions in all."""

    def __init__(self, geometry: Geometry, nodes: int, stop: Stop = NEVER):
        self.geometry = geometry
        self.nodes_left = nodes
        self._stop = stop
        self._cells = geometry.cells
        # Bounds of scores: a lower one is stored with `_is_lower` added, to tell it from an upper.
        self._table: TranspositionTable[int, int] = TranspositionTable(_TABLE_SIZE)
        self._is_lower = 4 * geometry.cells

    def reaches(self, mine: int, taken: int, score: int) -> bool:
        """Return whether the side of `mine`, to move, gets at least `score`; raise OutOfNodes."""
        geometry, count = self.geometry, taken.bit_count()
        if geometry.wins(mine, taken):
            return geometry.cells - count >= score
        if count == geometry.cells:
            return score <= 0
        return self._search(mine, taken, count, score - 1, score) >= score

    def _search(self, mine: int, taken: int, count: int, alpha: int, beta: int) -> int:
        """Return the score of a position in which nobody has a line or completes one now.

        Outside the window from `alpha` to `beta` it is a bound. There are `count` pieces.
        """
        self.nodes_left -= 1
        if self.nodes_left < 0 or self._stop.wanted:
            raise OutOfNodes
        geometry, cells = self.geometry, self._cells
        theirs, empty = mine ^ taken, geometry.full ^ taken
        playable = (taken + geometry.floor) & geometry.full
        threats = geometry.completing(theirs) & empty
        forced = threats & playable
        moves = (forced or playable) & ~(threats >> 1)
        if forced & (forced - 1) or not moves:
            return count + 1 - cells
        if count >= cells - 2:
            return 0
        lowest, highest = self._bounds(mine, taken, count, theirs, empty)
        if highest >= 0:
            highest = min(highest, _by_follow_up(geometry, mine, empty, playable, threats))
        if highest <= alpha or lowest >= beta:
            return lowest if lowest >= beta else highest
        alpha, beta = max(alpha, lowest), min(beta, highest)
        if alpha >= beta:
            return alpha
        for move in self._ordered(mine, moves, empty):
            score = -self._search(theirs, taken | move, count + 1, -beta, -alpha)
            if score >= beta:
                self._table.store(mine + taken, score + self._is_lower)
                return score
            alpha = max(alpha, score)
        self._table.store(mine + taken, alpha)
        return alpha

    def _bounds(
        self, mine: int, taken: int, count: int, theirs: int, empty: int
    ) -> tuple[int, int]:
        """Return a lower and an upper bound by the table, and by the lines that are still open.

        Neither side completes a line with its next piece.
        """
        lowest, highest = count + 3 - self._cells, self._cells - count - 2
        stored = self._table.get(mine + taken)
        if stored is not None:
            if stored > self._cells:
                lowest = max(lowest, stored - self._is_lower)
            else:
                highest = min(highest, stored)
        has_line = self.geometry.has_line
        if highest > 0 and not has_line(mine | empty):
            highest = 0
        if lowest < 0 and not has_line(theirs | empty):
            lowest = 0
        return lowest, highest

    def _ordered(self, mine: int, moves: int, empty: int) -> list[int]:
        """Return `moves`, those with most threats first, and of equal ones those in the middle."""
        if not moves & (moves - 1):
            return [moves]
        found = [move for column in self.geometry.columns if (move := moves & column)]
        completing = self.geometry.completing
        threats = {move: -(completing(mine | move) & empty).bit_count() for move in found}
        found.sort(key=threats.__getitem__)
        return found


def _by_follow_up(geometry: Geometry, mine: int, empty: int, playable: int, threats: int) -> int:
    """Return an upper bound of the score for the side to move: -1, 0 or the most there is.

    `threats` are the squares on which the other side would complete a line.
    """
    lower, has_line = geometry.lower, geometry.has_line
    upper = geometry.full ^ lower
    if not (playable & upper).bit_count() & 1:
        if has_line(mine | empty & lower | playable):
            return geometry.cells
        theirs = geometry.full ^ empty ^ mine
        return -1 if has_line(theirs | empty & upper & ~playable) else 0
    later = threats & lower & ~playable
    for column in geometry.columns if later else ():
        threat = later & column
        if threat:
            below = column & ((threat & -threat) - 1) & empty
            if not has_line(mine | empty & lower & ~column | playable | below & upper):
                return -1
    return geometry.cells
