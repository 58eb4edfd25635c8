"""What a position is: the board and whose turn it is, whatever the game.

A position is an immutable value. Seats are 0-based; which of them moves next only the position
says. What some games have beside that is a protocol of its own: `Leavable`, `Scored`, `Sided`.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Protocol, runtime_checkable

from core.grid import Grid, Move, Square
from core.outcome import Outcome


class Blank(Enum):
    """A square on which nobody's mark stands."""

    OPEN = "open"
    CLOSED = "closed"  # empty, and no move ever goes there again
    WALL = "wall"  # part of the board from the start, and nobody's for ever


class Position(Protocol):
    """The board and whose turn it is; a value, equal to every other position that reads the same.

    `str()` gives a text without line breaks that the game's `parse` reads back.
    """

    @property
    def grid(self) -> Grid:
        """The board's size."""

    @property
    def to_move(self) -> int | None:
        """The seat that moves next, None when the game is over."""

    def content(self, square: Square) -> int | Blank:
        """Return the seat whose mark or man stands on `square`, or what kind of blank it is."""

    def legal_moves(self) -> Sequence[Move]:
        """Return every legal move, in an order that never changes; none when the game is over."""

    def play(self, move: Move) -> "Position":
        """Return the position after `move`; raise IllegalMove or MatchOver."""

    def outcome(self) -> Outcome | None:
        """Return how the game ended on this board, None while it goes on."""


@runtime_checkable
class Leavable(Protocol):
    """A position that a seat can leave while the others play on: all games for more than two."""

    def without(self, seat: int) -> Position:
        """Return the position in which `seat` is passed over for ever; its squares stay.

        Which seats are out is part of the position, and of its text. Raises ValueError for a seat
        that there is none of, or that is out already.
        """


@runtime_checkable
class Scored(Protocol):
    """A position in which seats have points to be shown while they play."""

    def scores(self) -> tuple[int, ...]:
        """Return the points of each seat, more being better."""


@runtime_checkable
class Sided(Protocol):
    """A position in which seats may have changed sides."""

    @property
    def sides(self) -> tuple[int, ...]:
        """The side that each seat plays, by its number in the game's `marks`."""
