"""The measured boards and their positions, the same in every run."""

from dataclasses import dataclass
from random import Random

from core.engine.lines.geometry import geometry
from core.games.tictactoe.position import MnkPosition
from core.position import Position
from tests.core.boards import empty, wandered

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


def early(first: MnkPosition) -> list[MnkPosition]:
    """Return every position with at most two marks, one of each symmetric group."""
    symmetry = geometry(first.view.board).symmetry
    found, last = [first], [first]
    for _ in range(EARLY_MARKS):
        known: dict[int, MnkPosition] = {}
        for position in (before.play(move) for before in last for move in before.legal_moves()):
            known.setdefault(symmetry.canonical(*position.bitboards), position)
        last = list(known.values())
        found += last
    return found


def at_random(first: MnkPosition, count: int, seed: int = 0) -> list[MnkPosition]:
    """Return `count` unfinished positions of random play, each number of marks as likely.

    A game that ends before it has so many is drawn anew, number and all.
    """
    rng, found = Random(f"{first.notation} {seed}"), list[MnkPosition]()
    while len(found) < count:
        position = wandered(first, rng.randrange(len(first.grid.squares)), rng)
        if not position.over:
            found.append(position)
    return found


def open_squares(position: Position) -> int:
    """Return how many moves there are."""
    return len(position.legal_moves())
