"""Print how long moves take on small boards, by our engine and by other programs.

    python -m tests.strength.small [BOARD]
    python -m tests.strength.small --rivals [BOARD]

With a board, or the beginning of its name, only its rows. Times are CPU time of the thread that
searches, in milliseconds. Each of our moves is by a new engine, so that no table is warm. The first
table has all positions with at most two marks, symmetric ones once, and `--positions` of random
play, which take minutes. With `--rivals` easyAI and OpenSpiel (extra `bench`) get the empty board,
and positions that they can search to the end; a move is given up after ten seconds.
"""

import argparse
import gc
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from random import Random
from statistics import median
from types import FrameType

from core.engine.levels import levels_of
from core.engine.lines.geometry import geometry
from core.engine.player import Engine
from core.engine.retrograde import shipped
from core.game import Game
from core.games.tictactoe.position import MnkPosition
from core.options import Options
from core.position import Position
from tests.core.boards import NINE_HOLES, TICTACTOE, empty, start, wandered
from tests.strength.tables import figures, in_ms, markdown, markdown_row

HEAD = ("board", "positions", "exact", "median ms", "p99 ms", "max ms", "limit ms")
RIVALS = {"easyAI": "easyai_player", "OpenSpiel": "openspiel_player"}
RIVALS_HEAD = ("board", "positions", "exact", "easyAI ms", "/ ours", "OpenSpiel ms", "/ ours")
EARLY_MARKS = 2
FIRST_MOVES = 20
# Both rivals finish positions of this size; beyond it they soon take minutes.
OPEN_SQUARES = 10
LATE, CROWDED = 20, 3
CAP_SECONDS = 10.0
LOOK_SECONDS = 0.1


@dataclass(frozen=True)
class SmallBoard:
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

    @property
    def options(self) -> Options:
        """Its options."""
        return {"rows": self.rows, "columns": self.columns, "line": self.line}

    def early(self) -> list[MnkPosition]:
        """Return every position with at most two marks, one of each symmetric group."""
        symmetry = geometry(self.first.view.board).symmetry
        found, last = [self.first], [self.first]
        for _ in range(EARLY_MARKS):
            known: dict[int, MnkPosition] = {}
            for position in (before.play(move) for before in last for move in before.legal_moves()):
                known.setdefault(symmetry.canonical(*position.bitboards), position)
            last = list(known.values())
            found += last
        return found

    def at_random(self, count: int) -> list[MnkPosition]:
        """Return `count` unfinished positions of random play, each number of marks as likely.

        A game that ends before its number of marks is dropped, and another number is drawn.
        """
        rng, found = Random(f"{self.first.notation} 0"), list[MnkPosition]()
        while len(found) < count:
            plies = rng.randrange(len(self.first.grid.squares))
            position = wandered(self.first, plies, rng)
            if not position.over:
                found.append(position)
        return found

    def late(self, count: int) -> tuple[str, list[MnkPosition]]:
        """Return a description, and those of `count` random positions with about ten open squares.

        If a line of three ends every game before that, these are the few that come nearest.
        """
        found = self.at_random(count)
        found.sort(key=lambda position: abs(open_squares(position) - OPEN_SQUARES))
        finished = open_squares(found[LATE - 1]) <= OPEN_SQUARES + 1
        found = found[: LATE if finished else CROWDED]
        left = sorted(map(open_squares, found))
        spread = f"{left[0]} to {left[-1]}" if left[0] != left[-1] else str(left[0])
        return f"{len(found)} with {spread} open squares", found


# Rows first: "9x4" has nine rows and four columns.
BOARDS = (
    SmallBoard(3, 3, 3, limit=0.5),
    SmallBoard(4, 4, 4, limit=10),
    SmallBoard(4, 4, 3, limit=10),
    SmallBoard(5, 5, 3, limit=10),
    SmallBoard(5, 5, 5, limit=10),
    SmallBoard(6, 6, 3, limit=25),
    SmallBoard(9, 4, 3, limit=25),
    SmallBoard(5, 5, 4, limit=100),
    SmallBoard(6, 6, 4, limit=1000),
)
NINE_HOLES_NAME, NINE_HOLES_LIMIT = "Nine Holes, first move", 5.0


def open_squares(position: Position) -> int:
    """Return how many moves there are."""
    return len(position.legal_moves())


class TakesTooLong(Exception):
    """A player took longer than it was given."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TakesTooLong once the body runs for longer, on systems that have signals."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return
    started = time.thread_time()

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        if time.thread_time() - started >= seconds:
            raise TakesTooLong

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def seconds_of(think: Callable[[], object]) -> float:
    """Return the seconds that `think` takes; it is given up after ten."""
    started = time.thread_time()
    try:
        with at_most(CAP_SECONDS):
            think()
    except TakesTooLong:
        return CAP_SECONDS
    return min(time.thread_time() - started, CAP_SECONDS)


def our_own(game: Game, options: Options, positions: Sequence[Position]) -> tuple[list[float], str]:
    """Return the seconds of a move in each position, and the share of those with an exact value.

    Before them the first move is made on a copy of its board, so that they don't include Python's
    first run of the code. The board that is measured isn't prepared by that.
    """
    level, seconds, exact = levels_of(game, game.resolve(options))[-1], list[float](), 0
    Engine().choose(deepcopy(positions[0]), level, Random(0))
    # The garbage collector then looks at new objects only; older ones would take it 50 ms.
    gc.collect()
    gc.freeze()
    for position in positions:
        engine, rng = Engine(), Random(0)
        shipped.cache_clear()
        began = time.thread_time()
        engine.choose(position, level, rng)
        seconds.append(time.thread_time() - began)
        exact += Engine().analyse(position).value is not None
    gc.unfreeze()
    return seconds, f"{exact / len(positions):.0%}"


def row(
    name: str, game: Game, options: Options, positions: Sequence[Position], limit: float
) -> tuple[str, ...]:
    """Return the row of the time of our moves in these positions."""
    seconds, exact = our_own(game, options, positions)
    seconds.sort()
    p99 = seconds[int(0.99 * (len(seconds) - 1))]
    times = map(in_ms, (median(seconds), p99, seconds[-1]))
    return name, str(len(seconds)), exact, *times, f"{limit:g}"


def rows(asked: str, positions: int) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the boards whose names begin so."""
    for board in BOARDS:
        if str(board).startswith(asked):
            found = [*board.early(), *board.at_random(positions)]
            yield row(str(board), TICTACTOE, board.options, found, board.limit)
    if NINE_HOLES_NAME.startswith(asked):
        first = [start(NINE_HOLES, {})] * FIRST_MOVES
        yield row(NINE_HOLES_NAME, NINE_HOLES, {}, first, NINE_HOLES_LIMIT)


def rivals_rows(asked: str, positions: int) -> Iterator[tuple[str, ...]]:
    """Yield the rows beside other programs; one that isn't installed has empty cells.

    A median of moves that were given up is a lower bound.
    """
    for board in (board for board in BOARDS if str(board).startswith(asked)):
        for name, found in (board.late(positions), ("the first move", [board.first])):
            ours, exact = our_own(TICTACTOE, board.options, found)
            cells: list[str] = []
            for module in RIVALS.values():
                try:
                    search = import_module(f"tests.strength.{module}").search
                except ImportError as error:
                    print(error, file=sys.stderr)
                    cells += ["", ""]
                    continue
                theirs = median(seconds_of(partial(search, position)) for position in found)
                bound = "> " if theirs >= CAP_SECONDS else ""
                cells += [f"{bound}{in_ms(theirs)}", f"{bound}{figures(theirs / median(ours))}"]
            yield str(board), name, exact, *cells


def main() -> None:
    """Measure the boards of the command line, and print a row after the other."""
    parser = argparse.ArgumentParser(prog="python -m tests.strength.small", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("board", nargs="?", default="")
    parser.add_argument("--rivals", action="store_true")
    parser.add_argument("--positions", type=int, default=3000, help="of random play")
    args = parser.parse_args()
    measured = rivals_rows if args.rivals else rows
    print(markdown(RIVALS_HEAD if args.rivals else HEAD), flush=True)
    for cells in measured(args.board, args.positions):
        print(markdown_row(cells), flush=True)


if __name__ == "__main__":
    main()
