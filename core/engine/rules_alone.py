"""Games that have only their rules: near wins and losses by max^n, the rest by Monte-Carlo search.

Max^n proves near wins and losses, and leaves out moves that lose soon. Of the other moves,
Monte-Carlo search chooses the one after which random games go best. A better level plays more
games.
"""

from collections.abc import Sequence

from core.engine.analysis import Analysis, Value
from core.engine.max_n import MaxN
from core.engine.monte_carlo import MonteCarlo
from core.engine.search import Findings
from core.engine.stop import Stop
from core.position import Position

# What a position costs, in sets looked at: with rules of common speed, a move of the best level
# then takes about half a second.
_WORK_PER_NODE = 65
# The share of the best level's positions that max^n may meet, in percent.
_EXACT_PERCENT = 25
# The most positions that the other levels' max^n may meet; they miss what lies beyond.
_QUICK_NODES = 5_000
# How many positions the random games of the other levels may meet, by the plies that they see; the
# last number is for all that see further.
_GAMES_NODES = (0, 0, 600, 3_000)


class RulesSearch:
    """The search of all games whose positions have only their rules.

    `work` bounds the cost of a move as in `LineSearch`: a position costs `_WORK_PER_NODE` sets.
    """

    def __init__(self, work: int, stop: Stop):
        self._nodes = work // _WORK_PER_NODE
        self._stop = stop

    def quick_moves(
        self, position: Position, plies: int, *, positional: bool = False
    ) -> Sequence[int]:
        """Return the indices of the best moves: as far as `plies` plies ahead, then by few games.

        With `positional`, unfinished positions count by their points, if the game has any.
        """
        if plies == 0:
            return range(len(position.legal_moves()))
        near = MaxN(position, _QUICK_NODES, self._stop, points=positional)
        near.deepen(plies)
        games = _GAMES_NODES[min(plies, len(_GAMES_NODES) - 1)]
        if near.worth.ranks or len(near.best) == 1 or not games:
            return near.best
        return [self._played(position, near.best, games).best]

    def best(self, position: Position) -> Findings:
        """Return the best moves alone; `analyse` says what they lead to."""
        near, games = self._searched(position)
        return Findings(near.best if games is None else [games.best], None)

    def analyse(self, position: Position) -> Analysis:
        """Return the best moves and what they lead to for every seat."""
        near, games = self._searched(position)
        moves = position.legal_moves()
        worth = near.worth
        if games is not None:
            even = (0.5,) * len(position.marks)
            return Analysis((moves[games.best],), None, games.outlook or even)
        plies = None if len(set(worth.ranks)) == 1 else worth.plies
        best = tuple(moves[index] for index in near.best)
        return Analysis(best, Value(worth.ranks, plies), worth.chances)

    def _searched(self, position: Position) -> tuple[MaxN, MonteCarlo | None]:
        """Return the max^n search and, if it has found no exact value, a Monte-Carlo search."""
        exact = self._nodes * _EXACT_PERCENT // 100
        near = MaxN(position, exact, self._stop, points=False)
        near.deepen()
        if near.worth.ranks:
            return near, None
        return near, self._played(position, near.best, self._nodes - exact)

    def _played(self, position: Position, among: Sequence[int], nodes: int) -> MonteCarlo:
        """Return a search for the best move of `among`, whose games have met `nodes` positions."""
        games = MonteCarlo(position, among, self._stop)
        games.search(nodes)
        return games
