"""The boards of which the game says that the first player wins by force, proved by search."""

from random import Random

import pytest

from core.games.mnk import MnkPosition
from core.grid import Move
from tests.core.boards import TICTACTOE

SIZES = [(rows, columns) for rows in range(3, 11) for columns in range(3, 11)]
KNOWN = {(3, 4): 7, (4, 4): 5, (5, 5): 5, (6, 6): 5, (9, 4): 5}  # shared/RULES.md


def from_the_centre(position: MnkPosition) -> list[Move]:
    """Return the legal moves, the most central first: a forced win is found sooner."""
    right, top = position.grid.columns - 1, position.grid.rows - 1
    return sorted(
        position.legal_moves(),
        key=lambda move: abs(2 * move.to.column - right) + abs(2 * move.to.row - top),
    )


def x_wins(position: MnkPosition, plies: int) -> bool:
    """Return whether X, to move, completes a line within `plies` against any defence."""
    if position.wins(0):
        return True
    if plies < 3:
        return False
    must = position.wins(1)
    return any(
        x_has_won_after(position.play(move), plies - 1)
        for move in from_the_centre(position)
        if not must or move in must
    )


def x_has_won_after(position: MnkPosition, plies: int) -> bool:
    """Return whether X wins within `plies`, O being to move."""
    threats = position.wins(0)
    if position.outcome() is not None or position.wins(1):
        return False
    if len(threats) > 1:
        return True
    if plies < 4 and not threats:
        return False
    return all(x_wins(position.play(m), plies - 1) for m in threats or from_the_centre(position))


@pytest.mark.parametrize("variant", ["classic", "corners", "torus"])
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_a_line_of_three_is_won_by_force_in_so_many_plies(
    rows: int, columns: int, variant: str
) -> None:
    """X wins within the number of plies that is said, against any defence, and not in fewer."""
    options: dict[str, int | str] = {
        "rows": rows,
        "columns": columns,
        "line": 3,
        "variant": variant,
    }
    claim, first = TICTACTOE.forced_win(options), TICTACTOE.start(options, Random())
    if variant == "classic":
        assert claim == KNOWN.get((rows, columns), claim)
    if claim is None:
        assert (rows, columns) == (3, 3)
        assert not x_wins(first, 9)
    else:
        assert x_wins(first, claim)
        assert not x_wins(first, claim - 2)


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
    """Boards that are draws (shared/RULES.md), and misere, claim nothing."""
    assert TICTACTOE.forced_win(TICTACTOE.resolve(options)) is None
