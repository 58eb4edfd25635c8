"""One seat against all others: the paranoid search, alpha-beta for games of any number of seats.

N. Sturtevant and R. Korf, *On Pruning Techniques for Multi-Player Games* (AAAI 2000). Expecting
everybody to play against it sees further than expecting them to play for themselves; nobody is
anybody's ally, and nobody is preferred as a victim: it is only its own standing that counts.
"""

from collections.abc import Iterator

from core.engine.attack import OutOfNodes
from core.engine.standing import standing
from core.views import Territory, TerritoryView

_FAR = 1e9


def bits_of(squares: int) -> Iterator[int]:
    """Yield the bits of `squares`, lowest first."""
    while squares:
        bit = squares & -squares
        yield bit
        squares ^= bit


class Paranoid:
    """One search for the seat to move, one ply deeper at a time until it has met `nodes`."""

    def __init__(self, view: TerritoryView, nodes: int):
        self._rules, self._state = view.rules, view.state
        self._me = view.state.mover or 0
        self._left = nodes
        self._seen: dict[tuple[tuple[int, ...], int | None], int] = {}

    def best(self) -> int:
        """Return the best move's number among the legal ones."""
        moves = list(enumerate(bits_of(self._state.targets)))
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
        """Return how the searching seat stands after best play, as far as it is in these bounds."""
        if depth == 0 or state.mover is None:
            return standing(self._rules, state, self._me)
        key, mine = state[:2], state.mover == self._me
        best, chosen = (-_FAR if mine else _FAR), 0
        for bit in self._ordered(state):
            value = self._value(self._after(state, bit), depth - 1, low, high)
            if value > best if mine else value < best:
                best, chosen = value, bit
            low, high = (max(low, value), high) if mine else (low, min(high, value))
            if low >= high:
                break
        self._seen[key] = chosen
        return best

    def _ordered(self, state: Territory) -> Iterator[int]:
        """Yield the targets: what was best when less deep, then what nobody takes, then others."""
        first = self._seen.get(state[:2], 0)
        yield from bits_of(first)
        safe = self._rules.exposed[0] & ~first
        yield from bits_of(state.targets & safe)
        yield from bits_of(state.targets & ~safe & ~first)
