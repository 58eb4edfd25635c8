"""The computer and the pie rule: it takes over a first mark exactly if that is better."""

from functools import cache
from random import Random

import pytest

from core.engine.analysis import Analysis, Value
from core.engine.levels import Level, levels_of
from core.engine.lines.search import LineSearch
from core.engine.misere import MisereSearch
from core.engine.player import DEFAULT_WORK, Engine
from core.engine.swap import SwapSearch
from core.games.tictactoe.position import MnkPosition
from core.grid import SWAP
from core.options import ON, Options
from core.position import Position
from tests.core.boards import TICTACTOE, moves, start
from tests.core.engine.counting import CountingStop

ENGINE = Engine()
SOLVED: list[Options] = [
    {},
    {"rows": 3, "columns": 4},
    {"rows": 5, "columns": 3, "line": 3},
    {"rows": 4, "line": 3},
    {"rows": 5, "line": 4},
    {"variant": "torus"},
    {"variant": "misere"},
]
# Misère has no cuts, and each mark is a search of its own: the larger boards take seconds.
MISERE: Options = {"rows": 3, "columns": 4, "variant": "misere"}
SLOW = [pytest.param({**MISERE, "line": line}, marks=pytest.mark.slow) for line in (3, 4)]


def swapping(options: Options, text: str = "") -> MnkPosition:
    """Return the position with the swap rule after some moves."""
    position = TICTACTOE.start(TICTACTOE.resolve({**options, "swap": ON}), Random(0))
    for move in moves(text):
        position = position.play(move)
    return position


@cache
def analysed(position: Position) -> Analysis:
    """Return what the computer finds in a position."""
    return ENGINE.analyse(position)


def plain_value(options: Options, first: str) -> tuple[int, ...]:
    """Return the ranks to which a first mark leads without the rule."""
    position = start(TICTACTOE, options)
    (move,) = moves(first)
    value = analysed(position.play(move)).value
    assert value is not None
    return value.ranks


def cost(position: MnkPosition) -> int:
    """Return how many nodes, more or less, the best move costs."""
    stop = CountingStop()
    SwapSearch(LineSearch(DEFAULT_WORK, stop)).best(position.view)
    return stop.looks


@pytest.mark.parametrize("options", [*SOLVED, *SLOW], ids=str)
def test_a_first_mark_that_wins_is_taken_over_and_no_other(options: Options) -> None:
    """The mark's value without the rule decides, and the best move keeps the value."""
    for first in start(TICTACTOE, options).legal_moves():
        without = plain_value(options, str(first))
        position = swapping(options, str(first))
        choice = ENGINE.choose(position, Level.PERFECT, Random(1))
        found = analysed(position)
        assert (choice == SWAP) == (found.best == (SWAP,)) == (without == (1, 2))
        assert found.value is not None
        assert found.value.ranks == ((1, 1) if without == (1, 1) else (2, 1))
        after = analysed(position.play(found.best[0])).value
        assert after is not None
        assert after.ranks == found.value.ranks
        assert after.plies == (found.value.plies and found.value.plies - 1)


@pytest.mark.parametrize("options", [*SOLVED, *SLOW], ids=str)
def test_the_first_mark_is_one_that_draws_where_there_is_one(options: Options) -> None:
    """If every first mark loses, it is the one that loses latest."""
    position = swapping(options)
    found = analysed(position)
    after = [analysed(position.play(move)).value for move in position.legal_moves()]
    assert found.value is not None
    for value in after:
        assert value is not None
        drawn = (value.plies is None, value.plies or 0)
        assert drawn <= (found.value.plies is None, (found.value.plies or 1) - 1)
    for best in found.best:
        then = analysed(position.play(best)).value
        assert then is not None and then.ranks == found.value.ranks


def test_a_first_mark_costs_little_more_than_an_answer() -> None:
    """It needs only the values of the answers, and chooses none of them."""
    options: Options = {"rows": 7, "line": 3}
    assert 0 < cost(swapping(options)) < 2 * cost(swapping(options, "a1"))


def test_all_first_marks_together_cost_no_more_than_a_move() -> None:
    """In misère no cut holds, so the marks of 3x5 share the budget of one move."""
    options: Options = {"rows": 3, "columns": 5, "line": 3, "variant": "misere"}
    costs = []
    for text in ("", "a1"):
        stop = CountingStop()
        SwapSearch(MisereSearch(DEFAULT_WORK, stop)).best(swapping(options, text).view)
        costs.append(stop.looks)
    assert 0 < costs[0] < 2 * costs[1]


@pytest.mark.slow
def test_the_solved_board_that_takes_longest_is_proved() -> None:
    """All of its first marks lose, and their values fit into the budget that they share."""
    options: Options = {"rows": 8, "columns": 9, "line": 3, "variant": "corners"}
    assert SwapSearch(LineSearch(DEFAULT_WORK)).best(swapping(options).view).plies == 12


@pytest.mark.parametrize("options", [{"rows": 6, "line": 5}, {"rows": 8, "line": 5}], ids=str)
def test_on_a_drawn_board_good_squares_are_taken_over(options: Options) -> None:
    """All first marks draw there: the computer makes one that it wouldn't take over."""
    for text, swaps in (("", False), ("c3", True), ("a1", False)):
        found = ENGINE.analyse(swapping(options, text))
        assert found.value == Value((1, 1), None)
        assert (found.best == (SWAP,)) == swaps
    for first in ENGINE.analyse(swapping(options)).best:
        assert ENGINE.analyse(swapping(options, str(first))).best != (SWAP,)


def test_on_a_torus_every_first_mark_is_as_good() -> None:
    """All squares are alike there: the value of one of them is asked for, and any is made."""
    found = ENGINE.analyse(swapping({"rows": 4, "line": 3, "variant": "torus"}))
    assert len(found.best) == 16


@pytest.mark.parametrize("columns", [pytest.param(9, marks=pytest.mark.slow), 10])
def test_a_first_mark_that_wins_latest_is_made_though_others_stay_open(columns: int) -> None:
    """On 10 rows with a line of 3 a move's budget proves the corners, but not every mark."""
    found = ENGINE.analyse(swapping({"rows": 10, "columns": columns, "line": 3}))
    last = "abcdefghij"[columns - 1]
    assert found.value is None
    assert set(map(str, found.best)) == {"a1", "a10", f"{last}1", f"{last}10"}


def test_a_first_mark_on_a_large_board_costs_nothing() -> None:
    """Its value is out of reach there, so there is no search."""
    assert cost(swapping({"rows": 10, "line": 5})) == 0


def test_a_swap_is_no_remedy_for_what_the_other_loses() -> None:
    """On 3x4 the middle of a short side loses for X, so O answers it; O takes over all others."""
    swapped = {
        str(first)
        for first in swapping({"rows": 3, "columns": 4}).legal_moves()
        if ENGINE.analyse(swapping({"rows": 3, "columns": 4}, str(first))).best == (SWAP,)
    }
    assert swapped == set("a1 b1 c1 d1 b2 c2 a3 b3 c3 d3".split())


@pytest.mark.parametrize("level", [Level.EASY, Level.MEDIUM])
def test_weak_levels_swap_by_chance(level: Level) -> None:
    """They see nothing for or against a swap: it is one of many equal moves."""
    position = swapping({"rows": 4, "line": 3}, "b2")
    chosen = [ENGINE.choose(position, level, Random(seed)) == SWAP for seed in range(200)]
    assert 0 < sum(chosen) < 100


@pytest.mark.parametrize(
    ("variant", "good", "bad"), [("classic", "b2", "a1"), ("misere", "a1", "c3")]
)
def test_hard_takes_over_good_squares(variant: str, good: str, bad: str) -> None:
    """It begins on a square that it wouldn't take over. In misère squares in few lines are good."""
    options: Options = {"rows": 5, "line": 4, "variant": variant}
    assert ENGINE.choose(swapping(options, good), Level.HARD, Random(1)) == SWAP
    assert ENGINE.choose(swapping(options, bad), Level.HARD, Random(1)) != SWAP
    begun = ENGINE.choose(swapping(options), Level.HARD, Random(1))
    assert ENGINE.choose(swapping(options, str(begun)), Level.HARD, Random(1)) != SWAP


def test_a_square_than_which_half_are_better_is_taken_over() -> None:
    """On 4x4 with a line of 4, three lines go through eight of the squares, and two through b1."""
    assert ENGINE.choose(swapping({"rows": 4}, "b1"), Level.HARD, Random(1)) == SWAP


@pytest.mark.parametrize("level", [Level.EASY, Level.MEDIUM, Level.HARD])
@pytest.mark.parametrize("variant", ["classic", "misere", "corners", "torus"])
def test_every_level_plays_with_the_rule(level: Level, variant: str) -> None:
    """In every variant each has a legal move first, after the first mark, and after a swap."""
    position = swapping({"rows": 4, "variant": variant})
    for move in (*moves("b2"), SWAP):
        assert ENGINE.choose(position, level, Random(2)) in position.legal_moves()
        position = position.play(move)
    assert ENGINE.choose(position, level, Random(2)) in position.legal_moves()


def test_where_nothing_is_proved_an_estimate_decides() -> None:
    """On 6x5 with a line of 4 `strong` takes over the centre, and begins elsewhere.

    The side that takes it over stands better.
    """
    board: Options = {"rows": 6, "columns": 5, "line": 4}
    engine = Engine(work=20_000)
    answered = engine.analyse(swapping(board, "c3"))
    assert answered.best == (SWAP,) and answered.value is None
    assert 0.5 < answered.outlook[1] < 1
    begun = engine.analyse(swapping(board))
    assert begun.value is None
    assert all(engine.analyse(swapping(board, str(move))).best != (SWAP,) for move in begun.best)


@pytest.mark.parametrize(
    ("options", "perfect"),
    [
        ({"rows": 4, "line": 3}, True),
        ({"rows": 7, "line": 3}, True),
        ({"rows": 10, "line": 3}, False),  # the value of a first mark in its corner isn't proved
        ({"rows": 5, "line": 4}, True),
    ],
)
def test_perfect_is_offered_where_every_first_mark_is_proved(
    options: Options, perfect: bool
) -> None:
    """With the rule the computer has to prove first marks that it never makes itself."""
    resolved = TICTACTOE.resolve({**options, "swap": ON})
    assert (levels_of(TICTACTOE, resolved)[-1] is Level.PERFECT) == perfect
