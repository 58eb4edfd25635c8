"""Line games turned around: whoever completes a set loses.

None of the attack's cuts holds here, so this is a plain search of all moves (negamax with
alpha-beta and a table), exact where the budget reaches the end of the game.
"""

from core.engine.analysis import Findings
from core.engine.attack import OutOfNodes
from core.engine.geometry import Geometry, geometry, split
from core.engine.table import Table
from core.outcome import Result
from core.views import LineBoard, LineView

# A score is 0 for a draw, otherwise its sign says who wins and its distance from here, in plies.
_WON = 1_000
_TABLE_SIZE = 400_000


class Avoidance:
    """The search over one board, with its table; `limit` bounds `nodes`."""

    def __init__(self, geometry: Geometry):
        self.nodes = 0
        self.limit = 0
        self._geometry = geometry
        self._mirrors = geometry.mirrors
        self._table: Table[int, tuple[int, int]] = Table(_TABLE_SIZE)

    def safe(self, mine: int, theirs: int) -> list[int]:
        """Return the moves that complete nothing, those in the fewest sets still open first."""
        free = self._geometry.full & ~(mine | theirs)
        losing = self._geometry.completing(mine, theirs)
        return sorted(split(free & ~losing), key=lambda bit: self.danger(mine, theirs, bit))

    def danger(self, mine: int, theirs: int, bit: int) -> int:
        """Return how far a mark on `bit` brings its owner towards sets that would lose."""
        through = self._geometry.through[bit]
        return sum(1 << 2 * (mask & mine).bit_count() for mask in through if not mask & theirs)

    def score(self, mine: int, theirs: int, low: int = -_WON, high: int = _WON) -> int:
        """Return the score of the seat to move, exact between `low` and `high`.

        Raises OutOfNodes.
        """
        self.nodes += 1
        if self.nodes > self.limit:
            raise OutOfNodes
        if self._geometry.full == mine | theirs:
            return 0
        safe = self.safe(mine, theirs)
        if not safe:
            return 1 - _WON
        key = self._mirrors.canonical(mine, theirs)
        least, most = self._table.get(key, (-_WON, _WON))
        if least >= high or most <= low or least == most:
            return least if least >= high or least == most else most
        best, floor = max(1 - _WON, least), max(low, least)
        for bit in safe:
            best = max(best, farther(-self.score(theirs, mine | bit, *_nearer(floor, high))))
            floor = max(floor, best)
            if floor >= high:
                break
        self._remember(key, best, low, high)
        return best

    def _remember(self, key: int, best: int, low: int, high: int) -> None:
        least, most = self._table.get(key, (-_WON, _WON))
        if best > low:
            least = max(least, best)
        if best < high:
            most = min(most, best)
        self._table.keep(key, (least, most))


def farther(score: int) -> int:
    """Return what a score after a move is worth before it: one ply later."""
    return score - (score > 0) + (score < 0)


def _nearer(low: int, high: int) -> tuple[int, int]:
    """Return the window for the other side after a move, a ply wider on both sides."""
    return -(high + 1), -(low - 1)


class AvoidanceSearch:
    """Perfect play, or play that only completes nothing, on all such boards; a table for each.

    `work` bounds what a move may cost, as in `LineSearch`.
    """

    def __init__(self, work: int):
        self._work = work
        self._boards: dict[LineBoard, Avoidance] = {}

    def glance(self, view: LineView, _plies: int, *, eager: bool = False) -> list[int]:
        """Return the moves that complete nothing, if any; `eager`, the least dangerous ones."""
        avoidance = self._avoidance(view.board)
        moves = avoidance.safe(view.mine, view.theirs) or split(view.free)
        if eager:
            dangers = {bit: avoidance.danger(view.mine, view.theirs, bit) for bit in moves}
            moves = [bit for bit, danger in dangers.items() if danger == min(dangers.values())]
        return view.indices(moves)

    def best(self, view: LineView) -> Findings:
        """Return the best moves, with their value where the budget allows to prove it."""
        avoidance = self._avoidance(view.board)
        avoidance.limit = avoidance.nodes + self._work // len(view.board.sets)
        safe = avoidance.safe(view.mine, view.theirs)
        if not safe:
            return Findings(view.indices(split(view.free)), Result.LOSS, 1)
        try:
            scores = {bit: farther(-avoidance.score(view.theirs, view.mine | bit)) for bit in safe}
        except OutOfNodes:
            return Findings(self.glance(view, 0, eager=True), None)
        best = max(scores.values())
        moves = view.indices([bit for bit, score in scores.items() if score == best])
        if best == 0:
            return Findings(moves, Result.DRAW)
        return Findings(moves, Result.WIN if best > 0 else Result.LOSS, _WON - abs(best))

    def _avoidance(self, board: LineBoard) -> Avoidance:
        if board not in self._boards:
            self._boards[board] = Avoidance(geometry(board))
        return self._boards[board]
