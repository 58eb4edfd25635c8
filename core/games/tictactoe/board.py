"""The boards of tic-tac-toe: the sets of squares that decide a game, as data.

A side completes a deciding set by owning all of its squares. A variant declares those sets, and
whether completing one wins or loses.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial

from core.games.tictactoe.known import drawn
from core.grid import Grid, Square
from core.views import LineBoard


def _runs_and_corners(grid: Grid, line: int) -> Iterable[frozenset[Square]]:
    yield from grid.runs(line)
    yield frozenset(Square(c, r) for c in (0, grid.columns - 1) for r in (0, grid.rows - 1))


@dataclass(frozen=True)
class Variant:
    """The sets that decide a game; completing one wins or, if not `owner_wins`, loses."""

    sets: Callable[[Grid, int], Iterable[frozenset[Square]]] = Grid.runs
    owner_wins: bool = True


VARIANTS = {
    "classic": Variant(),
    "misere": Variant(owner_wins=False),
    "corners": Variant(sets=_runs_and_corners),
    "torus": Variant(sets=partial(Grid.runs, wrap=True)),
}


@dataclass(frozen=True)
class Board:
    """The constant part of a position: the size, the line, and the deciding sets.

    `through[i]` are the bitboards of the deciding sets that contain square i.
    """

    grid: Grid
    line: int
    variant: str
    through: tuple[tuple[int, ...], ...] = field(compare=False, repr=False)

    def __reduce__(self) -> tuple[Callable[..., "Board"], tuple[int | str, ...]]:
        """Pickle the arguments of `board`: for a copy, searches would prepare everything anew."""
        return board, (self.grid.columns, self.grid.rows, self.line, self.variant)

    @cached_property
    def full(self) -> int:
        """The bitboard of all squares."""
        return (1 << len(self.grid.squares)) - 1

    @cached_property
    def lines(self) -> LineBoard:
        """The board as the engine sees it."""
        return LineBoard(
            label=f"{self.variant}-{self.line}-{self.grid.rows}x{self.grid.columns}",
            squares=len(self.grid.squares),
            sets=tuple(dict.fromkeys(mask for masks in self.through for mask in masks)),
            owner_wins=VARIANTS[self.variant].owner_wins,
            symmetries=self.grid.symmetries,
            alike=self.variant == "torus",
            drawn=drawn(self.grid.columns, self.grid.rows, self.line, self.variant),
        )


@lru_cache(maxsize=64)
def board(columns: int, rows: int, line: int, variant: str) -> Board:
    """Return the board; equal arguments give the same object while it is in the cache."""
    grid = Grid(columns, rows)
    masks = [grid.bitboard(squares) for squares in VARIANTS[variant].sets(grid, line)]
    through = tuple(
        tuple(mask for mask in masks if mask >> i & 1) for i in range(len(grid.squares))
    )
    return Board(grid, line, variant, through)


def completed(mine: int, sets: tuple[int, ...]) -> int:
    """Return the union of the `sets` that lie wholly in `mine`, 0 if none does."""
    union = 0
    for mask in sets:
        if mask & mine == mask:
            union |= mask
    return union
