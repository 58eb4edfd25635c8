"""Squares and moves with their notation, and the geometry of a rectangular board.

Columns are letters from the left, rows are numbers from the bottom: ``a1`` is the lower left
square. A drop is written as its square (``b2``), a piece that falls as its column (``b``), a man's
move as from-to (``a1-c4``), and a change of sides as ``swap``.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from string import ascii_lowercase
from typing import NamedTuple

from core.errors import BadNotation

_SQUARE = re.compile(r"([a-z])([1-9][0-9]?)")
_COLUMN = re.compile(r"[a-z]")
_SWAP_WORD = "swap"
# The largest board for which there is a notation.
_MOST_COLUMNS, _MOST_ROWS = 26, 99
# The row of a move into a column: only the position tells on which square the piece lands.
_FALLING = -1

# Steps of (columns, rows) along a row, a column and both diagonals.
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Square(NamedTuple):
    """A square by its column (from the left) and row (from the bottom), both from 0."""

    column: int
    row: int

    def __repr__(self) -> str:
        if 0 <= self.column < _MOST_COLUMNS and 0 <= self.row < _MOST_ROWS:
            return f"Square.parse('{self}')"
        return f"Square({self.column}, {self.row})"  # that of a swap, or of a move into a column

    def __str__(self) -> str:
        return f"{ascii_lowercase[self.column]}{self.row + 1}"

    @classmethod
    def parse(cls, text: str) -> "Square":
        """Return the square written as `text` (``a1`` to ``z99``); raise BadNotation."""
        found = _SQUARE.fullmatch(text)
        if found is None:
            raise BadNotation(text)
        return cls(ascii_lowercase.index(found[1]), int(found[2]) - 1)


class Move(NamedTuple):
    """A mark put on `to`, or a man moved from `origin` to `to`; every game uses this type.

    A piece that falls has a `column` in place of a square: `Position.landing` says where it lands.
    """

    to: Square
    origin: Square | None = None

    @classmethod
    def into(cls, column: int) -> "Move":
        """Return the move by which a piece falls into a column, from 0."""
        return cls(Square(column, _FALLING))

    @property
    def column(self) -> int | None:
        """The column into which a piece falls, None for every other move."""
        return self.to.column if self.to.row == _FALLING and self != SWAP else None

    def __repr__(self) -> str:
        return f"Move.parse('{self}')"

    def __str__(self) -> str:
        if self.origin is not None:
            return f"{self.origin}-{self.to}"
        if self.to.row != _FALLING:
            return str(self.to)
        return _SWAP_WORD if self == SWAP else ascii_lowercase[self.to.column]

    @classmethod
    def parse(cls, text: str) -> "Move":
        """Return the move written as `text`, in either case; raise BadNotation."""
        origin, dash, to = text.strip().lower().partition("-")
        if origin == _SWAP_WORD and not dash:
            return SWAP
        if _COLUMN.fullmatch(origin) and not dash:
            return cls.into(ascii_lowercase.index(origin))
        try:
            if not dash:
                return cls(Square.parse(origin))
            return cls(Square.parse(to), Square.parse(origin))
        except BadNotation:
            raise BadNotation(text) from None


SWAP = Move(Square(-1, -1))
"""The move that changes sides under the pie rule; its square lies on no board."""


@dataclass(frozen=True)
class Grid:
    """A board of `columns` x `rows` squares, numbered row by row from a1.

    Raises ValueError if there is no notation for one of its squares: the last is z99.
    """

    columns: int
    rows: int

    def __post_init__(self) -> None:
        if not (0 < self.columns <= _MOST_COLUMNS and 0 < self.rows <= _MOST_ROWS):
            raise ValueError(f"{self.columns} columns, {self.rows} rows")

    @cached_property
    def squares(self) -> tuple[Square, ...]:
        """Every square, in the order of `index`."""
        return tuple(Square(c, r) for r in range(self.rows) for c in range(self.columns))

    @cached_property
    def drops(self) -> tuple[Move, ...]:
        """The move that puts a mark on each square, in the order of `index`."""
        return tuple(map(Move, self.squares))

    @property
    def letters(self) -> str:
        """The letters of the columns, from the left."""
        return ascii_lowercase[: self.columns]

    def __contains__(self, square: Square) -> bool:
        return 0 <= square.column < self.columns and 0 <= square.row < self.rows

    def index(self, square: Square) -> int:
        """Return the number of `square`, from 0, which is also its bit in bitboards."""
        return square.row * self.columns + square.column

    def bitboard(self, squares: Iterable[Square]) -> int:
        """Return the bitboard of `squares`, which must all differ."""
        return sum(1 << self.index(square) for square in squares)

    def squares_of(self, bitboard: int) -> frozenset[Square]:
        """Return the squares on a bitboard."""
        return frozenset(square for i, square in enumerate(self.squares) if bitboard >> i & 1)

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The board's rotations and reflections without the identity.

        Each is a permutation: square `i` goes to ``symmetry[i]``.
        """
        columns = self.columns
        # The boards below list for each place the square that comes there. These are the inverse
        # permutations, but the inverses of all symmetries are again all symmetries.
        rows = [range(row * columns, (row + 1) * columns) for row in range(self.rows)]
        mirrored = [row[::-1] for row in rows]
        turned: list[Iterable[Iterable[int]]] = [mirrored, rows[::-1], mirrored[::-1]]
        if columns == self.rows:
            turned += [list(zip(*board, strict=True)) for board in (rows, *turned)]
        return tuple(tuple(chain.from_iterable(board)) for board in turned)

    def runs(self, length: int, *, wrap: bool = False) -> Iterator[frozenset[Square]]:
        """Yield each run of `length` different squares once; with `wrap`, runs cross the edges."""
        seen: set[frozenset[Square]] = set()
        for start in self.squares:
            for step in DIRECTIONS:
                run = self._run(start, step, length, wrap=wrap)
                if run is not None and run not in seen:
                    seen.add(run)
                    yield run

    def _run(
        self, start: Square, step: tuple[int, int], length: int, *, wrap: bool
    ) -> frozenset[Square] | None:
        path = [Square(start.column + i * step[0], start.row + i * step[1]) for i in range(length)]
        if wrap:
            path = [Square(s.column % self.columns, s.row % self.rows) for s in path]
        run = frozenset(path)
        # On a torus, a run longer than the board's side meets its own squares again.
        return run if len(run) == length and all(s in self for s in run) else None
