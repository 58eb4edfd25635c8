"""The computer player: who picks its moves, and analyses positions."""

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol, TypeVar

from core.engine.analysis import Analysis, Findings, Value
from core.engine.avoidance import AvoidanceSearch
from core.engine.levels import Level, at_a_glance, sight
from core.engine.lines import LineSearch
from core.engine.loops import LoopSearch
from core.engine.swapping import SwapSearch
from core.engine.territory import TerritorySearch
from core.grid import Move
from core.outcome import Result
from core.position import Position
from core.views import LoopView, TerritoryView, View

V = TypeVar("V", contravariant=True)

# About a second of one core, whatever the board.
DEFAULT_WORK = 1_300_000


class _Search(Protocol[V]):
    """What the engine asks of a search, whatever the kind of game."""

    def glance(self, view: V, plies: int, *, eager: bool = False) -> Sequence[int]:
        """Return the numbers of the moves that look best to who sees so many plies ahead."""

    def best(self, view: V) -> Findings:
        """Return the best moves, and what they lead to."""


class Engine:
    """The computer player: a move for any position, level and source of chance.

    `work` bounds what one move may cost: how many deciding sets are looked at.
    """

    def __init__(self, work: int = DEFAULT_WORK):
        self._lines = LineSearch(work)
        self._avoidance = AvoidanceSearch(work)
        self._swapping = {True: SwapSearch(self._lines), False: SwapSearch(self._avoidance)}
        self._loops = LoopSearch()
        self._territory = TerritorySearch()

    def searches(self, position: Position, level: Level) -> bool:
        """Return whether choosing can take longer than an event loop should wait: 5 ms."""
        moves = len(position.legal_moves())
        return moves > 1 and moves > at_a_glance(
            level, taking=isinstance(_view(position), TerritoryView)
        )

    def choose(
        self, position: Position, level: Level, rng: Random, history: Sequence[Position] = ()
    ) -> Move:
        """Return a legal move; raise ValueError when the game is over.

        `history` are the match's positions so far: who sees everything goes in no circles then.
        """
        moves, view = position.legal_moves(), _view(position)
        seen = sight(level, rng, taking=isinstance(view, TerritoryView))
        found: Sequence[int]
        if seen is not None:
            found = self._search(view).glance(view, seen.plies, eager=seen.eager)
        elif isinstance(view, LoopView):
            found = self._loops.best(view, _codes(history)).best
        else:
            found = self._search(view).best(view).best
        return moves[rng.choice(found)]

    def analyse(self, position: Position) -> Analysis:
        """Return the best moves and what they lead to; raise ValueError when the game is over."""
        moves, view = position.legal_moves(), _view(position)
        found = self._search(view).best(view)
        seat = position.to_move
        assert seat is not None, "an unfinished game has somebody to move"
        best = tuple(moves[i] for i in found.best)
        if isinstance(view, TerritoryView):
            return Analysis(best, None, self._territory.outlook(view, found.best[0]))
        if found.result is None:
            return Analysis(best, None, _by_seat(seat, found.outlook))
        if found.result is Result.DRAW:
            return Analysis(best, Value((1, 1), None), (0.5, 0.5))
        won = found.result is Result.WIN
        ranks = (1, 2) if won == (seat == 0) else (2, 1)
        return Analysis(best, Value(ranks, found.plies), _by_seat(seat, float(won)))

    def _search(self, view: View) -> "_Search[Any]":
        if isinstance(view, LoopView):
            return self._loops
        if isinstance(view, TerritoryView):
            return self._territory
        if view.swap:
            return self._swapping[view.board.owner_wins]
        return self._lines if view.board.owner_wins else self._avoidance


def _codes(history: Sequence[Position]) -> list[int]:
    """Return the numbers of positions of a game that can go in circles."""
    views = map(_view, history)
    return [view.code for view in views if isinstance(view, LoopView)]


def _by_seat(seat: int, outlook: float) -> tuple[float, float]:
    return (outlook, 1 - outlook) if seat == 0 else (1 - outlook, outlook)


def _view(position: Position) -> View:
    if position.to_move is None:
        raise ValueError("the game is over")
    view: View | None = getattr(position, "view", None)
    if view is None:
        raise TypeError(f"{type(position).__name__} has no view for the engine")
    return view
