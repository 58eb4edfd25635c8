"""Positions of tic-tac-toe: marks on a board, and which seat plays which side.

A position keeps one bitboard per side (bit i is square i of the grid), and a move is tested only
against the deciding sets through its square. Side 0 is X. Seat 0 plays it unless the seats have
changed sides (`core.games.tictactoe.swap`).
"""

from dataclasses import dataclass, field, replace
from functools import cached_property

from core.errors import Illegal, IllegalMove, MatchOver, PositionError
from core.games.tictactoe.board import VARIANTS, Board, completed
from core.games.tictactoe.swap import Swap
from core.grid import SWAP, Grid, Move, Square
from core.marks import Mark, Shape
from core.outcome import Outcome, Termination
from core.position import Blank, Position
from core.views import LineView

MARKS = (Mark("X", Shape.CROSS), Mark("O", Shape.DISC))


@dataclass(frozen=True, repr=False)
class MnkPosition(Position):
    """Marks on a board: `bitboards[side]`; `decided` unites the sets that the last mark completed.

    The name is the literature's: an m,n,k-game has m columns, n rows and k in a row.
    """

    board: Board
    bitboards: tuple[int, int] = (0, 0)
    decided: int = field(default=0, compare=False)
    swap: Swap = Swap.NONE

    @property
    def grid(self) -> Grid:
        """The board's size."""
        return self.board.grid

    @property
    def sides(self) -> tuple[int, int]:
        """The side of each seat; read the other way, the seat of each side."""
        return (1, 0) if self.swap is Swap.DONE else (0, 1)

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The mark of each seat: X and O, or after a swap O and X."""
        first, second = self.sides
        return MARKS[first], MARKS[second]

    @property
    def placed(self) -> int:
        """The number of marks on the board."""
        return self.bitboards[0].bit_count() + self.bitboards[1].bit_count()

    @property
    def side_to_move(self) -> int:
        """The side to move by the number of marks, even when the game is over."""
        return self.placed % 2

    @property
    def over(self) -> bool:
        """Whether a set is completed or the board is full."""
        return bool(self.decided) or self.bitboards[0] | self.bitboards[1] == self.board.full

    @property
    def to_move(self) -> int | None:
        """The seat that moves next, None when the game is over."""
        return None if self.over else self.sides[self.side_to_move]

    def content(self, square: Square) -> int | Blank:
        """Return the seat whose mark is on `square`, or Blank.OPEN."""
        index = self.board.grid.index(square)
        first, second = self.bitboards
        if (first | second) >> index & 1:
            return self.sides[second >> index & 1]
        return Blank.OPEN

    def contents(self) -> list[int | Blank]:
        """Return the content of every square, in the order of the grid."""
        first, second = self.bitboards
        sides = self.sides
        return [
            sides[0] if first >> i & 1 else sides[1] if second >> i & 1 else Blank.OPEN
            for i in range(len(self.grid.squares))
        ]

    def legal_moves(self) -> tuple[Move, ...]:
        """Return a drop on each empty square, from a1 row by row; none when the game is over.

        If the mover may change sides, the swap comes last.
        """
        return self._legal_moves

    @cached_property  # to show a board takes them four times
    def _legal_moves(self) -> tuple[Move, ...]:
        if self.over:
            return ()
        taken = self.bitboards[0] | self.bitboards[1]
        drops = tuple(move for i, move in enumerate(self.grid.drops) if not taken >> i & 1)
        return (*drops, SWAP) if self.swap.due(self.placed) else drops

    def play(self, move: Move) -> "MnkPosition":
        """Return the position with the mover's mark on ``move.to``, or with sides changed.

        Raises IllegalMove or MatchOver.
        """
        if self.over:
            raise MatchOver
        if move == SWAP and self.swap.due(self.placed):
            return replace(self, swap=Swap.DONE)
        if move.origin is not None:
            raise IllegalMove(move, Illegal.NOT_YOUR_MAN)
        if move.to not in self.grid:
            raise IllegalMove(move, Illegal.OFF_BOARD)
        index = self.grid.index(move.to)
        placed = self.placed
        marks = list(self.bitboards)
        if (marks[0] | marks[1]) >> index & 1:
            raise IllegalMove(move, Illegal.TAKEN)
        mover = placed % 2
        marks[mover] |= 1 << index
        return MnkPosition(
            self.board,
            (marks[0], marks[1]),
            completed(marks[mover], self.board.through[index]),
            self.swap.after(placed + 1),
        )

    def outcome(self) -> Outcome | None:
        """Return the result of a completed set or of a full board, None while the game goes on."""
        if self.decided:
            owner = self.sides[0 if self.bitboards[0] & self.decided else 1]
            ends = Outcome.won if VARIANTS[self.board.variant].owner_wins else Outcome.lost
            return ends(owner, 2, Termination.LINE, self.grid.squares_of(self.decided))
        return Outcome.drawn(2, Termination.FULL) if self.over else None

    @property
    def view(self) -> LineView:
        """The marks of the seat to move and of the other one, for the engine."""
        mine, theirs = self.bitboards[self.side_to_move], self.bitboards[1 - self.side_to_move]
        return LineView(self.board.lines, mine, theirs, self.swap is Swap.ALLOWED)

    @property
    def notation(self) -> str:
        """Variant, line and rows, then the state of the swap rule if the board has one."""
        board = "/".join(self.rows())
        return f"{self.board.variant} {self.board.line} {board}{self.swap.suffix}"


def with_marks(empty: MnkPosition, letters: str, notation: str) -> MnkPosition:
    """Return `empty`, a board without marks, with `letters` on it, in the grid's order.

    Raises PositionError with the whole `notation` if no play leads there.
    """
    if len(letters) != len(empty.grid.squares):
        raise PositionError(notation)
    marks = [sum(1 << i for i, x in enumerate(letters) if x == mark.letter) for mark in MARKS]
    if marks[0].bit_count() - marks[1].bit_count() not in (0, 1):
        raise PositionError(notation)
    placed = (marks[0] | marks[1]).bit_count()
    mover, last = marks[placed % 2], marks[1 - placed % 2]
    sets = empty.board.lines.sets
    decided, shared = 0, last
    for mask in sets:
        if mask & last == mask:
            decided |= mask
            shared &= mask
    # Only the side that moved last can have decided the game, and only by one mark.
    if completed(mover, sets) or (decided and not shared):
        raise PositionError(notation)
    if not empty.swap.possible(placed):
        raise PositionError(notation)
    return replace(empty, bitboards=(marks[0], marks[1]), decided=decided)
