"""The best level on boards that are too large to be solved."""

from itertools import pairwise
from random import Random
from statistics import fmean

import pytest

from core.engine.analysis import Value
from core.engine.levels import Eye, Level
from core.engine.lines.casual import casual_move
from core.engine.lines.evaluation import LinePosition
from core.engine.lines.geometry import geometry
from core.engine.lines.patterns import patterns
from core.engine.lines.root import RootSearch
from core.engine.lines.search import LineSearch
from core.engine.lines.threats import ThreatSearch
from core.engine.player import Engine
from core.games.tictactoe.position import MnkPosition
from core.grid import Move
from core.outcome import Result
from tests.core.boards import TICTACTOE, empty

STRONG = Level.STRONG
WORK = 200_000


def after(played: str, *shape: int | str) -> MnkPosition:
    """Return the position after these moves, by default on 10x10 with a line of five."""
    position = empty(*(shape or (10, 10, 5)))  # type: ignore[arg-type]
    for text in played.split():
        position = position.play(Move.parse(text))
    return position


@pytest.mark.parametrize(
    ("played", "losing"),
    [
        ("e7 e6 f6 g5 d6 f5 d7 d5 c5", "h5"),  # in 9 plies
        ("g7 f6 f5 e6 g6 g5 e7 f7 f8", "d5"),  # in 11
    ],
)
def test_a_move_that_loses_to_threes_is_not_made(played: str, losing: str) -> None:
    """Where one move holds, the best level doesn't make one that loses by threes and fours."""
    assert Engine(WORK).choose(after(played), STRONG, Random(1)) != Move.parse(losing)
    outlook = Engine(WORK).analyse(after(f"{played} {losing}")).outlook
    assert outlook[0] > 0.9


def test_a_win_by_threes_has_its_distance() -> None:
    """A forced win is exact, and its distance known where the budget allows."""
    analysis = Engine().analyse(after("e7 e6 f6 g5 d6 f5 d7 d5 c5 h5"))
    assert analysis.value is not None
    assert (analysis.value.ranks, analysis.value.plies) == ((1, 2), 9)


@pytest.mark.parametrize(
    ("played", "best"),
    [
        ("", "e5 e6 f5 f6"),
        ("a1", "e5 e6 f5 f6"),  # a corner isn't worth following
        ("e5", "e6 f5 f6"),
    ],
)
def test_the_first_moves_need_no_search(played: str, best: str) -> None:
    """They are in the middle, and beside a mark that is there already."""
    found = Engine(work=1).analyse(after(played)).best
    assert set(found) <= {Move.parse(text) for text in best.split()}
    assert not Engine().searches(after(played), STRONG)


@pytest.mark.parametrize("shape", [(7, 7, 5), (8, 8, 5), (6, 9, 5), (10, 5, 5), (10, 10, 7)])
def test_a_board_that_is_known_to_be_drawn_is_told_as_such(shape: tuple[int, int, int]) -> None:
    """Its empty board and every first mark are known draws, not estimates."""
    draw = Value((1, 1), None)
    engine = Engine(work=1)
    assert engine.analyse(empty(*shape)).value == draw
    assert {engine.analyse(after(mark, *shape)).value for mark in ("a1", "c2", "e5")} == {draw}
    assert engine.analyse(empty(*shape, "torus")).value is None
    assert engine.analyse(empty(10, 10, 5)).value is None


@pytest.mark.parametrize("variant", ["classic", "corners"])
def test_a_first_mark_on_a_board_with_few_sets_takes_a_search(variant: str) -> None:
    """It is proved, which no event loop should wait for; weaker levels look at patterns alone."""
    first = empty(4, 10, 5, variant)
    assert Engine().searches(first, Level.PERFECT)
    assert not Engine().searches(first, Level.HARD)


@pytest.mark.parametrize("level", [Level.EASY, Level.MEDIUM])
def test_four_corners_change_no_eye_for_lines_of_five(level: Level) -> None:
    """Far from the corners weaker levels overlook as much as on the board without them."""
    played = "e5 c3 e6 c4 e7 g7 f5"  # three marks each way, so there is something to overlook
    plain, corners = (after(played, 9, 9, 5, variant) for variant in ("classic", "corners"))
    for seed in range(30):
        chosen = Engine().choose(corners, level, Random(seed))
        assert chosen == Engine().choose(plain, level, Random(seed))


@pytest.mark.parametrize(
    ("played", "chosen"),
    [
        ("d5 a1 e5 a10 f5 j1 g5 j10", "c5 h5"),  # five
        ("a10 d5 b9 e5 j1 f5 j10 g5", "c5 h5"),  # against five
        ("e5 a1 f5 a10 g5 j1", "d5 h5"),  # an open four
        ("a1 e5 a10 f5 j1 g5", "d5 h5"),  # against it
        ("c3 a1 f7 a10 g7 j1", "d7 e7 h7 i7"),  # an open three
        ("e5 a1 f5 a3 e7 a5 c3 j9", "f6"),  # two open threes
        ("a1 e5 a3 f5 a8 e7 j2 c3", "f6"),  # against them
    ],
)
def test_an_eye_that_misses_nothing_sees_every_threat(played: str, chosen: str) -> None:
    """It makes and stops threats, the greatest first."""
    position = after(played)
    sharp = Eye(win=0, block=0, attack=0, variety=0)
    for seed in range(5):
        index = casual_move(position.view, sharp, Random(seed))
        assert str(position.legal_moves()[index]) in chosen.split()


@pytest.mark.parametrize(
    "shape", [(10, 10, 5, "torus"), (7, 7, 4, "corners"), (9, 7, 5, "torus"), (10, 7, 6, "classic")]
)
def test_every_large_board_is_played_to_its_end(shape: tuple[int, int, int, str]) -> None:
    """However small the budget, every move is legal, down to the last."""
    position = empty(*shape)
    chance = Random(2)
    engine = Engine(work=2_000)
    while position.to_move is not None:
        best = engine.choose(position, STRONG, chance)
        position = position.play(
            best if chance.random() < 0.3 else chance.choice(position.legal_moves())
        )
    assert position.outcome() is not None


def test_a_lost_position_is_defended_against_fours() -> None:
    """Where every move loses to threes, the best level still stops a win by fours."""
    text = "....X...../....O...../....XXO.../....X.XO../...XXO.O../..O.O..O.O"
    text = f"classic 5 {text}/........../........X./........../.X........"
    position = TICTACTOE.parse(text)
    analysis = Engine(WORK).analyse(position)
    assert analysis.value is not None
    assert analysis.value.ranks == (2, 1)
    after_it = position.play(analysis.best[0])
    assert isinstance(after_it, MnkPosition)
    view = after_it.view
    here = geometry(view.board)
    blocks = here.completing(view.theirs, view.mine)
    assert not here.completing(view.mine, view.theirs)
    assert ThreatSearch(here).wins(view.mine, view.theirs, blocks) is None


def test_a_line_of_play_begins_with_the_best_move() -> None:
    """The line that the search kept is legal, move by move."""
    position = after("e5 f6 e6 e4")
    analysis = Engine(WORK).analyse(position)
    assert analysis.value is None
    assert analysis.line[0] == analysis.best[0]
    for move in analysis.line:
        position = position.play(move)


def test_a_larger_budget_is_spent_on_depth() -> None:
    """A search that runs out of nodes gives the best move so far, and never fails."""
    position = after("e5 f6 e6 e4 d5")
    for work in (40, 400, 4_000, 40_000):
        found = LineSearch(work).best(position.view)
        assert found.best
        assert found.result is not Result.DRAW


def test_an_outlook_is_not_as_eager_as_the_choice() -> None:
    """Moves are chosen by counting own sets twice, but a best move changes the outlook little."""
    position = after("e5 f6", 8, 8, 5)
    before = Engine(WORK).analyse(position)
    following = Engine(WORK).analyse(position.play(before.best[0]))
    assert before.value is following.value is None
    assert abs(before.outlook[0] - following.outlook[0]) < 0.2


@pytest.mark.parametrize(
    ("played", "shape"),
    [
        ("e5 f6 e6", (10, 10, 5)),
        ("d4 e5", (8, 8, 5, "torus")),
        pytest.param("b2 h3 d8", (10, 10, 5), marks=pytest.mark.slow),
        pytest.param("b2 e5 g7", (9, 9, 5), marks=pytest.mark.slow),
    ],
)
def test_best_moves_hardly_change_an_outlook(played: str, shape: tuple[int | str, ...]) -> None:
    """The chart of best play is no zigzag.

    The estimate at the end of a line of play doesn't depend on the side that has moved last.
    """
    position = after(played, *shape)
    engine = Engine(WORK)
    chances = list[float]()
    for _ in range(9):
        analysis = engine.analyse(position)
        assert analysis.value is None
        chances.append(analysis.outlook[0])
        position = position.play(analysis.best[0])
    assert fmean(abs(one - other) for one, other in pairwise(chances)) < 0.08


@pytest.mark.parametrize("side", [9, 10])
def test_a_good_first_mark_does_not_cost_its_owner_chances(side: int) -> None:
    """An opening's outlook takes no search, and X's best mark lowers it little."""
    position = after("", side, side, 5)
    before = Engine().analyse(position)
    following = Engine().analyse(position.play(before.best[0]))
    assert 0.5 < before.outlook[0] < 0.6
    assert abs(before.outlook[0] - following.outlook[0]) < 0.1


def test_choices_that_are_struck_out_share_a_budget() -> None:
    """Where nine choices in a row lose to threes, the search costs half as much again at most."""
    text = "classic 5 ........../O........./X........./O...O...../O...X...../...XX...../....X....."
    view = TICTACTOE.parse(f"{text}/........../........../..........").view
    position = LinePosition(geometry(view.board), view.mine, view.theirs)
    nodes = 32_500
    search = RootSearch(patterns(view.board), position, nodes)
    assert search.choose().best
    assert search.spent < 1.6 * nodes
