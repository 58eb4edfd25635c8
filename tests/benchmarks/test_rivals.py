"""The same moves by other players in Python, and the ratio of their time to ours."""

from functools import partial
from importlib import import_module
from random import Random

import pytest

from core.engine.levels import levels_of
from core.engine.player import Engine
from core.games.tictactoe.position import MnkPosition
from tests.benchmarks.positions import BOARDS, MeasuredBoard, at_random, open_squares
from tests.benchmarks.stopwatch import clock, only_own_garbage, seconds_of
from tests.benchmarks.tables import CAP_SECONDS, Race
from tests.core.boards import TICTACTOE

pytest.importorskip("pytest_benchmark", reason="pip install '.[bench]'")
from pytest_benchmark.fixture import BenchmarkFixture

pytestmark = [pytest.mark.slow, pytest.mark.benchmark(timer=clock)]

RIVALS = {"easyAI": "easyai_player", "OpenSpiel": "openspiel_player"}
# Both players finish positions of this size; beyond it they soon take minutes.
OPEN_SQUARES = 10
LATE, CROWDED = 20, 3


@pytest.fixture(params=RIVALS)
def rival(request: pytest.FixtureRequest) -> str:
    """Another player, if it is installed."""
    module = {"easyAI": "easyAI", "OpenSpiel": "pyspiel"}[request.param]
    pytest.importorskip(module, reason=f"no {request.param}: pip install '.[bench]'")
    return str(request.param)


def late(board: MeasuredBoard, random_positions: int) -> tuple[str, list[MnkPosition]]:
    """Return the random positions with about ten open squares, and what to call them.

    Where a line of three ends every game before that, the few that come nearest.
    """
    found = at_random(board.first, random_positions)
    found.sort(key=lambda position: abs(open_squares(position) - OPEN_SQUARES))
    finished = open_squares(found[LATE - 1]) <= OPEN_SQUARES + 1
    found = found[: LATE if finished else CROWDED]
    left = sorted(map(open_squares, found))
    spread = f"{left[0]} to {left[-1]}" if left[0] != left[-1] else str(left[0])
    return f"{len(found)} with {spread} open squares", found


def race(
    benchmark: BenchmarkFixture,
    rival: str,
    board: MeasuredBoard,
    name: str,
    positions: list[MnkPosition],
) -> Race:
    """Return our times and theirs in each position; theirs are what pytest-benchmark shows."""
    player = import_module(f"tests.benchmarks.{RIVALS[rival]}")
    theirs: list[float] = []
    ahead = iter(positions)

    def think(position: MnkPosition) -> None:
        theirs.append(seconds_of(partial(player.search, position), CAP_SECONDS))

    benchmark.pedantic(think, setup=lambda: ((next(ahead),), {}), rounds=len(positions))
    ours, exact = our_own(board, positions)
    return Race(str(board), rival, name, ours, theirs, exact)


def our_own(board: MeasuredBoard, positions: list[MnkPosition]) -> tuple[list[float], int]:
    """Return our seconds in each position, and in how many the value was exact."""
    options = {"rows": board.rows, "columns": board.columns, "line": board.line}
    level = levels_of(TICTACTOE, TICTACTOE.resolve(options))[-1]
    seconds, exact = [], 0
    for position in positions:
        engine = Engine()
        choose = partial(engine.choose, position, level, Random(0))
        with only_own_garbage():
            seconds.append(seconds_of(choose, CAP_SECONDS))
        exact += engine.analyse(position).value is not None
    return seconds, exact


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_late_moves(
    board: MeasuredBoard,
    rival: str,
    benchmark: BenchmarkFixture,
    random_positions: int,
    races: list[Race],
) -> None:
    """Positions that they can search to the end."""
    name, positions = late(board, random_positions)
    races.append(race(benchmark, rival, board, name, positions))


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_the_first_move(
    board: MeasuredBoard, rival: str, benchmark: BenchmarkFixture, races: list[Race]
) -> None:
    """The empty board, given up after ten seconds."""
    races.append(race(benchmark, rival, board, "the first move", [board.first]))
