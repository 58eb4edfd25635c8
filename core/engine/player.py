"""The computer player: it chooses moves and analyses positions of every game."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from core.engine.analysis import Analysis, Value, principal_variation
from core.engine.drops.search import DropSearch
from core.engine.levels import (
    CASUAL,
    CASUAL_FOR_FOUR,
    DROP_LOTS,
    DROPS_PACE,
    GENERAL_PACE,
    LINE_LOTS,
    LINES_PACE,
    LOOPS_PACE,
    MISERE_LOTS,
    MISERE_PACE,
    SHALLOW_PLIES,
    SMALLEST_LOTS,
    SPANNING_LOTS,
    TERRITORY_PACE,
    UNSOLVED_LOOPS_PACE,
    Level,
    Lots,
    Pace,
    depth_of,
    greed_of,
)
from core.engine.lines.casual import casual_move
from core.engine.lines.search import LineSearch, is_large
from core.engine.misere import MisereSearch
from core.engine.retrograde import RetrogradeSearch, shipped
from core.engine.rules_alone import RulesSearch
from core.engine.search import Search
from core.engine.stop import Stop
from core.engine.swap import SwapSearch
from core.engine.territory.search import TerritorySearch
from core.errors import MatchOver
from core.grid import Move
from core.outcome import Result
from core.position import Position, mover_of
from core.views import DropView, LineBoard, LineView, LoopView, TerritoryView, View

DEFAULT_WORK = 1_300_000
"""The budget of one move, in deciding sets looked at: about a second of one core on any board."""

# The share of a move's work that each further move of a line of play may cost, in percent.
_LINE_PERCENT = 25
_FOUR = 4
# The levels that prove nothing on large boards of lines.
_CASUAL_LEVELS = (Level.EASY, Level.MEDIUM, Level.HARD)


class Engine:
    """The computer player.

    A move depends only on the position, the level, the history and the state of the random numbers,
    never on what the engine was asked before: searches keep nothing but exact tables. `work` bounds
    the cost of one move, in deciding sets looked at. Territory games don't heed it: their searches
    have a fixed number of nodes, which take some 45 ms.
    """

    def __init__(self, work: int = DEFAULT_WORK):
        self._work = work
        self._stop = Stop()
        self._searches = _Searches(work, self._stop)

    def searches(self, position: Position, level: Level) -> bool:
        """Return whether choosing may take longer than an event loop should wait: 5 ms."""
        level = Level(level)  # callers that aren't type-checked may give its text
        moves = len(position.legal_moves())
        if moves < 2:
            return False
        view = _view(position)
        if isinstance(view, LineView) and _is_plainly_large(view) and _opens(view):
            return level not in _CASUAL_LEVELS and view.board.provable
        return moves > self._pace(view).quick_up_to(level)

    def analyses_quickly(self, position: Position) -> bool:
        """Return whether an event loop may wait for an analysis and a line of play: 10 ms."""
        return len(position.legal_moves()) <= self._pace(_view(position)).best

    def _pace(self, view: View | None) -> Pace:
        return TERRITORY_PACE if isinstance(view, TerritoryView) else self._searches.kind(view).pace

    def stop(self) -> None:
        """End at once what another thread searches, with the best so far."""
        self._stop.ask()

    def choose(
        self, position: Position, level: Level, rng: Random, history: Sequence[Position] = ()
    ) -> Move:
        """Return a legal move; raise MatchOver if the game is over.

        `history` has the positions of the match so far. In games that can go in circles the best
        level avoids them.
        """
        level = Level(level)
        self._stop.forget()
        view = _view(position)
        moves = position.legal_moves()
        if len(moves) == 1:
            return moves[0]
        if isinstance(view, LineView) and level in _CASUAL_LEVELS and _is_plainly_large(view):
            return moves[self._choose_casually(view, level, rng)]
        if isinstance(view, TerritoryView):
            greed, territory = greed_of(level, rng), self._searches.territory
            best = territory.quick_moves(view, greed) if greed else territory.best(view).best
            return moves[rng.choice(best)]
        kind = self._searches.kind(view)
        shown = position if view is None else view
        depth = depth_of(level, rng, kind.lots)
        if depth is not None:
            best = kind.search.quick_moves(shown, depth.plies, positional=depth.positional)
        elif isinstance(view, LoopView):
            best = self._searches.retrograde.best(view, _codes(history)).best
        else:
            best = kind.search.best(shown).best
        return moves[rng.choice(best)]

    def _choose_casually(self, view: LineView, level: Level, rng: Random) -> int:
        """Return the index of a weaker level's move on a large board of lines."""
        casual = CASUAL_FOR_FOUR if view.board.usual_length <= _FOUR else CASUAL
        if level is Level.HARD and rng.random() >= casual.share:
            return rng.choice(self._searches.lines.shallow(view, SHALLOW_PLIES))
        return casual_move(view, casual.easy if level is Level.EASY else casual.medium, rng)

    def analyse(self, position: Position) -> Analysis:
        """Return the best moves and what they lead to; raise MatchOver if the game is over.

        The analysis is of the position alone: `Game.outcome_after` may end a match sooner, as by
        repetition.
        """
        self._stop.forget()
        return self._searches.analyse(position)

    def line(self, position: Position, first: Analysis, plies: int) -> tuple[Move, ...]:
        """Return a line of best play of at most `plies` moves, given the position's analysis.

        `principal_variation` says how far the line goes. Each move beyond the first may cost a
        quarter of an analysis.
        """
        self._stop.forget()
        return principal_variation(position, first, self._analyse_further, plies)

    def _analyse_further(self, position: Position) -> Analysis | None:
        """Return the analysis of a later position of a line, None after a `stop`."""
        found = self._following.analyse(position)
        return None if self._stop.wanted else found

    @cached_property
    def _following(self) -> "_Searches":
        return _Searches(self._work * _LINE_PERCENT // 100, self._stop)


@dataclass(frozen=True)
class _Kind:
    """How the engine plays positions of one kind.

    Without `lots`, all moves of a level see equally far.
    """

    search: Search[Any]
    pace: Pace
    lots: Lots | None = None


class _Searches:
    """The searches of all kinds of views, with one budget and one stop."""

    def __init__(self, work: int, stop: Stop):
        self.lines = LineSearch(work, stop)
        self.retrograde = RetrogradeSearch()
        self.territory = TerritorySearch(stop)
        self._misere = MisereSearch(work, stop)
        self._drops = DropSearch(work, stop)
        self._rules = RulesSearch(work, stop)

    def kind(self, view: LineView | DropView | LoopView | None) -> _Kind:
        """Return how positions with this view are played, or by rules alone if there is none."""
        match view:
            case LineView():
                return self._line_kind(view)
            case DropView():
                return _Kind(self._drops, DROPS_PACE, DROP_LOTS)
            case LoopView():
                solved = shipped(view.rules.label) is not None
                return _Kind(self.retrograde, LOOPS_PACE if solved else UNSOLVED_LOOPS_PACE)
            case None:
                return _Kind(self._rules, GENERAL_PACE)

    def _line_kind(self, view: LineView) -> _Kind:
        """Return how positions of line games are played.

        There are no lots as long as somebody may swap: it takes an eye for good squares to judge a
        swap.
        """
        search = self.lines if view.board.owner_wins else self._misere
        pace = LINES_PACE if view.board.owner_wins else MISERE_PACE
        if view.swap:
            return _Kind(SwapSearch(search), pace)
        return _Kind(search, pace, _lots(view.board))

    def analyse(self, position: Position) -> Analysis:
        """Return the best moves and what they lead to; raise MatchOver if the game is over."""
        view = _view(position)
        if view is None:
            return self._rules.analyse(position)
        moves = position.legal_moves()
        if isinstance(view, TerritoryView):
            (index,) = self.territory.best(view).best
            return Analysis((moves[index],), None, self.territory.outlook(view, index))
        seat = mover_of(position)
        found = self.kind(view).search.best(view)
        best = tuple(moves[i] for i in found.best)
        line = tuple(moves[i] for i in found.line)
        if found.result is None:
            return Analysis(best, None, _by_seat(seat, found.outlook), line)
        if found.result is Result.DRAW:
            return Analysis(best, Value((1, 1), None), (0.5, 0.5))
        won = found.result is Result.WIN
        ranks = (1, 2) if won == (seat == 0) else (2, 1)
        return Analysis(best, Value(ranks, found.plies), _by_seat(seat, float(won)), line)


def _is_plainly_large(view: LineView) -> bool:
    """Return whether owning a set wins on a large board, and nobody may change sides."""
    return view.board.owner_wins and not view.swap and is_large(view.board)


def _opens(view: LineView) -> bool:
    """Return whether there is at most one mark, so that a large board takes no search."""
    marks = view.mine | view.theirs
    return not marks & (marks - 1)


def _lots(board: LineBoard) -> Lots:
    """Return the lots of the weaker levels on a board of lines."""
    if not board.owner_wins:
        return MISERE_LOTS
    if board.usual_length**2 < board.squares:  # lines are shorter than the mean side
        return LINE_LOTS
    return SPANNING_LOTS if board.usual_length >= _FOUR else SMALLEST_LOTS


def _codes(history: Sequence[Position]) -> list[int]:
    """Return the numbers of the positions of a game that can go in circles."""
    views = map(_view, history)
    return [view.code for view in views if isinstance(view, LoopView)]


def _by_seat(seat: int, outlook: float) -> tuple[float, float]:
    return (outlook, 1 - outlook) if seat == 0 else (1 - outlook, outlook)


def _view(position: Position) -> View | None:
    """Return a position's view, None if it has none; raise MatchOver if the game is over."""
    if position.to_move is None:
        raise MatchOver("the game is over")
    return position.view
