"""Squares, moves and their notation, and lines on a rectangular board.

Columns are letters from the left, rows are numbers from the bottom: ``a1`` is the lower left
square. A drop is written as its square (``b2``), a man's move as from-to (``a1-c4``), and taking
over the other side as the word ``swap``.
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
_SWAP_WORD = "swap"

# (columns, rows) to the next square of a line: a row, a column and both diagonals.
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Square(NamedTuple):
    """One square by 0-based column (from the left) and row (from the bottom)."""

    column: int
    row: int

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
    """A mark put on `to`, or a man moved from `origin` to `to`: one type for every game."""

    to: Square
    origin: Square | None = None

    def __str__(self) -> str:
        if self == SWAP:
            return _SWAP_WORD
        return str(self.to) if self.origin is None else f"{self.origin}-{self.to}"

    @classmethod
    def parse(cls, text: str) -> "Move":
        """Return the move that a person wrote as `text`, in either case; raise BadNotation."""
        origin, dash, to = text.strip().lower().partition("-")
        if origin == _SWAP_WORD and not dash:
            return SWAP
        try:
            if not dash:
                return cls(Square.parse(origin))
            return cls(Square.parse(to), Square.parse(origin))
        except BadNotation:
            raise BadNotation(text) from None


SWAP = Move(Square(-1, -1))
"""Changing sides with the other player instead of marking: a move to a square that no board has."""


@dataclass(frozen=True)
class Grid:
    """A board of `columns` x `rows` squares, numbered row by row from a1."""

    columns: int
    rows: int

    @cached_property
    def squares(self) -> tuple[Square, ...]:
        """Every square, in the order of `index`."""
        return tuple(Square(c, r) for r in range(self.rows) for c in range(self.columns))

    def __contains__(self, square: Square) -> bool:
        return 0 <= square.column < self.columns and 0 <= square.row < self.rows

    def index(self, square: Square) -> int:
        """Return the number of `square`, which is its bit in the games' bitboards."""
        return square.row * self.columns + square.column

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Where each square goes when the board is turned or mirrored, the identity left out."""
        columns = self.columns
        # What is read below is where squares come from; of all ways together that is the same.
        rows = [range(row * columns, (row + 1) * columns) for row in range(self.rows)]
        mirrored = [row[::-1] for row in rows]
        turned: list[Iterable[Iterable[int]]] = [mirrored, rows[::-1], mirrored[::-1]]
        if columns == self.rows:
            turned += [list(zip(*board, strict=True)) for board in (rows, *turned)]
        return tuple(tuple(chain.from_iterable(board)) for board in turned)

    def runs(self, length: int, *, wrap: bool = False) -> Iterator[frozenset[Square]]:
        """Yield each run of `length` different squares once; with `wrap` also over the edges."""
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
        # On a torus a line longer than its side bites its own tail.
        return run if len(run) == length and all(s in self for s in run) else None
