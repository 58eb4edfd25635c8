"""A game made for tests, defined as a new file in `core/games` would define it.

1. Three squares lie in a row.
2. A move takes one free square.
3. The first move doesn't take the middle.
4. The player who takes the last square wins; in the variant `misere` that player loses.

Search processes import it from here.
"""

from dataclasses import dataclass
from enum import nonmember
from random import Random
from typing import ClassVar

from core.errors import GameError, Illegal, IllegalMove, MatchOver, PositionError, Reason
from core.game import Example, Game
from core.grid import Grid, Move, Square
from core.marks import Mark, Shape
from core.options import Choice, Options
from core.outcome import Outcome, Termination
from core.position import Blank, Position

KEY = "lastsquare"
MIDDLE = Square(1, 0)
# Tribolo uses the letters B and R for other shapes.
MARKS = (Mark("B", Shape.HEART), Mark("R", Shape.DISC))


class LastSquareReason(Reason):
    """The reason for a refusal by the third rule."""

    game = nonmember(KEY)

    MIDDLE_FIRST = "middle_first"


@dataclass(frozen=True, repr=False)
class LastSquarePosition(Position):
    """The squares in the order they were taken; the seats alternate from seat 0."""

    grid: ClassVar[Grid] = Grid(3, 1)
    marks: ClassVar[tuple[Mark, ...]] = MARKS

    variant: str
    taken: tuple[Square, ...] = ()

    @property
    def to_move(self) -> int | None:
        return len(self.taken) % 2 if len(self.taken) < 3 else None

    def content(self, square: Square) -> int | Blank:
        return self.taken.index(square) % 2 if square in self.taken else Blank.OPEN

    def legal_moves(self) -> tuple[Move, ...]:
        squares = (s for s in self.grid.squares if self._refusal(s) is None)
        return tuple(map(Move, squares))

    def _refusal(self, square: Square) -> Reason | None:
        if square not in self.grid:
            return Illegal.OFF_BOARD
        if square in self.taken:
            return Illegal.TAKEN
        return LastSquareReason.MIDDLE_FIRST if square == MIDDLE and not self.taken else None

    def play(self, move: Move) -> "LastSquarePosition":
        if self.to_move is None:
            raise MatchOver
        if reason := Illegal.NOT_YOUR_MAN if move.origin else self._refusal(move.to):
            raise IllegalMove(move, reason)
        return LastSquarePosition(self.variant, (*self.taken, move.to))

    def outcome(self) -> Outcome | None:
        if self.to_move is not None:
            return None
        last = (len(self.taken) - 1) % 2
        winner = last if self.variant == "normal" else 1 - last
        return Outcome.won(winner, 2, Termination.LINE, frozenset(self.taken[-1:]))

    @property
    def notation(self) -> str:
        return " ".join([self.variant, *map(str, self.taken)])


class LastSquare(Game):
    """Two seats; taking the last square wins."""

    key = KEY
    marks = MARKS
    example = Example("normal", ("a1", "b1", "c1"))
    declared = (Choice("variant", ("normal", "misere")),)

    def start(self, options: Options, rng: Random) -> LastSquarePosition:
        return LastSquarePosition(str(options["variant"]))

    def parse(self, notation: str) -> LastSquarePosition:
        variant, *squares = notation.split(" ")
        position = LastSquarePosition(variant)
        try:
            self.resolve({"variant": variant})
            for square in squares:
                position = position.play(Move(Square.parse(square)))
        except GameError as error:
            raise PositionError(notation) from error
        return position
