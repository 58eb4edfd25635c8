"""The principal-variation search against plain negamax."""

from random import Random

import pytest

from core.engine.lines.evaluation import LinePosition
from core.engine.lines.geometry import geometry
from core.engine.lines.patterns import PatternPosition, patterns
from core.engine.lines.pvs import PrincipalVariationSearch
from core.engine.lines.root import RootSearch
from core.engine.search import DECIDED, WIN
from core.engine.stop import NEVER
from core.games.tictactoe.board import board
from tests.core.engine.lines.samples import Shape, sampled

# The number of moves that are tried, by the remaining depth.
WIDTHS = (0, 8, 10)


class Negamax:
    """The same search without a table or windows, to a depth at which no move is reduced."""

    def __init__(self, search: PrincipalVariationSearch, position: PatternPosition):
        self._search = search
        self._position = position

    def score(self, total: int, marks: int, side: int, depth: int, ply: int) -> int:
        """Return the exact score."""
        here = self._search.score(total, marks, side, 0, -WIN, WIN, ply)
        if depth == 0 or abs(here) > DECIDED:
            return here
        patterns = self._position.patterns
        blocks = patterns.squares_of(total & patterns.fives[1 - side])
        moves = blocks or self._search.moves(total, marks, side, depth, WIDTHS[depth])
        scores = list[int]()
        for square in moves:
            after = self._position.play(total, square, side)
            played = marks | 1 << square + side * patterns.squares
            left = depth if blocks else depth - 1
            scores.append(-self.score(after, played, 1 - side, left, ply + 1))
            self._position.undo(square, side)
        return max(scores, default=0)


@pytest.mark.parametrize(
    ("shape", "placed"), [((8, 8, 5, "classic"), 14), ((7, 7, 4, "torus"), 5)], ids=str
)
def test_a_score_depends_on_neither_window_nor_table(shape: Shape, placed: int) -> None:
    """Between the bounds of any window it is that of negamax, and else beyond the same bound.

    The table holds the scores of earlier windows, and of the same position nearer to the root. With
    so few marks no search for fours runs out of nodes.
    """
    playing = board(*shape).lines
    chance = Random(1)
    decided = 0
    for pair in sampled(playing, placed, 10):
        position = PatternPosition(patterns(playing), *pair)
        search = PrincipalVariationSearch(position, geometry(playing), NEVER)
        search.allow(1_000_000)
        total, marks = position.start, pair[0] | pair[1] << playing.squares
        for depth, ply in ((1, 0), (2, 0), (2, 5)):
            score = Negamax(search, position).score(total, marks, 0, depth, ply)
            decided += abs(score) > DECIDED
            lows = [score + chance.randint(-20, 10) for _ in range(4)]
            for alpha, beta in (*((low, low + chance.randint(1, 20)) for low in lows), (-WIN, WIN)):
                found = search.score(total, marks, 0, depth, alpha, beta, ply)
                assert max(alpha, min(found, beta)) == max(alpha, min(score, beta))
    assert 0 < decided < 30


@pytest.mark.parametrize("plies", [1, 2])
def test_the_move_of_a_shallow_search_has_the_best_score(plies: int) -> None:
    """No other move has a better one by negamax, as far ahead."""
    playing = board(8, 8, 5, "classic").lines
    for pair in sampled(playing, 12, 5):
        here = geometry(playing)
        position = PatternPosition(patterns(playing), *pair)
        search = PrincipalVariationSearch(position, here, NEVER)
        search.allow(1_000_000)
        exact = Negamax(search, position)
        total, marks = position.start, pair[0] | pair[1] << playing.squares
        scores = dict[int, int]()
        for square in search.moves(total, marks, 0, 0, playing.squares):
            after = position.play(total, square, 0)
            scores[square] = -exact.score(after, marks | 1 << square, 1, plies - 1, 1)
            position.undo(square, 0)
        (move,) = RootSearch(patterns(playing), LinePosition(here, *pair), 100_000).shallow(plies)
        assert scores[move.bit_length() - 1] == max(scores.values())
