"""Proofs for positions into which pieces fall: alpha-beta with a transposition table.

A score is one more than the number of squares that are free when the game ends: positive if the
side to move wins, negative if it loses. A draw is 0. So a sooner win is a greater score.

Two bounds come from the board alone, by the rules of follow-up and odd threats (V. Allis, *A
Knowledge-Based Approach of Connect-Four*, 1988), here for boards of any height. In both, one side
follows up: it answers each move in the same column. In a column with an odd number of free squares,
it answers the first of these by the first of another such column. It can do so whenever the number
of such columns is even. Then the other side gets only such first squares and the lower square of
each pair.

- If these squares make no line, the other side doesn't win. If, besides, the rest makes a line for
  the side that follows up, the other side loses.
- The side that follows up may leave out a column from the square below one of its threats upwards:
  at the end the other side has to move there.

Where the results of all positions with a certain number of pieces are stored (`results.py`), a
search looks them up instead of going on.
"""

from typing import TypeAlias

from core.engine.drops.geometry import MOST_COLUMNS, Geometry, safe
from core.engine.drops.results import Results
from core.engine.search import OutOfNodes
from core.engine.stop import NEVER, Stop

# With this many free squares or more, a side can nearly always still make a line.
_OPEN = 10

_Candidate: TypeAlias = tuple[int, int, int]
"""A move's place in the order of the search, the move, and the threats of its side after it."""


class Solver:
    """Searches of positions of one board, which may meet `nodes_left` positions in all.

    Given `results`, they look up the positions that it has.
    """

    def __init__(
        self, geometry: Geometry, nodes: int, stop: Stop = NEVER, results: Results | None = None
    ):
        self.geometry = geometry
        self.nodes_left = nodes
        self._stop = stop
        # Bounds of scores. A lower one is stored with `_lower_mark` added, which tells it from an
        # upper one. There is at most one for each node, so the nodes bound the table.
        self._table: dict[int, int] = {}
        self._completing = geometry.memo()
        self._places = tuple(enumerate(geometry.columns))
        self._cells = geometry.cells
        self._lower_mark = 4 * geometry.cells
        self._results = results
        self._stored_left = geometry.cells - results.pieces if results else -1

    def reaches(self, mine: int, taken: int, score: int) -> bool:
        """Return whether the side of `mine`, to move, gets at least `score`; raise OutOfNodes."""
        geometry = self.geometry
        count = taken.bit_count()
        if geometry.threats(mine, taken) & geometry.playable(taken):
            return geometry.cells - count >= score
        if count == geometry.cells:
            return score <= 0
        threats = geometry.threats(mine ^ taken, taken)
        return self._search(mine, taken, threats, score) >= score

    def _search(self, mine: int, taken: int, threats: int, goal: int) -> int:
        """Return a bound of the score that tells whether the score is at least `goal`.

        If it is, this is a lower bound of at least `goal`, otherwise an upper one below it.

        Nobody has a line, and the side of `mine`, to move, can't complete one now; `threats` are
        those of the other side.
        """
        self.nodes_left -= 1
        if self.nodes_left < 0 or self._stop.wanted:
            raise OutOfNodes
        geometry = self.geometry
        key = mine + taken
        free, playable = geometry.full ^ taken, (taken + geometry.floor) & geometry.full
        left = free.bit_count()
        moves = safe(playable, threats)
        if not moves:
            return 1 - left
        if left <= 2:
            return 0
        lowest, highest = 3 - left, left - 2
        if key in self._table or left == self._stored_left:
            lowest, highest = self._known(key, left)
        if lowest >= goal:
            return lowest
        if highest >= goal >= 0:
            highest = min(highest, _by_follow_up(geometry, mine, free, playable, threats))
        if highest < goal:
            return highest
        if left < _OPEN and not geometry.has_line((mine if goal > 0 else mine ^ taken) | free):
            return 0
        candidates = self._candidates(mine, moves, free, playable)
        return self._best(mine, taken, candidates, goal) if candidates else left - 2

    def _best(self, mine: int, taken: int, candidates: list[_Candidate], goal: int) -> int:
        """Return what `_search` returns, by searching the positions after the moves."""
        theirs = mine ^ taken
        highest = -self._cells
        for _, move, after in candidates:
            score = -self._search(theirs, taken | move, after, 1 - goal)
            if score >= goal:
                self._table[mine + taken] = score + self._lower_mark
                return score
            if score > highest:
                highest = score
        self._table[mine + taken] = highest
        return highest

    def _known(self, key: int, left: int) -> tuple[int, int]:
        """Return a lower and an upper bound of the score of a position not decided at sight."""
        stored = self._table.get(key)
        if stored is None:
            return self._by_result(key, left)
        if stored > self._cells:
            return stored - self._lower_mark, left - 2
        return 3 - left, stored

    def _candidates(self, mine: int, moves: int, free: int, playable: int) -> list[_Candidate]:
        """Return `moves` in the order of `Geometry.ordered`, none if one wins in three plies.

        A move wins by two threats at once, or by a second threat right above the square on which
        the first one is answered.
        """
        found = []
        completing = self._completing
        for place, column in self._places:
            move = moves & column
            if move:
                threats = completing[mine | move] & free
                forcing = threats & (playable ^ move | move << 1)
                if forcing and (forcing & (forcing - 1) or forcing & threats >> 1):
                    return []
                found.append((place - MOST_COLUMNS * threats.bit_count(), move, threats))
        found.sort()
        return found

    def _by_result(self, key: int, left: int) -> tuple[int, int]:
        """Return the bounds that follow from the stored result."""
        assert self._results
        result = self._results.get(min(key, self.geometry.mirrored(key)))
        return ((3 - left, -1), (0, 0), (1, left - 2))[result + 1]


def _by_follow_up(geometry: Geometry, mine: int, free: int, playable: int, threats: int) -> int:
    """Return an upper bound of the score for the side to move: -1, 0 or the most there is.

    `threats` are those of the other side.
    """
    lower, upper = geometry.lower, geometry.upper
    has_line = geometry.has_line
    if not (playable & upper).bit_count() & 1:
        if has_line(mine | free & lower | playable):
            return geometry.cells
        theirs = geometry.full ^ free ^ mine
        return -1 if has_line(theirs | free & upper & ~playable) else 0
    later = threats & lower & ~playable
    if later:
        for column in geometry.columns:
            threat = later & column
            if threat:
                below = column & ((threat & -threat) - 1) & free
                if not has_line(mine | free & lower & ~column | playable | below & upper):
                    return -1
    return geometry.cells
