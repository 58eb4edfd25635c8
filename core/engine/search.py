"""Findings, scores, chances and transposition tables, which the searches share."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from core.outcome import Outcome, Result

K = TypeVar("K")
V = TypeVar("V")
ViewT = TypeVar("ViewT", contravariant=True)

WIN = 100_000
"""The score of a win in an alpha-beta search to some depth, less one for each ply to the win."""
DECIDED = WIN - 1_000
"""Scores beyond this, of either sign, are wins or losses, all others estimates."""

EXACT, LOWER, UPPER = 0, 1, 2
"""Kinds of a score in a transposition table: exact, or a lower or upper bound of the exact one."""

_CHANCES = {Result.WIN: 1.0, Result.DRAW: 0.5, Result.LOSS: 0.0}


class OutOfNodes(Exception):
    """A search has met as many positions as its node budget allows."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The result of a search for two seats.

    `best` holds the indices of the best moves among the legal ones. `result` is that of the seat to
    move, None if it isn't proved. `plies` is the distance to the end, None for a draw or an unknown
    distance. `outlook` is the estimate for the seat to move, from 0 (lost) to 1 (won). `line` is
    the line of play that the search kept, or empty. It holds indices of the same legal moves, which
    on a line board include all later moves.
    """

    best: Sequence[int]
    result: Result | None
    plies: int | None = None
    outlook: float = 0.5
    line: Sequence[int] = ()


class Search(Protocol[ViewT]):
    """A search over one kind of view."""

    def quick_moves(self, view: ViewT, plies: int, *, positional: bool = False) -> Sequence[int]:
        """Return the indices of the moves that are equally good as far as `plies` plies ahead.

        With `positional`, only those among them that an evaluation prefers.
        """

    def best(self, view: ViewT) -> Findings:
        """Return the best moves and their value, as far as the node budget goes."""


def kind_of(score: int, alpha: int, beta: int) -> int:
    """Return the kind of a score found with this window."""
    return LOWER if score >= beta else EXACT if score > alpha else UPPER


def settles(kind: int, score: int, alpha: int, beta: int) -> bool:
    """Return whether a stored score answers a search with this window."""
    return kind == EXACT or (score >= beta if kind == LOWER else score <= alpha)


class TranspositionTable(dict[K, V]):
    """A table of at most `size` positions; once it is full it is emptied."""

    def __init__(self, size: int):
        super().__init__()
        self._size = size

    def store(self, key: K, value: V) -> V:
        """Store and return `value`."""
        if len(self) >= self._size:
            self.clear()
        self[key] = value
        return value


class Memo(dict[K, V]):
    """The values of a function, each found when it is first asked for.

    Once there are `size` of them, it is emptied.
    """

    def __init__(self, function: Callable[[K], V], size: int = sys.maxsize):
        super().__init__()
        self._function = function
        self._size = size

    def __missing__(self, key: K) -> V:
        if len(self) >= self._size:
            self.clear()
        value = self[key] = self._function(key)
        return value


def final_chances(outcome: Outcome) -> tuple[float, ...]:
    """Return a number for each seat: 1 if it has won, 0.5 if it has drawn, 0 if it has lost."""
    return tuple(_CHANCES[outcome.result(seat)] for seat in range(len(outcome.ranks)))


def chances_by_points(points: Sequence[int]) -> tuple[float, ...]:
    """Return an estimate for each seat, from 0 to 1, by its lead over the mean of the others."""
    total = sum(points)
    others = max(1, len(points) - 1)
    scale = 2 * (1 + sum(map(abs, points)))
    return tuple(0.5 + (own - (total - own) / others) / scale for own in points)
