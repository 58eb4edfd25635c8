"""The search from the root, on a board that is too large to be solved.

Wins by fours, then by threes and fours, are looked for first. If the side to move has one, it is
played. If the other side threatens one, only the moves that could refute it are left. Among the
moves left the principal-variation search chooses by iterative deepening, and its choice is tested:
a move that loses to threes and fours is struck out, and the search goes on without it.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import exp
from typing import NamedTuple

from core.engine.bitboards import split
from core.engine.lines.evaluation import LinePosition
from core.engine.lines.forcing import ForcingSearch
from core.engine.lines.found import Found
from core.engine.lines.patterns import PatternPosition, Patterns
from core.engine.lines.pvs import PrincipalVariationSearch
from core.engine.lines.zones import ForcedWin, must_play
from core.engine.search import DECIDED, OutOfNodes
from core.engine.stop import NEVER, Stop
from core.outcome import Result

_INFINITY = 1_000_000
_DEEPEST = 30
# The most moves that are searched from the root, unless threats leave fewer.
_WIDTH = 24
# The percentage of the budget that the search for threes and fours keeps for each of its three
# questions, and what one of its nodes costs in those of the principal-variation search.
_FORCING_PERCENT, _FORCING_COST = 5, 8
# The percentages of the budget that a search for fours from the root may use, and one after a move.
_FOURS_PERCENT, _EACH_PERCENT = 5, 1
# What a search may have cost in all, in percent of the budget: after this no choice is tested.
_MOST_PERCENT = 145
# What own open sets count beside the other's. Nearly every game between careful players is a draw
# on small boards, so it pays to keep what can still become an attack rather than to block.
_EAGERNESS = 2
# The scale is the advantage that makes an outlook of 73%. The outlook of an undecided position
# doesn't exceed the limit. The advantage is the mean over the last positions of a line of play:
# four, or two.
_OUTLOOK_SCALE, _OUTLOOK_LIMIT, _OUTLOOK_POSITIONS = 80, 0.97, 4


class Variation(NamedTuple):
    """A line of play, as squares, with its score for the side to move."""

    squares: Sequence[int]
    score: int


class RootSearch:
    """The search from one position, with its tables.

    `nodes` is what it may cost until its first choice is tested. All the choices made in place of
    refuted ones may together cost nearly half as much.
    """

    def __init__(self, patterns: Patterns, position: LinePosition, nodes: int, stop: Stop = NEVER):
        self._stop = stop
        self._position = position
        self._geometry = geometry = position.geometry
        self._pattern_position = PatternPosition(patterns, position.mine, position.theirs)
        self._total = self._pattern_position.start
        self._marks = position.mine | position.theirs << patterns.squares
        self._search = PrincipalVariationSearch(self._pattern_position, geometry, stop)
        self._fours = self._search.fours
        self._forcing = [
            ForcingSearch(geometry, self._pattern_position, self._fours, side, stop)
            for side in (0, 1)
        ]
        self._nodes = nodes

    @property
    def spent(self) -> int:
        """The cost of the search so far, in nodes of the principal-variation search."""
        return self._search.nodes + _FORCING_COST * sum(one.nodes for one in self._forcing)

    def shallow(self, plies: int) -> list[int]:
        """Return the best move as far as `plies` plies ahead, and wins by fours beyond them.

        The position is as in `choose`.
        """
        block = self._geometry.completing(self._position.theirs, self._position.mine)
        moves = self._search.moves(self._total, self._marks, 0, 0, _WIDTH)
        if block or not moves:
            return split(block) or self._position.moves()
        return [1 << self._deepen(moves, self._nodes, plies).squares[0]]

    def choose(self) -> Found:
        """Return the best moves in a position in which nobody completes a set at once.

        If a set of the other's has to be blocked, that is the only move. A proved result has no
        line of play: the moves of the search needn't lead to it.
        """
        own = self._win(0, self._position.mine, self._position.theirs)
        if own is not None:
            return Found([own.move], Result.WIN, outlook=1.0)
        moves, complete = self._moves()
        if not moves:
            return Found(self._position.moves(), Result.LOSS, outlook=0.0)
        self._search.eagerness = _EAGERNESS
        nodes = self._nodes
        most = self._nodes * _MOST_PERCENT // 100
        refuted = list[Found]()
        while moves:
            line = self._deepen(moves, nodes if len(moves) > 1 else nodes // 8)
            bits = [1 << square for square in line.squares]
            found = Found(bits[:1], None, outlook=self._outlook(line), line=bits)
            if self.spent >= most or self._stop.wanted or not self._refuted(line.squares[0]):
                return found
            refuted.append(found)
            moves.remove(line.squares[0])
            nodes = max(most - self.spent, 0) // 2
        if complete:
            return Found(refuted[0].best, Result.LOSS, outlook=0.0)
        return replace(refuted[0], outlook=1 - _OUTLOOK_LIMIT)

    def _win(self, side: int, attacker: int, defender: int) -> ForcedWin | None:
        """Return how `side`, if it were to move, would win by fours, or by threes and fours."""
        found = self._fours.win(self._total, self._marks, side, self._nodes * _FOURS_PERCENT // 100)
        if found is not None:
            return found.win
        return self._by_threes(side, attacker, defender)

    def _by_threes(self, side: int, attacker: int, defender: int) -> ForcedWin | None:
        """Return how `side`, the attacker, to move, wins by threes and fours, None if it can't."""
        nodes = self._nodes * _FORCING_PERCENT // 100 // _FORCING_COST
        found = self._forcing[side].win(attacker, defender, nodes)
        self._pattern_position.go_to(self._position.mine, self._position.theirs)
        return found

    def _moves(self) -> tuple[list[int], bool]:
        """Return the squares worth a search, the most urgent first.

        The second value says whether all others are proved to lose.
        """
        position, geometry = self._position, self._geometry
        block = geometry.completing(position.theirs, position.mine)
        if block:
            return [block.bit_length() - 1], True
        every = [bit.bit_length() - 1 for bit in position.moves()]
        threat = self._win(1, position.theirs, position.mine)
        if threat is not None:
            zone = must_play(geometry, position.theirs, position.mine, threat)
            every = [square for square in every if zone >> square & 1]
            every = [square for square in every if not self._loses_to_fours(square)]
        urgent = self._search.moves(self._total, self._marks, 0, 0, len(every))
        ordered = [square for square in urgent if square in every]
        ordered += [square for square in every if square not in urgent]
        if threat is not None:
            return ordered, True
        return ordered[:_WIDTH], False

    def _loses_to_fours(self, square: int) -> bool:
        """Return whether the other side wins by fours after a mark on `square`."""
        after = self._pattern_position.play(self._total, square, 0)
        nodes = self._nodes * _EACH_PERCENT // 100
        found = self._fours.win(after, self._marks | 1 << square, 1, nodes)
        self._pattern_position.undo(square, 0)
        return found is not None

    def _refuted(self, square: int) -> bool:
        """Return whether a mark on `square` is shown to lose to fours, or threes and fours."""
        if self._loses_to_fours(square):
            return True
        mine = self._position.mine | 1 << square
        return self._by_threes(1, self._position.theirs, mine) is not None

    def _deepen(self, moves: Sequence[int], nodes: int, deepest: int = _DEEPEST) -> Variation:
        """Return the best line of play that begins with one of `moves`, as far as `nodes` go."""
        ordered = list(moves)
        best = Variation(moves[:1], 0)
        self._search.allow(nodes)
        for depth in range(1, deepest + 1):
            found = self._iteration(ordered, depth)
            best = found or best
            if abs(best.score) > DECIDED or self._search.exhausted:
                break
        return best

    def _iteration(self, ordered: list[int], depth: int) -> Variation | None:
        """Search `ordered` to a depth, and put the best move first.

        If the nodes run out, return the best move found so far, None if there is none.
        """
        best, choice = -_INFINITY, -1
        try:
            for square in list(ordered):
                score = _INFINITY
                if choice >= 0:
                    score = self._after(square, depth, best, best + 1)
                if score > best:
                    score = self._after(square, depth, best, _INFINITY)
                if score > best:
                    best, choice = score, square
                    ordered.remove(square)
                    ordered.insert(0, square)
        except OutOfNodes:
            self._pattern_position.reset()
        if choice < 0:
            return None
        rest = self._search.line(self._marks | 1 << choice, 1, depth)
        return Variation([choice, *rest], best)

    def _after(self, square: int, depth: int, alpha: int, beta: int) -> int:
        """Return the score after a mark on `square`, exact between `alpha` and `beta`."""
        total, marks = self._total, self._marks
        return self._search.score_after(total, marks, 0, square, depth - 1, alpha, beta, 0)

    def _outlook(self, line: Variation) -> float:
        """Return the outlook at the end of a line of play, from 0 to 1, without the eagerness.

        That is the mean of its last positions, in half of which each side is to move. The side that
        has just moved always looks better, so a single position would only tell who that is.
        """
        totals = [self._total]
        for ply, square in enumerate(line.squares):
            totals.append(self._pattern_position.play(totals[-1], square, ply % 2))
        self._pattern_position.reset()
        balance = float(line.score)
        if abs(line.score) <= DECIDED:
            count = _OUTLOOK_POSITIONS if len(totals) >= _OUTLOOK_POSITIONS else 2
            worths = [self._pattern_position.worth(total) for total in totals[-count:]]
            balance = sum(mine - theirs for mine, theirs in worths) / count
        share = 1 / (1 + exp(-max(-1_000, min(balance, 1_000)) / _OUTLOOK_SCALE))
        return max(1 - _OUTLOOK_LIMIT, min(share, _OUTLOOK_LIMIT))
