"""The time of a move. Nothing here fails for being slow: read the table."""

from copy import deepcopy
from random import Random

import pytest

from core.engine.levels import levels_of
from core.engine.player import Engine
from core.engine.retrograde import shipped
from core.game import Game
from core.options import Options
from core.position import Position
from tests.benchmarks.positions import BOARDS, MeasuredBoard, at_random, early
from tests.benchmarks.stopwatch import clock, only_own_garbage
from tests.benchmarks.tables import MovesRow
from tests.core.boards import NINE_HOLES, TICTACTOE, start

pytest.importorskip("pytest_benchmark", reason="pip install '.[bench]'")
from pytest_benchmark.fixture import BenchmarkFixture

pytestmark = [pytest.mark.slow, pytest.mark.benchmark(timer=clock)]

NINE_HOLES_LIMIT = 5.0
FIRST_MOVES = 20


def measure(
    benchmark: BenchmarkFixture, game: Game, options: Options, positions: list[Position]
) -> tuple[list[float], int]:
    """Choose a move in each position with a new engine, so that no table is warm.

    Return the seconds of each move, and in how many positions the value was exact. The first move
    is made on a copy of its board before: that Python runs code for the first time is no part of
    it, but the board that is measured isn't prepared yet.
    """
    level, ahead, exact = levels_of(game, options)[-1], iter(positions), 0

    def fresh() -> tuple[tuple[Engine, Position], dict[str, object]]:
        shipped.cache_clear()
        return (Engine(), next(ahead)), {}

    def choose(engine: Engine, position: Position) -> None:
        engine.choose(position, level, Random(0))

    def note(_: Engine, position: Position) -> None:
        nonlocal exact
        exact += Engine().analyse(position).value is not None

    with only_own_garbage():
        Engine().choose(deepcopy(positions[0]), level, Random(0))
        benchmark.pedantic(choose, setup=fresh, teardown=note, rounds=len(positions))
    return list(benchmark.stats.stats.data), exact


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_a_move_of_tic_tac_toe(
    board: MeasuredBoard,
    benchmark: BenchmarkFixture,
    random_positions: int,
    moves_table: list[MovesRow],
) -> None:
    """All positions with at most two marks, symmetric ones once, and random ones."""
    options = {"rows": board.rows, "columns": board.columns, "line": board.line}
    positions = [*early(board.first), *at_random(board.first, random_positions)]
    seconds, exact = measure(benchmark, TICTACTOE, TICTACTOE.resolve(options), [*positions])
    moves_table.append(MovesRow(str(board), seconds, exact, board.limit))


def test_the_first_move_of_nine_holes(
    benchmark: BenchmarkFixture, moves_table: list[MovesRow]
) -> None:
    """The first move reads the tablebase."""
    options = NINE_HOLES.resolve({})
    positions = [start(NINE_HOLES, {})] * FIRST_MOVES
    seconds, exact = measure(benchmark, NINE_HOLES, options, positions)
    moves_table.append(MovesRow("Nine Holes, first move", seconds, exact, NINE_HOLES_LIMIT))
