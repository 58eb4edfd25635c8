"""Makes the files of connect four by programs in C.

`drops.c` makes the book: what each of the seats plays. `drops_results.c` makes the results of all
positions with twelve pieces.
"""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from struct import Struct

from core.engine.books.make.generator import compiled
from core.engine.drops.book import Entry
from core.engine.drops.results import packed
from core.views import DropBoard

SOURCE, RESULTS = (Path(__file__).with_name(name) for name in ("drops.c", "drops_results.c"))
BOARD = DropBoard(columns=7, rows=6, line=4)
LABEL = BOARD.label

_RESULTS_PIECES = 12
# The number of a position, and 0, 1 or 2 for a loss, a draw or a win.
_RECORD = Struct("<QB")


def make() -> dict[int, Entry]:
    """Return the entries of both seats, which share no position."""
    with compiled(SOURCE) as program, ThreadPoolExecutor(2) as pool:
        return {
            number: entry
            for book in pool.map(lambda seat: _of_seat(program, seat), (0, 1))
            for number, entry in book.items()
        }


def _of_seat(program: Path, seat: int) -> dict[int, Entry]:
    run = subprocess.run([program, "book", str(seat)], capture_output=True, text=True, check=True)
    entries = (map(int, line.split()) for line in run.stdout.splitlines())
    return {number: Entry(score, column) for number, score, column in entries}


def make_results() -> bytes:
    """Return the results of all positions with twelve pieces, in the form of their file."""
    parts = os.cpu_count() or 1
    with compiled(RESULTS) as program, ThreadPoolExecutor(parts) as pool:
        found = dict[int, int]()
        for part in pool.map(lambda nth: results(program, nth, parts), range(parts)):
            found |= part
    return packed(_RESULTS_PIECES, found)


def results(program: Path, part: int, parts: int) -> dict[int, int]:
    """Return the results of the positions in one of `parts` parts, by their numbers."""
    command: list[str | Path] = [program, str(_RESULTS_PIECES), str(part), str(parts)]
    run = subprocess.run(command, capture_output=True, check=True)
    return {number: result - 1 for number, result in _RECORD.iter_unpack(run.stdout)}
