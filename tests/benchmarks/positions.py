"""The measured boards and their positions, the same in every run."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from core.games.tictactoe.position import MnkPosition
from core.grid import Grid, Square
from core.position import Position
from tests.core.boards import empty

EARLY_MARKS = 2


@dataclass(frozen=True)
class MeasuredBoard:
    """A board of classic tic-tac-toe, and the limit in ms that is meant for every move on it."""

    rows: int
    columns: int
    line: int
    limit: float

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns} line {self.line}"

    @property
    def first(self) -> MnkPosition:
        """The empty board."""
        return empty(self.rows, self.columns, self.line)


# Rows first, as in shared/RULES.md: "9x4" has nine rows and four columns.
BOARDS = (
    MeasuredBoard(3, 3, 3, limit=0.5),
    MeasuredBoard(4, 4, 4, limit=10),
    MeasuredBoard(4, 4, 3, limit=10),
    MeasuredBoard(5, 5, 3, limit=10),
    MeasuredBoard(5, 5, 5, limit=10),
    MeasuredBoard(6, 6, 3, limit=25),
    MeasuredBoard(9, 4, 3, limit=25),
    MeasuredBoard(5, 5, 4, limit=100),
    MeasuredBoard(6, 6, 4, limit=1000),
)


def _mirrored(square: Square, grid: Grid) -> Iterator[Square]:
    """Yield the images of the square under each symmetry of the board."""
    columns, rows = grid.columns - 1, grid.rows - 1
    for column in (square.column, columns - square.column):
        for row in (square.row, rows - square.row):
            yield Square(column, row)
            if columns == rows:
                yield Square(row, column)


def _images(position: MnkPosition) -> Iterator[tuple[frozenset[Square], ...]]:
    """Yield the squares of each seat in each image of the position."""
    grid = position.grid
    sides = [
        [tuple(_mirrored(s, grid)) for i, s in enumerate(grid.squares) if marks >> i & 1]
        for marks in position.bitboards
    ]
    for image in range(8 if grid.columns == grid.rows else 4):
        yield tuple(frozenset(square[image] for square in side) for side in sides)


def early(first: MnkPosition) -> list[MnkPosition]:
    """Return every position with at most two marks, one of each symmetric group."""
    found, last = [first], [first]
    for _ in range(EARLY_MARKS):
        new = [position.play(move) for position in last for move in position.legal_moves()]
        known: dict[frozenset[tuple[frozenset[Square], ...]], MnkPosition] = {}
        for position in new:
            known.setdefault(frozenset(_images(position)), position)
        last = list(known.values())
        found += last
    return found


def at_random(first: MnkPosition, count: int, seed: int = 0) -> list[MnkPosition]:
    """Return `count` unfinished positions of random play, each number of marks as likely.

    A game that ends before it has so many is drawn anew, number and all.
    """
    rng, found = Random(f"{first.notation} {seed}"), list[MnkPosition]()
    while len(found) < count:
        position = first
        for _ in range(rng.randrange(len(first.grid.squares))):
            if position.over:
                break
            position = position.play(rng.choice(position.legal_moves()))
        if not position.over:
            found.append(position)
    return found


def open_squares(position: Position) -> int:
    """Return how many moves there are."""
    return len(position.legal_moves())
