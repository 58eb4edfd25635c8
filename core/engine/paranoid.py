"""One seat against all others: the paranoid search, alpha-beta for games of any number of seats.

N. Sturtevant and R. Korf, *On Pruning Techniques for Multi-Player Games* (AAAI 2000). Expecting
everybody to play against it sees further than expecting them to play for themselves, but fears what
nobody would do: so the worst that can come counts for a part only, the rest is what is likely to
come from players who look one ply ahead, or two. Nobody is anybody's ally, and nobody is preferred
as a victim: it is only its own chance that counts.
"""

from collections.abc import Iterator
from functools import cache, partial

from core.engine.attack import OutOfNodes
from core.engine.geometry import split
from core.engine.replies import farsighted, greedy
from core.engine.standing import chance
from core.views import Territory, TerritoryView

# More than any chance, which is from 0 to 1.
_FAR = 2.0
# How much of a reply's value is the worst that it can be; the rest is the mean of the likely ones.
_FEAR = 0.2
# Those are what takes most, and so much of them what leaves the mover best after the next reply. To
# find that out costs more than it tells with fewer plies left to search than this.
_FARSIGHTED, _FARSIGHTED_FROM = 0.35, 3


class Paranoid:
    """One search for the seat to move, one ply deeper at a time until it has met `nodes`."""

    def __init__(self, view: TerritoryView, nodes: int):
        self._rules, self._state = view.rules, view.state
        self._me = view.state.mover or 0
        self._left = nodes
        self._seen: dict[tuple[tuple[int, ...], int | None], int] = {}
        self._greedy = cache(partial(greedy, self._rules))
        self._farsighted = cache(partial(farsighted, self._rules, after=self._after))

    def best(self) -> int:
        """Return the best move's number among the legal ones."""
        moves = list(enumerate(split(self._state.targets)))
        if len(moves) == 1:
            return 0
        empty = self._rules.open.bit_count() - sum(o.bit_count() for o in self._state.owned)
        try:
            for depth in range(1, empty + 1):
                self._deepen(moves, depth)
        except OutOfNodes:
            pass  # what the deepest look so far found best stands first
        return moves[0][0]

    def _deepen(self, moves: list[tuple[int, int]], depth: int) -> None:
        """Search all `moves`, and bring the best one to the front as soon as it is known."""
        most = -_FAR
        for place, move in enumerate(tuple(moves)):
            child = self._after(self._state, move[1])
            value = self._value(child, depth - 1, most, _FAR)
            if value > most:
                most = value
                moves.insert(0, moves.pop(place))

    def _after(self, state: Territory, bit: int) -> Territory:
        if self._left <= 0:
            raise OutOfNodes
        self._left -= 1
        return self._rules.after(state, bit)

    def _value(self, state: Territory, depth: int, low: float, high: float) -> float:
        """Return the searching seat's chance after best play, as far as it is in these bounds."""
        if depth == 0 or state.mover is None:
            return chance(self._rules, state, self._me)
        if state.mover == self._me:
            return self._mine(state, depth, low, high)
        return self._theirs(state, depth, low)

    def _mine(self, state: Territory, depth: int, low: float, high: float) -> float:
        """Return the best that the searching seat can reach by its move."""
        best, chosen = -_FAR, 0
        for bit in self._ordered(state, state.targets):
            value = self._value(self._after(state, bit), depth - 1, max(low, best), high)
            if value > best:
                best, chosen = value, bit
                if best >= high:
                    break
        self._seen[state[:2]] = chosen
        return best

    def _theirs(self, state: Territory, depth: int, low: float) -> float:
        """Return what another's move leaves to the searching seat: some feared, most expected."""
        likely = self._likely(state, depth)
        values = {
            bit: self._value(self._after(state, bit), depth - 1, -_FAR, _FAR) for bit in likely
        }
        expected = (1 - _FEAR) * sum(values[bit] * share for bit, share in likely.items())
        worst, chosen = min(values.values()), 0
        for bit in self._ordered(state, state.targets & ~sum(likely)):
            if expected + _FEAR * worst <= low:
                break
            least = (low - expected) / _FEAR
            value = self._value(self._after(state, bit), depth - 1, least, worst)
            if value < worst:
                worst, chosen = value, bit
        self._seen[state[:2]] = chosen
        return expected + _FEAR * worst

    def _likely(self, state: Territory, depth: int) -> dict[int, float]:
        """Return how likely the mover is to choose each target, of those that aren't unlikely."""
        moves = self._greedy(state)
        if depth < _FARSIGHTED_FROM:
            return dict.fromkeys(moves, 1 / len(moves))
        likely = dict.fromkeys(moves, (1 - _FARSIGHTED) / len(moves))
        moves = self._farsighted(state)
        for bit in moves:
            likely[bit] = likely.get(bit, 0.0) + _FARSIGHTED / len(moves)
        return likely

    def _ordered(self, state: Territory, targets: int) -> Iterator[int]:
        """Yield `targets`: what was best when less deep, then what nobody takes, then others."""
        first = self._seen.get(state[:2], 0) & targets
        yield from split(first)
        safe = self._rules.exposed[0] & ~first
        yield from split(targets & safe)
        yield from split(targets & ~safe & ~first)
