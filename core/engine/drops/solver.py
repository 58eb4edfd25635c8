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

Where the results of all positions with a certain number of pieces are stored (`results.py`), a
search looks them up instead of going on.
"""

from core.engine.drops.geometry import Geometry, safe
from core.engine.drops.results import results_of
from core.engine.search import OutOfNodes, TranspositionTable
from core.engine.stop import NEVER, Stop

_TABLE_SIZE = 200_000


class Solver:
    """Searches of positions of one board, which may meet `nodes_left` positions in all."""

    def __init__(self, geometry: Geometry, nodes: int, stop: Stop = NEVER):
        self.geometry = geometry
        self.nodes_left = nodes
        self._stop = stop
        # Bounds of scores: a lower one is stored with `_is_lower` added, to tell it from an upper.
        self._table: TranspositionTable[int, int] = TranspositionTable(_TABLE_SIZE)
        self._is_lower = 4 * geometry.cells
        self._results = results_of(geometry.board)
        self._told_left = geometry.cells - self._results.pieces if self._results else -1

    def reaches(self, mine: int, taken: int, score: int) -> bool:
        """Return whether the side of `mine`, to move, gets at least `score`; raise OutOfNodes."""
        geometry, count = self.geometry, taken.bit_count()
        if geometry.threats(mine, taken) & geometry.playable(taken):
            return geometry.cells - count >= score
        if count == geometry.cells:
            return score <= 0
        threats = geometry.threats(mine ^ taken, taken)
        return self._search(mine, taken, threats, score) >= score

    def _search(self, mine: int, taken: int, threats: int, goal: int) -> int:
        """Return a bound of the score: a lower one if it is at least `goal`, an upper one if not.

        Nobody has a line, and the side of `mine`, to move, can't complete one now; `threats` are
        those of the other side.
        """
        self.nodes_left -= 1
        if self.nodes_left < 0 or self._stop.wanted:
            raise OutOfNodes
        geometry, key, theirs = self.geometry, mine + taken, mine ^ taken
        free = geometry.full ^ taken
        left, playable = free.bit_count(), (taken + geometry.floor) & geometry.full
        moves = safe(playable, threats)
        if not moves:
            return 1 - left
        if left <= 2:
            return 0
        lowest, highest = self._known(key, left)
        if lowest >= goal:
            return lowest
        if highest >= goal and not geometry.has_line((mine if goal > 0 else theirs) | free):
            return 0
        if highest >= goal >= 0:
            highest = min(highest, _by_follow_up(geometry, mine, free, playable, threats))
        if highest < goal:
            return highest
        highest = -left
        for _, move, after in geometry.candidates(mine, moves, free):
            score = -self._search(theirs, taken | move, after, 1 - goal)
            if score >= goal:
                self._table.store(key, score + self._is_lower)
                return score
            highest = max(highest, score)
        self._table.store(key, highest)
        return highest

    def _known(self, key: int, left: int) -> tuple[int, int]:
        """Return a lower and an upper bound of the score of a position not decided at sight."""
        stored = self._table.get(key)
        if stored is None:
            return self._told(key, left) if left == self._told_left else (3 - left, left - 2)
        if stored > self.geometry.cells:
            return stored - self._is_lower, left - 2
        return 3 - left, stored

    def _told(self, key: int, left: int) -> tuple[int, int]:
        """Return the bounds that follow from the stored result."""
        assert self._results
        result = self._results.get(min(key, self.geometry.mirrored(key)))
        return ((3 - left, -1), (0, 0), (1, left - 2))[result + 1]


def _by_follow_up(geometry: Geometry, mine: int, free: int, playable: int, threats: int) -> int:
    """Return an upper bound of the score for the side to move: -1, 0 or the most there is.

    `threats` are those of the other side.
    """
    lower, has_line = geometry.lower, geometry.has_line
    upper = geometry.full ^ lower
    if not (playable & upper).bit_count() & 1:
        if has_line(mine | free & lower | playable):
            return geometry.cells
        theirs = geometry.full ^ free ^ mine
        return -1 if has_line(theirs | free & upper & ~playable) else 0
    later = threats & lower & ~playable
    for column in geometry.columns if later else ():
        threat = later & column
        if threat:
            below = column & ((threat & -threat) - 1) & free
            if not has_line(mine | free & lower & ~column | playable | below & upper):
                return -1
    return geometry.cells
