"""Squares, moves, their notation, and runs of squares."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadNotation
from core.grid import SWAP, Grid, Move, Square
from tests.texts import ANY

SQUARES = st.builds(Square, st.integers(0, 25), st.integers(0, 98))
SIDES = st.integers(1, 7)


@pytest.mark.parametrize(
    ("text", "square"),
    [("a1", (0, 0)), ("c1", (2, 0)), ("a3", (0, 2)), ("j10", (9, 9)), ("p11", (15, 10))],
)
def test_a1_is_the_lower_left_square(text: str, square: tuple[int, int]) -> None:
    """Columns are letters from the left and rows numbers from the bottom, in both directions."""
    assert Square.parse(text) == square
    assert str(Square(*square)) == text


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("b2", Move(Square(1, 1))),
        ("j10", Move(Square(9, 9))),
        ("a1-c4", Move(Square(2, 3), Square(0, 0))),
        ("b", Move.into(1)),
        ("swap", SWAP),
    ],
)
def test_a_move_is_a_square_a_column_from_to_or_a_swap(text: str, move: Move) -> None:
    """A drop is its square or column, a man's move from-to, a swap a word; each round-trips."""
    assert Move.parse(text) == move
    assert str(move) == text


@given(
    st.builds(Move, SQUARES, st.none() | SQUARES)
    | st.builds(Move.into, st.integers(0, 25))
    | st.just(SWAP)
)
def test_moves_round_trip(move: Move) -> None:
    """Every move prints as a text that parses to it."""
    assert Move.parse(str(move)) == move


@pytest.mark.parametrize(
    "square", [Square(25, 98), SWAP.to, Move.into(2).to, Square(26, 0), Square(0, 99)]
)
def test_squares_are_shown_as_they_are_made(square: Square) -> None:
    """This holds for those without a notation, too."""
    assert eval(repr(square)) == square


@pytest.mark.parametrize(("columns", "rows"), [(27, 1), (1, 100), (0, 3), (3, 0)])
def test_a_board_has_a_notation_for_each_square(columns: int, rows: int) -> None:
    """Columns end with z, and rows with 99."""
    with pytest.raises(ValueError, match="columns"):
        Grid(columns, rows)


@pytest.mark.parametrize("text", ["A1-C4", " a1-c4", "a1-c4\n", "\ta1-C4  "])
def test_notation_is_read_leniently(text: str) -> None:
    """Case and blanks around a move don't matter."""
    assert str(Move.parse(text)) == "a1-c4"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "b-",
        "-b",
        "b-c",
        "bb",
        "2",
        "22",
        "b0",
        "b02",
        "swap-",
        "swap-a1",
        "swapped",
        "bb2",
        "b2b",
        "b2.",
        "b100",
        "b+2",
        "b-2",
        "b 2",
        "b2 c3",
        "b2\nc3",
        "-",
        "b2-",
        "-b2",
        "a1-",
        "a1--c4",
        "a1 -c4",
        "a1- c4",
        "a1c4",
        "b2-c3-d4",
        "a1\N{EN DASH}c4",
        "b\N{SUPERSCRIPT TWO}",
        "b\N{ARABIC-INDIC DIGIT TWO}",
        "b\N{FULLWIDTH DIGIT TWO}",
        "\N{FULLWIDTH LATIN SMALL LETTER B}2",
        "\N{CYRILLIC SMALL LETTER A}1",
        "\N{GRINNING FACE}",
    ],
)
def test_bad_notation_is_refused(text: str) -> None:
    """Any other text raises BadNotation, which has the text as it was typed."""
    with pytest.raises(BadNotation) as refused:
        Move.parse(text)
    assert refused.value.text == text


@given(st.text(ANY, max_size=8) | st.text("aAzZ019- \n", max_size=6))
def test_any_text_is_a_move_or_bad_notation(text: str) -> None:
    """Any text parses to a move that prints the same, or raises BadNotation."""
    try:
        move = Move.parse(text)
    except BadNotation:
        return
    assert str(move) == text.strip().lower()


def test_squares_are_numbered_row_by_row_from_a1() -> None:
    """A square's index is its place in `squares`, which has only the board's squares."""
    grid = Grid(columns=3, rows=2)
    assert " ".join(map(str, grid.squares)) == "a1 b1 c1 a2 b2 c2"
    assert [grid.index(square) for square in grid.squares] == [0, 1, 2, 3, 4, 5]
    assert grid.bitboard(grid.squares[1:3]) == 0b110
    assert grid.squares_of(0b110) == {*grid.squares[1:3]}
    assert not any(Square(c, r) in grid for c, r in [(3, 0), (0, 2), (-1, 0), (0, -1)])


@pytest.mark.parametrize(
    ("columns", "rows", "length", "count"),
    [
        (3, 3, 3, 8),
        (4, 4, 3, 24),
        (4, 4, 4, 10),
        (7, 6, 4, 69),  # Connect Four
        (15, 15, 5, 572),  # gomoku
        (19, 19, 5, 1020),
        (4, 9, 4, 9 + 24 + 12),
        (4, 3, 4, 3),
        (3, 3, 4, 0),
    ],
)
def test_the_number_of_runs_is_known(columns: int, rows: int, length: int, count: int) -> None:
    """The counts agree with those made by hand or published."""
    assert len(list(Grid(columns, rows).runs(length))) == count


@pytest.mark.parametrize(
    ("columns", "rows", "length", "count"),
    [
        (3, 3, 3, 12),  # the affine plane of order 3
        (4, 4, 3, 4 * 16),
        (4, 4, 4, 4 * 4),
        (4, 3, 4, 3 + 2 * 12),  # a column of three would overlap itself
        (3, 3, 4, 0),
    ],
)
def test_runs_wrap_on_a_torus(columns: int, rows: int, length: int, count: int) -> None:
    """With `wrap` a run continues around the edge, unless it would overlap itself."""
    assert len(list(Grid(columns, rows).runs(length, wrap=True))) == count


@given(SIDES, SIDES, st.integers(2, 7))
def test_runs_are_distinct(columns: int, rows: int, length: int) -> None:
    """Each run occurs once with `length` different squares, and a torus has all of them."""
    grid = Grid(columns, rows)
    flat, wrapped = list(grid.runs(length)), list(grid.runs(length, wrap=True))
    for runs in (flat, wrapped):
        assert len(set(runs)) == len(runs)
        assert all(len(run) == length and all(s in grid for s in run) for run in runs)
    assert set(flat) <= set(wrapped)
