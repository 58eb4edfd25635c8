"""Make the books of first moves: `python -m tests.core.books [LABEL ...]`.

Positions with the most marks are searched by books.c, one of each mirrored kind; all others follow
from them, move by move. Where results alone can be had, not how many plies they take, proofs.c does
it, for all. It takes a C compiler, and for 6x6 with four in a row half an hour.
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
from core.engine.book import LOST, UNKNOWN, WON, Book, blank, kinds
from core.engine.geometry import geometry, split
from core.engine.mirrors import Mirrors
from core.games.tictactoe.board import Board, board

LENGTHS, RESULTS = (Path(__file__).with_name(name) for name in ("books.c", "proofs.c"))
FOLDER = Path(books.__file__).with_name("books")

Shape = tuple[int, int, int, str]  # columns, rows, line, variant

# The board, and up to how many marks.
BOOKS: dict[str, tuple[Shape, int]] = {
    "classic-3-3x3": ((3, 3, 3, "classic"), 6),
    "classic-3-5x5": ((5, 5, 3, "classic"), 3),
    "classic-3-6x6": ((6, 6, 3, "classic"), 4),
    "classic-3-9x4": ((4, 9, 3, "classic"), 4),
    "classic-4-4x4": ((4, 4, 4, "classic"), 5),
    "classic-4-5x5": ((5, 5, 4, "classic"), 7),
    "classic-4-6x6": ((6, 6, 4, "classic"), 5),
    "classic-5-6x6": ((6, 6, 5, "classic"), 3),
}
WITHOUT_LENGTHS = {"classic-4-6x6"}
_CHUNK = 5_000

Marks = tuple[int, int]


def positions(mirrors: Mirrors, count: int) -> Iterator[Marks]:
    """Yield pairs of bitboards with so many marks, those of who moves next first.

    They are all that a book holds: of two that mirror each other in the marks of who moves next,
    only one.
    """
    for mine in kinds(mirrors, count // 2):
        rest = [1 << i for i in range(mirrors.squares) if not mine >> i & 1]
        for others in combinations(rest, count - count // 2):
            yield mine, sum(others)


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
def compiled(source: Path = LENGTHS) -> Iterator[Path]:
    """Yield a program, compiled by the machine's C compiler."""
    with TemporaryDirectory() as folder:
        program = Path(folder, "books")
        subprocess.run(["cc", "-O2", "-o", program, source], check=True)
        yield program


def make(shape: Shape, marks: int, source: Path = LENGTHS) -> Book:
    """Return the book of a board."""
    playing = board(*shape)
    book = blank(geometry(playing.lines).mirrors, marks)
    for count in range(marks, -1, -1):
        level = list(kinds_of(playing, count))
        known = {pair: followed(playing, book, *pair) for pair in level if count < marks}
        open_ones = [pair for pair in level if known.get(pair, UNKNOWN) == UNKNOWN]
        known.update(zip(open_ones, _searched(playing, open_ones, source), strict=True))
        for (mine, theirs), code in known.items():
            book.write(mine << playing.lines.squares | theirs, code)
        print(count, "marks:", len(level), "kinds of positions", flush=True)
    return book


def kinds_of(playing: Board, count: int) -> Iterator[Marks]:
    """Yield the positions with so many marks, of all that mirror each other one."""
    mirrors = geometry(playing.lines).mirrors
    for mine, theirs in positions(mirrors, count):
        least = mirrors.canonical(mine, theirs) == mine << mirrors.squares | theirs
        if least and undecided(playing, (mine, theirs)):
            yield mine, theirs


def _searched(playing: Board, first: list[Marks], source: Path) -> list[int]:
    share = min(_CHUNK, 1 + len(first) // (os.cpu_count() or 1))
    chunks = [first[i : i + share] for i in range(0, len(first), share)]
    with compiled(source) as program, ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = pool.map(lambda chunk: search(playing, chunk, program), chunks)
        return [code for part in parts for code in part]


def followed(playing: Board, book: Book, mine: int, theirs: int) -> int:
    """Return the code of a position as far as it follows from those after each move."""
    codes, mirrors = [], geometry(playing.lines).mirrors
    for bit in split(playing.full & ~(mine | theirs)):
        if not undecided(playing, (mine | bit, 0)):
            return 1
        codes.append(book.values[book.index(mirrors.canonical(theirs, mine | bit))])
    won = [code for code in codes if code and code % 2 == 0]
    if not won and (UNKNOWN in codes or 0 in codes):
        return UNKNOWN if UNKNOWN in codes else 0
    after = min(won) if won else max(codes)
    return {WON: LOST, LOST: WON}.get(after, after + 1)


def main(labels: list[str]) -> None:
    """Write the books with these labels, or all."""
    FOLDER.mkdir(exist_ok=True)
    for label in labels or BOOKS:
        print(label, flush=True)
        book = make(*BOOKS[label], RESULTS if label in WITHOUT_LENGTHS else LENGTHS)
        (FOLDER / f"{label}.book").write_bytes(books.packed(book))


if __name__ == "__main__":
    main(sys.argv[1:])
