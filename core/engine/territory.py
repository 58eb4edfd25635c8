"""Games in which any number of seats take squares from each other, and most squares win.

Nobody knows who is a person: every search looks at seats by what they own, and none is anybody's
ally. Two searches, both by A. Luckhardt and K. Irani (*An Algorithmic Solution of N-Person Games*,
AAAI 1986) and N. Sturtevant and R. Korf (*On Pruning Techniques for Multi-Player Games*, AAAI
2000): in max^n everybody wants most for themselves; the paranoid search expects all to play against
it, and is alpha-beta therefore, which sees further.
"""

from collections.abc import Iterator, Sequence
from random import Random

from core.engine.standing import standing, standings
from core.views import Territory, TerritoryRules, TerritoryView

# The most positions that one move of the paranoid search may meet.
NODES = 4_000
_FAR = 1e9


class OutOfNodes(Exception):
    """The budget of a search is used up."""


def bits_of(squares: int) -> Iterator[int]:
    """Yield the bits of `squares`, lowest first."""
    while squares:
        bit = squares & -squares
        yield bit
        squares ^= bit


def greedy(view: TerritoryView) -> list[int]:
    """Return the numbers of the moves that take most squares."""
    rules, state = view.rules, view.state
    mover = state.mover or 0
    owned = [rules.after(state, bit).owned[mover].bit_count() for bit in bits_of(state.targets)]
    return _largest(owned)


def max_n(view: TerritoryView, depth: int) -> list[int]:
    """Return the best moves when everybody wants most for themselves, `depth` plies ahead."""
    mover = view.state.mover or 0
    after = (view.rules.after(view.state, bit) for bit in bits_of(view.state.targets))
    return _largest([_max_n(view.rules, child, depth - 1)[mover] for child in after])


def _max_n(rules: TerritoryRules, state: Territory, depth: int) -> Sequence[float]:
    """Return how all seats stand after the best replies."""
    mover = state.mover
    if depth == 0 or mover is None:
        return standings(rules, state)
    after = (rules.after(state, bit) for bit in bits_of(state.targets))
    return max((_max_n(rules, child, depth - 1) for child in after), key=lambda at: at[mover])


def _largest(values: Sequence[float]) -> list[int]:
    best = max(values)
    return [number for number, value in enumerate(values) if value == best]


class Paranoid:
    """One search for the seat to move, one ply deeper at a time until it has met `nodes`."""

    def __init__(self, view: TerritoryView, nodes: int):
        self._rules, self._state = view.rules, view.state
        self._me = view.state.mover or 0
        self._left = nodes
        self._seen: dict[tuple[tuple[int, ...], int | None], int] = {}

    def best(self, rng: Random | None = None) -> tuple[int, float]:
        """Return the best move's number among the legal ones, and how it stands then.

        Of equal moves the first met is kept: with `rng` they are met in any order.
        """
        moves = list(enumerate(bits_of(self._state.targets)))
        if rng is not None:
            rng.shuffle(moves)
        empty = self._rules.open.bit_count() - sum(o.bit_count() for o in self._state.owned)
        value = standing(self._rules, self._state, self._me)
        try:
            for depth in range(1, empty + 1):
                value = self._deepen(moves, depth)
        except OutOfNodes:
            pass
        return moves[0][0], value

    def _deepen(self, moves: list[tuple[int, int]], depth: int) -> float:
        """Search all `moves`, and bring the best one to the front as soon as it is known."""
        most = -_FAR
        for place, move in enumerate(tuple(moves)):
            child = self._after(self._state, move[1])
            value = self._value(child, depth - 1, most, _FAR)
            if value > most:
                most = value
                moves.insert(0, moves.pop(place))
        return most

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
