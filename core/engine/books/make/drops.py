"""Makes the book of connect four by a C program, `drops.c`: for each seat what it plays."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from core.engine.books.make.generator import compiled
from core.engine.drops.book import Entry, label_of
from core.views import DropBoard

SOURCE = Path(__file__).with_name("drops.c")
BOARD = DropBoard(columns=7, rows=6, line=4)
LABEL = label_of(BOARD)


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


def scores(program: Path, games: list[str]) -> list[int]:
    """Return the scores of positions, each given by its columns, such as ``4453``.

    A score is positive if the side to move wins: the number of its own pieces that are then left,
    and one more. It is negative in the same way for a loss.
    """
    run = subprocess.run(
        [program, "scores"], input="\n".join(games), capture_output=True, text=True, check=True
    )
    return [int(line) for line in run.stdout.split()]
