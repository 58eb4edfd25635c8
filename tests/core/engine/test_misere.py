"""Misère by search: its proofs, and its moves and estimates when the budget is small."""

from collections import Counter
from random import Random

import pytest

from core.engine.levels import Level
from core.engine.misere import MisereSearch
from core.engine.player import DEFAULT_WORK, Engine
from core.engine.stop import Stop
from core.grid import Move
from core.outcome import Result
from core.position import Position
from core.views import LineView
from tests.core.boards import TICTACTOE, empty, wandered
from tests.core.engine.counting import CountingStop, StopAfter


def result_of(position: Position, seat: int, known: dict[Position, Result]) -> Result:
    """Return the result for `seat` with best play, by the rules alone."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.result(seat)
    if position not in known:
        after = [result_of(position.play(move), seat, known) for move in position.legal_moves()]
        order = [Result.LOSS, Result.DRAW, Result.WIN]
        best = max if position.to_move == seat else min
        known[position] = best(after, key=order.index)
    return known[position]


def value_by(search: MisereSearch, view: LineView) -> Result | None:
    """Return the result of a position as the search proves it without choosing a move."""
    return next(search.values(view.board, [(view.mine, view.theirs)])).result


@pytest.mark.parametrize(
    ("text", "slip"),
    [("misere 3 ..X./..../.O../X...", "a4"), ("misere 3 XOX./..../..../....", "a2")],
)
def test_a_known_win_is_not_missed(text: str, slip: str) -> None:
    """With few marks on 4x4 the win is proved, and a slip isn't among the best moves."""
    position = TICTACTOE.parse(text)
    analysis = Engine().analyse(position)
    assert analysis.value is not None
    assert analysis.value.ranks == (2, 1)
    assert Move.parse(slip) not in analysis.best
    search = MisereSearch(DEFAULT_WORK)
    assert value_by(search, position.view) is Result.WIN


@pytest.mark.parametrize(
    ("shape", "result"),
    [
        ((3, 3, 3), Result.DRAW),
        ((3, 4, 3), Result.LOSS),
        ((3, 4, 4), Result.DRAW),
        pytest.param((3, 5, 3), Result.LOSS, marks=pytest.mark.slow),
        pytest.param((4, 4, 3), Result.LOSS, marks=pytest.mark.slow),
        pytest.param((3, 5, 4), Result.DRAW, marks=pytest.mark.slow),
    ],
)
def test_seat_0_wins_no_solved_board(shape: tuple[int, int, int], result: Result) -> None:
    """So in an armageddon game a draw counts as a win for seat 0 (`TicTacToe.worse_seat`)."""
    search = MisereSearch(20 * DEFAULT_WORK)
    view = empty(*shape, "misere").view
    assert value_by(search, view) is result


def test_results_are_those_of_the_rules() -> None:
    """With ten empty squares only results are proved; they and the best moves are right."""
    rng = Random(5)
    checked = 0
    while checked < 2:
        position = wandered(empty(4, 4, 3, "misere"), 6, rng)
        if len(position.legal_moves()) != 10:
            continue
        seat = position.to_move
        known = dict[Position, Result]()
        assert seat is not None
        expected = result_of(position, seat, known)
        search = MisereSearch(DEFAULT_WORK)
        assert value_by(search, position.view) is expected
        analysis = Engine().analyse(position)
        assert analysis.value is not None
        mine, other = analysis.value.ranks[seat], analysis.value.ranks[1 - seat]
        assert (other - mine) == {Result.LOSS: -1, Result.DRAW: 0, Result.WIN: 1}[expected]
        for move in analysis.best:
            assert result_of(position.play(move), seat, known) is expected
        checked += 1


def test_few_sets_dont_make_a_move_dear() -> None:
    """A node has overhead even with few sets, as on 3x5 with three sets (line 5)."""
    stop = CountingStop()
    MisereSearch(DEFAULT_WORK, stop).best(empty(3, 5, 5, "misere").view)
    assert 0 < stop.looks < 180_000


def test_a_spent_budget_leaves_the_best_move_so_far() -> None:
    """A search that isn't finished gives an estimate and a move, never an error."""
    analysis = Engine(work=5_000).analyse(empty(6, 6, 4, "misere"))
    assert analysis.value is None
    assert len(analysis.best) == 1


def test_no_loss_is_told_while_moves_are_left_to_search() -> None:
    """A search that ends just after its best move so far was seen to lose tells no loss."""
    position = TICTACTOE.parse("misere 3 ..X./...X/.O../..OX")
    for stop in (Stop(), *map(StopAfter, range(16_500, 21_500, 1_000))):
        assert MisereSearch(DEFAULT_WORK, stop).best(position.view).result is Result.WIN


@pytest.mark.parametrize(
    ("text", "searched"),
    [("misere 4 ...../.X.O./.OX../...../.....", "a1"), ("misere 3 .../.../...", "b2")],
)
def test_no_two_levels_are_alike(text: str, searched: str) -> None:
    """Easy makes any move, medium a less dangerous one, hard mostly that of a small search."""
    position = TICTACTOE.parse(text)
    engine = Engine()
    easy, medium, hard = (
        Counter(engine.choose(position, level, Random(seed)) for seed in range(seeds))
        for level, seeds in ((Level.EASY, 200), (Level.MEDIUM, 200), (Level.HARD, 40))
    )
    assert set(medium) < set(easy)
    assert medium[Move.parse(searched)] < 100
    assert hard[Move.parse(searched)] > 20


def test_an_estimate_lies_between_a_loss_and_a_win() -> None:
    """The outlooks of both sides add up to 1, whichever has more squares left to itself."""
    rng = Random(2)
    estimates = set[float]()
    for _ in range(20):
        position = wandered(empty(5, 5, 4, "misere"), 12, rng)
        if position.to_move is None:
            continue
        analysis = Engine(10_000).analyse(position)
        if analysis.value is None:
            assert sum(analysis.outlook) == 1 and min(analysis.outlook) > 0
            estimates.add(analysis.outlook[0])
    assert min(estimates) < 0.5 < max(estimates)
