"""The laws of a board's symmetries."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.bitboards import split
from core.engine.lines.symmetry import Symmetry
from core.grid import Grid

SIZES = [(1, 1), (3, 3), (5, 2), (4, 4), (10, 10)]

Pair = tuple[int, int]


def images(grid: Grid, pair: Pair) -> list[Pair]:
    """Return a pair of bitboards and its symmetric images, mapped square by square."""
    ways = (tuple(range(len(grid.squares))), *grid.symmetries)
    return [(_image(pair[0], way), _image(pair[1], way)) for way in ways]


def _image(bits: int, way: tuple[int, ...]) -> int:
    return sum(1 << target for square, target in enumerate(way) if bits >> square & 1)


def symmetry_of(grid: Grid) -> Symmetry:
    return Symmetry(len(grid.squares), grid.symmetries)


@st.composite
def positions(draw: st.DrawFn) -> tuple[Grid, Pair]:
    """Draw a board with few marks, which are often symmetric in themselves."""
    grid = Grid(*draw(st.sampled_from(SIZES)))
    chance = draw(st.randoms(use_true_random=False))
    squares = len(grid.squares)
    taken = chance.sample(range(squares), min(chance.randrange(6), squares))
    return grid, (sum(1 << i for i in taken[::2]), sum(1 << i for i in taken[1::2]))


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_board_can_be_turned_and_mirrored(columns: int, rows: int) -> None:
    """A square board has seven other symmetries, an oblong three; neighbours stay neighbours."""
    grid = Grid(columns, rows)
    ways = grid.symmetries
    assert len(ways) == (7 if columns == rows else 3)
    for way in ways:
        assert sorted(way) == list(range(len(grid.squares)))
        for one, square in enumerate(grid.squares):
            for other, beside in enumerate(grid.squares):
                apart = abs(square.column - beside.column) + abs(square.row - beside.row)
                turned, moved = grid.squares[way[one]], grid.squares[way[other]]
                assert abs(turned.column - moved.column) + abs(turned.row - moved.row) == apart


@given(positions(), st.randoms(use_true_random=False))
def test_mirror_images_share_their_number(drawn: tuple[Grid, Pair], chance: Random) -> None:
    """Symmetric positions share their number with no others; so do symmetric bitboards."""
    grid, pair = drawn
    symmetry = symmetry_of(grid)
    alike = images(grid, pair)
    assert symmetry.canonical(*chance.choice(alike)) == symmetry.canonical(*pair)
    assert symmetry.least(chance.choice(alike)[0]) == symmetry.least(pair[0])
    squares = len(grid.squares)
    number = symmetry.canonical(*pair)
    assert (number >> squares, number & (1 << squares) - 1) == min(alike)


@given(positions())
def test_the_numbers_of_all_next_positions(drawn: tuple[Grid, Pair]) -> None:
    """Computed together, they are the numbers computed one by one."""
    grid, (first, second) = drawn
    symmetry = symmetry_of(grid)
    free = split((1 << len(grid.squares)) - 1 & ~(first | second))
    one_by_one = [symmetry.canonical(first, second | bit) for bit in free]
    assert symmetry.canonical_successors(first, second, free) == one_by_one


@given(positions())
def test_squares_that_a_position_takes_for_one_another(drawn: tuple[Grid, Pair]) -> None:
    """One square stands for each orbit, and gives all of it."""
    grid, pair = drawn
    symmetry = symmetry_of(grid)
    every = [1 << i for i in range(len(grid.squares))]
    told = symmetry.representatives(*pair, every)
    groups = [set(symmetry.orbits(*pair, [bit])) for bit in told]
    assert sum(map(len, groups)) == len(set().union(*groups)) == len(every)
    for bit, group in zip(told, groups, strict=True):
        ways = zip(images(grid, pair), images(grid, (bit, 0)), strict=True)
        assert group == {alike for same, (alike, _) in ways if same == pair}
