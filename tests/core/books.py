"""Make the books of first moves: `python -m tests.core.books [LABEL ...]`.

Positions with the most marks are searched by books.c, one of each mirrored kind; all others follow
from them, move by move. It takes a C compiler and some minutes.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

from core.engine import book as books
from core.engine.book import Book
from core.engine.geometry import geometry, split
from core.games.mnk_board import Board, board

SOURCE = Path(__file__).with_suffix(".c")
FOLDER = Path(books.__file__).with_name("books")

Shape = tuple[int, int, int, str]  # columns, rows, line, variant

# The board, and up to how many marks.
BOOKS: dict[str, tuple[Shape, int]] = {
    "classic-3-3x3": ((3, 3, 3, "classic"), 6),
    "classic-3-5x5": ((5, 5, 3, "classic"), 3),
    "classic-3-6x6": ((6, 6, 3, "classic"), 3),
    "classic-3-9x4": ((4, 9, 3, "classic"), 3),
    "classic-4-5x5": ((5, 5, 4, "classic"), 6),
    "classic-5-6x6": ((6, 6, 5, "classic"), 3),
}
_CHUNK = 5_000

Marks = tuple[int, int]


def positions(squares: int, count: int) -> list[Marks]:
    """Return every pair of bitboards with so many marks, those of who moves next first."""
    found = []
    for chosen in combinations(range(squares), count // 2):
        mine = sum(1 << i for i in chosen)
        rest = [i for i in range(squares) if not mine >> i & 1]
        others = combinations(rest, count - count // 2)
        found += [(mine, sum(1 << i for i in other)) for other in others]
    return found


def undecided(playing: Board, marks: Marks) -> bool:
    """Whether nobody has a line yet."""
    return not any(mask & side == mask for mask in playing.lines.sets for side in marks)


def search(playing: Board, chunk: list[Marks], program: Path) -> list[int]:
    """Return the codes of positions by the program of books.c."""
    sets = playing.lines.sets
    lines = [f"{playing.lines.squares} {len(sets)}", *map(str, sets)]
    lines += [f"{mine} {theirs}" for mine, theirs in chunk]
    told = subprocess.run(  # our own program
        [program], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    return [int(code) for code in told.stdout.split()]


@contextmanager
def compiled() -> Iterator[Path]:
    """Yield the program of books.c, compiled by the machine's C compiler."""
    with TemporaryDirectory() as folder:
        program = Path(folder, "books")
        subprocess.run(["cc", "-O2", "-o", program, SOURCE], check=True)
        yield program


def make(shape: Shape, marks: int) -> Book:
    """Return the book of a board."""
    playing = board(*shape)
    mirrors = geometry(playing.lines)
    values = books.blank(playing.lines.squares, marks)
    book = Book(playing.lines.squares, marks, b"")
    for count in range(marks, -1, -1):
        level = positions(playing.lines.squares, count)
        kinds = {mirrors.canonical(*p): p for p in level if undecided(playing, p)}
        if count == marks:
            codes = _searched(playing, list(kinds.values()))
        else:
            codes = [_followed(playing, book, values, *position) for position in kinds.values()]
        for code, kind in zip(codes, kinds, strict=True):
            values[book.index(kind)] = code
        print(count, "marks:", len(kinds), "kinds of positions", flush=True)
    return Book(playing.lines.squares, marks, bytes(values))


def _searched(playing: Board, first: list[Marks]) -> list[int]:
    chunks = [first[i : i + _CHUNK] for i in range(0, len(first), _CHUNK)]
    with compiled() as program, ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = pool.map(lambda chunk: search(playing, chunk, program), chunks)
        return [code for part in parts for code in part]


def _followed(playing: Board, book: Book, values: bytearray, mine: int, theirs: int) -> int:
    """Return the code of a position from those of the positions after each move."""
    codes, mirrors = [], geometry(playing.lines)
    for bit in split(playing.full & ~(mine | theirs)):
        if not undecided(playing, (mine | bit, 0)):
            return 1
        codes.append(values[book.index(mirrors.canonical(theirs, mine | bit))])
    won = [code for code in codes if code and code % 2 == 0]
    if won:
        return min(won) + 1
    return 0 if 0 in codes else max(codes) + 1


def main(labels: list[str]) -> None:
    """Write the books with these labels, or all."""
    FOLDER.mkdir(exist_ok=True)
    for label in labels or BOOKS:
        print(label, flush=True)
        book = make(*BOOKS[label])
        (FOLDER / f"{label}.book").write_bytes(books.packed(book))


if __name__ == "__main__":
    main(sys.argv[1:])
