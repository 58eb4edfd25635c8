"""Positions of Nine Holes: men at home and in the holes, and the seat to move."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import nonmember
from typing import ClassVar

from core.errors import Illegal, IllegalMove, MatchOver, Reason
from core.games.nineholes.board import GRID, HOLES, HOMES, LINES, VARIANTS, encode, singles
from core.grid import Grid, Move, Square
from core.marks import Mark, Shape
from core.outcome import Outcome, Termination
from core.position import Blank, Position
from core.views import LoopView

KEY = "nineholes"
MARKS = (Mark("X", Shape.CROSS), Mark("O", Shape.DISC))
# All moves by the bits of their two squares, made once because `legal_moves` is asked very often.
_MOVES = {
    (1 << i, 1 << j): Move(target, origin)
    for i, origin in enumerate(GRID.squares)
    for j, target in enumerate(GRID.squares)
}


class NineHolesReason(Reason):
    """Why the rules of Nine Holes refuse a move, beside the reasons that games share."""

    game = nonmember(KEY)

    NOT_A_HOLE = "not_a_hole"
    MEN_AT_HOME = "men_at_home"
    NOT_ADJACENT = "not_adjacent"


@dataclass(frozen=True, repr=False)
class NineHolesPosition(Position):
    """The men of each seat as a bitboard, and the seat to move."""

    grid: ClassVar[Grid] = GRID
    marks: ClassVar[tuple[Mark, ...]] = MARKS

    variant: str
    men: tuple[int, int] = HOMES
    mover: int = 0

    @property
    def to_move(self) -> int | None:
        """The seat that moves next, None when the game is over."""
        return None if self.outcome() else self.mover

    def content(self, square: Square) -> int | Blank:
        """Return the seat whose man is on `square`; an empty home square is closed, a hole open."""
        bit = 1 << GRID.index(square)
        for seat, men in enumerate(self.men):
            if men & bit:
                return seat
        return Blank.OPEN if bit & HOLES else Blank.CLOSED

    def legal_moves(self) -> tuple[Move, ...]:
        """Return each man's moves, men and targets both from a1 rank by rank."""
        return () if self._line() else tuple(_MOVES[step] for step in self._steps())

    def _steps(self) -> Iterator[tuple[int, int]]:
        """Yield the bits of a man and of a hole that it can enter, for each move in order."""
        for origin in singles(self.men[self.mover]):
            for target in singles(self._targets(origin)):
                yield origin, target

    def _in_holes(self) -> tuple[int, int]:
        """Return the men in holes of the mover and of the other seat."""
        return self.men[self.mover] & HOLES, self.men[1 - self.mover] & HOLES

    def _targets(self, origin: int) -> int:
        """Return the holes that the mover's man on `origin` can enter."""
        return VARIANTS[self.variant].targets(origin & HOLES, *self._in_holes())

    def play(self, move: Move) -> "NineHolesPosition":
        """Return the position after `move`; raise IllegalMove or MatchOver."""
        if self.outcome():
            raise MatchOver
        if move.origin is None:
            raise IllegalMove(move, Illegal.NO_ORIGIN)
        if move.to not in GRID or move.origin not in GRID:
            raise IllegalMove(move, Illegal.OFF_BOARD)
        origin, target = 1 << GRID.index(move.origin), 1 << GRID.index(move.to)
        if reason := self._refusal(origin, target):
            raise IllegalMove(move, reason)
        men = list(self.men)
        men[self.mover] ^= origin | target
        return NineHolesPosition(self.variant, (men[0], men[1]), 1 - self.mover)

    def _refusal(self, origin: int, target: int) -> Reason | None:
        """Return why the mover may not move from `origin` to `target`, None if it may."""
        if not self.men[self.mover] & origin:
            return Illegal.NOT_YOUR_MAN
        if target & self._targets(origin):
            return None
        if not target & HOLES:
            return NineHolesReason.NOT_A_HOLE
        if (self.men[0] | self.men[1]) & target:
            return Illegal.TAKEN
        at_home = self.men[self.mover] & ~HOLES
        return NineHolesReason.MEN_AT_HOME if at_home else NineHolesReason.NOT_ADJACENT

    def _line(self) -> int:
        """Return the line that one seat owns whole, 0 if there is none."""
        return next((men for men in self.men if men in LINES), 0)

    def outcome(self) -> Outcome | None:
        """Return the win by a line or the loss of a blocked mover; None while the game goes on."""
        if line := self._line():
            winner = self.men.index(line)
            return Outcome.won(winner, 2, Termination.LINE, GRID.squares_of(line))
        if VARIANTS[self.variant].stuck(*self._in_holes()):
            # There is no pass, and the rules don't name a result; in the morris family a stuck side
            # loses.
            return Outcome.lost(self.mover, 2, Termination.BLOCKED)
        return None

    @property
    def view(self) -> LoopView:
        """For the engine: the numbers of the position and of those after each legal move."""
        own, other = self._in_holes()
        after = tuple(encode(other, own ^ man & HOLES | hole) for man, hole in self._steps())
        return LoopView(VARIANTS[self.variant], self.code, after)

    @property
    def code(self) -> int:
        """The position as a number (`core.games.nineholes.board`)."""
        return encode(*self._in_holes())

    @property
    def notation(self) -> str:
        """Variant, ranks from the fifth to the first, and the mark of the mover."""
        return f"{self.variant} {'/'.join(self.rows())} {MARKS[self.mover]}"
