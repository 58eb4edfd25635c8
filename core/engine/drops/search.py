"""The search of games in which pieces fall: the moves of each level, proofs, and estimates."""

from collections.abc import Sequence
from itertools import count
from math import exp

from core.engine.bitboards import split
from core.engine.drops.book import book_of
from core.engine.drops.depth import DepthSearch
from core.engine.drops.geometry import Geometry, geometry, safe
from core.engine.drops.results import Results, results_from
from core.engine.drops.solver import Solver
from core.engine.search import DECIDED, WIN, Findings, OutOfNodes
from core.engine.stop import NEVER, Stop
from core.outcome import Result
from core.views import DropView

# What a node costs, in the sets by which the work of a move is measured.
_NODE_WORK = 12
# The share of the nodes, in percent, that may go into a proof. The rest is for the distance of a
# proved win or loss or, without a proof, for an estimate.
_PROOF_PERCENT = 85
# The share of an estimate if no proof is tried, in percent.
_ESTIMATE_PERCENT = 50
# With more free squares than this, a proof is only tried on a board with a book.
_PROVED_SQUARES = 36
_DEEPEST = 60
_QUICK_NODES = 2_000
# With a score of this size, the odds of a win are e to 1.
_SCALE = 60

_RESULTS = {1: Result.WIN, 0: Result.DRAW, -1: Result.LOSS}


class DropSearch:
    """The search of all boards into which pieces fall.

    `work` bounds the cost of a move as in `LineSearch`.
    """

    def __init__(self, work: int, stop: Stop = NEVER):
        self._nodes = work // _NODE_WORK
        self._stop = stop

    def quick_moves(self, view: DropView, plies: int, *, positional: bool = False) -> list[int]:
        """Return the indices of the moves that are equally good as far as `plies` plies ahead.

        Two plies show the lines that the other side could complete now, not one that a move makes
        possible right above it. With `positional`, return only the move that an evaluation prefers.
        """
        root = _Root(view)
        if plies and root.wins:
            return root.indices(split(root.wins))
        moves = split(root.blocks if plies > 1 else 0) or root.moves
        if plies > 2 or positional:
            moves = split(root.safe) or moves
        if positional:
            search = DepthSearch(root.geometry, _QUICK_NODES, self._stop)
            moves, _ = search.choose(view.mine, root.taken, moves, plies)
        return root.indices(moves)

    def best(self, view: DropView) -> Findings:
        """Return the best moves and their value, as far as the node budget goes."""
        root = _Root(view)
        if root.wins:
            return Findings(root.indices(split(root.wins)), Result.WIN, 1)
        return self._by_book(root) or self._proved(root) or self._estimated(root)

    def _by_book(self, root: "_Root") -> Findings | None:
        """Return the best moves and the result, None if the book doesn't have the position."""
        key, mirrored = root.keys(root.view.mine, root.taken)
        entry = book_of(root.view.board).get(min(key, mirrored))
        if entry is None:
            return None
        columns = {entry.column} if key <= mirrored else set()
        if mirrored <= key:
            columns.add(root.view.board.columns - 1 - entry.column)
        files = root.view.board.files
        best = [move for move in root.moves if any(move & files[column] for column in columns)]
        return Findings(root.indices(best), _RESULTS[entry.score])

    def _proved(self, root: "_Root") -> Findings | None:
        """Return the best moves and the result, None if it can't be proved."""
        if not root.is_provable:
            return None
        nodes = self._nodes * _PROOF_PERCENT // 100
        solver = Solver(root.geometry, nodes, self._stop, root.results())
        moves = root.ordered(root.safe or root.blocks or root.playable)
        try:
            score, best = self._decided(root, solver, moves)
        except OutOfNodes:
            return None
        if score == 0:
            return Findings(root.indices([best]), Result.DRAW)
        solver.nodes_left = self._nodes * (100 - _PROOF_PERCENT) // 100
        if score > 0:
            return self._won(root, solver, moves, best)
        return self._lost(root, solver, moves, best)

    def _decided(self, root: "_Root", solver: Solver, moves: Sequence[int]) -> tuple[int, int]:
        """Return the sign of the score, and a move that reaches it; raise OutOfNodes.

        Of moves that all lose, it is the one that took longest to refute. If the sign is known
        beforehand, the last move needn't be searched: one of the moves reaches it.
        """
        known = root.stored_result()
        slowest, most = moves[0], -1
        for goal in (1, 0) if known is None else (max(known, 0),):
            for move in moves:
                if known == goal and move == moves[-1]:
                    return goal, move
                before = solver.nodes_left
                if self._keeps(root, solver, move, goal):
                    return goal, move
                spent = before - solver.nodes_left
                if goal == 0 and spent > most:
                    slowest, most = move, spent
        return -1, slowest

    def _keeps(self, root: "_Root", solver: Solver, move: int, goal: int) -> bool:
        """Return whether `move` gets at least `goal`, 1 or 0, by the book or by search."""
        mine, taken = root.view.theirs, root.taken | move
        entry = book_of(root.view.board).get(min(root.keys(mine, taken)))
        if entry is not None:
            return -entry.score >= goal
        return not solver.reaches(mine, taken, 1 - goal)

    def _won(self, root: "_Root", solver: Solver, moves: Sequence[int], best: int) -> Findings:
        """Return the quickest win with its distance; if nodes run out, `best` without one."""
        mine = root.view.theirs
        try:
            for plies in count(3, 2):
                goal = root.score_after(plies)
                for move in moves:
                    if not solver.reaches(mine, root.taken | move, 1 - goal):
                        return Findings(root.indices([move]), Result.WIN, plies)
        except OutOfNodes:
            pass  # the distance isn't known
        return Findings(root.indices([best]), Result.WIN)

    def _lost(self, root: "_Root", solver: Solver, moves: Sequence[int], best: int) -> Findings:
        """Return the slowest losses with their distance.

        If the nodes run out, return one of the moves that hold out longest as far as is known,
        without a distance: `best` if it is among them.
        """
        mine = root.view.theirs
        left = list(moves)
        try:
            for plies in count(2, 2):
                goal = root.score_after(plies)
                held = [m for m in left if not solver.reaches(mine, root.taken | m, goal)]
                if not held:
                    return Findings(root.indices(left), Result.LOSS, plies)
                left = held
        except OutOfNodes:
            pass  # the distance isn't known
        return Findings(root.indices([best if best in left else left[0]]), Result.LOSS)

    def _estimated(self, root: "_Root") -> Findings:
        """Return the best moves by a search to some depth; a win or loss found is proved."""
        if not root.safe:
            return Findings(root.indices(split(root.blocks) or root.moves), Result.LOSS, 2)
        percent = 100 - _PROOF_PERCENT if root.is_provable else _ESTIMATE_PERCENT
        nodes = self._nodes * percent // 100
        search = DepthSearch(root.geometry, nodes, self._stop)
        best, score = search.choose(root.view.mine, root.taken, root.ordered(root.safe), _DEEPEST)
        if abs(score) > DECIDED:
            result = Result.WIN if score > 0 else Result.LOSS
            return Findings(root.indices(best), result, WIN - abs(score))
        if root.stored_result() == -1:
            return Findings(root.indices(best), Result.LOSS)  # whatever is played
        return Findings(root.indices(best), None, outlook=1 / (1 + exp(-score / _SCALE)))


class _Root:
    """The position of a view.

    Bitboards have the `taken` squares, the `playable` ones, and of these the ones that win at once
    (`wins`), those on which the other side would win next (`blocks`), and those after which it
    can't (`safe`). `moves` are the legal moves as bits, in their order.
    """

    def __init__(self, view: DropView):
        self.view = view
        self.geometry: Geometry = geometry(view.board)
        self.taken = view.mine | view.theirs
        threats = self.geometry.threats(view.theirs, self.taken)
        self.playable = self.geometry.playable(self.taken)
        self.moves = [move for file in view.board.files if (move := self.playable & file)]
        self.wins = self.geometry.completing(view.mine) & self.playable
        self.blocks = threats & self.playable
        self.safe = safe(self.playable, threats)

    @property
    def is_provable(self) -> bool:
        """Whether it is worth trying a proof."""
        free = self.geometry.cells - self.taken.bit_count()
        return free <= _PROVED_SQUARES or bool(book_of(self.view.board))

    def results(self) -> Results | None:
        """Return the results that a search from here may look up, None if there are none."""
        return results_from(self.view.board, self.view.mine, self.taken)

    def stored_result(self) -> int | None:
        """Return the stored result, 1, 0 or -1, None if there is none."""
        results = self.results()
        if results is None or self.taken.bit_count() != results.pieces or not self.safe:
            return None
        return results.get(min(self.keys(self.view.mine, self.taken)))

    def score_after(self, plies: int) -> int:
        """Return the score of a win that takes `plies` plies from here, as `Solver` counts it."""
        return self.geometry.cells + 1 - self.taken.bit_count() - plies

    def indices(self, moves: Sequence[int]) -> list[int]:
        """Return the indices of `moves` among the legal ones."""
        return sorted(map(self.moves.index, moves))

    def ordered(self, moves: int) -> list[int]:
        """Return `moves` in the order of `Geometry.ordered`, the best first."""
        free = self.geometry.full ^ self.taken
        return self.geometry.ordered(self.view.mine, moves, free, self.geometry.memo())

    def keys(self, mine: int, taken: int) -> tuple[int, int]:
        """Return the number of a position and that of its mirror image, as books have them."""
        mirrored = self.geometry.mirrored
        return mine + taken, mirrored(mine) + mirrored(taken)
