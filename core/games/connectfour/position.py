"""Positions of connect four: a piece falls to the lowest free square of its column."""

from dataclasses import dataclass, field
from enum import nonmember
from typing import ClassVar

from core.errors import Illegal, IllegalMove, MatchOver, PositionError, Reason
from core.grid import Grid, Move, Square
from core.marks import Mark, Shape
from core.outcome import Outcome, Termination
from core.position import Blank, Position
from core.views import DropBoard, DropView

KEY = "connectfour"
MARKS = (Mark("X", Shape.CROSS), Mark("O", Shape.DISC))


class ConnectFourReason(Reason):
    """Why the rules of connect four refuse a move, beside the reasons that games share."""

    game = nonmember(KEY)

    FULL_COLUMN = "full_column"
    NOT_A_COLUMN = "not_a_column"


@dataclass(frozen=True, repr=False)
class ConnectFourPosition(Position):
    """The pieces of each seat, as bitboards of `board`; `won` are the lines of the last piece."""

    board: DropBoard
    pieces: tuple[int, int] = (0, 0)
    won: int = field(default=0, compare=False)
    marks: ClassVar[tuple[Mark, ...]] = MARKS

    @property
    def grid(self) -> Grid:
        """The board's size."""
        return self.board.grid

    @property
    def taken(self) -> int:
        """The squares with a piece."""
        return self.pieces[0] | self.pieces[1]

    @property
    def mover(self) -> int:
        """The seat to move by the number of pieces, even when the game is over."""
        return self.taken.bit_count() % 2

    @property
    def to_move(self) -> int | None:
        """The seat that moves next, None when the game is over."""
        return None if self.won or self.taken == self.board.full else self.mover

    def content(self, square: Square) -> int | Blank:
        """Return the seat whose piece is on `square`, or Blank.OPEN."""
        bit = self.board.bit(square)
        return next((seat for seat, own in enumerate(self.pieces) if own & bit), Blank.OPEN)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return each column with a free square, from the left; none when the game is over."""
        if self.to_move is None:
            return ()
        free = self.board.playable(self.taken)
        return tuple(Move.into(c) for c, squares in enumerate(self.board.files) if free & squares)

    def landing(self, move: Move) -> Square:
        """Return the square on which the piece of a legal move comes to rest."""
        (column, _), _ = move
        height = (self.taken & self.board.files[column]).bit_count()
        return Square(column, height)

    def play(self, move: Move) -> "ConnectFourPosition":
        """Return the position with the mover's piece in a column; raise IllegalMove, MatchOver."""
        if self.to_move is None:
            raise MatchOver
        if move.column is None:
            raise IllegalMove(move, ConnectFourReason.NOT_A_COLUMN)
        if move.column >= self.grid.columns:
            raise IllegalMove(move, Illegal.OFF_BOARD)
        bit = self.board.playable(self.taken) & self.board.files[move.column]
        if not bit:
            raise IllegalMove(move, ConnectFourReason.FULL_COLUMN)
        pieces = list(self.pieces)
        pieces[self.mover] |= bit
        won = self.board.completed(pieces[self.mover])
        return ConnectFourPosition(self.board, (pieces[0], pieces[1]), won)

    def outcome(self) -> Outcome | None:
        """Return the win by a line, or the draw on a full board; None while the game goes on."""
        if self.won:
            squares = frozenset(s for s in self.grid.squares if self.board.bit(s) & self.won)
            winner = 0 if self.pieces[0] & self.won else 1
            return Outcome.won(winner, 2, Termination.LINE, squares)
        return Outcome.drawn(2, Termination.FULL) if self.to_move is None else None

    @property
    def view(self) -> DropView:
        """The pieces of the seat to move and of the other one, for the engine."""
        return DropView(self.board, self.pieces[self.mover], self.pieces[1 - self.mover])

    @property
    def notation(self) -> str:
        """The length of a line, then the rows from the top."""
        return f"{self.board.line} {'/'.join(self.rows())}"


def with_pieces(empty: ConnectFourPosition, letters: str, notation: str) -> ConnectFourPosition:
    """Return `empty`, a board without pieces, with `letters` on it, in the grid's order.

    Raises PositionError with the whole `notation` if a piece hangs in the air, or if no play leads
    to these numbers or lines of pieces. It doesn't check whether the sides can have put the pieces
    down in turns.
    """
    board = empty.board
    bits = map(board.bit, empty.grid.squares)
    lying = list(zip(bits, letters, strict=False))
    pieces = [sum(bit for bit, letter in lying if letter == mark.letter) for mark in MARKS]
    taken = pieces[0] | pieces[1]
    last = 1 - sum(pieces).bit_count() % 2
    if pieces[0].bit_count() - pieces[1].bit_count() not in (0, 1):
        raise PositionError(notation)
    if taken & ~(taken << 1 | board.floor):  # a piece hangs in the air
        raise PositionError(notation)
    # Only the side that moved last can have won, and only by one piece, on top of its column.
    tops = taken & ~(taken >> 1)
    by_one_piece = any(not board.completed(pieces[last] & ~(tops & file)) for file in board.files)
    if board.completed(pieces[1 - last]) or not by_one_piece:
        raise PositionError(notation)
    return ConnectFourPosition(board, (pieces[0], pieces[1]), board.completed(pieces[last]))
