"""Max^n: a search of any game, for any number of seats, that knows nothing but its rules.

Every seat makes the move that is best for itself, so a position has a value for each seat (C.
Luckhardt and K. Irani, *An Algorithmic Solution of N-Person Games*, AAAI 1986). The search deepens
iteratively within a node budget. A value that is searched to the end is exact. Any other value is
an even chance for all seats, or an estimate by points in a game that has them.

Of moves that are equally good for another seat, the search expects the one that is worst for the
searching seat. With two seats that makes no difference.
"""

from dataclasses import dataclass, replace

from core.engine.search import OutOfNodes, TranspositionTable, chances_by_points, final_chances
from core.engine.stop import Stop
from core.grid import Move
from core.outcome import Result, result_of
from core.position import Position, mover_of

# Recursion is no deeper than this.
_MOST_PLIES = 200
_TABLE_SIZE = 100_000


@dataclass(frozen=True, slots=True)
class _Worth:
    """The worth of a position: exact if it has `ranks`, which are reached in `plies` plies.

    `chances` has a number for each seat, from 0 (lost) to 1 (won); empty, all are even.
    """

    chances: tuple[float, ...] = ()
    ranks: tuple[int, ...] = ()
    plies: int = 0

    def chance(self, seat: int) -> float:
        return self.chances[seat] if self.chances else 0.5

    def is_won(self, seat: int) -> bool:
        """Return whether this is a certain win for `seat`."""
        return bool(self.ranks) and result_of(self.ranks, seat) is Result.WIN

    def preference(self, seat: int) -> tuple[float, int, int]:
        """Return a key that is the greater, the more `seat` prefers this.

        Winners hurry, losers take their time and care for their rank.
        """
        if not self.ranks:
            return self.chance(seat), -1, 0
        delay = {Result.WIN: -1, Result.DRAW: 0, Result.LOSS: 1}[result_of(self.ranks, seat)]
        return self.chance(seat), -self.ranks[seat], delay * self.plies

    def a_ply_earlier(self) -> "_Worth":
        return replace(self, plies=self.plies + 1) if self.ranks else self

    def estimated(self) -> "_Worth":
        """Return this as an estimate."""
        return _Worth(self.chances)


_EVEN = _Worth()


class MaxN:
    """One search of a position, which may meet `nodes` positions beyond the first ply.

    With `points`, unfinished positions of a game that has points are estimated by them.
    """

    def __init__(self, position: Position, nodes: int, stop: Stop, *, points: bool):
        self._position = position
        self._me = mover_of(position)
        self._points = points
        self._moves = position.legal_moves()
        self._nodes_left = nodes + len(self._moves)
        self._stop = stop
        self._table = TranspositionTable[Position, tuple[int, _Worth]](_TABLE_SIZE)
        self.worth = _EVEN
        """The worth of the position."""
        self.best: list[int] = []
        """The indices of the best moves among the legal ones."""

    def deepen(self, plies: int = _MOST_PLIES) -> None:
        """Search one ply deeper at a time, until the worth is exact or `plies` are searched."""
        try:
            for depth in range(1, plies + 1):
                worths = [self._after(self._position, move, depth - 1) for move in self._moves]
                preferences = [worth.preference(self._me) for worth in worths]
                best = max(preferences)
                self.best = [i for i, preference in enumerate(preferences) if preference == best]
                self.worth = worths[self.best[0]]
                if self.worth.is_won(self._me) or all(worth.ranks for worth in worths):
                    return
                self.worth = self.worth.estimated()
        except OutOfNodes:
            pass  # the last complete search counts

    def _after(self, position: Position, move: Move, depth: int) -> _Worth:
        """Return the worth of `move`, searched `depth` plies beyond it."""
        if self._nodes_left <= 0 or (self._stop.wanted and self.best):
            raise OutOfNodes
        self._nodes_left -= 1
        return self._search(position.play(move), depth).a_ply_earlier()

    def _search(self, position: Position, depth: int) -> _Worth:
        """Return the worth of a position, searched `depth` plies ahead."""
        seat = position.to_move
        if seat is None:
            return self._final(position)
        stored = self._table.get(position)
        if stored is not None and (stored[0] >= depth or stored[1].ranks):
            return stored[1]
        if depth == 0:
            found = position.scores() if self._points else None
            return _EVEN if found is None else _Worth(chances_by_points(found))
        return self._table.store(position, (depth, self._expand(position, seat, depth)))[1]

    def _expand(self, position: Position, seat: int, depth: int) -> _Worth:
        """Return what the best move of `seat` is worth."""
        worths: list[_Worth] = []
        for move in position.legal_moves():
            worth = self._after(position, move, depth - 1)
            worths.append(worth)
            if worth.is_won(seat):
                # From here on only a sooner win matters or, with more than two seats, one as soon.
                depth = min(depth, worth.plies - (len(worth.ranks) == 2))
                if depth == 0:
                    break
        best = max(worths, key=lambda worth: self._preference(worth, seat))
        exact = best.is_won(seat) or all(worth.ranks for worth in worths)
        return best if exact else best.estimated()

    def _preference(self, worth: _Worth, seat: int) -> tuple[float, ...]:
        """Return the preference of `seat`, ties broken against the searching seat."""
        return *worth.preference(seat), *(-part for part in worth.preference(self._me))

    def _final(self, position: Position) -> _Worth:
        outcome = position.outcome()
        assert outcome is not None, "nobody is to move, so the game is over"
        return _Worth(final_chances(outcome), outcome.ranks)
