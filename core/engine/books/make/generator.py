"""Makes books of first moves: a C program searches the positions with the most marks.

Of symmetric positions one is searched. The value of a position with fewer marks follows from the
values after each of its moves. `lengths.c` finds results with their distances. If that is out of
reach, `results.c` finds the results alone, for all positions.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from core.engine.bitboards import split
from core.engine.lines.book import LOST, UNKNOWN, WON, Book, blank, numbered
from core.engine.lines.geometry import geometry
from core.engine.lines.symmetry import Symmetry
from core.grid import Grid
from core.views import LineBoard

LENGTHS, RESULTS = (Path(__file__).with_name(name) for name in ("lengths.c", "results.c"))

# The greatest number of positions that one run of the program gets.
_CHUNK_POSITIONS = 5_000

Marks: TypeAlias = tuple[int, int]
"""The marks of the seat to move and of the other one, as bitboards."""


@dataclass(frozen=True)
class Recipe:
    """A book to be made: its board, its greatest number of marks, and the program for it."""

    rows: int
    columns: int
    line: int
    marks: int
    program: Path = LENGTHS

    @property
    def label(self) -> str:
        """The name of the board and of its book."""
        return f"classic-{self.line}-{self.rows}x{self.columns}"

    @cached_property
    def board(self) -> LineBoard:
        """The board: every run of `line` squares is a set, and its owner wins."""
        grid = Grid(self.columns, self.rows)
        return LineBoard(
            label=self.label,
            squares=len(grid.squares),
            sets=tuple(map(grid.bitboard, grid.runs(self.line))),
            owner_wins=True,
            symmetries=grid.symmetries,
        )


_RECIPES = (
    Recipe(3, 3, line=3, marks=6),
    Recipe(5, 5, line=3, marks=3),
    Recipe(6, 6, line=3, marks=4),
    Recipe(9, 4, line=3, marks=4),
    Recipe(4, 4, line=4, marks=5),
    Recipe(5, 5, line=4, marks=7),
    Recipe(6, 6, line=4, marks=5, program=RESULTS),
    Recipe(6, 6, line=5, marks=3),
    Recipe(3, 10, line=4, marks=3),
    Recipe(10, 3, line=4, marks=3),
)
BOOKS = {recipe.label: recipe for recipe in _RECIPES}


def positions(symmetry: Symmetry, count: int) -> Iterator[Marks]:
    """Yield the positions with `count` marks that have a place in a book.

    The marks of the seat to move come in one of several symmetric placements only.
    """
    for mine in numbered(symmetry, count // 2):
        rest = [1 << i for i in range(symmetry.squares) if not mine >> i & 1]
        for others in combinations(rest, count - count // 2):
            yield mine, sum(others)


def undecided(board: LineBoard, marks: Iterable[int]) -> bool:
    """Return whether no side owns a set."""
    return not any(mask & side == mask for side in marks for mask in board.sets)


def canonical_positions(board: LineBoard, count: int) -> Iterator[Marks]:
    """Yield the undecided positions with `count` marks, one of each symmetric group."""
    symmetry = geometry(board).symmetry
    for mine, theirs in positions(symmetry, count):
        least = symmetry.canonical(mine, theirs) == mine << symmetry.squares | theirs
        if least and undecided(board, (mine, theirs)):
            yield mine, theirs


@contextmanager
def compiled(source: Path) -> Iterator[Path]:
    """Yield the program of `source`, compiled by the machine's C compiler."""
    with TemporaryDirectory() as folder:
        program = Path(folder, "program")
        subprocess.run(["cc", "-O2", "-o", program, source], check=True)
        yield program


def searched(board: LineBoard, chunk: Sequence[Marks], program: Path) -> list[int]:
    """Return the codes of positions, as a compiled program finds them."""
    lines = [f"{board.squares} {len(board.sets)}", *map(str, board.sets)]
    lines += [f"{mine} {theirs}" for mine, theirs in chunk]
    run = subprocess.run(
        [program], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    return [int(code) for code in run.stdout.split()]


def followed(board: LineBoard, book: Book, mine: int, theirs: int) -> int:
    """Return the code of a position as it follows from the codes after each of its moves.

    Return UNKNOWN if it doesn't follow from what the book holds.
    """
    codes = []
    symmetry = geometry(board).symmetry
    for bit in split(geometry(board).full & ~(mine | theirs)):
        if not undecided(board, [mine | bit]):
            return 1
        codes.append(book.values[book.index(symmetry.canonical(theirs, mine | bit))])
    won = [code for code in codes if code and code % 2 == 0]
    if not won and (UNKNOWN in codes or 0 in codes):
        return UNKNOWN if UNKNOWN in codes else 0
    after = min(won) if won else max(codes)
    return {WON: LOST, LOST: WON}.get(after, after + 1)


def make(recipe: Recipe) -> Book:
    """Make and return the book of a recipe."""
    board = recipe.board
    book = blank(geometry(board).symmetry, recipe.marks)
    with compiled(recipe.program) as program:
        for count in range(recipe.marks, -1, -1):
            level = list(canonical_positions(board, count))
            known = {pair: followed(board, book, *pair) for pair in level if count < recipe.marks}
            unknown = [pair for pair in level if known.get(pair, UNKNOWN) == UNKNOWN]
            known.update(zip(unknown, _searched_in_parallel(board, unknown, program), strict=True))
            for (mine, theirs), code in known.items():
                book.write(mine << board.squares | theirs, code)
            print(count, "marks:", len(level), "positions, symmetric ones counted once", flush=True)
    return book


def _searched_in_parallel(board: LineBoard, unknown: list[Marks], program: Path) -> list[int]:
    size = min(_CHUNK_POSITIONS, 1 + len(unknown) // (os.cpu_count() or 1))
    chunks = [unknown[i : i + size] for i in range(0, len(unknown), size)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = pool.map(lambda chunk: searched(board, chunk, program), chunks)
        return [code for part in parts for code in part]
