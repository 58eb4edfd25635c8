"""Misère line games: the owner of a whole set loses.

None of the bounds of the other line games holds here, so this is a plain alpha-beta search (negamax
with a transposition table), exact if the node budget reaches the end of the game.
"""

from core.engine.bitboards import split
from core.engine.lines.geometry import Geometry, geometry
from core.engine.search import Findings, OutOfNodes, TranspositionTable
from core.outcome import Result
from core.views import LineBoard, LineView

# A score is 0 for a draw; otherwise its sign is that of the winner, and its distance from this
# number is the plies to the end.
_WON = 1_000
_TABLE_SIZE = 400_000


class Negamax:
    """The search over one board, with its transposition table."""

    def __init__(self, geometry: Geometry):
        self._nodes_left = 0
        self._geometry = geometry
        self._canonical = geometry.symmetry.canonical
        self._table: TranspositionTable[int, tuple[int, int]] = TranspositionTable(_TABLE_SIZE)

    def allow(self, nodes: int) -> None:
        """Let `score` meet `nodes` positions before it raises OutOfNodes."""
        self._nodes_left = nodes

    def safe(self, mine: int, theirs: int) -> list[int]:
        """Return the moves that complete nothing, the least dangerous first."""
        free = self._geometry.full & ~(mine | theirs)
        losing = self._geometry.completing(mine, theirs)
        return sorted(split(free & ~losing), key=lambda bit: self.danger(mine, theirs, bit))

    def danger(self, mine: int, theirs: int, bit: int) -> int:
        """Return how far a mark on `bit` brings its owner towards completing sets."""
        through = self._geometry.through[bit]
        return sum(1 << 2 * (mask & mine).bit_count() for mask in through if not mask & theirs)

    def score(self, mine: int, theirs: int, low: int = -_WON, high: int = _WON) -> int:
        """Return the score of the seat to move, exact between `low` and `high`.

        Raises OutOfNodes.
        """
        if self._nodes_left <= 0:
            raise OutOfNodes
        self._nodes_left -= 1
        if self._geometry.full == mine | theirs:
            return 0
        safe = self.safe(mine, theirs)
        if not safe:
            return 1 - _WON
        key = self._canonical(mine, theirs)
        least, most = self._table.get(key, (-_WON, _WON))
        if least >= high or most <= low or least == most:
            return least if least >= high or least == most else most
        best, floor = max(1 - _WON, least), max(low, least)
        for bit in safe:
            best = max(best, _backed_up(-self.score(theirs, mine | bit, *_window(floor, high))))
            floor = max(floor, best)
            if floor >= high:
                break
        self._store(key, best, low, high)
        return best

    def score_after(self, mine: int, theirs: int, bit: int) -> int:
        """Return the exact score of the seat to move after its mark on `bit`; raise OutOfNodes."""
        return _backed_up(-self.score(theirs, mine | bit))

    def _store(self, key: int, best: int, low: int, high: int) -> None:
        """Store what a search in the window from `low` to `high` tells about a score."""
        least, most = self._table.get(key, (-_WON, _WON))
        if best > low:
            least = max(least, best)
        if best < high:
            most = min(most, best)
        self._table.store(key, (least, most))


def _backed_up(score: int) -> int:
    """Return a score as seen one ply earlier."""
    return score - (score > 0) + (score < 0)


def _window(low: int, high: int) -> tuple[int, int]:
    """Return a window as the other side sees it one ply later, wider by a ply on both sides."""
    return -(high + 1), -(low - 1)


class MisereSearch:
    """The search of all line boards on which owning a set loses.

    `work` bounds the cost of a move as in `LineSearch`.
    """

    def __init__(self, work: int):
        self._work = work

    def searches(self, board: LineBoard) -> Negamax:
        """Return a search of `board` with an empty table."""
        return Negamax(geometry(board))

    def quick_moves(self, view: LineView, plies: int, *, positional: bool = False) -> list[int]:
        """Return the indices of the moves that complete nothing, of all moves if there are none.

        With `positional`, only the least dangerous of them.
        """
        negamax = self.searches(view.board)
        moves = negamax.safe(view.mine, view.theirs) or split(view.free)
        if positional:
            dangers = {bit: negamax.danger(view.mine, view.theirs, bit) for bit in moves}
            moves = [bit for bit, danger in dangers.items() if danger == min(dangers.values())]
        return view.indices(moves)

    def best(self, view: LineView, searches: Negamax | None = None) -> Findings:
        """Return the best moves with their value; if the budget is too small, the safest moves.

        `searches`, of the same board, may hold what was found of related positions.
        """
        negamax = searches or self.searches(view.board)
        negamax.allow(self._work // len(view.board.sets))
        safe = negamax.safe(view.mine, view.theirs)
        if not safe:
            return Findings(view.indices(split(view.free)), Result.LOSS, 1)
        try:
            scores = {bit: negamax.score_after(view.mine, view.theirs, bit) for bit in safe}
        except OutOfNodes:
            return Findings(self.quick_moves(view, 0, positional=True), None)
        best = max(scores.values())
        moves = view.indices([bit for bit, score in scores.items() if score == best])
        if best == 0:
            return Findings(moves, Result.DRAW)
        return Findings(moves, Result.WIN if best > 0 else Result.LOSS, _WON - abs(best))
