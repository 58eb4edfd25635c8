"""A game made for tests, with rules of a kind that none of the bot's games has.

1. Three squares lie in a row. Above them are an X and an O, which belong to nobody.
2. A move puts either mark on a free square. It is written as a move from the mark above to the
   square; the mark above stays.
3. A player who puts down an X moves again.
4. Three equal marks win for the player who completes them; otherwise a full row is drawn.
"""

from dataclasses import dataclass
from random import Random
from typing import ClassVar

from core.errors import Illegal, IllegalMove, MatchOver, PositionError
from core.game import Example, Game
from core.grid import Grid, Move, Square
from core.marks import Mark, Shape
from core.options import Options
from core.outcome import Outcome, Termination
from core.position import Blank, Content, Position

SEATS = (Mark("T", Shape.TRIANGLE), Mark("H", Shape.HEART))
LETTERS: dict[str, Mark | Blank] = {
    "X": Mark("X", Shape.CROSS),
    "O": Mark("O", Shape.DISC),
    ".": Blank.OPEN,
}


@dataclass(frozen=True, repr=False)
class EitherPosition(Position):
    """The squares of the row as letters, the seat to move, and the seat that moved last."""

    grid: ClassVar[Grid] = Grid(3, 2)
    marks: ClassVar[tuple[Mark, ...]] = SEATS

    row: str = "..."
    mover: int = 0
    last: int = 1

    @property
    def to_move(self) -> int | None:
        return None if self.outcome() else self.mover

    def content(self, square: Square) -> Content:
        return (
            LETTERS[self.row[square.column]] if square.row == 0 else LETTERS["XO."[square.column]]
        )

    def legal_moves(self) -> tuple[Move, ...]:
        if self.outcome():
            return ()
        free = [Square(at, 0) for at, letter in enumerate(self.row) if letter == "."]
        return tuple(Move(to, Square(of, 1)) for of in (0, 1) for to in free)

    def play(self, move: Move) -> "EitherPosition":
        if self.outcome():
            raise MatchOver
        if move not in self.legal_moves() or move.origin is None:
            raise IllegalMove(move, Illegal.NO_ORIGIN if move.origin is None else Illegal.TAKEN)
        letter, at = "XO"[move.origin.column], move.to.column
        after = self.mover if letter == "X" else 1 - self.mover
        return EitherPosition(self.row[:at] + letter + self.row[at + 1 :], after, self.mover)

    def outcome(self) -> Outcome | None:
        if self.row in ("XXX", "OOO"):
            squares = frozenset(self.grid.squares[:3])
            return Outcome.won(self.last, 2, Termination.LINE, squares)
        return None if "." in self.row else Outcome.drawn(2, Termination.FULL)

    @property
    def notation(self) -> str:
        return f"{self.row} {self.mover}{self.last}"


class Either(Game):
    """Two seats that put the same marks."""

    key = "either"
    marks = SEATS
    example = Example("... 01", ("b2-a1", "b2-b1", "b2-c1"))

    def start(self, options: Options, rng: Random) -> EitherPosition:
        return EitherPosition()

    def parse(self, notation: str) -> EitherPosition:
        try:
            row, seats = notation.split(" ")
            mover, last = map(int, seats)
            position = EitherPosition(row, mover, last)
        except ValueError as error:
            raise PositionError(notation) from error
        if position.notation != notation:
            raise PositionError(notation)
        return position
