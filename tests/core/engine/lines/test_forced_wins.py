"""The boards on which the first player wins by force, as the game says, proved by search."""

import pytest

from core.engine.lines.and_or import AndOrSearch
from core.engine.lines.bounds import bounds
from core.engine.lines.search import LineSearch
from core.options import Options
from core.outcome import Result
from tests.core.boards import TICTACTOE, empty

WORK = 2_000_000

# The claim depends on the shorter side, and from four squares on not on that: CI searches boards
# of three and four columns, and the largest; `pytest -m slow` searches every size.
SLOW = pytest.mark.slow
SIZES = [
    pytest.param(rows, columns, marks=() if columns < 5 or rows == columns == 10 else SLOW)
    for rows in range(3, 11)
    for columns in range(3, 11)
]
KNOWN = {(3, 4): 7, (4, 4): 5, (5, 5): 5, (6, 6): 5, (9, 4): 5}  # shared/RULES.md


@pytest.mark.parametrize("variant", ["classic", "corners", "torus"])
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_a_line_of_three_is_won_by_force_in_so_many_plies(
    rows: int, columns: int, variant: str
) -> None:
    """X wins in exactly the plies that the game says, by a search without a book."""
    options: dict[str, int | str] = {
        "rows": rows,
        "columns": columns,
        "line": 3,
        "variant": variant,
    }
    claim = TICTACTOE.forced_win(options)
    if variant == "classic":
        assert claim == KNOWN.get((rows, columns), claim)
    found = LineSearch(WORK, use_book=False).best(empty(rows, columns, 3, variant).view)
    assert found.result is (Result.WIN if claim else Result.DRAW)
    assert found.plies == claim


@pytest.mark.parametrize(
    ("rows", "columns"),
    [(5, 6), (6, 6), *(pytest.param(7, columns, marks=SLOW) for columns in (6, 7))],
)
def test_a_line_of_four_is_won_in_eleven_plies(rows: int, columns: int) -> None:
    """X forces four in a row on these boards by its sixth move, and not before."""
    search = AndOrSearch(bounds(empty(rows, columns, 4).view.board))
    assert search.wins(0, 0, 5, nodes=WORK) is None
    assert search.wins(0, 0, 6, nodes=WORK) is not None
    options: Options = {"rows": rows, "columns": columns, "line": 4, "variant": "classic"}
    assert TICTACTOE.forced_win(options) == 11


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rows": 4},
        {"rows": 5},
        {"rows": 5, "line": 4},
        {"rows": 6},
        {"rows": 6, "line": 6},
        {"rows": 4, "line": 3, "variant": "misere"},
    ],
)
def test_drawn_and_unknown_boards_make_no_claim(options: dict[str, int | str]) -> None:
    """Drawn boards (shared/RULES.md), unknown ones and misère make no claim."""
    assert TICTACTOE.forced_win(TICTACTOE.resolve(options)) is None
