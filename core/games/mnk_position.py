"""Marks on a board of tic-tac-toe.

A position keeps one bitboard per side (bit i is square i of the grid), and a move is tested only
against the deciding sets through its square. Side 0 is X, which seat 0 plays unless the seats have
changed sides (`core.games.mnk_swap`).
"""

from dataclasses import dataclass, field, replace

from core.errors import Illegal, IllegalMove, MatchOver, PositionError
from core.games.mnk_board import VARIANTS, Board, completed
from core.games.mnk_swap import Swap
from core.grid import SWAP, Grid, Move, Square
from core.outcome import Outcome, Termination
from core.position import Blank
from core.views import LineView

MARKS = ("X", "O")
EMPTY = "."


@dataclass(frozen=True)
class MnkPosition:
    """Marks on a board: `marks[side]` is a bitboard; `decided` unites the sets just completed."""

    board: Board
    marks: tuple[int, int] = (0, 0)
    decided: int = field(default=0, compare=False)
    swap: Swap = Swap.NONE

    @property
    def grid(self) -> Grid:
        """The board's size."""
        return self.board.grid

    @property
    def placed(self) -> int:
        """How many marks are on the board."""
        return self.marks[0].bit_count() + self.marks[1].bit_count()

    @property
    def mover(self) -> int:
        """The side whose turn it is by the count of marks, even when the game is over."""
        return self.placed % 2

    @property
    def sides(self) -> tuple[int, ...]:
        """The side that each seat plays; read the other way, the seat that plays each side."""
        return self.swap.sides

    @property
    def over(self) -> bool:
        """Whether a set is completed or the board is full."""
        return bool(self.decided) or self.marks[0] | self.marks[1] == self.board.full

    @property
    def to_move(self) -> int | None:
        """The seat that moves next, None when the game is over."""
        return None if self.over else self.sides[self.mover]

    def content(self, square: Square) -> int | Blank:
        """Return the seat whose side's mark is on `square`, or Blank.OPEN."""
        bit = 1 << self.grid.index(square)
        marked = (self.sides[side] for side, marks in enumerate(self.marks) if marks & bit)
        return next(marked, Blank.OPEN)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return a drop on each empty square, from a1 row by row; none when the game is over.

        After them comes the swap, where the mover may change sides.
        """
        if self.over:
            return ()
        taken = self.marks[0] | self.marks[1]
        drops = tuple(Move(s) for i, s in enumerate(self.grid.squares) if not taken >> i & 1)
        return (*drops, SWAP) if self.swap.due(self.placed) else drops

    def play(self, move: Move) -> "MnkPosition":
        """Return the position with the mover's mark on ``move.to``, or with sides changed.

        Raises as the protocol says.
        """
        if self.over:
            raise MatchOver
        if move == SWAP:
            return self._swapped()
        if move.origin is not None:
            raise IllegalMove(move, Illegal.NOT_YOUR_MAN)
        if move.to not in self.grid:
            raise IllegalMove(move, Illegal.OFF_BOARD)
        index = self.grid.index(move.to)
        if (self.marks[0] | self.marks[1]) >> index & 1:
            raise IllegalMove(move, Illegal.TAKEN)
        marks = list(self.marks)
        marks[self.mover] |= 1 << index
        return MnkPosition(
            self.board,
            (marks[0], marks[1]),
            completed(marks[self.mover], self.board.through[index]),
            self.swap.after(self.placed + 1),
        )

    def _swapped(self) -> "MnkPosition":
        if not self.swap.due(self.placed):
            raise IllegalMove(SWAP, Illegal.NO_SWAP)
        return replace(self, swap=Swap.DONE)

    def outcome(self) -> Outcome | None:
        """Return the result of a completed set or of a full board, None while the game goes on."""
        if self.decided:
            squares = frozenset(s for i, s in enumerate(self.grid.squares) if self.decided >> i & 1)
            owner = self.sides[0 if self.marks[0] & self.decided else 1]
            ends = Outcome.won if VARIANTS[self.board.variant].owner_wins else Outcome.lost
            return ends(owner, 2, Termination.LINE, squares)
        return Outcome.drawn(2, Termination.FULL) if self.over else None

    @property
    def view(self) -> LineView:
        """The marks of the seat to move and of the other one."""
        mine, theirs = self.marks[self.mover], self.marks[1 - self.mover]
        return LineView(self.board.lines, mine, theirs, self.swap is Swap.ALLOWED)

    def __str__(self) -> str:
        letters = {self.sides[0]: MARKS[0], self.sides[1]: MARKS[1], Blank.OPEN: EMPTY}
        rows = (
            "".join(letters[self.content(Square(c, r))] for c in range(self.grid.columns))
            for r in reversed(range(self.grid.rows))
        )
        return f"{self.board.variant} {self.board.line} {'/'.join(rows)}{self.swap.suffix}"


def marked(empty: MnkPosition, letters: str, text: str) -> MnkPosition:
    """Return `empty`, a board without marks, with `letters` on it, in the grid's order.

    Raises PositionError, which tells the whole `text`, where no play leads there.
    """
    marks = tuple(sum(1 << i for i, x in enumerate(letters) if x == mark) for mark in MARKS)
    if marks[0].bit_count() - marks[1].bit_count() not in (0, 1):
        raise PositionError(text)
    sets = {mask for through in empty.board.through for mask in through}
    decided = [completed(mine, tuple(sets)) for mine in marks]
    placed = (marks[0] | marks[1]).bit_count()
    if decided[placed % 2]:  # only who moved last can have decided it
        raise PositionError(text)
    if not empty.swap.possible(placed):
        raise PositionError(text)
    return replace(empty, marks=(marks[0], marks[1]), decided=decided[0] | decided[1])
