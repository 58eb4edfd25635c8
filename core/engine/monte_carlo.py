"""Monte-Carlo tree search: any game, for any number of seats, by its rules alone.

A tree of positions grows by one position at a time. On the way down every seat makes the move that
is best for itself so far, or hasn't been tried often (UCT: L. Kocsis and C. Szepesvári, *Bandit
based Monte-Carlo Planning*, 2006); each new position is played to its end by chance, and the result
counts for all positions on the way. A move that was good when it came later in a game is tried
sooner (RAVE: S. Gelly and D. Silver, *Combining Online and Offline Knowledge in UCT*, 2007).
"""

from collections.abc import Sequence
from math import log, sqrt
from random import Random

from core.engine.search import chances_by_points, final_chances
from core.engine.stop import Stop
from core.grid import Move
from core.position import Position

# How much a move that was tried seldom is preferred.
_EXPLORATION = 0.35
# The number of visits at which a move's own results weigh as much as those of games in which it
# came later (RAVE's equivalence parameter).
_EQUIVALENCE = 300
# A game that goes on for longer than this counts as even, or by its points.
_MOST_PLIES = 200


class _Node:
    """A position in the tree, with the sum of each seat's chances over the games through it.

    For each move that its mover made here or later in such a game, `later` has the number of these
    games and the sum of the mover's chances in them.
    """

    __slots__ = ("children", "later", "moves", "position", "seat", "totals", "visits")

    def __init__(self, position: Position):
        self.position = position
        self.seat = position.to_move
        self.moves = position.legal_moves()
        self.visits = 0
        self.totals: list[float] = []
        self.later: dict[Move, list[float]] = {}
        self.children: dict[int, _Node] = {}

    def add(self, chances: Sequence[float]) -> None:
        """Count a result."""
        self.visits += 1
        before = self.totals or [0.0] * len(chances)
        self.totals = [total + chance for total, chance in zip(before, chances, strict=True)]

    def choose(self, among: Sequence[int], seat: int) -> int:
        """Return the index of the most promising move for `seat`, which is to move."""
        weight = sqrt(_EQUIVALENCE / (3 * self.visits + _EQUIVALENCE))
        width = _EXPLORATION * sqrt(log(self.visits + 1))
        best, chosen = -1.0, among[0]
        for index in among:
            child, later = self.children.get(index), self.later.get(self.moves[index])
            expected = later[1] / later[0] if later else 0.5
            visits = 0
            if child:
                visits = child.visits
                expected = weight * expected + (1 - weight) * child.totals[seat] / visits
            value = expected + width / sqrt(visits + 1)
            if value > best:
                best, chosen = value, index
        return chosen


class MonteCarlo:
    """The search of one position in which the game goes on.

    `among` are the indices of the moves to choose from. `search` searches; `best` and `outlook` say
    what it has found. The search depends on the position alone: the notation is the seed of its
    chance.
    """

    def __init__(self, position: Position, among: Sequence[int], stop: Stop):
        self._root = _Node(position)
        self._nodes_left = 0
        self._stop = stop
        self._rng = Random(position.notation)
        # If nothing tells moves apart, the first of them is tried. So their order is by chance.
        self._among = self._rng.sample(among, len(among))

    def search(self, nodes: int) -> None:
        """Play games by chance that meet about `nodes` positions in all."""
        self._nodes_left = nodes
        while self._nodes_left > 0 and not self._stop.wanted:
            self._try_once()

    @property
    def best(self) -> int:
        """The index of the move that was tried most, the first of several."""
        visits = {index: child.visits for index, child in self._root.children.items()}
        return max(self._among, key=lambda index: visits.get(index, 0))

    @property
    def outlook(self) -> tuple[float, ...]:
        """The outlook of each seat, from 0 to 1; empty if no game was played."""
        best = self._root.children.get(self.best)
        return tuple(total / best.visits for total in best.totals) if best else ()

    def _try_once(self) -> None:
        """Add a position to the tree, play it to its end, and let the result count."""
        node = self._root
        path = [self._root]
        played = list[tuple[int, Move]]()
        among: Sequence[int] = self._among
        while node.seat is not None:
            index = node.choose(among, node.seat)
            played.append((node.seat, node.moves[index]))
            child = node.children.get(index)
            if child is None:
                child = _Node(node.position.play(node.moves[index]))
                node.children[index] = child
                path.append(child)
                break
            path.append(child)
            node, among = child, range(len(child.moves))
        self._nodes_left -= 1
        chances = self._play_out(path[-1].position, played)
        for depth, node in enumerate(path):
            node.add(chances)
            for seat, move in set(played[depth:]):
                if seat == node.seat:
                    later = node.later.setdefault(move, [0.0, 0.0])
                    later[0] += 1
                    later[1] += chances[seat]

    def _play_out(self, position: Position, played: list[tuple[int, Move]]) -> Sequence[float]:
        """Play on by chance, and return the chances of each seat; the moves go into `played`."""
        for _ in range(_MOST_PLIES):
            seat = position.to_move
            if seat is None:
                outcome = position.outcome()
                assert outcome is not None, "nobody is to move, so the game is over"
                return final_chances(outcome)
            move = self._rng.choice(position.legal_moves())
            played.append((seat, move))
            position = position.play(move)
            self._nodes_left -= 1
        found = position.scores()
        return (0.5,) * len(position.marks) if found is None else chances_by_points(found)
