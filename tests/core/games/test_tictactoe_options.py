"""The options of tic-tac-toe: defaults and refusals."""

import pytest

from core.errors import OptionError
from core.options import Options
from tests.core.boards import TICTACTOE


@pytest.mark.parametrize(
    ("given", "rows", "columns", "line"),
    [
        ({}, 3, 3, 3),
        ({"rows": 4}, 4, 4, 4),
        ({"columns": 4}, 4, 4, 4),
        ({"rows": 5}, 5, 5, 5),
        ({"rows": 6}, 6, 6, 5),
        ({"rows": 10}, 10, 10, 5),
        ({"rows": 3, "columns": 4}, 3, 4, 3),
        ({"rows": 9, "columns": 4}, 9, 4, 4),
        ({"rows": 9, "columns": 4, "line": 9}, 9, 4, 9),
        ({"line": 3}, 3, 3, 3),
        ({"line": 4}, 4, 4, 4),
        ({"line": 10, "variant": "torus"}, 10, 10, 10),
        ({"rows": 6, "line": 3}, 6, 6, 3),
    ],
)
def test_options_have_defaults(given: Options, rows: int, columns: int, line: int) -> None:
    """The board is 3x3; one side or line makes a square; the line is the shorter side, up to 5."""
    variant = given.get("variant", "classic")
    full: Options = {"rows": rows, "columns": columns, "line": line, "variant": variant}
    assert TICTACTOE.resolve(given) == full
    assert TICTACTOE.resolve(full) == full


@pytest.mark.parametrize(
    ("given", "option", "allowed"),
    [
        ({"rows": 2}, "rows", (3, 10)),
        ({"rows": 11}, "rows", (3, 10)),
        ({"columns": -3}, "columns", (3, 10)),
        ({"line": 2}, "line", (3, 10)),
        ({"line": 11}, "line", (3, 10)),
        ({"rows": 4, "line": 11}, "line", (3, 4)),
        ({"rows": 3, "line": 4}, "line", (3, 3)),
        ({"rows": 9, "columns": 4, "line": 10}, "line", (3, 9)),
        ({"rows": True}, "rows", (3, 10)),
        ({"rows": "3"}, "rows", (3, 10)),
        ({"rows": 3.0}, "rows", (3, 10)),
        ({"rows": None}, "rows", (3, 10)),
        ({"variant": "gravity"}, "variant", ("classic", "misere", "corners", "torus")),
        ({"variant": 3}, "variant", ("classic", "misere", "corners", "torus")),
        ({"size": 3}, "size", ("rows", "columns", "line", "variant", "swap")),
        ({"swap": "yes"}, "swap", ("off", "on")),
    ],
)
def test_invalid_options_are_refused_with_the_limits(
    given: Options, option: str, allowed: tuple[int, int] | tuple[str, ...]
) -> None:
    """The error has the option, its value and its limits."""
    with pytest.raises(OptionError) as refused:
        TICTACTOE.resolve(given)
    error = refused.value
    assert (error.option, error.value, error.allowed) == (option, given[option], allowed)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"rows": 2}, "rows=2, allowed: 3 to 10"),
        ({"swap": "yes"}, "swap='yes', allowed: off, on"),
    ],
)
def test_a_refused_option_as_a_programmer_reads_it(given: Options, told: str) -> None:
    """A range doesn't look like a choice of two."""
    with pytest.raises(OptionError, match=f"^{told}$"):
        TICTACTOE.resolve(given)


@pytest.mark.parametrize(
    ("options", "worse"),
    [
        ({}, 1),
        ({"rows": 6, "columns": 6, "line": 4}, 1),
        ({"rows": 6, "columns": 6, "line": 4, "swap": "on"}, 0),
        ({"variant": "misere"}, 0),
        ({"rows": 3, "columns": 5, "variant": "misere"}, 0),
    ],
)
def test_the_seat_with_the_worse_chances(options: Options, worse: int) -> None:
    assert TICTACTOE.worse_seat(TICTACTOE.resolve(options)) == worse


@pytest.mark.parametrize(
    ("rows", "columns", "line", "drawn"),
    [
        (8, 8, 5, True),
        (9, 6, 5, True),
        (10, 5, 5, True),
        (10, 6, 5, False),
        (9, 7, 5, False),
        (9, 8, 5, False),
        (8, 8, 6, True),
        (9, 8, 6, False),
        (10, 6, 6, True),
        (10, 7, 6, False),
        (9, 9, 6, False),
        (10, 10, 7, True),
        (5, 5, 4, True),
        (6, 5, 4, False),
        (3, 3, 3, True),
        (4, 3, 3, False),
    ],
)
def test_the_largest_boards_that_are_known_to_be_drawn(
    rows: int, columns: int, line: int, drawn: bool
) -> None:
    """They are drawn on their side as well."""
    for sides in ({"rows": rows, "columns": columns}, {"rows": columns, "columns": rows}):
        assert TICTACTOE.drawn(TICTACTOE.resolve({**sides, "line": line})) is drawn


@pytest.mark.parametrize(
    ("options", "solved"),
    [
        ({"rows": 5, "line": 4}, True),
        ({"rows": 6, "line": 4}, False),
        ({"rows": 10, "columns": 9, "line": 3, "variant": "corners"}, True),
        ({"rows": 10, "line": 3}, False),
        ({"rows": 10, "line": 3, "variant": "torus"}, True),
        ({"rows": 9, "columns": 8, "line": 3, "swap": "on"}, True),
        ({"rows": 10, "columns": 8, "line": 3, "swap": "on"}, False),
        ({"rows": 10, "columns": 5, "line": 3, "variant": "torus", "swap": "on"}, True),
        ({"rows": 5, "columns": 3, "line": 4, "variant": "torus"}, True),
        ({"rows": 6, "columns": 3, "line": 4, "variant": "torus"}, False),
        ({"rows": 4, "columns": 3, "line": 3, "variant": "misere"}, True),
        ({"rows": 5, "columns": 3, "line": 3, "variant": "misere"}, False),
    ],
)
def test_the_largest_boards_that_are_solved(options: Options, solved: bool) -> None:
    """Beyond them a position may stay open, as `docs/measurements.md` has measured."""
    assert TICTACTOE.solved(TICTACTOE.resolve(options)) is solved
