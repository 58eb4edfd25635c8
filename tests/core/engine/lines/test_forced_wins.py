"""The boards on which the first player wins by force, as the game says, proved by search."""

import math
from dataclasses import replace
from itertools import product

import pytest

from core.engine.lines.and_or import AndOrSearch
from core.engine.lines.bounds import bounds
from core.engine.lines.search import LineSearch
from core.games.tictactoe.known import forced_win
from core.options import Options
from core.outcome import Result
from tests.core.boards import TICTACTOE, empty
from tests.core.engine.lines.samples import unbooked

WORK = 2_000_000

# The claim depends on the shorter side, and is the same for all sides from four squares on. So CI
# searches boards of three and four columns, and the largest; `pytest -m slow` searches all.
SLOW = pytest.mark.slow
SIZES = [
    pytest.param(rows, columns, marks=() if columns < 5 or rows == columns == 10 else SLOW)
    for rows in range(3, 11)
    for columns in range(3, 11)
]
KNOWN = {(3, 4): 7, (4, 4): 5, (5, 5): 5, (6, 6): 5, (9, 4): 5}  # by two other solvers


@pytest.mark.parametrize("variant", ["classic", "corners", "torus"])
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_a_line_of_three_is_won_by_force_in_so_many_plies(
    rows: int, columns: int, variant: str
) -> None:
    """X wins in exactly the plies that the game says, by a search without a book."""
    options: Options = {"rows": rows, "columns": columns, "line": 3, "variant": variant}
    claim = TICTACTOE.forced_win(options)
    if variant == "classic":
        assert claim == KNOWN.get((rows, columns), claim)
    view = empty(rows, columns, 3, variant).view
    found = LineSearch(WORK).best(replace(view, board=unbooked(view.board)))
    assert found.result is (Result.WIN if claim else Result.DRAW)
    assert found.plies == claim


QUICK_TORI = {(3, 4), (3, 5), (4, 5), (4, 6), (5, 5)}
QUICK_FOURS = {"classic": QUICK_TORI | {(5, 6)}, "corners": {(5, 5), (5, 6)}, "torus": QUICK_TORI}
FOURS = [
    pytest.param(rows, columns, variant, marks=() if (rows, columns) in quick else SLOW)
    for variant, quick in QUICK_FOURS.items()
    for rows in range(3, 11)
    for columns in range(max(rows, 4), 11)
]


@pytest.mark.parametrize(("rows", "columns", "variant"), FOURS)
def test_a_line_of_four_is_won_by_force_in_so_many_plies(
    rows: int, columns: int, variant: str
) -> None:
    """X forces four in a row by the move that the game says and not before.

    Where the game makes no claim, X doesn't by its sixth move, on a torus by its eighth.
    """
    claim = TICTACTOE.forced_win({"rows": rows, "columns": columns, "line": 4, "variant": variant})
    board = empty(rows, columns, 4, variant).view.board
    search = AndOrSearch(bounds(board))

    def wins(moves: int) -> bool:
        if board.alike:  # on a torus all first marks are alike
            return search.move_wins(0, 0, 1, moves, nodes=WORK)
        return search.wins(0, 0, moves, nodes=WORK) is not None

    last = (8 if board.alike else 6) if claim is None else (claim + 1) // 2
    assert not wins(last - 1)
    assert wins(last) is (claim is not None)


@pytest.mark.parametrize("variant", ["classic", "corners", "torus"])
@pytest.mark.parametrize("line", range(3, 7))
def test_solved_boards_that_nobody_wins_are_called_drawn(line: int, variant: str) -> None:
    """The search proves the draw. `tests/core/engine/lines/test_pairing.py` has other boards."""
    called = 0
    for rows, columns in product(range(3, 11), repeat=2):
        if line > max(rows, columns):
            continue
        options: Options = {"rows": rows, "columns": columns, "line": line, "variant": variant}
        if TICTACTOE.solved(options) and TICTACTOE.drawn(options):
            view = empty(rows, columns, line, variant).view
            assert LineSearch(WORK).best(view).result is Result.DRAW, options
            called += 1
    assert called or (line, variant) == (3, "torus")


@pytest.mark.parametrize("line", [3, 4])
def test_a_larger_board_is_won_at_least_as_soon(line: int) -> None:
    """X can play on a part of it. Four corners change no claim."""

    def claim(rows: int, columns: int, variant: str) -> float:
        options: Options = {"rows": rows, "columns": columns, "line": line, "variant": variant}
        return TICTACTOE.forced_win(options) or math.inf

    for rows, columns in product(range(line, 11), repeat=2):
        plies = claim(rows, columns, "classic")
        assert plies >= claim(min(rows + 1, 10), columns, "classic")
        assert plies == claim(columns, rows, "classic") == claim(rows, columns, "corners")


@pytest.mark.parametrize("line", [3, 4])
def test_a_variant_for_which_nothing_is_proved_makes_no_claim(line: int) -> None:
    """A new variant doesn't inherit the claims of the classic rules."""
    assert forced_win({"rows": 6, "columns": 6, "line": line, "variant": "classic"})
    assert forced_win({"rows": 6, "columns": 6, "line": line, "variant": "new"}) is None


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rows": 4},
        {"rows": 5},
        {"rows": 5, "line": 4},
        {"rows": 6},
        {"rows": 6, "line": 6},
        {"rows": 4, "columns": 10, "line": 4},
        {"rows": 4, "line": 4, "variant": "torus"},
        {"rows": 4, "line": 3, "variant": "misere"},
    ],
)
def test_drawn_and_unknown_boards_make_no_claim(options: dict[str, int | str]) -> None:
    """Drawn boards, unknown ones and misère make no claim."""
    assert TICTACTOE.forced_win(TICTACTOE.resolve(options)) is None
