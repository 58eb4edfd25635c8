"""Paranoid search, tempered: one seat against all others, who may also play for themselves.

Expecting everybody to play against it lets a seat prune by alpha-beta and see further than max^n
does (N. Sturtevant and R. Korf, *On Pruning Techniques for Multi-Player Games*, AAAI 2000), but it
fears moves that nobody would make. So only a part of a reply's value is that of the worst reply;
the rest is the mean over likely replies, those of players who look one or two plies ahead. No seat
is preferred as a victim: only the searching seat's own chance counts.
"""

from collections.abc import Iterator
from functools import cache, partial

from core.engine.bitboards import split
from core.engine.search import OutOfNodes
from core.engine.stop import NEVER, Stop
from core.engine.territory.evaluation import chance
from core.engine.territory.max_n import greedy, two_ply
from core.views import Territory, TerritoryView

# More than any chance, which is from 0 to 1.
_INFINITY = 2.0
# The share of a reply's value that is the worst one; the rest is the mean of the likely ones.
_FEAR = 0.2
# This share of the likely replies is those of a player who looks two plies ahead; the others are
# greedy. With fewer plies left to search than this, finding the former costs more than it tells.
_TWO_PLY_SHARE, _TWO_PLY_FROM_DEPTH = 0.35, 3


class Paranoid:
    """One search for the seat to move, by iterative deepening until `nodes` positions are met."""

    def __init__(self, view: TerritoryView, nodes: int, stop: Stop = NEVER):
        self._stop = stop
        self._rules, self._state = view.rules, view.state
        assert view.state.mover is not None, "only asked while the game goes on"
        self._me = view.state.mover
        self._nodes_left = nodes
        self._best_moves: dict[tuple[tuple[int, ...], int | None], int] = {}
        self._greedy = cache(partial(greedy, self._rules))
        self._two_ply = cache(partial(two_ply, self._rules, after=self._after))

    def best(self) -> int:
        """Return the index of the best move among the legal ones."""
        moves = list(enumerate(split(self._state.targets)))
        if len(moves) == 1:
            return 0
        empty = self._rules.open.bit_count() - sum(o.bit_count() for o in self._state.owned)
        try:
            for depth in range(1, empty + 1):
                self._deepen(moves, depth)
        except OutOfNodes:
            pass  # the best move of the deepest search so far stands first
        return moves[0][0]

    def _deepen(self, moves: list[tuple[int, int]], depth: int) -> None:
        """Search all `moves`, and bring the best one to the front as soon as it is known."""
        most = -_INFINITY
        for place, move in enumerate(tuple(moves)):
            child = self._after(self._state, move[1])
            value = self._value(child, depth - 1, most, _INFINITY)
            if value > most:
                most = value
                moves.insert(0, moves.pop(place))

    def _after(self, state: Territory, bit: int) -> Territory:
        if self._nodes_left <= 0 or self._stop.wanted:
            raise OutOfNodes
        self._nodes_left -= 1
        return self._rules.after(state, bit)

    def _value(self, state: Territory, depth: int, alpha: float, beta: float) -> float:
        """Return the searching seat's chance, exact between `alpha` and `beta`."""
        if depth == 0 or state.mover is None:
            return chance(self._rules, state, self._me)
        if state.mover == self._me:
            return self._own_move(state, depth, alpha, beta)
        return self._reply(state, depth, alpha)

    def _own_move(self, state: Territory, depth: int, alpha: float, beta: float) -> float:
        """Return the searching seat's chance with its best move."""
        best, chosen = -_INFINITY, 0
        for bit in self._ordered(state, state.targets):
            value = self._value(self._after(state, bit), depth - 1, max(alpha, best), beta)
            if value > best:
                best, chosen = value, bit
                if best >= beta:
                    break
        self._best_moves[state[:2]] = chosen
        return best

    def _reply(self, state: Territory, depth: int, alpha: float) -> float:
        """Return the searching seat's chance after another's move: partly worst, mostly likely."""
        likely = self._likely(state, depth)
        values = {
            bit: self._value(self._after(state, bit), depth - 1, -_INFINITY, _INFINITY)
            for bit in likely
        }
        expected = (1 - _FEAR) * sum(values[bit] * share for bit, share in likely.items())
        worst, chosen = min(values.values()), 0
        for bit in self._ordered(state, state.targets & ~sum(likely)):
            if expected + _FEAR * worst <= alpha:
                break
            least = (alpha - expected) / _FEAR
            value = self._value(self._after(state, bit), depth - 1, least, worst)
            if value < worst:
                worst, chosen = value, bit
        self._best_moves[state[:2]] = chosen
        return expected + _FEAR * worst

    def _likely(self, state: Territory, depth: int) -> dict[int, float]:
        """Return the probability of each likely reply."""
        moves = self._greedy(state)
        if depth < _TWO_PLY_FROM_DEPTH:
            return dict.fromkeys(moves, 1 / len(moves))
        likely = dict.fromkeys(moves, (1 - _TWO_PLY_SHARE) / len(moves))
        moves = self._two_ply(state)
        for bit in moves:
            likely[bit] = likely.get(bit, 0.0) + _TWO_PLY_SHARE / len(moves)
        return likely

    def _ordered(self, state: Territory, targets: int) -> Iterator[int]:
        """Yield each of `targets` once, the likely best first.

        First comes the best move of a shallower search, then the squares that nobody can take.
        """
        first = self._best_moves.get(state[:2], 0) & targets
        yield from split(first)
        safe = self._rules.exposed[0] & ~first
        yield from split(targets & safe)
        yield from split(targets & ~safe & ~first)
