"""Who owns which squares of a Tribolo board, and whose turn it is.

A position is a value of three bitboards and whose turn it is, after those who can't move have been
passed over: equal boards with the same seat to move are equal, whoever was passed over before.
"""

from dataclasses import dataclass
from functools import cached_property

from core.errors import Illegal, IllegalMove, MatchOver
from core.games.tribolo_board import Field
from core.grid import SWAP, Grid, Move, Square
from core.outcome import Outcome, Termination
from core.position import Blank
from core.views import Territory, TerritoryView

MARKS = ("B", "R", "G")
EMPTY, WALL, NOBODY = ".", "#", "-"
_OUT = "-"


@dataclass(frozen=True)
class TriboloPosition:
    """Who owns which squares of a `field`, and who moves next."""

    field: Field
    state: Territory

    @property
    def grid(self) -> Grid:
        """The board's size."""
        return self.field.grid

    @property
    def to_move(self) -> int | None:
        """The seat that moves next, None when nobody can."""
        return self.state.mover

    def content(self, square: Square) -> int | Blank:
        """Return the seat that owns `square`, Blank.WALL or Blank.OPEN."""
        bit = self.field.bits[square]
        for seat, owned in enumerate(self.state.owned):
            if owned & bit:
                return seat
        return Blank.WALL if self.field.walls & bit else Blank.OPEN

    def scores(self) -> tuple[int, ...]:
        """Return how many squares each seat owns."""
        return tuple(owned.bit_count() for owned in self.state.owned)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the squares on which the mover takes something, from a1 row by row."""
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

    def _refusal(self, move: Move) -> Illegal | None:
        """Return why the mover may not make `move`, None where it may."""
        if move.origin is not None:
            return Illegal.NOT_YOUR_MAN
        if move.to not in self.grid:
            return Illegal.NO_SWAP if move == SWAP else Illegal.OFF_BOARD
        if self.state.targets & self.field.bits[move.to]:
            return None
        content = self.content(move.to)
        if content is Blank.OPEN:
            return Illegal.TAKES_NOTHING
        return Illegal.WALL if content is Blank.WALL else Illegal.TAKEN

    def without(self, seat: int) -> "TriboloPosition":
        """Return the position in which `seat` moves no more; raise ValueError if it doesn't now."""
        owned, mover, _, out = self.state
        if seat not in range(len(owned)) or seat in out:
            raise ValueError(f"seat {seat} is not at {self}")
        first = seat if mover is None else mover
        return TriboloPosition(self.field, self.field.turn(owned, first, out | {seat}))

    def outcome(self) -> Outcome | None:
        """Return the ranks by squares once nobody can move, seats that are out behind the others.

        None while the game goes on.
        """
        if self.state.mover is not None:
            return None
        worth = [(s not in self.state.out, points) for s, points in enumerate(self.scores())]
        ranks = tuple(1 + sum(other > own for other in worth) for own in worth)
        return Outcome(Termination.EXHAUSTED, ranks)

    @cached_property
    def view(self) -> TerritoryView:
        """The board as it is, for the engine."""
        return TerritoryView(self.field, self.state)

    def __str__(self) -> str:
        letters = {Blank.OPEN: EMPTY, Blank.WALL: WALL}
        contents = [
            letters[content] if isinstance(content, Blank) else MARKS[content]
            for content in map(self.content, self.grid.squares)
        ]
        starts = reversed(range(0, len(contents), self.grid.columns))
        board = "/".join("".join(contents[at : at + self.grid.columns]) for at in starts)
        mover, out = self.state.mover, sorted(self.state.out)
        gone = " " + _OUT + "".join(MARKS[seat] for seat in out) if out else ""
        return f"{board} {NOBODY if mover is None else MARKS[mover]}{gone}"
