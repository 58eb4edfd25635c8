"""Positions of Tribolo: the owner of each square, and the seat to move.

A position is three bitboards and the seat to move, after seats that can't move have been passed
over. Equal boards with the same seat to move are equal, whichever seats were passed over before.
"""

from dataclasses import dataclass
from enum import nonmember
from functools import cached_property
from typing import ClassVar

from core.errors import Illegal, IllegalMove, MatchOver, Reason
from core.games.tribolo.board import Field
from core.grid import Grid, Move, Square
from core.marks import Mark, Shape
from core.outcome import Outcome, Termination
from core.position import Blank, Position
from core.views import Territory, TerritoryView

KEY = "tribolo"
MARKS = (Mark("B", Shape.DISC), Mark("R", Shape.TRIANGLE), Mark("G", Shape.HEART))
NOBODY = "-"
_OUT = "-"


class TriboloReason(Reason):
    """Why the rules of Tribolo refuse a move, beside the reasons that games share."""

    game = nonmember(KEY)

    TAKES_NOTHING = "takes_nothing"
    WALL = "wall"


@dataclass(frozen=True, repr=False)
class TriboloPosition(Position):
    """The owner of each square of a `field`, and the seat to move."""

    marks: ClassVar[tuple[Mark, ...]] = MARKS

    field: Field
    state: Territory

    @property
    def grid(self) -> Grid:
        """The board's size."""
        return self.field.grid

    @property
    def to_move(self) -> int | None:
        """The seat that moves next, None when no seat can."""
        return self.state.mover

    def content(self, square: Square) -> int | Blank:
        """Return the seat that owns `square`, Blank.WALL or Blank.OPEN."""
        bit = self.field.bits[square]
        for seat, owned in enumerate(self.state.owned):
            if owned & bit:
                return seat
        return Blank.WALL if self.field.walls & bit else Blank.OPEN

    def scores(self) -> tuple[int, ...]:
        """Return the number of squares that each seat owns."""
        return tuple(owned.bit_count() for owned in self.state.owned)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return a drop on each square on which the mover takes something, from a1 row by row."""
        targets = self.state.targets
        return tuple(Move(square) for square, bit in self.field.bits.items() if targets & bit)

    def play(self, move: Move) -> "TriboloPosition":
        """Return the position after `move`; raise IllegalMove or MatchOver."""
        if self.state.mover is None:
            raise MatchOver
        reason = self._refusal(move)
        if reason is not None:
            raise IllegalMove(move, reason)
        return TriboloPosition(self.field, self.field.after(self.state, self.field.bits[move.to]))

    def _refusal(self, move: Move) -> Reason | None:
        """Return why the mover may not make `move`, None if it may."""
        if move.origin is not None:
            return Illegal.NOT_YOUR_MAN
        if move.to not in self.grid:
            return Illegal.OFF_BOARD
        if self.state.targets & self.field.bits[move.to]:
            return None
        content = self.content(move.to)
        if content is Blank.OPEN:
            return TriboloReason.TAKES_NOTHING
        return TriboloReason.WALL if content is Blank.WALL else Illegal.TAKEN

    def without(self, seat: int) -> "TriboloPosition":
        """Return the position in which `seat` no longer moves; raise ValueError if it is out."""
        owned, mover, _, out = self.state
        if seat not in range(len(owned)) or seat in out:
            raise ValueError(f"seat {seat} is not at {self.notation}")
        first = seat if mover is None else mover
        return TriboloPosition(self.field, self.field.turn(owned, first, out | {seat}))

    def outcome(self) -> Outcome | None:
        """Return the ranks by number of squares once no seat can move, None before.

        Seats that are out rank behind the others.
        """
        if self.state.mover is not None:
            return None
        worth = [(s not in self.state.out, points) for s, points in enumerate(self.scores())]
        ranks = tuple(1 + sum(other > own for other in worth) for own in worth)
        return Outcome(Termination.EXHAUSTED, ranks)

    @cached_property
    def view(self) -> TerritoryView:
        """The position for the engine."""
        return TerritoryView(self.field, self.state)

    @property
    def notation(self) -> str:
        """The rows from the top, the mark of the mover, and those of the seats that are out."""
        mover = self.state.mover
        out = sorted(self.state.out)
        gone = f" {_OUT}{''.join(MARKS[seat].letter for seat in out)}" if out else ""
        return f"{'/'.join(self.rows())} {NOBODY if mover is None else MARKS[mover]}{gone}"
