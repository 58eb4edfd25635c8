"""One seat against all others: the paranoid search, alpha-beta for games of any number of seats.

N. Sturtevant and R. Korf, *On Pruning Techniques for Multi-Player Games* (AAAI 2000). Expecting
everybody to play against it sees further than expecting them to play for themselves, but fears what
nobody would do: so a reply counts as much for the worst that can come as it does for what is likely
to come, that is, what takes most. Nobody is anybody's ally, and nobody is preferred as a victim: it
is only its own standing that counts.
"""

from collections.abc import Iterator

from core.engine.attack import OutOfNodes
from core.engine.standing import standing
from core.views import Territory, TerritoryView

_FAR = 1e9
# How much of a reply's value is the worst that it can be; the rest is the mean of the likely ones.
_FEAR = 0.5
# A square that can't be taken is worth so many others to whoever replies.
_SAFE = 2


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
        """Return what another's move leaves to the searching seat, half feared, half expected."""
        likely = self._likely(state)
        values = [
            self._value(self._after(state, bit), depth - 1, -_FAR, _FAR) for bit in bits_of(likely)
        ]
        expected, worst, chosen = (1 - _FEAR) * sum(values) / len(values), min(values), 0
        for bit in self._ordered(state, state.targets & ~likely):
            if expected + _FEAR * worst <= low:
                break
            least = (low - expected) / _FEAR
            value = self._value(self._after(state, bit), depth - 1, least, worst)
            if value < worst:
                worst, chosen = value, bit
        self._seen[state[:2]] = chosen
        return expected + _FEAR * worst

    def _likely(self, state: Territory) -> int:
        """Return the targets on which the mover takes most, safe squares counted for more."""
        rules, owned, mover = self._rules, state.owned, state.mover or 0
        likely, most = 0, 0
        for bit in bits_of(state.targets):
            gain = rules.taken(owned, mover, bit).bit_count()
            if bit & rules.exposed[0]:
                gain += _SAFE
            if gain > most:
                likely, most = bit, gain
            elif gain == most:
                likely |= bit
        return likely

    def _ordered(self, state: Territory, targets: int) -> Iterator[int]:
        """Yield `targets`: what was best when less deep, then what nobody takes, then others."""
        first = self._seen.get(state[:2], 0) & targets
        yield from bits_of(first)
        safe = self._rules.exposed[0] & ~first
        yield from bits_of(targets & safe)
        yield from bits_of(targets & ~safe & ~first)
